/* The codecs: round trips, the odd kinds of PNG and PNM, files that are cut off, damaged or lie,
 * and what each format is said to hold. */
#include "codec.h"

#include <setjmp.h>
#include <spng.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct memory { /* a sink that keeps everything, or fails after some bytes */
    uint8_t *data;
    size_t size, room, limit;
} memory;

static bool keep(void *user, const void *data, size_t size)
{
    memory *m = user;
    if (m->limit && m->size + size > m->limit) {
        return false;
    }
    if (m->size + size > m->room) {
        m->room = 2 * (m->size + size);
        m->data = realloc(m->data, m->room);
        assert_non_null(m->data);
    }
    memcpy(m->data + m->size, data, size);
    m->size += size;
    return true;
}

/* Samples of a small generator; rows dense. The caller frees data. */
static satb_image noise(int width, int height, int channels, int bits)
{
    satb_image image = {.width = width, .height = height, .channels = channels, .bits = bits};
    image.stride = (ptrdiff_t)width * channels * (bits / 8);
    uint8_t *data = malloc(picture_bytes(&image));
    assert_non_null(data);
    uint32_t state = (uint32_t)(width * 131 + height * 17 + channels * 3 + bits);
    for (size_t i = 0; i < picture_bytes(&image); i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uint8_t)(state >> 24);
    }
    image.data = data;
    return image;
}

static const encode_settings settings = {.quality = 95, .compression = 6};

static memory encoded(const char *name, const satb_image *image)
{
    problem p;
    memory m = {0};
    sink to = {.write = keep, .user = &m};
    const codec *c = codec_for_output(name, &p);
    assert_non_null(c);
    assert_true(codec_encode(c, image, &settings, &to, &p));
    assert_false(to.failed);
    return m;
}

static picture decoded(const char *name, const void *data, size_t size)
{
    picture pic;
    problem p;
    if (!picture_decode(&pic, data, size, name, &p)) {
        fail_msg("%s", p.text);
    }
    return pic;
}

static void assert_same(const satb_image *a, const satb_image *b)
{
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->channels, b->channels);
    assert_int_equal(a->bits, b->bits);
    assert_int_equal(b->stride, (ptrdiff_t)b->width * b->channels * (b->bits / 8));
    assert_memory_equal(a->data, b->data, picture_bytes(a));
}

static void round_trip(const char *name, int width, int height, int channels, int bits)
{
    satb_image image = noise(width, height, channels, bits);
    memory m = encoded(name, &image);
    picture pic = decoded(name, m.data, m.size);
    assert_same(&image, &pic.image);
    picture_free(&pic);
    free(m.data);
    free(image.data);
}

static void test_round_trips(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 9}, {13, 1}, {17, 5}, {129, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int width = sizes[i][0], height = sizes[i][1];
        for (int channels = 1; channels <= 4; channels++) {
            round_trip("a.png", width, height, channels, 8);
            round_trip("a.PNG", width, height, channels, 16);
            round_trip("a.tga", width, height, channels, 8);
        }
        for (int bits = 8; bits <= 16; bits += 8) {
            round_trip("a.pgm", width, height, 1, bits);
            round_trip("a.ppm", width, height, 3, bits);
            round_trip("a.pnm", width, height, 1, bits);
            round_trip("a.pnm", width, height, 3, bits);
        }
        round_trip("a.bmp", width, height, 3, 8);
        round_trip("a.bmp", width, height, 4, 8);
    }
}

static void test_jpeg(void **state)
{
    (void)state;
    satb_image image = noise(40, 24, 3, 8);
    memset(image.data, 90, picture_bytes(&image));
    memory m = encoded("a.jpg", &image);
    picture pic = decoded("a.jpg", m.data, m.size);
    assert_int_equal(pic.image.channels, 3);
    assert_string_equal(pic.format, "JPEG");
    for (size_t i = 0; i < picture_bytes(&image); i++) {
        assert_in_range(((uint8_t *)pic.image.data)[i], 88, 92);
    }
    picture_free(&pic);
    free(m.data);
    free(image.data);
}

/* --- PNM -------------------------------------------------------------------------------------- */

static void test_pnm_headers(void **state)
{
    (void)state;
    static const char small[] = "P5 # a comment\n#another\r2\t1 #more\n 15\n\x0f\x01";
    picture pic = decoded("a.pgm", small, sizeof small - 1);
    assert_int_equal(((uint8_t *)pic.image.data)[0], 255);
    assert_int_equal(((uint8_t *)pic.image.data)[1], 17);
    picture_free(&pic);

    static const char deep[] = "P5 2 1 1023 \x03\xff\x02\x00";
    pic = decoded("a.pgm", deep, sizeof deep - 1);
    assert_int_equal(pic.image.bits, 16);
    assert_int_equal(((uint16_t *)pic.image.data)[0], 65535);
    assert_int_equal(((uint16_t *)pic.image.data)[1], (512 * 65535 + 511) / 1023);
    picture_free(&pic);

    static const char *const wrong[] = {"P5",
                                        "P5 2",
                                        "P5 2 1",
                                        "P5 2 1 255",
                                        "P5 0 1 255 x",
                                        "P5 1 1 0 x",
                                        "P5 1 1 70000 xx",
                                        "P5 -1 1 255 x",
                                        "P5 1 1 15 z",
                                        "P5 99999999999 1 255 x",
                                        "P5 1 1 255x",
                                        "P6 1 1 255 xy",
                                        "P5 # 1 1 255 x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        problem p;
        if (picture_decode(&pic, wrong[i], strlen(wrong[i]), "a.pgm", &p)) {
            fail_msg("'%s' was accepted", wrong[i]);
        }
    }
}

/* --- PNG of the odd kinds --------------------------------------------------------------------- */

typedef struct odd_png {
    int type, depth, interlaced;
    const void *rows; /* 4 x 2 pixels, packed as PNG does, no filter bytes */
    size_t size;
    bool transparent;
    int channels, bits; /* expected */
    uint16_t first[4], last[4];
} odd_png;

static memory write_odd(const odd_png *odd)
{
    struct spng_ihdr header = {.width = 4,
                               .height = 2,
                               .bit_depth = (uint8_t)odd->depth,
                               .color_type = (uint8_t)odd->type,
                               .interlace_method = (uint8_t)odd->interlaced};
    struct spng_plte palette = {.n_entries = 3,
                                .entries = {{10, 20, 30, 0}, {40, 50, 60, 0}, {70, 80, 90, 0}}};
    struct spng_trns key = {.gray = 3,
                            .red = 258,
                            .green = 772,
                            .blue = 1286,
                            .n_type3_entries = 2,
                            .type3_alpha = {0, 128}};
    if (odd->depth == 8) {
        key.red = 1;
        key.green = 2;
        key.blue = 3;
    }
    spng_ctx *ctx = spng_ctx_new(SPNG_CTX_ENCODER);
    assert_int_equal(spng_set_option(ctx, SPNG_ENCODE_TO_BUFFER, 1), 0);
    assert_int_equal(spng_set_ihdr(ctx, &header), 0);
    if (odd->type == SPNG_COLOR_TYPE_INDEXED) {
        assert_int_equal(spng_set_plte(ctx, &palette), 0);
    }
    if (odd->transparent) {
        assert_int_equal(spng_set_trns(ctx, &key), 0);
    }
    assert_int_equal(
        spng_encode_image(ctx, odd->rows, odd->size, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE), 0);
    int error;
    memory m = {0};
    m.data = spng_get_png_buffer(ctx, &m.size, &error);
    assert_non_null(m.data);
    spng_ctx_free(ctx);
    return m;
}

static void test_odd_pngs(void **state)
{
    (void)state;
    static const uint8_t bits1[] = {0x80, 0x10}, bits2[] = {0xc0, 0x02},
                         bits4[] = {0x3f, 0, 0, 0x0a};
    static const uint8_t gray8[] = {3, 1, 2, 3, 4, 5, 6, 7};
    static const uint8_t gray16[] = {0, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xab, 0xcd};
    static const uint8_t rgb8[24] = {[0] = 1, [1] = 2, [2] = 3, [21] = 7, [22] = 8, [23] = 9};
    static const uint8_t rgb16[48] = {
        [0] = 1, [1] = 2, [2] = 3, [3] = 4, [4] = 5, [5] = 6, [47] = 9};
    static const uint8_t index2[] = {0x18, 0x06}; /* 0 1 2 0 / 0 0 1 2 */
    static const odd_png odds[] = {
        {0, 1, 0, bits1, 2, false, 1, 8, {255}, {255}},
        {0, 2, 0, bits2, 2, false, 1, 8, {255}, {170}},
        {0, 4, 0, bits4, 4, false, 1, 8, {51}, {170}},
        {0, 4, 0, bits4, 4, true, 2, 8, {51, 0}, {170, 255}},
        {0, 8, 0, gray8, 8, true, 2, 8, {3, 0}, {7, 255}},
        {0, 16, 0, gray16, 16, true, 2, 16, {3, 0}, {0xabcd, 65535}},
        {2, 8, 0, rgb8, 24, true, 4, 8, {1, 2, 3, 0}, {7, 8, 9, 255}},
        {2, 16, 0, rgb16, 48, true, 4, 16, {258, 772, 1286, 0}, {0, 0, 9, 65535}},
        {3, 2, 0, index2, 2, false, 3, 8, {10, 20, 30}, {70, 80, 90}},
        {3, 2, 0, index2, 2, true, 4, 8, {10, 20, 30, 0}, {70, 80, 90, 255}},
        {0, 8, 1, gray8, 8, false, 1, 8, {3}, {7}},
        {2, 16, 1, rgb16, 48, false, 3, 16, {258, 772, 1286}, {0, 0, 9}},
    };
    for (size_t i = 0; i < sizeof odds / sizeof *odds; i++) {
        memory m = write_odd(&odds[i]);
        picture pic = decoded("odd.png", m.data, m.size);
        assert_int_equal(pic.image.channels, odds[i].channels);
        assert_int_equal(pic.image.bits, odds[i].bits);
        for (int c = 0; c < odds[i].channels; c++) {
            const size_t last = (size_t)(7 * odds[i].channels + c);
            const bool deep = odds[i].bits == 16;
            const uint8_t *narrow = pic.image.data;
            const uint16_t *wide = pic.image.data;
            assert_int_equal(deep ? wide[c] : narrow[c], odds[i].first[c]);
            assert_int_equal(deep ? wide[last] : narrow[last], odds[i].last[c]);
        }
        picture_free(&pic);
        free(m.data);
    }
}

/* --- Files that are wrong --------------------------------------------------------------------- */

static void refuse(const char *name, const uint8_t *data, size_t size, size_t detail)
{
    /* A copy of exactly that size lets the address sanitizer see a read beyond the end. */
    uint8_t *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, data, size);
    picture pic;
    problem p;
    if (picture_decode(&pic, copy, size, name, &p)) {
        fail_msg("%s was accepted (%zu)", name, detail);
    }
    assert_null(pic.image.data);
    assert_null(strchr(p.text, '\n'));
    free(copy);
}

static void test_cut_off(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int channels, bits;
    } cases[] = {{"a.png", 3, 8}, {"a.png", 4, 16}, {"a.jpg", 3, 8}, {"a.bmp", 3, 8},
                 {"a.bmp", 4, 8}, {"a.tga", 1, 8},  {"a.tga", 3, 8}, {"a.tga", 4, 8},
                 {"a.ppm", 3, 8}, {"a.pgm", 1, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int flat = 0; flat <= 1;
             flat++) { /* a flat picture packs into runs where there are any */
            satb_image image = noise(31, 19, cases[i].channels, cases[i].bits);
            if (flat) {
                memset(image.data, 200, picture_bytes(&image));
            }
            memory m = encoded(cases[i].name, &image);
            for (size_t size = 0; size < m.size; size++) {
                refuse(cases[i].name, m.data, size, size);
            }
            free(m.data);
            free(image.data);
        }
    }
}

static void test_every_bit_of_a_png(void **state)
{
    (void)state;
    satb_image image = noise(9, 7, 3, 8);
    memory m = encoded("a.png", &image);
    for (size_t bit = 0; bit < m.size * 8; bit++) {
        m.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        refuse("a.png", m.data, m.size, bit);
        m.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    free(m.data);
    free(image.data);
}

/* Damage must never crash, hang or overrun; whether it can be noticed is up to the format. */
static void test_damage(void **state)
{
    (void)state;
    static const char *const names[] = {"a.jpg", "a.bmp", "a.tga", "a.ppm", "a.png"};
    uint32_t random = 12345;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        satb_image image = noise(33, 18, 3, 8);
        memory m = encoded(names[i], &image);
        uint8_t *copy = malloc(m.size);
        assert_non_null(copy);
        for (int turn = 0; turn < 3000; turn++) {
            memcpy(copy, m.data, m.size);
            for (int hits = 1 + turn % 4; hits > 0; hits--) {
                random = random * 1664525u + 1013904223u;
                const size_t reach = turn % 2 ? m.size : (m.size < 64 ? m.size : 64);
                copy[(random >> 8) % reach] = (uint8_t)(random >> 3);
            }
            picture pic;
            problem p;
            if (picture_decode(&pic, copy, m.size, names[i], &p)) {
                picture_free(&pic);
            }
        }
        free(copy);
        free(m.data);
        free(image.data);
    }
}

static void test_strangers(void **state)
{
    (void)state;
    static const struct {
        const char *data, *says;
    } cases[] = {{"GIF89a......", "GIF is not read"},
                 {"RIFF....WEBPVP8 ", "WebP is not read"},
                 {"hello, world", "not a picture"},
                 {"P3 1 1 255 0 0 0", "plain PPM is not read"},
                 {"BM", "a.x: "},
                 {"\xff\xd8\xff", "cut off"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        picture pic;
        problem p;
        assert_false(picture_decode(&pic, cases[i].data, strlen(cases[i].data), "a.x", &p));
        if (!strstr(p.text, cases[i].says)) {
            fail_msg("'%s' says '%s'", cases[i].data, p.text);
        }
    }
}

static void test_missing_file(void **state)
{
    (void)state;
    picture pic;
    problem p;
    assert_false(picture_load(&pic, "no/such/file.png", &p));
    assert_non_null(strstr(p.text, "there is no such file"));
    assert_false(picture_load(&pic, ".", &p));
    assert_non_null(strstr(p.text, "is a folder"));
    assert_false(picture_load(&pic, "/dev/null", &p));
    assert_non_null(strstr(p.text, "is empty"));
}

/* --- What formats hold ------------------------------------------------------------------------ */

static void expect_fit(const char *name, int channels, int bits, int to_channels, int to_bits,
                       const char *says)
{
    const satb_image image = {.width = 8,
                              .height = 8,
                              .channels = channels,
                              .bits = bits,
                              .stride = 8 * channels * bits / 8};
    satb_image fit;
    problem p;
    char note[128];
    assert_true(codec_fit(codec_for_output(name, &p), &image, name, &fit, note, &p));
    assert_int_equal(fit.channels, to_channels);
    assert_int_equal(fit.bits, to_bits);
    assert_string_equal(note, says);
}

static void test_fit(void **state)
{
    (void)state;
    for (int channels = 1; channels <= 4; channels++) {
        expect_fit("a.png", channels, 16, channels, 16, "");
        expect_fit("a.tga", channels, 8, channels, 8, "");
    }
    expect_fit("a.bmp", 1, 8, 3, 8, "BMP cannot hold gray; written as 8-bit RGB");
    expect_fit("a.bmp", 2, 8, 4, 8, "BMP cannot hold gray with alpha; written as 8-bit RGBA");
    expect_fit("a.tga", 4, 16, 4, 8, "TGA cannot hold 16 bits; written as 8-bit RGBA");
    expect_fit("a.jpg", 4, 8, 3, 8, "JPEG cannot hold RGBA; written as 8-bit RGB, alpha dropped");
    expect_fit("a.pgm", 2, 16, 1, 16,
               "PGM cannot hold gray with alpha; written as 16-bit gray, alpha dropped");
    expect_fit("a.ppm", 1, 8, 3, 8, "PPM cannot hold gray; written as 8-bit RGB");

    const satb_image colour = {.width = 8, .height = 8, .channels = 3, .bits = 8, .stride = 24};
    const satb_image wide = {
        .width = 70000, .height = 1, .channels = 3, .bits = 8, .stride = 210000};
    satb_image fit;
    problem p;
    char note[128];
    assert_false(codec_fit(codec_for_output("a.pgm", &p), &colour, "a.pgm", &fit, note, &p));
    assert_false(codec_fit(codec_for_output("a.jpg", &p), &wide, "a.jpg", &fit, note, &p));
    assert_false(codec_fit(codec_for_output("a.tga", &p), &wide, "a.tga", &fit, note, &p));
    assert_true(codec_fit(codec_for_output("a.png", &p), &wide, "a.png", &fit, note, &p));
    assert_null(codec_for_output("a.gif", &p));
    assert_null(codec_for_output("png", &p));
    assert_null(codec_for_output("a.png/b", &p));
    assert_null(codec_for_output("a.", &p));
}

/* 16 bits to 8 is v * 255 / 65535, rounded; alpha goes, gray spreads. */
static void test_conversion(void **state)
{
    (void)state;
    satb_image image = noise(50, 40, 2, 16);
    memory m = encoded("a.ppm", &image);
    picture same = decoded("a.ppm", m.data, m.size);
    const uint16_t *from = image.data, *to = same.image.data;
    for (size_t i = 0; i < 50 * 40; i++) {
        assert_int_equal(to[3 * i], from[2 * i]);
        assert_int_equal(to[3 * i + 2], from[2 * i]);
    }
    picture_free(&same);
    free(m.data);

    m = encoded("a.tga", &image);
    picture narrow = decoded("a.tga", m.data, m.size);
    for (size_t i = 0; i < 50 * 40 * 2; i++) {
        const unsigned exact = (unsigned)((double)from[i] * 255 / 65535 + 0.5);
        assert_int_equal(((uint8_t *)narrow.image.data)[i], exact);
    }
    picture_free(&narrow);
    free(m.data);
    free(image.data);
}

/* A sink that fails is told by failed, at any byte, and nothing leaks or crashes. */
static void test_failing_sink(void **state)
{
    (void)state;
    static const char *const names[] = {"a.png", "a.jpg", "a.bmp", "a.tga", "a.ppm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int bits = 8; bits <= 16; bits += 8) {
            satb_image image = noise(20, 20, 3, bits);
            memory whole = encoded(names[i], &image);
            for (size_t limit = 1; limit < whole.size; limit += 97) {
                memory m = {.limit = limit};
                sink to = {.write = keep, .user = &m};
                problem p;
                assert_true(
                    codec_encode(codec_for_output(names[i], &p), &image, &settings, &to, &p));
                assert_true(to.failed);
                assert_true(m.size <= limit);
                free(m.data);
            }
            free(whole.data);
            free(image.data);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips),  cmocka_unit_test(test_jpeg),
        cmocka_unit_test(test_pnm_headers),  cmocka_unit_test(test_odd_pngs),
        cmocka_unit_test(test_cut_off),      cmocka_unit_test(test_every_bit_of_a_png),
        cmocka_unit_test(test_damage),       cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_missing_file), cmocka_unit_test(test_fit),
        cmocka_unit_test(test_conversion),   cmocka_unit_test(test_failing_sink),
    };
    return cmocka_run_group_tests_name("codec", tests, NULL, NULL);
}
