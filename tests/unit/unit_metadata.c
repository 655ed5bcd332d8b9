/* Metadata from file to file: it is carried between all formats by all codecs, notes list the rest,
 * and damage to it harms no picture. */
#include "unit/metadata_case.h"

#include "format/exif.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define XMP_JPEG "http://ns.adobe.com/xap/1.0/"
#define XMP_PNG  "XML:com.adobe.xmp"
#define PACKET   "<x:xmpmeta tiff:Orientation=\"6\"/>"

static bytes view(const blob *b)
{
    return blob_view(b);
}

/* A copy of exactly that size lets the address sanitizer see a read beyond the end. */
static picture decoded(const char *name, bytes file, codec_choice choice)
{
    picture pic;
    problem p;
    uint8_t *copy = malloc(file.size);
    assert_non_null(copy);
    memcpy(copy, file.data, file.size);
    if (!picture_decode(&pic, copy, file.size, name, &(decode_settings){.choice = choice}, &p))
        fail_msg("%s", p.text);
    free(copy);
    return pic;
}

/* Writes the picture as another file, as the program would. *turn: the orientation that is left for
 * the file. */
static blob carried(picture *pic, const char *to, codec_choice choice, int *turn)
{
    problem p;
    memory m = {0};
    satb_image fit;
    char note[128];
    sink into = {.write = memory_write, .user = &m};
    const codec *c = codec_for_output(to, &p);
    assert_true(codec_fit(c, &pic->image, choice, &fit, note, &p));
    *turn = metadata_fit(&pic->meta, codec_metadata(c), fit.channels);
    const encode_settings settings = {
        .quality = 90, .compression = 1, .choice = choice, .meta = &pic->meta};
    assert_non_null(codec_encode(c, &pic->image, &settings, &into, &p));
    return (blob){.data = m.data, .size = m.size, .capacity = m.room};
}

static void assert_blob(const blob *b, const blob *expected)
{
    assert_int_equal(b->size, expected->size);
    assert_memory_equal(b->data, expected->data, expected->size);
}

/* Returns the EXIF of case_exif(), without its thumbnail. */
static blob without_thumbnail(bool big, int orientation)
{
    blob b = case_exif(big, orientation);
    b.size -= 15;
    memset(b.data + 8 + 2 + 2 * 12, 0, 4);
    return b;
}

/* --- Carried over ----------------------------------------------------------------------------- */

static blob full_png(const blob *icc, const blob *exif)
{
    blob extra = {0};
    case_chunk_profile(&extra, "a name", icc->data, icc->size);
    case_chunk(&extra, "gAMA", "\0\0\xb1\x8f", 4);
    case_chunk(&extra, "pHYs", "\0\0\x2e\x23\0\0\x1e\xc2\1", 9); /* 300 x 200 dpi */
    case_chunk(&extra, "eXIf", exif->data, exif->size);
    case_chunk(&extra, "tEXt", "Author\0me", 9);
    case_chunk(&extra, "iTXt", XMP_PNG "\0\0\0\0\0" PACKET, 22 + sizeof PACKET - 1);
    blob file = case_file("a.png", 3, &extra, true);
    blob_free(&extra);
    return file;
}

static blob full_jpeg(const blob *icc, const blob *exif)
{
    blob extra = {0};
    case_segment(&extra, 0xe0, "JFIF\0\1\1\1\1\54\0\xc8\0", 14, "", 0); /* 300 x 200 dpi */
    case_segment(&extra, 0xe1, "Exif\0", 6, exif->data, exif->size);
    case_segment(&extra, 0xe1, XMP_JPEG, sizeof XMP_JPEG, PACKET, sizeof PACKET - 1);
    case_segment(&extra, 0xed, "Photoshop 3.0", 14, "8BIM", 4);
    case_segment_profile(&extra, icc, 65519);
    case_segment(&extra, 0xfe, "", 0, "a remark", 8);
    blob file = case_file("a.jpg", 3, &extra, true);
    blob_free(&extra);
    return file;
}

static void assert_in_png(const blob *file, bool from_png, const blob *exif)
{
    const char *name = from_png ? "a name" : "ICC profile";
    assert_int_equal(case_count_chunks(view(file), "iCCP", name, strlen(name) + 1), 1);
    const char *size = from_png ? "\0\0\x2e\x23\0\0\x1e\xc2\1" : "\0\0\x1e\xc2\0\0\x2e\x23\1";
    assert_int_equal(case_count_chunks(view(file), "pHYs", size, 9), 1);
    assert_int_equal(case_count_chunks(view(file), "eXIf", exif->data, exif->size), 1);
    assert_int_equal(case_count_chunks(view(file), "eXIf", "", 0), 1);
    assert_int_equal(case_count_chunks(view(file), "gAMA", "\0\0\xb1\x8f", 4), from_png);
    assert_int_equal(case_count_chunks(view(file), "tEXt", "Author\0me", 9), from_png);
    const char *packet = XMP_PNG "\0\0\0\0\0<x:xmpmeta tiff:Orientation=";
    assert_int_equal(case_count_chunks(view(file), "iTXt", packet, 22 + 28), 1);
}

static void assert_in_jpeg(const blob *file, bool from_jpeg, const blob *exif)
{
    char head[6 + 200] = "Exif\0";
    memcpy(head + 6, exif->data, exif->size);
    assert_int_equal(case_count_segments(view(file), 0xe1, head, 6 + exif->size), 1);
    assert_int_equal(case_count_segments(view(file), 0xe1, "Exif", 4), 1);
    assert_int_equal(case_count_segments(view(file), 0xe1, XMP_JPEG "\0" PACKET,
                                         sizeof XMP_JPEG + sizeof PACKET - 1),
                     1);
    assert_int_equal(case_count_segments(view(file), 0xe0, "JFIF\0\1\1\1\1\54\0\xc8\0", 14), 1);
    assert_int_equal(case_count_segments(view(file), 0xe0, "", 0), 1);
    assert_int_equal(case_count_segments(view(file), 0xed, "Photoshop 3.0\0008BIM", 18), from_jpeg);
    assert_int_equal(case_count_segments(view(file), 0xfe, "a remark", 8), from_jpeg);
}

/* From a JPEG's EXIF to a PNG, the orientation goes into the pixels, elsewhere it stays a tag. */
static void carry(bool from_png, bool to_png, codec_choice choice, size_t icc_size, bool big)
{
    blob icc = case_profile(icc_size, "RGB "), with = case_exif(big, 6);
    const int left = to_png && !from_png ? 1 : 6;
    blob exif = without_thumbnail(big, left);
    blob file = from_png ? full_png(&icc, &with) : full_jpeg(&icc, &with);
    int turn;
    picture pic = decoded("a.x", view(&file), choice);
    assert_int_equal(pic.orientation, 6);
    blob out = carried(&pic, to_png ? "a.png" : "a.jpg", choice, &turn);
    assert_int_equal(turn, left == 1 ? 6 : 1);
    assert_string_equal(pic.meta.lost.text, from_png == to_png ? ""
                                            : from_png         ? "text"
                                                               : "IPTC and Photoshop's, comment");
    if (to_png)
        assert_in_png(&out, from_png, &exif);
    else
        assert_in_jpeg(&out, !from_png, &exif);
    picture again = decoded("a.x", view(&out), choice);
    assert_blob(&again.meta.icc, &icc);
    assert_blob(&again.meta.exif, &exif);
    assert_int_equal(again.orientation, left);
    assert_int_equal(again.image.width, 30);
    assert_memory_equal(again.meta.xmp.data, PACKET, 29);
    assert_int_equal(again.meta.xmp.data[29], '0' + left);
    if (from_png && to_png)
        assert_memory_equal(again.image.data, pic.image.data, picture_bytes(&pic.image));
    picture_free(&again);
    picture_free(&pic);
    blob_free(&out);
    blob_free(&file);
    blob_free(&exif);
    blob_free(&with);
    blob_free(&icc);
}

static void test_carried(void **state)
{
    (void)state;
    static const size_t sizes[] = {132, 3144, 65519, 65520, 400000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 16; kind++)
            carry(kind & 1, kind & 2, kind & 4 ? CODEC_PLAIN : CODEC_FAST, sizes[i], kind & 8);
}

/* libspng writes 16 bits at another level. Gray keeps a gray profile in a PNG. */
static void test_other_encoders(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++) {
        blob icc = case_profile(500, kind & 1 ? "GRAY" : "RGB ");
        problem p;
        memory m = {0};
        sink to = {.write = memory_write, .user = &m};
        satb_image image = case_noise(33, 21, kind & 1 ? 2 : 3, kind & 2 ? 16 : 8);
        metadata meta = {.from = METADATA_PNG, .icc = icc, .icc_name = "x"};
        assert_int_equal(metadata_fit(&meta, METADATA_PNG, image.channels), 1);
        const encode_settings settings = {.compression = kind & 4 ? 3 : 1, .meta = &meta};
        assert_non_null(codec_encode(codec_for_output("a.png", &p), &image, &settings, &to, &p));
        picture pic = decoded("a.png", (bytes){m.data, m.size}, CODEC_FAST);
        assert_blob(&pic.meta.icc, &icc);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        picture_free(&pic);
        blob_free(&icc);
        free(m.data);
        free(image.data);
    }
}

/* Without metadata no byte is added. A sink that fails at any byte is reported. */
static void test_sinks(void **state)
{
    (void)state;
    static const char *const names[] = {"a.png", "a.jpg"};
    blob icc = case_profile(2000, "RGB ");
    const metadata none = {0}, meta = {.icc = icc, .icc_name = "x"};
    for (int kind = 0; kind < 4; kind++) {
        problem p;
        satb_image image = case_noise(700, 300, 3, 8);
        const char *name = names[kind & 1];
        encode_settings settings = {.quality = 90,
                                    .compression = 1,
                                    .threads = 1,
                                    .choice = kind & 2 ? CODEC_PLAIN : CODEC_FAST};
        memory plain = case_encoded_by(name, &image, &settings);
        settings.meta = &none;
        memory same = case_encoded_by(name, &image, &settings);
        assert_int_equal(same.size, plain.size);
        settings.meta = &meta;
        memory one = case_encoded_by(name, &image, &settings);
        assert_in_range(one.size, plain.size + 2000, plain.size + 2100);
        for (size_t limit = 1; limit < one.size; limit += limit < 2200 ? 83 : 39979) {
            memory m = {.limit = limit};
            sink to = {.write = memory_write, .user = &m};
            assert_non_null(codec_encode(codec_for_output(name, &p), &image, &settings, &to, &p));
            assert_true(to.failed);
            assert_true(m.size <= limit);
            free(m.data);
        }
        free(plain.data);
        free(same.data);
        free(one.data);
        free(image.data);
    }
    blob_free(&icc);
}

/* --- What does not fit ------------------------------------------------------------------------ */

static void expect_lost_by(codec_choice choice, const char *name, const blob *extra, int channels,
                           const char *to, const char *lost)
{
    int turn;
    blob file = case_file(name, channels, extra, false);
    picture pic = decoded("a.x", view(&file), choice);
    blob out = carried(&pic, to, choice, &turn);
    if (strcmp(pic.meta.lost.text, lost) != 0)
        fail_msg("%s to %s says '%s', not '%s'", name, to, pic.meta.lost.text, lost);
    picture again = decoded(to, view(&out), choice);
    assert_int_equal(again.image.width, pic.image.width);
    picture_free(&again);
    picture_free(&pic);
    blob_free(&out);
    blob_free(&file);
}

static void expect_lost(const char *name, const blob *extra, int channels, const char *to,
                        const char *lost)
{
    for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++)
        expect_lost_by(choice, name, extra, channels, to, lost);
}

static void test_no_place(void **state)
{
    (void)state;
    static const char *const names[] = {"a.bmp", "a.tga", "a.ppm"};
    blob icc = case_profile(700, "RGB "), exif = case_exif(true, 1);
    blob png = {0}, jpeg = {0};
    case_chunk_profile(&png, "x", icc.data, icc.size);
    case_chunk(&png, "gAMA", "\0\1\x86\xa0", 4);
    case_chunk(&png, "pHYs", "\0\0\0\1\0\0\0\2\0", 9);
    case_chunk(&png, "eXIf", exif.data, exif.size);
    case_chunk(&png, "tEXt", "a\0b", 3);
    case_segment(&jpeg, 0xe1, "Exif\0", 6, exif.data, exif.size);
    case_segment(&jpeg, 0xe1, XMP_JPEG, sizeof XMP_JPEG, PACKET, sizeof PACKET - 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect_lost("a.png", &png, 3, names[i], "colour profile, EXIF, pixel density, gAMA, text");
        expect_lost("a.jpg", &jpeg, 3, names[i], "EXIF, XMP");
    }
    blob_free(&png);
    blob_free(&jpeg);
    blob_free(&exif);
    blob_free(&icc);
}

static void test_profile_of_other_colours(void **state)
{
    (void)state;
    static const char *const colours[] = {"GRAY", "RGB ", "CMYK"};
    for (int i = 0; i < 3; i++) {
        blob icc = case_profile(700, colours[i]), extra = {0};
        char lost[40] = "colour profile (for ";
        strcat(strcat(lost, colours[i]), ")");
        case_chunk_profile(&extra, "x", icc.data, icc.size);
        for (int channels = 1; channels <= 4; channels++) {
            const bool gray = channels < 3;
            expect_lost("a.png", &extra, channels, "a.png", i == !gray ? "" : lost);
            for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++) {
                const bool gray_out = gray && jpeg_writes_gray(choice);
                expect_lost_by(choice, "a.png", &extra, channels, "a.jpg",
                               i == !gray_out ? "" : lost);
            }
        }
        blob_free(&extra);
        blob_free(&icc);
    }
}

/* sRGB is the default, so it is dropped. It outweighs gAMA and cHRM, and so does a profile. */
static void test_colour_chunks(void **state)
{
    (void)state;
    static const char white[32] = {0};
    blob icc = case_profile(700, "RGB "), extra = {0};
    case_chunk(&extra, "gAMA", "\0\1\x86\xa0", 4);
    case_chunk(&extra, "cHRM", white, 32);
    expect_lost("a.png", &extra, 3, "a.png", "");
    expect_lost("a.png", &extra, 3, "a.jpg", "gAMA, cHRM");
    const size_t both = extra.size;
    case_chunk(&extra, "sRGB", "\0", 1);
    expect_lost("a.png", &extra, 3, "a.jpg", "");
    extra.size = both;
    case_chunk_profile(&extra, "x", icc.data, icc.size);
    expect_lost("a.png", &extra, 3, "a.jpg", "");
    expect_lost("a.png", &extra, 3, "a.ppm", "colour profile, gAMA, cHRM");
    extra.size = both;
    case_chunk(&extra, "cICP", "\x0c\x0d\0\1", 4);
    expect_lost("a.png", &extra, 3, "a.jpg", "gAMA, cHRM, cICP");
    blob_free(&extra);
    blob_free(&icc);
}

static void test_gamma(void **state)
{
    (void)state;
    static const struct {
        const char *chunk;
        size_t size;
        uint32_t gamma;
    } cases[] = {{"tEXta\0b", 3, 100000}, {"sRGB\0", 1, 0}, {"cICP\x0c\x0d\0\1", 4, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        blob extra = {0};
        case_chunk(&extra, "gAMA", "\0\1\x86\xa0", 4);
        case_chunk(&extra, cases[i].chunk, cases[i].chunk + 4, cases[i].size);
        blob file = case_file("a.png", 3, &extra, true);
        picture pic = decoded("a.png", view(&file), CODEC_FAST);
        assert_int_equal(pic.meta.gamma, cases[i].gamma);
        picture_free(&pic);
        blob_free(&file);
        blob_free(&extra);
    }
}

/* A chunk's name tells whether it may be copied (PNG 3, 14.2). Chunks that describe the old pixels
 * are dropped without a note. */
static void test_other_chunks(void **state)
{
    (void)state;
    static const struct {
        const char *type, *lost, *to_jpeg;
        int kept;
    } cases[] = {{"vpAg", "", "vpAg", 1},
                 {"orNT", "orNT", "orNT", 0},
                 {"caBX", "caBX", "caBX", 0},
                 {"a\1Ca", "a?Ca", "a?Ca", 0},
                 {"bKGD", "", "background colour", 1},
                 {"fdAT", "further frames of the animation", "further frames of the animation", 0},
                 {"tIME", "", "", 0},
                 {"iDOT", "", "", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        blob extra = {0};
        int turn;
        case_chunk(&extra, cases[i].type, "1234567", 7);
        expect_lost("a.png", &extra, 3, "a.png", cases[i].lost);
        expect_lost("a.png", &extra, 3, "a.jpg", cases[i].to_jpeg);
        blob file = case_file("a.png", 3, &extra, true);
        picture pic = decoded("a.png", view(&file), CODEC_FAST);
        blob out = carried(&pic, "a.png", CODEC_FAST, &turn);
        assert_int_equal(case_count_chunks(view(&out), cases[i].type, "1234567", 7), cases[i].kept);
        picture_free(&pic);
        blob_free(&out);
        blob_free(&file);
        blob_free(&extra);
    }
}

/* An index into a palette, or a value of few bits, means nothing in the output. */
static void test_background(void **state)
{
    (void)state;
    blob extra = {0};
    case_chunk(&extra, "bKGD", "\1", 1);
    expect_lost("a.png", &extra, 3, "a.png", "background colour");
    extra.size = 0;
    case_chunk(&extra, "bKGD", "\0\1", 2);
    expect_lost("a.png", &extra, 1, "a.png", "");
    blob_free(&extra);
    blob file = {0};
    metadata m = {0};
    blob_add(&file, "\x89PNG\r\n\x1a\n", 8);
    case_chunk(&file, "IHDR", "\0\0\0\1\0\0\0\1\4\0\0\0", 13);
    case_chunk(&file, "bKGD", "\0\1", 2);
    metadata_read(&m, METADATA_PNG, blob_view(&file));
    assert_string_equal(m.lost.text, "background colour");
    metadata_free(&m);
    blob_free(&file);
}

static void test_other_segments(void **state)
{
    (void)state;
    static const struct {
        int marker;
        const char *text;
        size_t size;
        const char *lost, *to_png;
    } cases[] = {
        {0xe0, "JFXX\0\x10", 6, "", ""},
        {0xe1, "http://ns.adobe.com/xmp/extension/\0....", 39, "", "extended XMP"},
        {0xe1, "something", 9, "APP1", "APP1"},
        {0xe2, "MPF\0", 4, "further pictures (MPF)", "further pictures (MPF)"},
        {0xe2, "FPXR\0", 5, "APP2", "APP2"},
        {0xeb, "JP", 2, "APP11", "APP11"},
        {0xed, "other", 5, "APP13", "APP13"},
        {0xee, "Adobe\0\x64\0\0\0\0\1", 12, "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        blob extra = {0};
        case_segment(&extra, cases[i].marker, "", 0, cases[i].text, cases[i].size);
        expect_lost("a.jpg", &extra, 3, "a.jpg", cases[i].lost);
        expect_lost("a.jpg", &extra, 3, "a.png", cases[i].to_png);
        blob_free(&extra);
    }
}

static void test_behind_the_end(void **state)
{
    (void)state;
    blob none = {0}, file = case_file("a.jpg", 3, &none, false);
    for (int i = 0; i < 3; i++) {
        picture pic = decoded("a.jpg", view(&file), CODEC_FAST);
        assert_string_equal(pic.meta.lost.text, i < 2 ? "" : "what follows its end");
        picture_free(&pic);
        blob_add(&file, i == 0 ? "\0\0" : "ftypmp42", i == 0 ? 2 : 8);
    }
    blob_free(&file);
}

static density fitted(metadata_format from, metadata_format to, density d)
{
    metadata m = {.from = from, .density = d};
    assert_int_equal(metadata_fit(&m, to, 3), 1);
    assert_string_equal(m.lost.text, m.density.unit == DENSITY_NONE ? "pixel density" : "");
    return m.density;
}

static void test_density(void **state)
{
    (void)state;
    for (uint32_t dpi = 1; dpi <= 65535; dpi++) {
        const density inch = {dpi, 65536 - dpi, DENSITY_INCH};
        const density metre = fitted(METADATA_JPEG, METADATA_PNG, inch);
        assert_int_equal(metre.unit, DENSITY_METRE);
        assert_in_range(metre.x, (uint32_t)(dpi / 0.0254), (uint32_t)(dpi / 0.0254) + 1);
        const density back = fitted(METADATA_PNG, METADATA_JPEG, metre);
        if (back.unit == DENSITY_INCH)
            assert_true(back.x == inch.x && back.y == inch.y);
        else
            assert_true(back.unit == DENSITY_CM && back.x * 100 == metre.x);
    }
    const density cm = {118, 59, DENSITY_CM}, ratio = {3, 2, DENSITY_RATIO};
    const density metre = fitted(METADATA_JPEG, METADATA_PNG, cm);
    assert_true(metre.x == 11800 && metre.y == 5900 && metre.unit == DENSITY_METRE);
    const density same = fitted(METADATA_JPEG, METADATA_JPEG, cm);
    assert_true(same.x == 118 && same.unit == DENSITY_CM);
    const density kept = fitted(METADATA_PNG, METADATA_JPEG, ratio);
    assert_true(kept.x == 3 && kept.y == 2 && kept.unit == DENSITY_RATIO);
    const density fine = {4000000, 4000000, DENSITY_METRE}, coarse = {1, 1, DENSITY_METRE};
    assert_int_equal(fitted(METADATA_PNG, METADATA_JPEG, fine).unit, DENSITY_CM);
    assert_int_equal(fitted(METADATA_PNG, METADATA_JPEG, coarse).unit, DENSITY_NONE);
    const density finer = {7000000, 7000001, DENSITY_METRE};
    assert_int_equal(fitted(METADATA_PNG, METADATA_JPEG, finer).unit, DENSITY_NONE);
}

/* A JPEG's segment ends at 64 KB. Pixels are turned if the segment has no room for the
 * orientation. */
static void test_too_large_for_jpeg(void **state)
{
    (void)state;
    for (int beyond = 0; beyond <= 1; beyond++) {
        blob exif = case_exif(false, 8), text = {0}, extra = {0};
        const uint8_t zero = 0;
        memset(exif.data + 8 + 2 + 2 * 12, 0, 4); /* no thumbnail */
        while (exif.size < JPEG_EXIF_MOST + (size_t)beyond)
            blob_add(&exif, &zero, 1);
        blob_add(&text, XMP_PNG "\0\0\0\0", 22);
        while (text.size < JPEG_XMP_MOST + 22 + (size_t)beyond)
            blob_add(&text, " ", 1);
        case_chunk(&extra, "eXIf", exif.data, exif.size);
        case_chunk(&extra, "iTXt", text.data, text.size);
        blob file = case_file("a.png", 3, &extra, true);
        picture pic = decoded("a.png", view(&file), CODEC_FAST);
        int turn;
        blob out = carried(&pic, "a.jpg", CODEC_FAST, &turn);
        assert_int_equal(turn, beyond ? 8 : 1);
        assert_string_equal(pic.meta.lost.text,
                            beyond ? "EXIF (too large for JPEG), XMP (too large for JPEG)" : "");
        picture again = decoded("a.jpg", view(&out), CODEC_FAST);
        assert_int_equal(again.orientation, beyond ? 1 : 8);
        picture_free(&again);
        picture_free(&pic);
        blob_free(&out);
        blob_free(&file);
        blob_free(&extra);
        blob_free(&text);
        blob_free(&exif);
    }
}

static void test_packed_xmp(void **state)
{
    (void)state;
    blob packed = {0}, text = {0}, extra = {0};
    case_chunk_profile(&packed, "x", PACKET,
                       sizeof PACKET - 1); /* behind 8 + 3 bytes: the stream */
    blob_add(&text, XMP_PNG "\0\1\0en\0\0", 24);
    blob_add(&text, packed.data + 11, packed.size - 11 - 4);
    case_chunk(&extra, "iTXt", text.data, text.size);
    blob file = case_file("a.png", 3, &extra, true);
    picture pic = decoded("a.png", view(&file), CODEC_FAST);
    assert_int_equal(pic.meta.xmp.size, sizeof PACKET - 1);
    assert_memory_equal(pic.meta.xmp.data, PACKET, sizeof PACKET - 1);
    picture_free(&pic);
    blob_free(&file);
    blob_free(&extra);
    blob_free(&text);
    blob_free(&packed);
}

static void test_words(void **state)
{
    (void)state;
    word_list list = {{0}};
    words_add(&list, "gAMA");
    words_add(&list, "");
    words_add(&list, "gAM");
    words_add(&list, "gAMA");
    assert_string_equal(list.text, "gAMA, gAM");
    for (int i = 0; i < 200; i++) {
        char word[20];
        snprintf(word, sizeof word, "word%d", i);
        words_add(&list, word);
        assert_true(strlen(list.text) < sizeof list.text);
    }
    assert_string_equal(list.text + strlen(list.text) - 5, ", ...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carried),
        cmocka_unit_test(test_other_encoders),
        cmocka_unit_test(test_sinks),
        cmocka_unit_test(test_no_place),
        cmocka_unit_test(test_profile_of_other_colours),
        cmocka_unit_test(test_colour_chunks),
        cmocka_unit_test(test_gamma),
        cmocka_unit_test(test_other_chunks),
        cmocka_unit_test(test_background),
        cmocka_unit_test(test_other_segments),
        cmocka_unit_test(test_behind_the_end),
        cmocka_unit_test(test_density),
        cmocka_unit_test(test_too_large_for_jpeg),
        cmocka_unit_test(test_packed_xmp),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests_name("metadata", tests, NULL, NULL);
}
