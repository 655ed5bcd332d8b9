/* TIFF: what is written comes back bit for bit, every kind of sample becomes the right code or number, and damaged files
 * are refused. The files are made by libtiff. */
#include "unit/codec/codec_case.h"
#include "unit/metadata/metadata_case.h"

#include "format/exif.h"
#include "format/exif_copy.h"
#include "format/tiff_file.h"
#include "image/shape.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

typedef struct kind { /* of a file */
    int width, height, samples, bits, format, photometric, planar, compression;
    int tile;  /* the side, or 0 for strips */
    int extra; /* the meaning of the extra sample; -1: none */
} kind;

static const kind plain = {.width = 37,
                           .height = 29,
                           .samples = 1,
                           .bits = 8,
                           .format = SAMPLEFORMAT_UINT,
                           .photometric = PHOTOMETRIC_MINISBLACK,
                           .planar = PLANARCONFIG_CONTIG,
                           .compression = COMPRESSION_NONE,
                           .extra = -1};

static void set_kind(TIFF *t, const kind *k)
{
    const uint16_t extra = (uint16_t)k->extra;
    TIFFSetField(t, TIFFTAG_IMAGEWIDTH, k->width);
    TIFFSetField(t, TIFFTAG_IMAGELENGTH, k->height);
    TIFFSetField(t, TIFFTAG_SAMPLESPERPIXEL, k->samples);
    TIFFSetField(t, TIFFTAG_BITSPERSAMPLE, k->bits);
    TIFFSetField(t, TIFFTAG_SAMPLEFORMAT, k->format);
    TIFFSetField(t, TIFFTAG_PHOTOMETRIC, k->photometric);
    TIFFSetField(t, TIFFTAG_PLANARCONFIG, k->planar);
    TIFFSetField(t, TIFFTAG_COMPRESSION, k->compression);
    if (k->extra >= 0)
        TIFFSetField(t, TIFFTAG_EXTRASAMPLES, 1, &extra);
    if (k->tile > 0) {
        TIFFSetField(t, TIFFTAG_TILEWIDTH, k->tile);
        TIFFSetField(t, TIFFTAG_TILELENGTH, k->tile);
    } else
        TIFFSetField(t, TIFFTAG_ROWSPERSTRIP, 8);
}

/* Copies the bytes of a block out of dense rows, whose samples have whole bytes. */
static void cut_block(const kind *k, const uint8_t *rows, int plane, int x, int y, int width,
                      int height, uint8_t *out)
{
    const int each = k->planar == PLANARCONFIG_SEPARATE ? 1 : k->samples, size = k->bits / 8;
    for (int row = 0; row < height && y + row < k->height; row++)
        for (int i = 0; i < width && x + i < k->width; i++)
            for (int s = 0; s < each; s++)
                memcpy(out +
                           (((size_t)row * (size_t)width + (size_t)i) * (size_t)each + (size_t)s) *
                               (size_t)size,
                       rows + (((size_t)(y + row) * (size_t)k->width + (size_t)(x + i)) *
                                   (size_t)k->samples +
                               (size_t)(each == 1 && k->samples > 1 ? plane : s)) *
                                  (size_t)size,
                       (size_t)size);
}

/* Writes samples of whole bytes as blocks. The caller frees. */
static blob written(const kind *k, const void *rows, void (*more)(TIFF *))
{
    tiff_file f;
    assert_true(tiff_create(&f, false));
    set_kind(f.tiff, k);
    if (more)
        more(f.tiff);
    const int planes = k->planar == PLANARCONFIG_SEPARATE ? k->samples : 1;
    const int width = k->tile ? k->tile : k->width, height = k->tile ? k->tile : 8;
    const tmsize_t size = k->tile ? TIFFTileSize(f.tiff) : TIFFStripSize(f.tiff);
    uint8_t *const block = unit_zeros((size_t)size);
    uint32_t number = 0;
    for (int plane = 0; plane < planes; plane++)
        for (int y = 0; y < k->height; y += height)
            for (int x = 0; x < k->width; x += width, number++) {
                if (k->bits % 8 == 0)
                    cut_block(k, rows, plane, x, y, width, height, block);
                else
                    memcpy(block, (const uint8_t *)rows + y * TIFFScanlineSize(f.tiff),
                           (size_t)((k->height - y < height ? k->height - y : height) *
                                    TIFFScanlineSize(f.tiff)));
                const int left = k->height - y < height ? k->height - y : height;
                const tmsize_t part = k->tile ? size : TIFFScanlineSize(f.tiff) * left;
                assert_int_equal(k->tile ? TIFFWriteEncodedTile(f.tiff, number, block, part)
                                         : TIFFWriteEncodedStrip(f.tiff, number, block, part),
                                 part);
            }
    tiff_close(&f);
    assert_string_equal(f.error, "");
    return f.out;
}

/* --- Round trips ------------------------------------------------------------------------------ */

static void test_round_trips(void **state)
{
    static const int sizes[][2] = {{1, 1}, {50, 40}, {700, 401}};
    static const int levels[] = {0, 1, 12};
    for (int i = 0; i < 3 * 3 * 8; i++) {
        const int *const size = sizes[i % 3], channels = 1 + i / 9 % 4, bits = i / 36 ? 16 : 8;
        const encode_settings s = {.compression = levels[i / 3 % 3], .threads = 1 + i % 4};
        satb_image image = case_noise(size[0], size[1], channels, bits);
        memory m = case_encoded_by("a.tif", &image, &s);
        picture pic = case_picture("a.tif", "TIFF", m.data, m.size);
        assert_int_equal(pic.image.channels, channels);
        assert_int_equal(pic.image.bits, bits);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        assert_string_equal(pic.note, "");
        picture_free(&pic);
    }
}

/* YCbCr whose colours have half the resolution, without compression: 2 x 2 of luma, then Cb and Cr. */
static void test_subsampled(void **state)
{
    enum { WIDTH = 5, HEIGHT = 7, ACROSS = 3, DOWN = 4, EACH = 6 };
    uint8_t units[DOWN][ACROSS][EACH];
    tiff_file f;
    kind k = plain;
    k.width = WIDTH, k.height = HEIGHT, k.samples = 3, k.photometric = PHOTOMETRIC_YCBCR;
    assert_true(tiff_create(&f, false));
    set_kind(f.tiff, &k);
    TIFFSetField(f.tiff, TIFFTAG_YCBCRSUBSAMPLING, 2, 2);
    memset(units, 128, sizeof units);
    for (int i = 0; i < DOWN * 2 * ACROSS * 2; i++)
        units[i / 12][i % 6 / 2][i / 6 % 2 * 2 + i % 2] = (uint8_t)(7 * (i / 6) + 30 * (i % 6));
    assert_int_equal(TIFFWriteEncodedStrip(f.tiff, 0, units, sizeof units), sizeof units);
    tiff_close(&f);
    picture pic = case_picture("a.tif", "TIFF", f.out.data, f.out.size);
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++)
        assert_int_equal(((uint8_t *)pic.image.data)[i],
                         7 * (i / 3 / WIDTH) + 30 * (i / 3 % WIDTH));
    picture_free(&pic);
    blob_free(&f.out);
}

static void test_threads(void **state)
{
    satb_image image = case_noise(700, 401, 3, 16);
    memory one =
        case_encoded_by("a.tif", &image, &(encode_settings){.compression = 1, .threads = 1});
    memory many =
        case_encoded_by("a.tif", &image, &(encode_settings){.compression = 1, .threads = 5});
    assert_int_equal(one.size, many.size);
    assert_memory_equal(one.data, many.data, one.size);
}

/* --- Blocks and compressions ------------------------------------------------------------------ */

static void test_blocks(void **state)
{
    static const int compressions[] = {COMPRESSION_NONE,          COMPRESSION_LZW,
                                       COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS,
                                       COMPRESSION_LZMA,          COMPRESSION_ZSTD};
    int done = 0;
    for (size_t i = 0; i < 6 * 2 * 2 * 2 * 3; i++) {
        kind k = plain;
        k.compression = compressions[i % 6];
        k.bits = i / 6 % 2 ? 16 : 8;
        k.planar = i / 12 % 2 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG;
        k.tile = i / 24 % 2 ? 16 : 0;
        k.samples = (int)(i / 48 % 3) * 2 - (i / 48 % 3 == 2) + (i / 48 % 3 == 0); /* 1, 2, 3 */
        k.photometric = k.samples == 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
        k.extra = k.samples == 2 ? EXTRASAMPLE_UNASSALPHA : -1;
        if (!TIFFIsCODECConfigured((uint16_t)k.compression))
            continue;
        satb_image image = case_noise(k.width, k.height, k.samples, k.bits);
        blob file = written(&k, image.data, NULL);
        picture pic = case_picture("a.tif", "TIFF", file.data, file.size);
        assert_int_equal(pic.image.channels, k.samples);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        picture_free(&pic);
        blob_free(&file);
        done++;
    }
    assert_true(done >= 4 * 24); /* without LZMA and Zstandard */
}

/* --- Samples ---------------------------------------------------------------------------------- */

static void set_palette(TIFF *t)
{
    static uint16_t all[3][256];
    for (int i = 0; i < 256; i++)
        for (int c = 0; c < 3; c++)
            all[c][i] = (uint16_t)(257 * ((i * (c + 3) + c) % 256));
    TIFFSetField(t, TIFFTAG_COLORMAP, all[0], all[1], all[2]);
}

static void test_palette(void **state)
{
    kind k = plain;
    k.photometric = PHOTOMETRIC_PALETTE;
    satb_image image = case_noise(k.width, k.height, 1, 8);
    const uint8_t *const from = image.data;
    blob file = written(&k, from, set_palette);
    picture pic = case_picture("a.tif", "TIFF", file.data, file.size);
    assert_int_equal(pic.image.channels, 3);
    for (int i = 0; i < k.width * k.height; i++)
        for (int c = 0; c < 3; c++)
            assert_int_equal(((uint8_t *)pic.image.data)[3 * i + c], (from[i] * (c + 3) + c) % 256);
    picture_free(&pic);
    blob_free(&file);
}

static void test_few_bits(void **state)
{
    static const struct {
        int bits;
        uint8_t row[6];
        unsigned codes[4];
    } cases[] = {
        {1, {0xa0}, {255, 0, 255, 0}},
        {2, {0x1b}, {0, 85, 170, 255}},
        {4, {0x0f, 0x71}, {0, 255, 119, 17}},
        {12, {0xff, 0xf0, 0x00, 0x80, 0x00, 0x10}, {65535, 0, 32776, 256}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int inverted = 0; inverted < 2; inverted++) {
            kind k = plain;
            k.width = 4;
            k.height = 1;
            k.bits = cases[i].bits;
            k.photometric = inverted ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK;
            blob file = written(&k, cases[i].row, NULL);
            picture pic = case_picture("a.tif", "TIFF", file.data, file.size);
            const unsigned full = k.bits > 8 ? 65535 : 255;
            assert_int_equal(pic.image.bits, k.bits > 8 ? 16 : 8);
            assert_int_equal(pic.white, (1 << k.bits) - 1);
            for (size_t x = 0; x < 4; x++) {
                const unsigned code = picture_sample(&pic.image, pic.image.data, x);
                assert_int_equal(inverted ? full - code : code, cases[i].codes[x]);
            }
            picture_free(&pic);
            blob_free(&file);
        }
}

static void test_associated_alpha(void **state)
{
    kind k = plain;
    k.width = 3;
    k.height = 1;
    k.samples = 4;
    k.photometric = PHOTOMETRIC_RGB;
    k.extra = EXTRASAMPLE_ASSOCALPHA;
    const uint8_t in[] = {64, 10, 200, 128, 9, 9, 9, 0, 1, 2, 3, 255};
    const uint8_t want[] = {128, 20, 255, 128, 0, 0, 0, 0, 1, 2, 3, 255};
    blob file = written(&k, in, NULL);
    picture pic = case_picture("a.tif", "TIFF", file.data, file.size);
    assert_memory_equal(pic.image.data, want, sizeof want);
    picture_free(&pic);
    blob_free(&file);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static void set_no_data(TIFF *t)
{
    static const TIFFFieldInfo info[] = {
        {42113, TIFF_VARIABLE, TIFF_VARIABLE, TIFF_ASCII, FIELD_CUSTOM, 1, 0, (char *)"nodata"}};
    TIFFMergeFieldInfo(t, info, 1);
    TIFFSetField(t, 42113, "-9999");
}

static void expect_values(int format, int bits, const void *numbers, const float *want,
                          void (*more)(TIFF *))
{
    kind k = plain;
    k.width = 4;
    k.height = 1;
    k.format = format;
    k.bits = bits;
    const decode_settings as_map = {.as_map = true};
    blob file = written(&k, numbers, more);
    picture pic;
    problem p;
    assert_true(picture_decode(&pic, file.data, file.size, "a.tif", &as_map, &p));
    assert_null(pic.image.data);
    assert_int_equal(pic.values.width, 4);
    assert_int_equal(pic.values.height, 1);
    for (int i = 0; i < 4; i++)
        assert_true(pic.values.data[i] == want[i] || (isnan(want[i]) && isnan(pic.values.data[i])));
    picture_free(&pic);
    assert_int_equal(picture_decode(&pic, file.data, file.size, "a.tif", NULL, &p),
                     format == SAMPLEFORMAT_IEEEFP);
    if (format != SAMPLEFORMAT_IEEEFP)
        assert_non_null(strstr(p.text, "only as a depth map; save it with 16 bits"));
    else
        assert_int_equal(pic.image.half, 1);
    picture_free(&pic);
    blob_free(&file);
}

static void test_values(void **state)
{
    const float singles[] = {0.5f, NAN, INFINITY, -9999};
    const float singles_known[] = {0.5f, NAN, INFINITY, NAN};
    const double doubles[] = {0.5, -3, 1e30, 7};
    const float of_doubles[] = {0.5f, -3, 1e30f, 7};
    const uint16_t halves[] = {0x3c00, 0xc500, 0x0001, 0x7c00};
    const float of_halves[] = {1, -5, 0x1p-24f, INFINITY};
    const int8_t small[] = {-128, -1, 0, 127};
    const float of_small[] = {-128, -1, 0, 127};
    const int32_t large[] = {-2147483647 - 1, 5, 0, 1 << 30};
    const float of_large[] = {-2147483648.0f, 5, 0, 1073741824.0f};
    const uint32_t larger[] = {4294967295u, 5, 0, 1u << 31};
    const float of_larger[] = {4294967295.0f, 5, 0, 2147483648.0f};
    expect_values(SAMPLEFORMAT_IEEEFP, 32, singles, singles, NULL);
    expect_values(SAMPLEFORMAT_IEEEFP, 32, singles, singles_known, set_no_data);
    expect_values(SAMPLEFORMAT_IEEEFP, 64, doubles, of_doubles, NULL);
    expect_values(SAMPLEFORMAT_IEEEFP, 16, halves, of_halves, NULL);
    expect_values(SAMPLEFORMAT_INT, 8, small, of_small, NULL);
    expect_values(SAMPLEFORMAT_INT, 32, large, of_large, NULL);
    expect_values(SAMPLEFORMAT_UINT, 32, larger, of_larger, NULL);
}

static void test_map_of_codes(void **state)
{
    const decode_settings as_map = {.as_map = true};
    satb_image image = case_noise(plain.width, plain.height, 1, 8);
    blob file = written(&plain, image.data, NULL);
    picture pic;
    problem p;
    assert_true(picture_decode(&pic, file.data, file.size, "a.tif", &as_map, &p));
    assert_null(pic.values.data);
    assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
    picture_free(&pic);
    blob_free(&file);
}

/* White is white, grays are gray, and a colour is that of LittleCMS. */
static void test_lab(void **state)
{
    static const int8_t signed_8[] = {-1, 0, 0, 0, 0, 0, -128, 0, 0, -65, 10, -5};
    static const uint8_t icc_8[] = {255, 128, 128, 0, 128, 128, 128, 128, 128, 191, 138, 123};
    static const uint16_t signed_16[] = {65535, 0, 0, 0, 0, 0, 32896, 0, 0, 49087, 2560, 64256};
    static const uint16_t icc_16[] = {0xff00, 0x8000, 0x8000, 0,      0x8000, 0x8000,
                                      32768,  0x8000, 0x8000, 0xbf00, 0x8a00, 0x7b00};
    static const struct {
        int photometric, bits, planar;
        const void *samples;
    } files[] = {{PHOTOMETRIC_CIELAB, 8, PLANARCONFIG_CONTIG, signed_8},
                 {PHOTOMETRIC_CIELAB, 8, PLANARCONFIG_SEPARATE, signed_8},
                 {PHOTOMETRIC_ICCLAB, 8, PLANARCONFIG_CONTIG, icc_8},
                 {PHOTOMETRIC_CIELAB, 16, PLANARCONFIG_CONTIG, signed_16},
                 {PHOTOMETRIC_ICCLAB, 16, PLANARCONFIG_CONTIG, icc_16}};
    static const uint8_t want[] = {255, 255, 255, 0, 0, 0, 119, 119, 119, 200, 178, 194};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        kind k = plain;
        k.width = 4, k.height = 1, k.samples = 3, k.bits = files[i].bits;
        k.photometric = files[i].photometric, k.planar = files[i].planar;
        blob file = written(&k, files[i].samples, NULL);
        picture pic = case_picture("a.tif", "TIFF", file.data, file.size);
        assert_int_equal(pic.image.bits, k.bits);
        for (size_t c = 0; c < sizeof want; c++) {
            const unsigned got = picture_sample(&pic.image, pic.image.data, c);
            assert_int_equal(k.bits == 16 ? (got + 128) / 257 : got, want[c]);
        }
        picture_free(&pic);
        blob_free(&file);
    }
}

UNIT_MAIN(UNIT(test_round_trips), UNIT(test_subsampled), UNIT(test_threads), UNIT(test_blocks),
          UNIT(test_palette), UNIT(test_few_bits), UNIT(test_associated_alpha), UNIT(test_values),
          UNIT(test_map_of_codes), UNIT(test_lab))
