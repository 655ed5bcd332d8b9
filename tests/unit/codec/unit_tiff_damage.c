/* Damaged and hostile TIFFs, and what a TIFF carries beside its pixels. */
#include "unit/codec/codec_case.h"
#include "unit/metadata/metadata_case.h"

#include "format/exif.h"
#include "format/exif_copy.h"
#include "format/tiff_file.h"
#include "image/shape.h"

#include <string.h>

#include "unit/unit.h"

static memory small_file(int compression)
{
    satb_image image = case_noise(9, 7, 3, 8);
    memory m = case_encoded_by("a.tif", &image, &(encode_settings){.compression = compression});
    return m;
}

/* Decodes the file as a picture and as a map. Either answer is right where it has its pixels or its line. */
static bool survives(const uint8_t *data, size_t size)
{
    bool read = false;
    for (int as_map = 0; as_map < 2; as_map++) {
        const decode_settings s = {.as_map = as_map == 1, .max_pixels = 1 << 20};
        picture pic;
        problem p = {.text = ""};
        read = picture_decode(&pic, data, size, "a.tif", &s, &p);
        assert_true(read == (pic.image.data || pic.values.data));
        assert_true(read || p.text[0]);
        picture_free(&pic);
    }
    return read;
}

/* The directory is behind the pixels, so every cut loses a part of it. */
static void test_cut_off(void **state)
{
    for (int compression = 0; compression < 2; compression++) {
        memory m = small_file(compression);
        assert_true(survives(m.data, m.size));
        for (size_t size = 0; size < m.size; size++) {
            uint8_t *const cut = unit_copy(m.data, size);
            const bool read = survives(cut, size);
            assert_true(!read || size + 8 >= m.size);
        }
    }
}

static void test_flipped_bits(void **state)
{
    for (int compression = 0; compression < 2; compression++) {
        memory m = small_file(compression);
        for (size_t bit = 0; bit < 8 * m.size; bit++) {
            m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
            survives(m.data, m.size);
            m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
}

static size_t entry_of(const memory *m, uint32_t tag)
{
    const bytes file = {.data = m->data, .size = m->size};
    const size_t directory = exif_number(file, 4, 4);
    for (size_t at = directory + 2; at + 12 <= m->size; at += 12)
        if (exif_number(file, at, 2) == tag)
            return at;
    fail_msg("no tag %u", tag);
    return 0;
}

/* Makes a tag's value one number of 4 bytes, and expects a refusal that says so. */
static void refuse_with(uint32_t tag, uint32_t value, const char *says)
{
    memory m = small_file(1);
    picture pic;
    problem p;
    const size_t at = entry_of(&m, tag) + 8;
    m.data[at - 6] = TIFF_LONG;
    for (size_t i = 0; i < 4; i++)
        m.data[at + i] = (uint8_t)(value >> 8 * i);
    if (picture_decode(&pic, m.data, m.size, "a.tif", NULL, &p))
        fail_msg("tag %u = %u is read", tag, value);
    if (!strstr(p.text, says) || strchr(p.text, '\n'))
        fail_msg("tag %u = %u: %s", tag, value, p.text);
}

static void test_claims(void **state)
{
    refuse_with(TIFFTAG_IMAGEWIDTH, 0, "damaged");
    refuse_with(TIFFTAG_IMAGEWIDTH, 0xffffffff, "impossible size");
    refuse_with(TIFFTAG_IMAGEWIDTH, 1 << 23, "damaged");
    refuse_with(TIFFTAG_IMAGELENGTH, 1 << 23, "damaged");
    refuse_with(TIFFTAG_STRIPBYTECOUNTS, 0x7fffffff, "damaged");
    refuse_with(TIFFTAG_STRIPOFFSETS, 0x7fffffff, "damaged");
    refuse_with(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_CFA, "raw file; develop it");
    refuse_with(TIFFTAG_PHOTOMETRIC, 77, "colours of kind 77");
    refuse_with(TIFFTAG_COMPRESSION, 12345, "compression (number 12345)");
    refuse_with(TIFFTAG_COMPRESSION, COMPRESSION_OJPEG, "old-style JPEG");
}

static void test_most_pixels(void **state)
{
    memory m = small_file(1);
    picture pic;
    problem p;
    assert_false(
        picture_decode(&pic, m.data, m.size, "a.tif", &(decode_settings){.max_pixels = 62}, &p));
    assert_non_null(strstr(p.text, "9 x 7 pixels are more than the 62"));
}

/* A tile of 12 GB for a picture of one pixel. */
static void test_large_tile(void **state)
{
    tiff_file f;
    char none[8] = "";
    assert_true(tiff_create(&f, false));
    TIFFSetField(f.tiff, TIFFTAG_IMAGEWIDTH, 1);
    TIFFSetField(f.tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(f.tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
    TIFFSetField(f.tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(f.tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
    TIFFSetField(f.tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(f.tiff, TIFFTAG_TILEWIDTH, 65536);
    TIFFSetField(f.tiff, TIFFTAG_TILELENGTH, 65536);
    assert_int_equal(TIFFWriteRawTile(f.tiff, 0, none, sizeof none), sizeof none);
    tiff_close(&f);
    case_refused("a.tif", f.out.data, f.out.size,
                 "tiles of 65536 x 65536 pixels for a picture of 1 x 1");
    blob_free(&f.out);
}

/* A directory that is its own next one. */
static void test_ring(void **state)
{
    memory m = small_file(1);
    const bytes file = {.data = m.data, .size = m.size};
    const uint32_t directory = exif_number(file, 4, 4);
    const size_t link = directory + 2 + 12 * (size_t)exif_number(file, directory, 2);
    for (size_t i = 0; i < 4; i++)
        m.data[link + i] = (uint8_t)(directory >> 8 * i);
    assert_true(survives(m.data, m.size));
}

/* --- Metadata --------------------------------------------------------------------------------- */

/* Encodes a picture with everything, and decodes it. */
static picture carried(const char *name, metadata *m)
{
    satb_image image = case_noise(20, 10, 3, 8);
    picture pic;
    problem p;
    const encode_settings s = {.quality = 90, .compression = 1, .meta = m};
    memory file = case_encoded_by(name, &image, &s);
    if (!picture_decode(&pic, file.data, file.size, name, NULL, &p))
        fail_msg("%s", p.text);
    assert_string_equal(pic.meta.lost.text, "");
    return pic;
}

static metadata full(int orientation, bool big)
{
    metadata m = {.density = {300, 150, DENSITY_INCH}};
    blob exif = case_exif(big, orientation);
    m.icc = case_profile(300, "RGB ");
    blob_add(&m.xmp, "<x:xmpmeta/>", 12);
    metadata_take_exif(&m, blob_view(&exif));
    blob_free(&exif);
    return m;
}

/* Whole files of kinds that are not read: each is called by its name, and none damaged. */
static void test_kinds_not_read(void **state)
{
    static const struct {
        int photometric, samples, bits, planar;
        const char *says;
    } cases[] = {
        {PHOTOMETRIC_SEPARATED, 4, 16, PLANARCONFIG_CONTIG, "CMYK colours of this kind (16 bits)"},
        {PHOTOMETRIC_SEPARATED, 4, 16, PLANARCONFIG_SEPARATE, "(16 bits in planes) is not read"},
        {PHOTOMETRIC_YCBCR, 3, 16, PLANARCONFIG_CONTIG, "YCbCr colours of this kind (16 bits)"},
        {PHOTOMETRIC_CIELAB, 3, 4, PLANARCONFIG_SEPARATE, "Lab colours of this kind (4 bits in"},
        {PHOTOMETRIC_CIELAB, 1, 8, PLANARCONFIG_CONTIG, "1 samples for 3 colours"},
        {PHOTOMETRIC_ITULAB, 3, 8, PLANARCONFIG_CONTIG, "colours of kind 10 (ITU Lab) is not read"},
    };
    static uint8_t zeros[8 * 8 * 4 * 2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tiff_file f;
        picture pic;
        problem p;
        assert_true(tiff_create(&f, false));
        TIFFSetField(f.tiff, TIFFTAG_IMAGEWIDTH, 8);
        TIFFSetField(f.tiff, TIFFTAG_IMAGELENGTH, 8);
        TIFFSetField(f.tiff, TIFFTAG_SAMPLESPERPIXEL, cases[i].samples);
        TIFFSetField(f.tiff, TIFFTAG_BITSPERSAMPLE, cases[i].bits);
        TIFFSetField(f.tiff, TIFFTAG_PHOTOMETRIC, cases[i].photometric);
        TIFFSetField(f.tiff, TIFFTAG_PLANARCONFIG, cases[i].planar);
        for (uint32_t strip = 0; strip < TIFFNumberOfStrips(f.tiff); strip++)
            TIFFWriteRawStrip(f.tiff, strip, zeros, TIFFStripSize(f.tiff));
        tiff_close(&f);
        assert_false(picture_decode(&pic, f.out.data, f.out.size, "a.tif", NULL, &p));
        if (!strstr(p.text, cases[i].says) || !strstr(p.text, "; save it as RGB"))
            fail_msg("%s", p.text);
        blob_free(&f.out);
    }
}

enum { MAKE = 271, LARGE = 70 << 10 };

/* Returns a gray picture of that side with a text or four bytes in a tag, and a large file of noise behind it. */
static blob with_tag(int side, int tag)
{
    tiff_file f;
    static const uint8_t pixels[32 * 32], version[4] = {1, 4, 0, 0};
    assert_true(tiff_create(&f, false));
    TIFFSetField(f.tiff, TIFFTAG_IMAGEWIDTH, side);
    TIFFSetField(f.tiff, TIFFTAG_IMAGELENGTH, side);
    TIFFSetField(f.tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(f.tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    if (tag == MAKE)
        TIFFSetField(f.tiff, tag, "Phase One");
    else if (tag)
        TIFFSetField(f.tiff, tag, version);
    TIFFWriteEncodedStrip(f.tiff, 0, (void *)(uintptr_t)pixels, side * side);
    tiff_close(&f);
    for (int i = 0; i < LARGE; i++)
        blob_add(&f.out, &(uint8_t){(uint8_t)(i * 7)}, 1);
    return f.out;
}

/* A camera's raw file is not its stub. Small pictures of cameras, and small pictures of others, are what they seem. */
static void test_raw_files(void **state)
{
    static const struct {
        int side, tag;
        const char *says;
    } cases[] = {{1, MAKE, "is a camera's raw file (its picture is a stub); develop it"},
                 {32, MAKE, NULL},
                 {1, 0, NULL},
                 {32, TIFFTAG_DNGVERSION, "is a camera's raw file (DNG); develop it"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        blob file = with_tag(cases[i].side, cases[i].tag);
        picture pic;
        problem p;
        const bool done = picture_decode(&pic, file.data, file.size, "a.tif", NULL, &p);
        assert_int_equal(done, !cases[i].says);
        if (done)
            picture_free(&pic);
        else if (!strstr(p.text, cases[i].says))
            fail_msg("%s", p.text);
        blob_free(&file);
    }
}

/* What libtiff refuses for its kind is not called damaged. */
static void test_bits_that_differ(void **state)
{
    satb_image image = case_noise(8, 8, 3, 8);
    memory m = case_encoded_by("a.tif", &image, &case_settings);
    static const uint8_t all[] = {8, 0, 8, 0, 8, 0};
    picture pic;
    problem p;
    for (size_t i = 0; i + sizeof all <= m.size; i++)
        if (memcmp(m.data + i, all, sizeof all) == 0)
            m.data[i + 2] = 6;
    assert_false(picture_decode(&pic, m.data, m.size, "a.tif", NULL, &p));
    if (!strstr(p.text, "this kind of TIFF is not read here (Cannot handle different values") ||
        !strstr(p.text, "; save it as RGB"))
        fail_msg("%s", p.text);
}

/* Returns the metadata of a pixel with those densities. */
static metadata with_density(float x, float y, uint16_t unit)
{
    tiff_file f;
    metadata m = {0};
    assert_true(tiff_create(&f, false));
    TIFFSetField(f.tiff, TIFFTAG_IMAGEWIDTH, 1);
    TIFFSetField(f.tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(f.tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(f.tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(f.tiff, TIFFTAG_XRESOLUTION, x);
    TIFFSetField(f.tiff, TIFFTAG_YRESOLUTION, y);
    TIFFSetField(f.tiff, TIFFTAG_RESOLUTIONUNIT, unit);
    TIFFWriteEncodedStrip(f.tiff, 0, (uint8_t[1]){0}, 1);
    tiff_close(&f);
    metadata_read(&m, METADATA_TIFF, blob_view(&f.out));
    blob_free(&f.out);
    return m;
}

/* Whatever the density, a PNG of it has none or one that is read again. */
static void test_densities(void **state)
{
    static const float numbers[] = {1e-6F,  0.009F, 0.0126F, 0.013F, 0.5F,   1,    72,
                                    300.5F, 65536,  999999,  1e6F,   2.2e7F, 1e9F, 4e9F};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    for (int i = 0; i < COUNT * COUNT * 3; i++) {
        metadata m = with_density(numbers[i % COUNT], numbers[i / COUNT % COUNT],
                                  (uint16_t)(RESUNIT_NONE + i / COUNT / COUNT));
        metadata again = {0};
        blob png = {0};
        metadata_fit(&m, METADATA_PNG, 1);
        blob_add(&png, "\x89PNG\r\n\x1a\n", 8);
        metadata_write_png(&m, &png);
        metadata_read(&again, METADATA_PNG, blob_view(&png));
        assert_string_equal(again.lost.text, "");
        assert_int_equal(again.density.unit, m.density.unit);
        assert_int_equal(again.density.x, m.density.x);
        metadata_free(&again);
        metadata_free(&m);
        blob_free(&png);
    }
    metadata coarse = with_density(0.009F, 0.009F, RESUNIT_INCH);
    assert_string_equal(coarse.lost.text, "pixel density (out of range)");
}

static void test_metadata(void **state)
{
    for (int big = 0; big < 2; big++) {
        metadata m = full(6, big == 1);
        char maker[16];
        picture pic = carried("a.tif", &m);
        assert_int_equal(pic.orientation, 6);
        assert_int_equal(pic.meta.icc.size, m.icc.size);
        assert_memory_equal(pic.meta.icc.data, m.icc.data, m.icc.size);
        assert_int_equal(pic.meta.xmp.size, 12);
        assert_memory_equal(pic.meta.xmp.data, "<x:xmpmeta/>", 12);
        assert_int_equal(pic.meta.density.x, 300);
        assert_int_equal(pic.meta.density.y, 150);
        assert_int_equal(pic.meta.density.unit, DENSITY_INCH);
        assert_true(exif_text(blob_view(&pic.meta.exif), 0x10f, maker, sizeof maker));
        assert_string_equal(maker, "Maker");
        assert_int_equal(metadata_fit(&pic.meta, METADATA_TIFF, 3), 1);
        picture again = carried("a.tif", &pic.meta);
        assert_int_equal(again.orientation, 6);
        assert_int_equal(again.meta.exif.size, pic.meta.exif.size);
        assert_memory_equal(again.meta.exif.data, pic.meta.exif.data, pic.meta.exif.size);
        picture_free(&again);
        picture_free(&pic);
        metadata_free(&m);
    }
}

static void test_density(void **state)
{
    static const density all[] = {{118, 118, DENSITY_CM},
                                  {11811, 2835, DENSITY_METRE},
                                  {72, 72, DENSITY_INCH},
                                  {4, 3, DENSITY_RATIO}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        metadata m = {.density = all[i]};
        picture pic = carried("a.tif", &m);
        assert_int_equal(pic.meta.density.x, all[i].x);
        assert_int_equal(pic.meta.density.y, all[i].y);
        assert_int_equal(pic.meta.density.unit, all[i].unit);
        picture_free(&pic);
    }
}

/* EXIF's own directory has numbers of every size, in both byte orders. */
static void test_directories(void **state)
{
    const uint8_t
        exif[] = {'M',  'M',  0, 42, 0, 0, 0, 8,  0,   1,    0x87, 0x69, 0, 4,
                  0,    0,    0, 1,  0, 0, 0, 26, 0,   0,    0,    0,    0, 3,
                  0x82, 0x9a, 0, 5,  0, 0, 0, 1,  0,   0,    0,    68, /* exposure: a fraction */
                  0x88, 0x27, 0, 3,  0, 0, 0, 1,  1,   0x90, 0,    0,  /* ISO 400 */
                  0x90, 0x00, 0, 7,  0, 0, 0, 4,  '0', '2',  '3',  '2',  0, 0,
                  0,    0,    0, 0,  0, 1, 0, 0,  0,   125};
    blob out = {0};
    const bytes in = {.data = exif, .size = sizeof exif};
    assert_int_equal(exif_copy_directory(in, EXIF_GPS_DIRECTORY, &out), 0);
    blob_add(&out, "II*\0\0\0\0\0", 8);
    const uint32_t at = exif_copy_directory(in, EXIF_DIRECTORY, &out);
    const bytes got = blob_view(&out);
    assert_int_equal(at, 8);
    assert_int_equal(exif_number(got, at, 2), 3);
    const uint32_t fraction = exif_number(got, at + 2 + 8, 4);
    assert_int_equal(exif_number(got, fraction, 4), 1);
    assert_int_equal(exif_number(got, fraction + 4, 4), 125);
    assert_int_equal(exif_number(got, at + 2 + 12 + 8, 2), 400);
    assert_memory_equal(got.data + at + 2 + 24 + 8, "0232", 4);
    blob_free(&out);
    metadata m = {0};
    metadata_take_exif(&m, in);
    picture pic = carried("a.tif", &m);
    blob_add(&out, "II", 2);
    assert_int_not_equal(exif_copy_directory(blob_view(&pic.meta.exif), EXIF_DIRECTORY, &out), 0);
    assert_int_equal(exif_number(blob_view(&out), 2, 2), 3);
    blob_free(&out);
    picture_free(&pic);
    metadata_free(&m);
}

UNIT_MAIN(UNIT(test_cut_off), UNIT(test_flipped_bits), UNIT(test_claims), UNIT(test_most_pixels),
          UNIT(test_ring), UNIT(test_large_tile), UNIT(test_bits_that_differ), UNIT(test_raw_files),
          UNIT(test_kinds_not_read), UNIT(test_densities), UNIT(test_metadata), UNIT(test_density),
          UNIT(test_directories))
