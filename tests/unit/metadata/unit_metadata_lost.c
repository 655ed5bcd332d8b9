/* Metadata that an output cannot hold: a note lists the lost parts. */
#include "unit/metadata/metadata_case.h"

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

static void expect_lost_by(codec_choice choice, const char *name, const blob *extra, int channels,
                           const char *to, const char *lost)
{
    int turn;
    blob file = case_file(name, channels, extra, false);
    picture pic = case_decoded("a.x", blob_view(&file), choice);
    blob out = case_carried(&pic, to, choice, &turn);
    if (strcmp(pic.meta.lost.text, lost) != 0)
        fail_msg("%s to %s says '%s', not '%s'", name, to, pic.meta.lost.text, lost);
    picture again = case_decoded(to, blob_view(&out), choice);
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
        picture pic = case_decoded("a.png", blob_view(&file), CODEC_FAST);
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
        picture pic = case_decoded("a.png", blob_view(&file), CODEC_FAST);
        blob out = case_carried(&pic, "a.png", CODEC_FAST, &turn);
        assert_int_equal(case_count_chunks(blob_view(&out), cases[i].type, "1234567", 7),
                         cases[i].kept);
        picture_free(&pic);
        blob_free(&out);
        blob_free(&file);
        blob_free(&extra);
    }
}

/* An index into a palette, or a value of few bits, means nothing in the output. */
static void test_background(void **state)
{
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
    static const struct {
        int marker;
        const char *text;
        size_t size;
        const char *lost, *to_png;
    } cases[] = {
        {0xe0, "JFXX\0\x10", 6, "", ""},
        {0xe1, "http://ns.adobe.com/xmp/extension/\0....", 39, "extended XMP (not whole)",
         "extended XMP (not whole)"},
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
    blob none = {0}, file = case_file("a.jpg", 3, &none, false);
    for (int i = 0; i < 3; i++) {
        picture pic = case_decoded("a.jpg", blob_view(&file), CODEC_FAST);
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
    for (int beyond = 0; beyond <= 1; beyond++) {
        blob exif = case_exif(false, 8), text = {0}, extra = {0};
        const uint8_t zero = 0;
        memset(exif.data + 8 + 2 + 2 * 12, 0, 4); /* no thumbnail */
        while (exif.size < JPEG_EXIF_MOST + (size_t)beyond)
            blob_add(&exif, &zero, 1);
        blob_add(&text, XMP_PNG "\0\0\0\0\0<a/>", 22 + 4);
        while (text.size < JPEG_XMP_MOST + 22 + (size_t)beyond)
            blob_add(&text, " ", 1);
        case_chunk(&extra, "eXIf", exif.data, exif.size);
        case_chunk(&extra, "iTXt", text.data, text.size);
        blob file = case_file("a.png", 3, &extra, true);
        picture pic = case_decoded("a.png", blob_view(&file), CODEC_FAST);
        int turn;
        blob out = case_carried(&pic, "a.jpg", CODEC_FAST, &turn);
        assert_int_equal(turn, beyond ? 8 : 1);
        assert_string_equal(pic.meta.lost.text,
                            beyond ? "EXIF (too large for JPEG), XMP (too large for JPEG)" : "");
        picture again = case_decoded("a.jpg", blob_view(&out), CODEC_FAST);
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
    blob packed = {0}, text = {0}, extra = {0};
    case_chunk_profile(&packed, "x", PACKET,
                       sizeof PACKET - 1); /* behind 8 + 3 bytes: the stream */
    blob_add(&text, XMP_PNG "\0\1\0en\0\0", 24);
    blob_add(&text, packed.data + 11, packed.size - 11 - 4);
    case_chunk(&extra, "iTXt", text.data, text.size);
    blob file = case_file("a.png", 3, &extra, true);
    picture pic = case_decoded("a.png", blob_view(&file), CODEC_FAST);
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
    word_list other = {{0}}, last = {.text = "one"};
    words_add(&other, list.text); /* a list that is as long as it can be */
    assert_int_equal(strncmp(other.text, "gAMA, gAM, word0, ", 18), 0);
    assert_string_equal(other.text + strlen(other.text) - 5, ", ...");
    words_add(&last, list.text);
    assert_int_equal(strncmp(last.text, "one, gAMA, gAM, word0, ", 23), 0);
}

/* A word goes with its comma, and no part of a longer one. */
static void test_words_removed(void **state)
{
    word_list list = {.text = ""};
    const char *const words[] = {"EXIF", "gain map", "XMP's gain map", "XMP"};
    for (int i = 0; i < 4; i++)
        words_add(&list, words[i]);
    words_remove(&list, "gain");
    words_remove(&list, "XIF");
    words_remove(&list, "map");
    words_remove(&list, "none");
    assert_string_equal(list.text, "EXIF, gain map, XMP's gain map, XMP");
    words_remove(&list, "gain map");
    assert_string_equal(list.text, "EXIF, XMP's gain map, XMP");
    words_remove(&list, "XMP");
    assert_string_equal(list.text, "EXIF, XMP's gain map");
    words_remove(&list, "EXIF");
    assert_string_equal(list.text, "XMP's gain map");
    words_remove(&list, "XMP's gain map");
    assert_string_equal(list.text, "");
}

UNIT_MAIN(UNIT(test_words_removed), UNIT(test_no_place), UNIT(test_profile_of_other_colours),
          UNIT(test_colour_chunks), UNIT(test_gamma), UNIT(test_other_chunks),
          UNIT(test_background), UNIT(test_other_segments), UNIT(test_behind_the_end),
          UNIT(test_density), UNIT(test_too_large_for_jpeg), UNIT(test_packed_xmp),
          UNIT(test_words))
