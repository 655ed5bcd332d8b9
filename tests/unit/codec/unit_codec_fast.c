/* The fast codecs against the plain ones: the same pixels from PNG, near ones from JPEG, and the same
 * files for any number of threads. */
#include "unit/codec/codec_case.h"
#include "unit/codec/png_by_stb.h"

#include <libdeflate.h>
#include <spng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

/* Returns a soft picture, for which every filter is chosen somewhere. */
static satb_image soft(int width, int height, int channels, int bits)
{
    satb_image image = case_noise(width, height, channels, bits);
    for (size_t i = 0; i < picture_bytes(&image); i++)
        ((uint8_t *)image.data)[i] = (uint8_t)(i / 7 % 251 + (i / 3000 % 3 ? any(3) : 0));
    return image;
}

static picture decoded(const char *name, const memory *m, codec_choice choice)
{
    return case_picture_by(name, NULL, m->data, m->size, &(decode_settings){.choice = choice});
}

static void assert_same(const satb_image *a, const satb_image *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->channels, b->channels);
    assert_int_equal(a->bits, b->bits);
    assert_memory_equal(a->data, b->data, picture_bytes(a));
}

/* Both readers must find these pixels, and the fast one must take the file. */
static void assert_both_read(const memory *m, const satb_image *image)
{
    picture fast = decoded("a.png", m, CODEC_FAST), plain = decoded("a.png", m, CODEC_PLAIN);
    assert_string_equal(fast.library, "libdeflate");
    assert_string_equal(plain.library, "libspng");
    assert_same(image, &fast.image);
    assert_same(image, &plain.image);
    picture_free(&fast);
    picture_free(&plain);
}

/* --- PNG -------------------------------------------------------------------------------------- */

/* Sizes: a pixel, prime ones, a long row, and several chunks of noise. */
static const int sizes[][2] = {{1, 1}, {1, 7}, {13, 1}, {31, 17}, {90001, 2}, {701, 1103}};

static void test_written_png(void **state)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int kind = 0; kind < 16; kind++) {
            const int channels = kind % 4 + 1, bits = kind & 4 ? 16 : 8;
            satb_image image =
                (kind & 8 ? case_noise : soft)(sizes[i][0], sizes[i][1], channels, bits);
            memory m = case_encoded_by("a.png", &image, &case_fast_settings);
            assert_both_read(&m, &image);
            assert_true(png_by_stb_is(m.data, m.size, &image));
        }
    }
}

static void test_threads(void **state)
{
    satb_image image = soft(1201, 907, 3, 8);
    memory one =
        case_encoded_by("a.png", &image, &(encode_settings){.compression = 1, .threads = 1});
    for (int threads = 0; threads <= 9; threads++) {
        memory m = case_encoded_by("a.png", &image,
                                   &(encode_settings){.compression = 1, .threads = threads});
        assert_int_equal(m.size, one.size);
        assert_memory_equal(m.data, one.data, m.size);
    }
}

/* Returns a file by libspng, with that choice of filters. */
static memory by_spng(const satb_image *image, int filters, int level)
{
    static const uint8_t types[] = {0, 0, 4, 2, 6};
    struct spng_ihdr header = {.width = (uint32_t)image->width,
                               .height = (uint32_t)image->height,
                               .bit_depth = (uint8_t)image->bits,
                               .color_type = types[image->channels]};
    spng_ctx *ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    assert_int_equal(spng_set_option(ctx, SPNG_ENCODE_TO_BUFFER, 1), 0);
    assert_int_equal(spng_set_option(ctx, SPNG_FILTER_CHOICE, filters), 0);
    assert_int_equal(spng_set_option(ctx, SPNG_IMG_COMPRESSION_LEVEL, level), 0);
    assert_int_equal(spng_set_ihdr(ctx, &header), 0);
    assert_int_equal(spng_encode_image(ctx, image->data, picture_bytes(image), SPNG_FMT_PNG,
                                       SPNG_ENCODE_FINALIZE),
                     0);
    int error;
    memory m = {0};
    m.data = unit_keep(spng_get_png_buffer(ctx, &m.size, &error));
    spng_ctx_free(ctx);
    return m;
}

static void test_foreign_png(void **state)
{
    static const int filters[] = {SPNG_FILTER_CHOICE_NONE,  SPNG_FILTER_CHOICE_SUB,
                                  SPNG_FILTER_CHOICE_UP,    SPNG_FILTER_CHOICE_AVG,
                                  SPNG_FILTER_CHOICE_PAETH, SPNG_FILTER_CHOICE_ALL};
    for (int turn = 0; turn < 96; turn++) {
        const int channels = turn % 4 + 1, bits = turn & 4 ? 16 : 8;
        satb_image image =
            (any(2) ? soft : case_noise)(1 + (int)any(700), 1 + (int)any(500), channels, bits);
        memory m = by_spng(&image, filters[turn % 6], (int)any(10));
        assert_both_read(&m, &image);
    }
}

/* --- PNG taken apart -------------------------------------------------------------------------- */

static void put_chunk(memory *m, const char *type, const uint8_t *data, size_t size)
{
    uint8_t *chunk = unit_memory(size + 12);
    for (int i = 0; i < 4; i++) {
        chunk[i] = (uint8_t)(size >> (24 - 8 * i));
        chunk[4 + i] = (uint8_t)type[i];
    }
    memcpy(chunk + 8, data, size);
    const uint32_t crc = libdeflate_crc32(0, chunk + 4, size + 4);
    for (int i = 0; i < 4; i++)
        chunk[8 + size + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
    memory_write(m, chunk, size + 12);
}

static size_t be(const uint8_t *b)
{
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

/* Returns the contents of all IDAT chunks. */
static memory stream_of(const memory *png)
{
    memory m = {0};
    for (size_t at = 8; at < png->size; at += 12 + be(png->data + at))
        if (memcmp(png->data + at + 4, "IDAT", 4) == 0)
            memory_write(&m, png->data + at + 8, be(png->data + at));
    return m;
}

/* Returns the head of that file with this stream, in chunks of at most `most` bytes. */
static memory assembled(const memory *png, const memory *stream, size_t most, const char *behind)
{
    memory m = {0};
    memory_write(&m, png->data, 33);
    for (size_t at = 0; at < stream->size;) {
        const size_t left = stream->size - at, wanted = any((uint32_t)most + 1);
        const size_t size = wanted < left ? wanted : left;
        put_chunk(&m, "IDAT", stream->data + at, size); /* some are empty */
        at += size;
    }
    if (behind)
        put_chunk(&m, behind, (const uint8_t *)"Comment\0text", 12);
    put_chunk(&m, "IEND", stream->data, 0);
    return m;
}

static void test_small_chunks(void **state)
{
    satb_image image = soft(150, 90, 3, 8);
    memory png = by_spng(&image, SPNG_FILTER_CHOICE_ALL, 6), stream = stream_of(&png);
    for (size_t most = 1; most < 5000; most = most * 3 + 1) {
        memory m = assembled(&png, &stream, most, most > 100 ? "tEXt" : NULL);
        assert_both_read(&m, &image);
    }
    memory m = assembled(&png, &stream, 1000, "quRK");
    picture pic = decoded("a.png", &m, CODEC_FAST);
    assert_string_equal(pic.library, "libspng"); /* it knows what may stand there */
    assert_same(&image, &pic.image);
    picture_free(&pic);
}

/* Both readers must give the same verdict, message and pixels, if the stream is damaged and the
 * checksums of its chunks are right. */
static void assert_same_verdict(const memory *m)
{
    uint8_t *copy = unit_copy(m->data, m->size);
    picture fast, plain;
    problem a, b;
    const bool first = picture_decode(&fast, copy, m->size, "a.png", NULL, &a);
    const bool second = picture_decode(&plain, copy, m->size, "a.png",
                                       &(decode_settings){.choice = CODEC_PLAIN}, &b);
    assert_int_equal(first, second);
    if (first)
        assert_same(&fast.image, &plain.image);
    else
        assert_string_equal(a.text, b.text);
    picture_free(&fast);
    picture_free(&plain);
}

static void test_damaged_stream(void **state)
{
    for (int kind = 0; kind < 4; kind++) {
        satb_image image = (kind & 1 ? soft : case_noise)(37, 23, kind + 1, kind & 2 ? 16 : 8);
        memory png = by_spng(&image, SPNG_FILTER_CHOICE_ALL, 6), stream = stream_of(&png);
        for (size_t size = 0; size < stream.size; size += 1 + stream.size / 300) {
            memory cut = {.data = stream.data, .size = size}, m = assembled(&png, &cut, 900, NULL);
            assert_same_verdict(&m);
        }
        for (int turn = 0; turn < 1500; turn++) {
            const size_t at = turn % 2 ? any((uint32_t)stream.size) : any(80);
            const uint8_t was = stream.data[at];
            stream.data[at] ^= (uint8_t)(1u << any(8));
            memory m = assembled(&png, &stream, 900, NULL);
            assert_same_verdict(&m);
            stream.data[at] = was;
        }
    }
}

/* Returns whether the fast reader takes a stream. It alone tests the sum, the filters and the number of
 * rows. */
static bool taken(const memory *png, const uint8_t *rows, size_t size, int wrong_sum)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    memory stream = {.capacity = libdeflate_zlib_compress_bound(c, size)};
    stream.data = unit_memory(stream.capacity);
    stream.size = libdeflate_zlib_compress(c, rows, size, stream.data, stream.capacity);
    libdeflate_free_compressor(c);
    stream.data[stream.size - 1] ^= (uint8_t)wrong_sum;
    memory m = assembled(png, &stream, 50, NULL);
    satb_image image = {.width = 20, .height = 10, .channels = 3, .bits = 8};
    const bool done = png_decode_common((bytes){m.data, m.size}, &image);
    assert_int_equal(done, image.data != NULL);
    free(image.data);
    return done;
}

static void test_strict(void **state)
{
    enum { ROW = 61, SIZE = ROW * 10 };
    uint8_t rows[SIZE + ROW];
    for (size_t i = 0; i < sizeof rows; i++)
        rows[i] = (uint8_t)(i % ROW == 0 ? i / ROW % 5 : any(256));
    satb_image image = soft(20, 10, 3, 8);
    memory png = by_spng(&image, SPNG_FILTER_CHOICE_ALL, 6);
    assert_true(taken(&png, rows, SIZE, 0));
    assert_false(taken(&png, rows, SIZE, 1));
    assert_false(taken(&png, rows, SIZE - 1, 0));
    assert_false(taken(&png, rows, SIZE + 1, 0));
    assert_false(taken(&png, rows, SIZE + ROW, 0));
    rows[9 * ROW] = 5;
    assert_false(taken(&png, rows, SIZE, 0));
}

/* --- JPEG ------------------------------------------------------------------------------------- */

static int largest_difference(const satb_image *a, const satb_image *b)
{
    int largest = 0;
    for (size_t i = 0; i < picture_bytes(a); i++) {
        const int d = abs(((uint8_t *)a->data)[i] - ((uint8_t *)b->data)[i]);
        largest = d > largest ? d : largest;
    }
    return largest;
}

/* Both decoders read files by both encoders, at full and at half resolution of colour. They round
 * the inverse transform, the interpolation of colour and its conversion differently, by up to 4 of
 * 255. */
static void test_jpeg(void **state)
{
    static const int qualities[] = {60, 90, 91, 100};
    for (int turn = 0; turn < 16; turn++) {
        satb_image image = soft(161 + turn, 97 - turn, 3, 8);
        const encode_settings settings = {.quality = qualities[turn % 4],
                                          .choice = turn & 4 ? CODEC_PLAIN : CODEC_FAST};
        memory m = case_encoded_by("a.jpg", &image, &settings);
        picture fast = decoded("a.jpg", &m, CODEC_FAST), plain = decoded("a.jpg", &m, CODEC_PLAIN);
        assert_string_equal(plain.library, "stb");
        assert_string_equal(fast.library, turbo_name() ? turbo_name() : "stb");
        assert_in_range(largest_difference(&fast.image, &plain.image), 0, 4);
        picture_free(&fast);
        picture_free(&plain);
    }
}

/* Above quality 90, both writers keep the resolution of colour. The frame header has the first
 * component's sampling (ITU-T T.81, B.2.2). */
static void test_jpeg_sampling(void **state)
{
    satb_image image = soft(40, 30, 3, 8);
    for (int turn = 0; turn < 4; turn++) {
        const bool full = turn & 1;
        const encode_settings settings = {.quality = full ? 91 : 90,
                                          .choice = turn & 2 ? CODEC_PLAIN : CODEC_FAST};
        memory m = case_encoded_by("a.jpg", &image, &settings);
        size_t at = 2;
        while (m.data[at + 1] != 0xc0)
            at += 2 + ((size_t)m.data[at + 2] << 8 | m.data[at + 3]);
        assert_int_equal(m.data[at + 11], full ? 0x11 : 0x22);
    }
}

UNIT_MAIN(UNIT(test_jpeg_sampling), UNIT(test_written_png), UNIT(test_threads),
          UNIT(test_foreign_png), UNIT(test_small_chunks), UNIT(test_damaged_stream),
          UNIT(test_strict), UNIT(test_jpeg))
