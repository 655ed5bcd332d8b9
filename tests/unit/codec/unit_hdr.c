/* Half floats: their rounding, the files of HDR and PFM, float TIFFs, and what becomes of light in other formats. */
#include "image/half.h"
#include "unit/codec/codec_case.h"

#include <satb_config.h>

#include <curves.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

/* --- Numbers ---------------------------------------------------------------------------------- */

static void test_every_half(void **state)
{
    for (unsigned bits = 0; bits <= UINT16_MAX; bits++) {
        const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
        const double size =
            exponent == 0 ? ldexp(fraction, -24) : ldexp(fraction + 1024, exponent - 25);
        const float number = half_to_float((uint16_t)bits);
        assert_int_equal(half_of(number), bits);
        if (exponent < 31)
            assert_true(number == (bits & 0x8000 ? -size : size));
        else
            assert_true(fraction ? isnan(number) : isinf(number));
    }
}

/* Between two halves the nearer one is taken; of two as near, the even one. */
static void test_rounding(void **state)
{
    for (unsigned bits = 0; bits < HALF_LARGEST; bits++) {
        const float low = half_to_float((uint16_t)bits), high = half_to_float((uint16_t)(bits + 1));
        const float middle = low + (high - low) / 2;
        assert_int_equal(half_of(middle), bits + bits % 2);
        assert_int_equal(half_of(nextafterf(middle, 0)), bits);
        assert_int_equal(half_of(nextafterf(middle, INFINITY)), bits + 1);
        assert_int_equal(half_of(-middle), 0x8000 | (bits + bits % 2));
    }
    assert_int_equal(half_of(65505), HALF_LARGEST);
    assert_int_equal(half_of(3e38F), HALF_LARGEST);
    assert_int_equal(half_of(-3e38F), 0x8000 | HALF_LARGEST);
    assert_int_equal(half_of(INFINITY), HALF_INFINITY);
    assert_int_equal(half_of(1e-38F), 0);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static satb_image image_of(int width, int height, int channels, uint16_t *samples)
{
    return (satb_image){.data = samples,
                        .stride = (ptrdiff_t)width * channels * 2,
                        .width = width,
                        .height = height,
                        .channels = channels,
                        .bits = 16,
                        .half = 1};
}

static void refuses(const char *name, const void *data, size_t size, const char *text)
{
    picture pic;
    problem p;
    if (picture_decode(&pic, data, size, name, NULL, &p))
        fail_msg("is read: %s", text);
    if (!strstr(p.text, text))
        fail_msg("%s", p.text);
}

/* Every half, positive and negative, NaN and infinity. */
static void round_trip(const char *name, int channels)
{
    enum { WIDTH = 240, HEIGHT = 69 };
    static uint16_t samples[WIDTH * HEIGHT * 4];
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        samples[i] = (uint16_t)(i * 40503);
    const satb_image image = image_of(WIDTH, HEIGHT, channels, samples);
    for (int fast = 0; fast <= 1; fast++) {
        memory m = case_encoded_by(name, &image, fast ? &case_fast_settings : &case_settings);
        picture pic = case_picture(name, NULL, m.data, m.size);
        assert_int_equal(pic.image.half, 1);
        assert_int_equal(pic.image.bits, 16);
        assert_int_equal(pic.image.channels, channels);
        assert_memory_equal(pic.image.data, samples, picture_bytes(&image));
        assert_non_null(strstr(pic.note, "brighter than 4096"));
        picture_free(&pic);
    }
}

static void test_round_trips(void **state)
{
    round_trip("a.pfm", 1);
    round_trip("a.pfm", 3);
    for (int channels = 1; channels <= 4; channels++) {
#if SATB_HAVE_OPENEXR
        round_trip("a.exr", channels);
#endif
#if SATB_HAVE_TIFF
        round_trip("a.tif", channels);
#endif
    }
}

/* The bytes do not depend on the threads. */
static void test_threads(void **state)
{
    static const char *const names[] = {
#if SATB_HAVE_OPENEXR
        "a.exr",
#endif
        "a.hdr"
    };
    satb_image image = case_noise(70, 90, 3, 16);
    image.half = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        encode_settings one = case_settings, many = case_settings;
        one.threads = 1;
        many.threads = 7;
        memory a = case_encoded_by(names[i], &image, &one);
        memory b = case_encoded_by(names[i], &image, &many);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
    }
}

/* --- HDR -------------------------------------------------------------------------------------- */

#define HEAD "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"

static void test_hdr_pixels(void **state)
{
    static const char file[] = HEAD "-Y 2 +X 2\n"
                                    "\x80\x40\xff\x81" /* 1, 0.5, 1.9921875 */
                                    "\x01\x01\x01\x01" /* again, once */
                                    "\x00\x00\x00\x00"
                                    "\xff\xff\xff\xff"; /* beyond halves */
    static const uint16_t want[] = {0x3c00, 0x3800, 0x3ff8, 0x3c00, 0x3800, 0x3ff8,
                                    0,      0,      0,      0x7bff, 0x7bff, 0x7bff};
    picture pic = case_picture("a.hdr", NULL, file, sizeof file - 1);
    assert_string_equal(pic.format, "HDR");
    assert_memory_equal(pic.image.data, want, sizeof want);
    picture_free(&pic);
}

/* Rounds to 8 bits of the largest channel, and to the next exponent where that has no room. */
static void test_hdr_rounding(void **state)
{
    uint16_t samples[] = {half_of(1),
                          half_of(0.5F),
                          half_of(6 / 1024.0F), /* 0.75 of a step */
                          half_of(2047 / 1024.0F),
                          half_of(1),
                          half_of(0), /* is 2 */
                          half_of(-1),
                          0x7e00,
                          half_of(0.25F),
                          HALF_INFINITY,
                          half_of(60000),
                          0};
    static const float want[] = {1, 0.5F, 1 / 128.0F, 2, 1, 0, 0, 0, 0.25F, 65536, 59904, 0};
    satb_image image = image_of(2, 2, 3, samples);
    memory m = case_encoded("a.hdr", &image);
    picture pic = case_picture("a.hdr", NULL, m.data, m.size);
    const uint16_t *const got = pic.image.data;
    for (int i = 0; i < 12; i++)
        assert_int_equal(got[i], half_of(want[i]));
    picture_free(&pic);
}

/* Rows of every width around those that are packed, of noise and of one colour. */
static void test_hdr_rows(void **state)
{
    static const int widths[] = {1, 7, 8, 9, 127, 128, 129, 300, 32767, 32768};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int flat = 0; flat <= 1; flat++) {
            const size_t count = (size_t)widths[w] * 6;
            uint16_t *const samples = unit_zeros(count * sizeof *samples);
            for (size_t i = 0; i < count; i += 3) /* 8 bits of 128 to 255, which HDR keeps */
                for (size_t c = 0; c < 3; c++)
                    samples[i + c] =
                        half_of((float)(128 + (flat && i % 60 ? 5 : (i * 7919 + c * 31) % 128)));
            const satb_image image = image_of(widths[w], 2, 3, samples);
            memory m = case_encoded("a.hdr", &image);
            picture pic = case_picture("a.hdr", NULL, m.data, m.size);
            assert_memory_equal(pic.image.data, samples, count * sizeof *samples);
            picture_free(&pic);
            for (size_t cut = 1; cut < 300 && cut + 60 < m.size; cut += 7)
                refuses("a.hdr", m.data, m.size - cut, "cut off");
        }
}

static void refuses_hdr(const char *text, const char *why)
{
    refuses("a.hdr", text, strlen(text), why);
}

static void test_hdr_refused(void **state)
{
    static const char long_run[] = HEAD "-Y 1 +X 8\n\2\2\0\x08\x89\1\x88\1\x88\1\x88\1";
    static const char empty_run[] = HEAD "-Y 1 +X 8\n\2\2\0\x08\0\1\x88\1\x88\1\x88\1";
    static const char other_width[] = HEAD "-Y 1 +X 8\n\2\2\0\x09\x88\1\x88\1\x88\1\x88\1";
    static const char no_pixel[] = HEAD "-Y 1 +X 2\n\1\1\1\2";
    refuses("a.hdr", long_run, sizeof long_run - 1, "row 0 are damaged");
    refuses("a.hdr", empty_run, sizeof empty_run - 1, "row 0 are damaged");
    refuses("a.hdr", other_width, sizeof other_width - 1, "row 0 are damaged");
    refuses("a.hdr", no_pixel, sizeof no_pixel - 1, "row 0 are damaged");
    refuses_hdr("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd", "save it as RGBE");
    refuses_hdr(HEAD "+Y 1 +X 1\nabcd", "save it upright");
    refuses_hdr(HEAD "+X 1 -Y 1\nabcd", "save it upright");
    refuses_hdr(HEAD "-Y 0 +X 1\nabcd", "impossible size");
    refuses_hdr(HEAD "-Y 99999999 +X 1\nabcd", "impossible size");
    refuses_hdr(HEAD "-Y 9999999999999999999999 +X 1\nabcd", "impossible size");
    refuses_hdr(HEAD "-Y 9999 +X 9999\nabcd", "damaged or cut off");
    refuses_hdr("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", "damaged or cut off");
    refuses_hdr("#?RGBE", "damaged or cut off");
}

/* --- PFM -------------------------------------------------------------------------------------- */

static void test_pfm_pixels(void **state)
{
    static const char file[] = "Pf\n2 2\n1\n"
                               "\x3f\x80\0\0\x40\0\0\0"    /* 1, 2: the lower row */
                               "\x7f\xc0\0\0\xbf\x80\0\0"; /* NaN, -1 */
    static const uint16_t want[] = {0x7e00, 0xbc00, 0x3c00, 0x4000};
    picture pic = case_picture("a.pfm", NULL, file, sizeof file - 1);
    assert_int_equal(pic.image.channels, 1);
    assert_memory_equal(pic.image.data, want, sizeof want);
    assert_string_equal(pic.note, "2 samples are negative or not numbers and blur as 0");
    picture_free(&pic);
    refuses("a.pfm", file, sizeof file - 2, "cut off");
}

/* --- Conversions ------------------------------------------------------------------------------ */

static picture through(const char *name, const satb_image *image, const char *note)
{
    satb_image fit;
    char text[128];
    problem p;
    const codec *const c = codec_for_output(name, &p);
    assert_non_null(c);
    assert_true(codec_fit(c, image, CODEC_PLAIN, &fit, text, &p));
    assert_string_equal(text, note);
    memory m = case_encoded(name, image);
    picture pic = case_picture(name, NULL, m.data, m.size);
    return pic;
}

/* A colour is divided by alpha, clipped and given sRGB's curve. Without alpha it lies over black. */
static void test_light_to_codes(void **state)
{
    uint16_t samples[] = {half_of(0.25F), half_of(1),    half_of(-1),   half_of(0.5F),
                          half_of(0.25F), half_of(7),    0x7e00,        half_of(0),
                          half_of(0.5F),  HALF_INFINITY, half_of(0.1F), half_of(3)};
    const uint8_t want[] = {188, 255, 0, 128, 137, 255, 0, 0, 113, 255, 51, 255};
    const uint8_t over_black[] = {137, 255, 0, 137, 255, 0, 188, 255, 89};
    satb_image image = image_of(3, 1, 4, samples);
    picture pic =
        through("a.tga", &image,
                "TGA cannot hold high dynamic range; written as 8-bit RGBA, light above white "
                "clipped");
    assert_int_equal(pic.image.half, 0);
    assert_memory_equal(pic.image.data, want, sizeof want);
    picture_free(&pic);
    pic = through(
        "a.ppm", &image,
        "PPM cannot hold high dynamic range or RGBA; written as 16-bit RGB, light above white "
        "clipped, alpha dropped");
    assert_int_equal(pic.image.bits, 16);
    for (int i = 0; i < 9; i++)
        assert_int_equal((((uint16_t *)pic.image.data)[i] + 128) / 257, over_black[i]);
    picture_free(&pic);
}

/* All 16-bit codes that a half can tell apart come back from light. */
static void test_codes_of_16_bits(void **state)
{
    static uint16_t samples[HALF_ONE + 1];
    satb_image image = image_of(HALF_ONE + 1, 1, 1, samples);
    for (unsigned i = 0; i <= HALF_ONE; i++)
        samples[i] = (uint16_t)i;
    picture pic =
        through("a.png", &image,
                "PNG cannot hold high dynamic range; written as 16-bit gray, light above white "
                "clipped");
    for (unsigned i = 0; i <= HALF_ONE; i++)
        assert_int_equal(((uint16_t *)pic.image.data)[i],
                         lrint(65535 * satb_srgb.of_light(half_to_float((uint16_t)i))));
    picture_free(&pic);
}

/* sRGB is decoded; every code of 8 bits comes back. */
static void test_codes_to_light(void **state)
{
    uint8_t codes[256];
    satb_image image = {
        .data = codes, .stride = 256, .width = 256, .height = 1, .channels = 1, .bits = 8};
    for (int i = 0; i < 256; i++)
        codes[i] = (uint8_t)i;
    picture pic = through("a.pfm", &image, "PFM cannot hold sRGB codes; written as linear gray");
    for (int i = 0; i < 256; i++)
        assert_int_equal(((uint16_t *)pic.image.data)[i],
                         half_of((float)satb_srgb.to_light(i / 255.0)));
    assert_int_equal(((uint16_t *)pic.image.data)[255], HALF_ONE);
    pic.image.stride = 512;
    picture back =
        through("a.tga", &pic.image,
                "TGA cannot hold high dynamic range; written as 8-bit gray, light above white "
                "clipped");
    assert_memory_equal(back.image.data, codes, sizeof codes);
    picture_free(&back);
    picture_free(&pic);
}

#if SATB_HAVE_OPENEXR
static void test_alpha_to_light(void **state)
{
    uint8_t codes[] = {255, 188, 0, 51, 255, 255, 255, 0};
    const uint16_t want[] = {half_of(0.2F),
                             half_of(0.2F * (float)satb_srgb.to_light(188 / 255.0)),
                             0,
                             half_of(0.2F),
                             0,
                             0,
                             0,
                             0};
    satb_image image = {
        .data = codes, .stride = 8, .width = 2, .height = 1, .channels = 4, .bits = 8};
    picture pic = through("a.exr", &image, "EXR cannot hold sRGB codes; written as linear RGBA");
    assert_memory_equal(pic.image.data, want, sizeof want);
    picture_free(&pic);
}
#endif

/* A map or a matte is of codes, or of a map's numbers. */
static void test_no_map(void **state)
{
    static const char file[] = HEAD "-Y 1 +X 1\n\x80\x40\xff\x81";
    const decode_settings as_map = {.as_map = true}, codes_only = {.codes_only = true};
    picture pic;
    problem p;
    assert_false(picture_decode(&pic, file, sizeof file - 1, "a.hdr", &as_map, &p));
    assert_string_equal(p.text, "a.hdr: HDR holds light, not depths or codes; convert it to PNG");
    assert_false(picture_decode(&pic, file, sizeof file - 1, "a.hdr", &codes_only, &p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_every_half),
        UNIT(test_rounding),
        UNIT(test_round_trips),
        UNIT(test_threads),
        UNIT(test_hdr_pixels),
        UNIT(test_hdr_rounding),
        UNIT(test_hdr_rows),
        UNIT(test_hdr_refused),
        UNIT(test_pfm_pixels),
        UNIT(test_light_to_codes),
        UNIT(test_codes_of_16_bits),
        UNIT(test_codes_to_light),
#if SATB_HAVE_OPENEXR
        UNIT(test_alpha_to_light),
#endif
        UNIT(test_no_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
