/* The codecs: round trips, the odd kinds of PNG and PNM, and what each format is said to hold. */
#include "unit/codec/codec_case.h"

#include <satb_config.h>

#include <spng.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

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
    satb_image image = case_noise(width, height, channels, bits);
    for (int fast = 0; fast <= 1; fast++) {
        memory m = case_encoded_by(name, &image, fast ? &case_fast_settings : &case_settings);
        picture pic = case_picture(name, NULL, m.data, m.size);
        assert_same(&image, &pic.image);
        picture_free(&pic);
    }
}

/* A negative height means rows from top to bottom. */
static void test_bmp_from_the_top(void **state)
{
    static const uint8_t bmp[] = {
        'B',  'M',  70, 0, 0,  0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0,  2,  0,  0, 0, 0xfe, 0xff,
        0xff, 0xff, 1,  0, 24, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0,  0, 0, 0,  0,  0,  0, 0, 0,    0,
        0,    0,    0,  0, 0,  0, 3, 2, 1, 6, 5,  4, 0, 0, 9,  8, 7, 12, 11, 10, 0, 0};
    static const uint8_t rgb[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    picture pic = case_picture("a.bmp", NULL, bmp, sizeof bmp);
    assert_int_equal(pic.image.height, 2);
    assert_memory_equal(pic.image.data, rgb, sizeof rgb);
    picture_free(&pic);
}

/* A header of 40 bytes has no mask for alpha, so the fourth byte of its two pixels is ignored. */
static void test_bmp_without_alpha(void **state)
{
    static const uint8_t bmp[] = {'B', 'M', 62, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0,  0, 40, 0,
                                  0,   0,   2,  0, 0, 0, 1, 0, 0, 0, 1,  0, 32, 0, 0,  0,
                                  0,   0,   8,  0, 0, 0, 0, 0, 0, 0, 0,  0, 0,  0, 0,  0,
                                  0,   0,   0,  0, 0, 0, 3, 2, 1, 9, 6,  5, 4,  0};
    static const uint8_t rgb[] = {1, 2, 3, 4, 5, 6};
    picture pic = case_picture("a.bmp", NULL, bmp, sizeof bmp);
    assert_int_equal(pic.image.channels, 3);
    assert_memory_equal(pic.image.data, rgb, sizeof rgb);
    picture_free(&pic);
}

/* Returns one row of two pixels. descriptor: bits 0..3 count alpha bits, bit 4 is right to left. */
static picture tga_of(uint8_t descriptor)
{
    uint8_t tga[26] = {[2] = 2, [12] = 2, [14] = 1, [16] = 32, [17] = descriptor};
    memcpy(tga + 18, (uint8_t[]){3, 2, 1, 77, 6, 5, 4, 99}, 8);
    return case_picture("a.tga", NULL, tga, sizeof tga);
}

static void test_tga_descriptor(void **state)
{
    picture pic = tga_of(8);
    assert_int_equal(pic.image.channels, 4);
    assert_memory_equal(pic.image.data, ((uint8_t[]){1, 2, 3, 77, 4, 5, 6, 99}), 8);
    picture_free(&pic);
    pic = tga_of(8 | 0x10);
    assert_memory_equal(pic.image.data, ((uint8_t[]){4, 5, 6, 99, 1, 2, 3, 77}), 8);
    picture_free(&pic);
    pic = tga_of(0x10); /* no alpha bits: the fourth byte means nothing */
    assert_int_equal(pic.image.channels, 3);
    assert_memory_equal(pic.image.data, ((uint8_t[]){4, 5, 6, 1, 2, 3}), 6);
    picture_free(&pic);
}

static void test_round_trips(void **state)
{
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
    satb_image image = case_noise(40, 24, 3, 8);
    memset(image.data, 90, picture_bytes(&image));
    memory m = case_encoded("a.jpg", &image);
    picture pic = case_picture("a.jpg", NULL, m.data, m.size);
    assert_int_equal(pic.image.channels, 3);
    assert_string_equal(pic.format, "JPEG");
    for (size_t i = 0; i < picture_bytes(&image); i++)
        assert_in_range(((uint8_t *)pic.image.data)[i], 88, 92);
    picture_free(&pic);
}

/* --- PNM -------------------------------------------------------------------------------------- */

static void test_pnm_headers(void **state)
{
    static const char small[] = "P5 # a comment\n#another\r2\t1 #more\n 15\n\x0f\x01";
    picture pic = case_picture("a.pgm", NULL, small, sizeof small - 1);
    assert_int_equal(((uint8_t *)pic.image.data)[0], 255);
    assert_int_equal(((uint8_t *)pic.image.data)[1], 17);
    assert_int_equal(pic.white, 15);
    picture_free(&pic);

    static const char deep[] = "P5 2 1 1023 \x03\xff\x02\x00";
    pic = case_picture("a.pgm", NULL, deep, sizeof deep - 1);
    assert_int_equal(pic.image.bits, 16);
    assert_int_equal(pic.white, 1023);
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
        if (picture_decode(&pic, wrong[i], strlen(wrong[i]), "a.pgm", NULL, &p))
            fail_msg("'%s' was accepted", wrong[i]);
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
    if (odd->type == SPNG_COLOR_TYPE_INDEXED)
        assert_int_equal(spng_set_plte(ctx, &palette), 0);
    if (odd->transparent)
        assert_int_equal(spng_set_trns(ctx, &key), 0);
    assert_int_equal(
        spng_encode_image(ctx, odd->rows, odd->size, SPNG_FMT_RAW, SPNG_ENCODE_FINALIZE), 0);
    int error;
    memory m = {0};
    m.data = unit_keep(spng_get_png_buffer(ctx, &m.size, &error));
    spng_ctx_free(ctx);
    return m;
}

static void test_odd_pngs(void **state)
{
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
        picture pic = case_picture("odd.png", NULL, m.data, m.size);
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
    }
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
    assert_true(codec_fit(codec_for_output(name, &p), &image, CODEC_FAST, &fit, note, &p));
    assert_int_equal(fit.channels, to_channels);
    assert_int_equal(fit.bits, to_bits);
    assert_string_equal(note, says);
}

static void test_fit(void **state)
{
    for (int channels = 1; channels <= 4; channels++) {
        expect_fit("a.png", channels, 16, channels, 16, "");
        expect_fit("a.tga", channels, 8, channels, 8, "");
    }
    expect_fit("a.bmp", 1, 8, 3, 8, "BMP cannot hold gray; written as 8-bit RGB");
    expect_fit("a.bmp", 2, 8, 4, 8, "BMP cannot hold gray with alpha; written as 8-bit RGBA");
    expect_fit("a.tga", 4, 16, 4, 8, "TGA cannot hold 16 bits; written as 8-bit RGBA");
    expect_fit("a.jpg", 4, 8, 3, 8, "JPEG cannot hold RGBA; written as 8-bit RGB, alpha dropped");
    expect_fit("a.jpg", 1, 8, jpeg_writes_gray(CODEC_FAST) ? 1 : 3, 8,
               jpeg_writes_gray(CODEC_FAST) ? "" : "JPEG cannot hold gray; written as 8-bit RGB");
    expect_fit("a.pgm", 2, 16, 1, 16,
               "PGM cannot hold gray with alpha; written as 16-bit gray, alpha dropped");
    expect_fit("a.ppm", 1, 8, 3, 8, "PPM cannot hold gray; written as 8-bit RGB");

    const satb_image colour = {.width = 8, .height = 8, .channels = 3, .bits = 8, .stride = 24};
    const satb_image wide = {
        .width = 70000, .height = 1, .channels = 3, .bits = 8, .stride = 210000};
    satb_image fit;
    problem p;
    char note[128];
    assert_false(codec_fit(codec_for_output("a.pgm", &p), &colour, CODEC_FAST, &fit, note, &p));
    assert_false(codec_fit(codec_for_output("a.jpg", &p), &wide, CODEC_FAST, &fit, note, &p));
    satb_image limit = {.width = 65500, .height = 1, .channels = 3, .bits = 8, .stride = 196500};
    assert_true(codec_fit(codec_for_output("a.jpg", &p), &limit, CODEC_FAST, &fit, note, &p));
    assert_true(codec_fit(codec_for_output("a.tga", &p), &limit, CODEC_FAST, &fit, note, &p));
    limit.width++; /* libjpeg-turbo holds no more */
    assert_false(codec_fit(codec_for_output("a.jpg", &p), &limit, CODEC_FAST, &fit, note, &p));
    assert_false(codec_fit(codec_for_output("a.jpeg", &p), &limit, CODEC_PLAIN, &fit, note, &p));
    assert_false(codec_fit(codec_for_output("a.tga", &p), &wide, CODEC_FAST, &fit, note, &p));
    assert_true(codec_fit(codec_for_output("a.png", &p), &wide, CODEC_FAST, &fit, note, &p));
    assert_null(codec_for_output("a.gif", &p));
    assert_null(codec_for_output("png", &p));
    assert_null(codec_for_output("a.png/b", &p));
    assert_null(codec_for_output("a.", &p));
}

/* 16 bits become v * 255 / 65535 in 8, rounded. Alpha is dropped, and gray is repeated. */
static void test_conversion(void **state)
{
    satb_image image = case_noise(50, 40, 2, 16);
    memory m = case_encoded("a.ppm", &image);
    picture same = case_picture("a.ppm", NULL, m.data, m.size);
    const uint16_t *from = image.data, *to = same.image.data;
    for (size_t i = 0; i < 50 * 40; i++) {
        assert_int_equal(to[3 * i], from[2 * i]);
        assert_int_equal(to[3 * i + 2], from[2 * i]);
    }
    picture_free(&same);

    m = case_encoded("a.tga", &image);
    picture narrow = case_picture("a.tga", NULL, m.data, m.size);
    for (size_t i = 0; i < 50 * 40 * 2; i++) {
        const unsigned exact = (unsigned)((double)from[i] * 255 / 65535 + 0.5);
        assert_int_equal(((uint8_t *)narrow.image.data)[i], exact);
    }
    picture_free(&narrow);
}

/* Every decoder tests the limit before it takes memory. */
static void test_most_pixels(void **state)
{
    static const char *const names[] = {"a.png", "a.jpg", "a.bmp", "a.tga", "a.ppm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        satb_image image = case_noise(31, 19, 3, 8);
        memory m = case_encoded(names[i], &image);
        for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++) {
            picture pic;
            problem p;
            decode_settings settings = {.choice = choice, .max_pixels = 31 * 19};
            assert_true(picture_decode(&pic, m.data, m.size, names[i], &settings, &p));
            picture_free(&pic);
            settings.max_pixels--;
            assert_false(picture_decode(&pic, m.data, m.size, names[i], &settings, &p));
            assert_null(pic.image.data);
            assert_non_null(strstr(p.text, "31 x 19 pixels are more than the 588 that --max-pix"));
            assert_int_equal(p.kind, PROBLEM_TOO_LARGE);
            assert_true(p.width == 31 && p.height == 19 && p.most == 588);
            assert_int_equal(p.sentence, strlen(names[i]) + 2);
        }
    }
}

/* A format that another build reads is told from one that none reads. */
static void test_foreign(void **state)
{
    static const char qoi[] = "qoif, and more than that", ftyp[] = "\0\0\0\x1c"
                                                                   "ftypmif1";
    picture pic;
    problem p;
    assert_false(picture_decode(&pic, qoi, sizeof qoi, "a.qoi", NULL, &p));
    assert_string_equal(p.text, "a.qoi: QOI is not read here; convert it to PNG");
    assert_int_equal(p.kind, PROBLEM_PLAIN);
    assert_false(picture_decode(&pic, ftyp, sizeof ftyp, "a.heic", NULL, &p));
#if SATB_HAVE_HEIF
    assert_int_equal(p.kind, PROBLEM_PLAIN);
#else
    assert_int_equal(p.kind, PROBLEM_NOT_BUILT_IN);
    assert_string_equal(p.format, "HEIF or AVIF");
#endif
}

UNIT_MAIN(UNIT(test_round_trips), UNIT(test_bmp_from_the_top), UNIT(test_bmp_without_alpha),
          UNIT(test_tga_descriptor), UNIT(test_jpeg), UNIT(test_pnm_headers), UNIT(test_odd_pngs),
          UNIT(test_fit), UNIT(test_most_pixels), UNIT(test_foreign), UNIT(test_conversion))
