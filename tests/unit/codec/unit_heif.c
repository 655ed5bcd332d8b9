/* HEIC and AVIF: round trips, what is carried, and what is refused. */
#include "format/exif.h"
#include "format/heif/heif_box.h"
#include "image/orientation.h"
#include "unit/codec/heif_case.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

/* Sanitizers replace the C library's memory, which the reader asks to be zeroed. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
enum { ZEROES_MEMORY = 0 };
#else
enum { ZEROES_MEMORY = 1 };
#endif

static const char *const names[] = {"a.heic", "a.avif"};

/* Returns a smooth picture, as the two formats keep it nearly as it is. */
static satb_image smooth(int width, int height, int channels, int bits)
{
    satb_image image = case_noise(width, height, channels, bits);
    for (int i = 0; i < width * height * channels; i++) {
        const int pixel = i / channels, c = i % channels;
        const int v = 20 + (pixel % width) * 100 / width + (pixel / width) * 80 / height + 10 * c;
        if (bits == 16)
            ((uint16_t *)image.data)[i] = (uint16_t)(v * 257);
        else
            ((uint8_t *)image.data)[i] = (uint8_t)v;
    }
    return image;
}

static void round_trip(const char *name, int width, int height, int channels, int bits)
{
    const encode_settings settings = {.quality = 98, .threads = 2};
    satb_image image = smooth(width, height, channels, bits);
    memory m = case_encoded_by(name, &image, &settings);
    picture pic = case_picture("a.x", NULL, m.data, m.size);
    const bool is_avif = strcmp(name, "a.avif") == 0;
    assert_string_equal(pic.format, is_avif ? "AVIF" : "HEIC");
    assert_int_equal(pic.image.width, width);
    assert_int_equal(pic.image.height, height);
    if (pic.image.channels != channels)
        fail_msg("%s %d %d", name, channels, bits);
    assert_int_equal(pic.image.bits, bits);
    assert_int_equal(pic.white, bits == 8 ? 255 : is_avif ? 4095 : 1023);
    assert_string_equal(pic.note, "");
    const int near = bits == 16 ? 6 * 257 : 6;
    for (int y = 0; y < height; y++)
        for (int i = 0; i < width * channels; i++) {
            const size_t at = (size_t)(y * width * channels + i);
            const int a = (int)picture_sample(&image, image.data, at);
            const int b = (int)picture_sample(&pic.image, pic.image.data, at);
            if (abs(a - b) > near)
                fail_msg("%s %dx%d %d %d: %d became %d at %zu", name, width, height, channels, bits,
                         a, b, at);
        }
    picture_free(&pic);
}

static void test_round_trips(void **state)
{
    for (int n = 0; n < 2; n++)
        for (int channels = 1; channels <= 4; channels++)
            for (int bits = 8; bits <= 16; bits += 8) {
                round_trip(names[n], 64, 48, channels, bits);
                round_trip(names[n], 37, 51, channels, bits);
            }
    static const int small[][2] = {{1, 1}, {1, 9}, {17, 3}};
    for (int n = 0; n < 2; n++)
        for (int i = 0; i < 3; i++)
            round_trip(names[n], small[i][0], small[i][1], 3, 8);
}

/* The bytes depend on no number of threads. */
static void test_threads(void **state)
{
    satb_image image = smooth(300, 200, 3, 8);
    for (int n = 0; n < 2; n++) {
        encode_settings settings = {.quality = 80, .threads = 1};
        memory one = case_encoded_by(names[n], &image, &settings);
        settings.threads = 4;
        memory four = case_encoded_by(names[n], &image, &settings);
        assert_int_equal(one.size, four.size);
        assert_memory_equal(one.data, four.data, one.size);
    }
}

static void test_fit(void **state)
{
    problem p;
    satb_image fit;
    char note[128];
    satb_image image = {.width = 8, .height = 8, .channels = 3, .bits = 16, .stride = 48};
    for (int n = 0; n < 2; n++) {
        const codec *c = codec_for_output(names[n], &p);
        assert_non_null(c);
        assert_true(codec_fit(c, &image, CODEC_FAST, &fit, note, &p));
        assert_int_equal(fit.bits, 16);
        assert_string_equal(note, n ? "AVIF cannot hold 16 bits; written as 12-bit RGB"
                                    : "HEIC cannot hold 16 bits; written as 10-bit RGB");
        satb_image wide = {.width = 16385, .height = 1, .channels = 3, .bits = 8};
        assert_false(codec_fit(c, &wide, CODEC_FAST, &fit, note, &p));
    }
}

/* --- Metadata --------------------------------------------------------------------------------- */

static const uint8_t tiff[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3,
                               0,   1,   0,  0, 0, 6, 0, 0, 0, 0, 0,    0, 0};
static const char xmp[] = "<x:xmpmeta tiff:Orientation=\"6\"/>";

static metadata make_metadata(void)
{
    metadata m = {.from = METADATA_HEIF};
    uint8_t icc[200] = {0, 0, 0, 200};
    memcpy(icc + 16, "RGB ", 4);
    memcpy(icc + 36, "acsp", 4);
    icc[150] = 77;
    blob_add(&m.icc, icc, sizeof icc);
    blob_add(&m.exif, tiff, sizeof tiff);
    blob_add(&m.xmp, xmp, sizeof xmp - 1);
    return m;
}

/* The profile comes back as it was, and the orientation as 1, as the pixels are upright. */
static void test_metadata(void **state)
{
    satb_image image = smooth(64, 64, 3, 8);
    for (int n = 0; n < 2; n++) {
        metadata m = make_metadata();
        const encode_settings settings = {.quality = 80, .meta = &m};
        memory file = case_encoded_by(names[n], &image, &settings);
        picture pic = case_picture("a.x", NULL, file.data, file.size);
        assert_int_equal(pic.meta.icc.size, m.icc.size);
        assert_memory_equal(pic.meta.icc.data, m.icc.data, m.icc.size);
        assert_int_equal(exif_orientation(blob_view(&m.exif)), 6);
        assert_int_equal(pic.meta.exif.size, sizeof tiff);
        assert_int_equal(pic.meta.exif.data[18], 1);
        assert_int_equal(pic.meta.xmp.size, sizeof xmp - 1);
        assert_int_equal(pic.meta.xmp.data[29], '1');
        assert_string_equal(pic.meta.lost.text, "");
        assert_int_equal(pic.orientation, 1);
        picture_free(&pic);
        metadata_free(&m);
    }
}

/* --- Alpha ------------------------------------------------------------------------------------ */

/* Colours that have been multiplied by alpha are divided by it. */
static void test_alpha(void **state)
{
    for (int premultiplies = 0; premultiplies < 2; premultiplies++) {
        heif_case_part parts[] = {{.image = heif_case_ramp(64, 64)},
                                  {.image = heif_case_ramp(64, 64),
                                   .type = "urn:mpeg:hevc:2015:auxid:1",
                                   .premultiplies = premultiplies}};
        memset(parts[0].image.data, 60, 64 * 64);
        memset(parts[1].image.data, 128, 64 * 64);
        blob file = heif_case_file(parts, 2);
        picture pic = case_picture("a.x", NULL, file.data, file.size);
        const uint8_t *data = pic.image.data;
        assert_int_equal(pic.image.channels, 2);
        assert_in_range(data[0], premultiplies ? 118 : 59, premultiplies ? 121 : 61);
        assert_in_range(data[1], 127, 129);
        picture_free(&pic);
        blob_free(&file);
    }
}

/* Of limited range, 16 .. 235 are none and all; colours that are multiplied by alpha are divided by that. */
static void test_range(void **state)
{
    static const char limited[] = "\0\1\0\x0d\0\6\0";
    for (int both = 0; both < 2; both++) {
        heif_case_part parts[] = {{.image = heif_case_ramp(64, 64), .nclx = both ? limited : NULL},
                                  {.image = heif_case_ramp(64, 64),
                                   .type = "urn:mpeg:hevc:2015:auxid:1",
                                   .premultiplies = both,
                                   .nclx = limited}};
        memset(parts[0].image.data, 60, 64 * 64);
        memset(parts[1].image.data, 126, 64 * 64);
        blob file = heif_case_file(parts, 2);
        picture pic = case_picture("a.x", NULL, file.data, file.size);
        const uint8_t *data = pic.image.data;
        assert_in_range(data[0], both ? 101 : 59, both ? 103 : 61); /* 44 of 110 */
        assert_in_range(data[1], 127, 129);
        picture_free(&pic);
        blob_free(&file);
    }
}

/* --- Refusals --------------------------------------------------------------------------------- */

static void test_kinds(void **state)
{
    static const struct {
        const char *data;
        size_t size;
        heif_kind kind;
    } cases[] = {{"\0\0\0\x14"
                  "ftypheic\0\0\0\0mif1",
                  20, HEIF_HEIC},
                 {"\0\0\0\x14"
                  "ftypmif1\0\0\0\0avif",
                  20, HEIF_AVIF},
                 {"\0\0\0\x14"
                  "ftypmif1\0\0\0\0heix",
                  20, HEIF_HEIC},
                 {"\0\0\0\x14"
                  "ftypmif1\0\0\0\0miaf",
                  20, HEIF_HEIC},
                 {"\0\0\0\x14"
                  "ftypavis\0\0\0\0msf1",
                  20, HEIF_AVIF},
                 {"\0\0\0\x14"
                  "ftypisom\0\0\0\0mp42",
                  20, HEIF_NONE},
                 {"\0\0\0\x24"
                  "ftypheic\0\0\0\0mif1",
                  20, HEIF_NONE},
                 {"....ftypheic....", 16, HEIF_NONE},
                 {"\0\0\0\x08"
                  "ftyp",
                  8, HEIF_NONE},
                 {"", 0, HEIF_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bytes in = {.data = (const uint8_t *)cases[i].data, .size = cases[i].size};
        if (heif_kind_of(in) != cases[i].kind)
            fail_msg("case %zu", i);
    }
}

/* A file that is cut off anywhere, or has a wrong byte anywhere, is refused or read; what is read is the same each
 * time. */
static void test_damage(void **state)
{
    satb_image image = case_noise(80, 64, 3, 8);
    for (int n = 0; n < 2; n++) {
        memory file = case_encoded_by(names[n], &image, &case_settings);
        for (size_t at = 0; at < file.size; at += 1 + file.size / 150) {
            picture first, second;
            problem p, q;
            assert_false(picture_decode(&first, file.data, at, "a.x", NULL, &p));
            assert_true(p.text[0] != '\0' && !strchr(p.text, '\n'));
            file.data[at] ^= 0x5a;
            const bool one = picture_decode(&first, file.data, file.size, "a.x", NULL, &p);
            const bool two = picture_decode(&second, file.data, file.size, "a.x", NULL, &q);
            assert_int_equal(one, two);
            if (one) {
                assert_int_equal(picture_bytes(&first.image), picture_bytes(&second.image));
                if (ZEROES_MEMORY &&
                    memcmp(first.image.data, second.image.data, picture_bytes(&first.image)) != 0)
                    fail_msg("%s differs with a wrong byte at %zu", names[n], at);
                picture_free(&first);
                picture_free(&second);
            } else {
                assert_string_equal(p.text, q.text);
            }
            file.data[at] ^= 0x5a;
        }
    }
}

/* The claimed size, and the size that the coded picture really has, are held against the limit. */
static void test_limits(void **state)
{
    picture pic;
    problem p;
    satb_image image = smooth(128, 128, 3, 8);
    for (int n = 0; n < 2; n++) {
        const decode_settings small = {.max_pixels = 128 * 128 - 1};
        memory file = case_encoded(names[n], &image);
        assert_false(picture_decode(&pic, file.data, file.size, "a.x", &small, &p));
        assert_non_null(strstr(p.text, "--max-pixels"));
    }
    heif_case_part part = {.image = image};
    part.image.width = 2048; /* the boxes say so */
    part.image.height = 2048;
    part.image.channels = 1;
    part.image.stride = 2048;
    part.image.data = unit_zeros(2048 * 2048);
    blob file = heif_case_file(&part, 1);
    for (size_t at = 0; at + 12 < file.size; at++)
        if (memcmp(file.data + at, "ispe", 4) == 0) {
            put_big_endian_32(file.data + at + 8, 16);
            put_big_endian_32(file.data + at + 12, 16);
            break;
        }
    case_refused("a.x", file.data, file.size, "damaged");
    blob_free(&file);
}

UNIT_MAIN(UNIT(test_round_trips), UNIT(test_threads), UNIT(test_fit), UNIT(test_metadata),
          UNIT(test_kinds), UNIT(test_damage), UNIT(test_limits), UNIT(test_alpha),
          UNIT(test_range))
