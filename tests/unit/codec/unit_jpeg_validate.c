/* jpeg_validate() passes whole JPEGs of the usual kind, and none that was changed in a way that matters. */
#include "unit/codec/codec_case.h"
#include "support/jpeg_bits.h"
#include "format/jpeg_segment.h"
#include "nvjpeg/jpeg_validate.h"
#include "nvjpeg/jpeg_entropy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

enum { WIDTH = 61, HEIGHT = 45 };

static const satb_image shape = {.width = WIDTH, .height = HEIGHT, .channels = 3, .bits = 8};

static memory written(codec_choice choice, int quality)
{
    satb_image image = case_noise(WIDTH, HEIGHT, 3, 8);
    const encode_settings settings = {.quality = quality, .choice = choice};
    memory m = case_encoded_by("a.jpg", &image, &settings);
    return m;
}

static jpeg_verdict verdict_of(const memory *m)
{
    size_t size = 0;
    const jpeg_verdict verdict = jpeg_validate((bytes){m->data, m->size}, &shape, &size);
    assert_true(verdict != JPEG_STARVED);
    if (verdict == JPEG_SOUND)
        assert_true(size <= m->size && memcmp(m->data + size - 2, "\xff\xd9", 2) == 0);
    return verdict;
}

static bool in_order(const memory *m)
{
    return verdict_of(m) == JPEG_SOUND;
}

/* Returns the place where the segment with that marker begins. */
static size_t place(const memory *m, int marker)
{
    size_t at = JPEG_FIRST;
    jpeg_segment s;
    while (jpeg_next_segment((bytes){m->data, m->size}, &at, &s) && s.marker != marker)
        continue;
    assert_int_equal(s.marker, marker);
    return s.begin;
}

/* Returns the place of that mark within the entropy-coded data. */
static size_t mark(const memory *m, int code)
{
    size_t at = place(m, 0xda);
    while (m->data[at] != 0xff || m->data[at + 1] != code)
        at++;
    return at;
}

/* Returns the file with `count` bytes at `at` replaced. */
static memory changed(const memory *m, size_t at, size_t count, const void *by, size_t size)
{
    memory out = {0};
    memory_write(&out, m->data, at);
    memory_write(&out, by, size);
    memory_write(&out, m->data + at + count, m->size - at - count);
    return out;
}

static void refuses(const memory *m, size_t at, size_t count, const void *by, size_t size)
{
    memory other = changed(m, at, count, by, size);
    if (in_order(&other))
        fail_msg("taken with %zu bytes changed at %zu", size, at);
}

static void test_whole(void **state)
{
    for (int quality = 85; quality <= 95; quality += 10) {
        for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++) {
            memory m = written(choice, quality);
            assert_true(in_order(&m));
            memory_write(&m, "more behind it", 14);
            assert_true(in_order(&m));
            for (size_t cut = 0; cut < m.size - 14; cut++) {
                const memory part = {.data = m.data, .size = cut};
                assert_false(in_order(&part));
            }
        }
    }
}

/* Frames that are not baseline, of another size or of other samplings are refused. */
static void test_frames(void **state)
{
    memory m = written(CODEC_PLAIN, 85);
    const size_t at = place(&m, 0xc0), first = at + 10;
    static const char *const markers[] = {"\xc1", "\xc2", "\xc9", "\xc3"};
    for (size_t i = 0; i < 4; i++)
        refuses(&m, at + 1, 1, markers[i], 1);
    refuses(&m, at + 4, 1, "\x0c", 1);    /* 12 bits */
    refuses(&m, at + 6, 1, "\x2c", 1);    /* height */
    refuses(&m, at + 8, 1, "\x3e", 1);    /* width */
    refuses(&m, first + 1, 1, "\x41", 1); /* 4:1:1 */
    refuses(&m, first + 4, 1, "\x21", 1); /* colours of another resolution */
    refuses(&m, first + 3, 1, "\x01", 1); /* two components of one name */
    refuses(&m, first + 2, 1, "\x03", 1); /* a table that is not there */
    refuses(&m, at, 2, "\xff\xdc", 2);    /* no frame */
    refuses(&m, at, 0, m.data + at, 19);  /* two */
}

static void test_colours(void **state)
{
    memory m = written(CODEC_PLAIN, 85);
    const size_t frame = place(&m, 0xc0), scan = place(&m, 0xda);
    static const char adobe[] = "\xff\xee\0\x0e"
                                "Adobe\0\x64\0\0\0\0";
    for (char transform = 0; transform <= 2; transform++) {
        char segment[16];
        memcpy(segment, adobe, 15);
        segment[15] = transform;
        memory other = changed(&m, 2, 0, segment, 16);
        assert_int_equal(in_order(&other), transform == 1);
    }
    for (size_t i = 0; i < 3; i++) { /* named RGB, and then without JFIF's word that they are not */
        m.data[frame + 10 + 3 * i] = (uint8_t) "RGB"[i];
        m.data[scan + 5 + 2 * i] = (uint8_t) "RGB"[i];
    }
    assert_true(in_order(&m));
    refuses(&m, 2, 18, "", 0);
}

static void test_tables(void **state)
{
    memory m = written(CODEC_PLAIN, 85);
    const size_t dht = place(&m, 0xc4), dqt = place(&m, 0xdb), scan = place(&m, 0xda);
    const size_t dc = dht + 5;             /* the first table, of DC */
    refuses(&m, dht + 4, 1, "\x02", 1);    /* a third table */
    refuses(&m, dht + 4, 1, "\x10", 1);    /* of AC: then DC has none */
    refuses(&m, dc, 3, "\x02\x01\x03", 3); /* as many codes, but no room for them */
    /* Before the right table, which takes its place: one with room, one whose last code is of ones alone, and
     * one with a difference of more bits than 8-bit samples have. */
    char table[] = "\xff\xc4\0\x1f\0"
                   "\0\3\1\1\1\1\1\1\1\1\1\0\0\0\0\0"
                   "\0\1\2\3\4\5\6\7\x8\x9\xa\xb";
    memory other = changed(&m, dht, 0, table, 33);
    assert_true(in_order(&other));
    memcpy(table + 14, "\2\0", 2);
    refuses(&m, dht, 0, table, 33);
    memcpy(table + 14, "\1\1", 2);
    table[32] = 12;
    refuses(&m, dht, 0, table, 33);
    refuses(&m, dht + 3, 1, "\x20", 1); /* a length that ends in the middle */
    refuses(&m, dqt + 4, 1, "\x10", 1); /* 16 bits */
    refuses(&m, dqt + 5, 1, "\0", 1);   /* divides by 0 */
    refuses(&m, dqt, 2, "\xff\xef", 2); /* no quantizer */
    refuses(&m, dqt, 1, "\0", 1);
    refuses(&m, dqt, 0, "\xff\xdb\0\x04\0\x01", 6); /* less than a table */
    refuses(&m, dqt, 0, "\0", 1);                   /* a byte between two segments */
    refuses(&m, dqt, 0, "\xff", 1);
    refuses(&m, scan + 4, 1, "\x01", 1);  /* a scan of one component */
    refuses(&m, scan + 5, 1, "\x02", 1);  /* of another */
    refuses(&m, scan + 6, 1, "\x20", 1);  /* by a table that is not there */
    refuses(&m, scan + 12, 1, "\x3e", 1); /* not of all coefficients */
    refuses(&m, scan + 13, 1, "\x01", 1);
}

/* Marks stand within the entropy-coded data, after every row of units: 61 x 45 pixels in 4:4:4 have
 * five of them. */
static void test_marks(void **state)
{
    if (!turbo_name()) /* stb writes none */
        skip();
    memory none = written(CODEC_FAST, 95);
    setenv("TJ_RESTART", "1", 1);
    memory m = written(CODEC_FAST, 95);
    unsetenv("TJ_RESTART");
    const size_t dri = place(&m, 0xdd), first = mark(&m, 0xd0), second = mark(&m, 0xd1);
    assert_true(in_order(&m) && in_order(&none));
    refuses(&m, first, 2, "\xff\xd1", 2); /* not in turn */
    refuses(&m, first, 2, "\xff\xd8", 2);
    refuses(&m, first, 2, "\xff\0", 2);
    refuses(&m, first, 2, "", 0);
    refuses(&m, first, second - first, "", 0); /* a row is missing */
    refuses(&m, first, 0, "\0", 1);
    refuses(&m, second, 0, m.data + first, second - first);
    refuses(&m, dri + 4, 2, "\0\x09", 2); /* other rows than they are */
    refuses(&m, dri + 4, 2, "\0\0", 2);
    refuses(&m, dri, 6, "", 0); /* not announced */
    refuses(&none, place(&none, 0xda), 0, m.data + dri, 6);
}

/* Any bit of the entropy-coded data is flipped, and bytes are missing or too many. libjpeg-turbo
 * must read a file that passes without a warning. */
static void test_bits(void **state)
{
    size_t refused = 0;
    memory m = written(CODEC_PLAIN, 85);
    const size_t begin = place(&m, 0xda) + 14;
    for (size_t at = begin; at < m.size - 2; at++) {
        bool out_of_memory;
        problem warning;
        satb_image image = shape;
        m.data[at] ^= (uint8_t)(1 << at % 8);
        if (!in_order(&m))
            refused++;
        else if (turbo_name() &&
                 !turbo_decode((bytes){m.data, m.size}, &image, &out_of_memory, &warning))
            fail_msg("a bit of byte %zu: taken", at);
        else
            pixels_free(image.data);
        m.data[at] ^= (uint8_t)(1 << at % 8);
    }
    assert_in_range(refused, 1, m.size - begin);
    refuses(&m, m.size - 3, 1, "", 0);
    refuses(&m, m.size - 2, 0, "\0", 1);
    refuses(&m, begin, m.size - 2 - begin, "", 0);
}

/* --- Entropy-coded data --------------------------------------------------------------------------- */

/* Returns the entropy-coded data from `begin` on, without the 0 behind each FF. */
static uint8_t *unpacked(const memory *m, size_t begin, size_t *bits)
{
    uint8_t *const data = unit_memory(m->size);
    size_t size = 0;
    for (size_t at = begin; at < m->size - 2; at++)
        if (m->data[at] != 0 || m->data[at - 1] != 0xff)
            data[size++] = m->data[at];
    *bits = 8 * size;
    return data;
}

/* Returns whether the entropy-coded data from `begin` on is whole, in units of `luma` blocks of
 * brightness and two of colours. All tables are in one segment, or each is in its own, in the order
 * of DC and AC, of brightness and of colours. */
static bool are_whole(const memory *m, size_t begin, int luma, int units)
{
    size_t bits;
    uint8_t *const data = unpacked(m, begin, &bits);
    reader r = {.data = data, .end = bits};
    const uint8_t *tables[4] = {NULL}, *table;
    bool whole = true;
    size_t at = JPEG_FIRST, symbols;
    uint8_t head;
    for (jpeg_segment s;
         jpeg_next_segment((bytes){m->data, m->size}, &at, &s) && s.marker != JPEG_SOS;)
        while (s.marker == JPEG_DHT && jpeg_next_huffman(&s.data, &head, &table, &symbols))
            tables[2 * (head & 1) + (head >> 4)] = table;
    for (int i = 0; i < units && whole; i++)
        for (int b = 0; b < luma + 2 && whole; b++)
            whole = read_block(&r, tables[b < luma ? 0 : 2], tables[b < luma ? 1 : 3]);
    return whole && r.end - r.bit < 8;
}

/* Returns whether a bit that is flipped there is one of a mark, or makes or ends one. */
static bool is_of_mark(const uint8_t *at, uint8_t turned)
{
    return at[-1] == 0xff || at[0] == 0xff || turned == 0xff;
}

/* The walk agrees with a reader that goes bit by bit. */
static void test_large(void **state)
{
    enum { LARGE_WIDTH = 192, LARGE_HEIGHT = 144, CHANGES = 600 };
    satb_image image = case_noise(LARGE_WIDTH, LARGE_HEIGHT, 3, 8);
    for (int quality = 70; quality <= 95; quality += 25) {
        const encode_settings settings = {.quality = quality, .choice = CODEC_PLAIN};
        const int side = quality > 90 ? 8 : 16, luma = quality > 90 ? 1 : 4;
        const int units = LARGE_WIDTH / side * (LARGE_HEIGHT / side);
        memory m = case_encoded_by("a.jpg", &image, &settings);
        const size_t begin = place(&m, 0xda) + 14, packed_bytes = m.size - 2 - begin;
        size_t taken = 0, size;
        assert_in_range(packed_bytes, 8192, 131072);
        for (size_t i = 0; i < CHANGES; i++) {
            uint8_t *const at = m.data + begin + i * 7919 % packed_bytes;
            const uint8_t was = *at, turned = (uint8_t)(was ^ 1 << i % 8);
            if (is_of_mark(at, turned))
                continue;
            *at = turned;
            const bool good = jpeg_validate((bytes){m.data, m.size}, &image, &size) == JPEG_SOUND;
            if (good != are_whole(&m, begin, luma, units))
                fail_msg("quality %d, bit %zu of %02x, change %zu: %d", quality, i % 8, was, i,
                         good);
            *at = was;
            taken += good;
        }
        assert_in_range(taken, 100, CHANGES - 100);
        assert_int_equal(jpeg_validate((bytes){m.data, m.size}, &image, &size), JPEG_SOUND);
        assert_true(are_whole(&m, begin, luma, units));
    }
}

/* An invalid code in any part is found. Codes behind it may be right again, but never count. Blocks
 * are of two bits, 00. */
static void test_holes(void **state)
{
    enum { BYTES = 6000, BLOCKS = 4 * BYTES };
    static uint8_t data[BYTES + JPEG_MARGIN];
    static const uint8_t table[17] = {
        1}; /* one code, of one bit: no difference, or the end of a block */
    static jpeg_huffman dc, ac;
    const jpeg_unit unit = {.blocks = 1, .dc = {&dc}, .ac = {&ac}};
    jpeg_huffman_make(&dc, table, false);
    jpeg_huffman_make(&ac, table, true);
    const bytes all = {data, BYTES};
    assert_true(jpeg_entropy_is_whole(&unit, all, BLOCKS));
    for (size_t hole = 50; hole < BYTES; hole += 500) {
        data[hole] = 0x80;
        for (size_t blocks = 0; blocks <= BLOCKS; blocks += 40)
            assert_false(jpeg_entropy_is_whole(&unit, all, blocks));
        data[hole] = 0;
    }
}

/* A file claims more than there is memory for its coefficients. They are not looked at. */
static void test_out_of_memory(void **state)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
    skip(); /* sanitizers end the process */
#endif
    memory m = written(CODEC_PLAIN, 85);
    size_t size;
    assert_int_equal(jpeg_validate((bytes){m.data, PTRDIFF_MAX}, &shape, &size), JPEG_STARVED);
}

static void test_heads(void **state)
{
    memory m = written(CODEC_PLAIN, 85);
    const bytes whole = {m.data, m.size};
    const size_t head = place(&m, 0xdb);
    assert_int_equal(jpeg_head_size(whole), head);
    memory more = changed(&m, 2, 0,
                          "\xff\xfe\0\x05"
                          "abc\xff\xec\0\x02",
                          11);
    assert_int_equal(jpeg_head_size((bytes){more.data, more.size}), head + 11);
    for (size_t cut = 0; cut < head; cut++)
        assert_int_equal(jpeg_head_size((bytes){m.data, cut}), 0);
    assert_int_equal(jpeg_head_size((bytes){m.data + 1, m.size - 1}), 0);
}

UNIT_MAIN(UNIT(test_whole), UNIT(test_frames), UNIT(test_colours), UNIT(test_tables),
          UNIT(test_marks), UNIT(test_bits), UNIT(test_large), UNIT(test_holes),
          UNIT(test_out_of_memory), UNIT(test_heads))
