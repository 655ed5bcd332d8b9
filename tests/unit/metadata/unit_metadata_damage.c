/* Metadata that is damaged or lies: the picture is read all the same, the damaged part is not
 * carried, and a note says that. */
#include "unit/metadata/metadata_case.h"

#include <string.h>

#include "unit/unit.h"

/* Every codec must read the file and list this as lost. */
static void expect(const blob *file, const char *lost)
{
    uint8_t *copy = unit_copy(file->data, file->size);
    for (codec_choice choice = CODEC_FAST; choice <= CODEC_PLAIN; choice++) {
        picture pic;
        problem p;
        if (!picture_decode(&pic, copy, file->size, "a.x", &(decode_settings){.choice = choice},
                            &p))
            fail_msg("%s (and %s was to be lost)", p.text, lost);
        if (strcmp(pic.meta.lost.text, lost) != 0)
            fail_msg("says '%s', not '%s'", pic.meta.lost.text, lost);
        picture_free(&pic);
    }
}

static void expect_chunk(const char *type, const void *data, size_t size, const char *lost)
{
    blob extra = {0};
    case_chunk(&extra, type, data, size);
    blob file = case_file("a.png", 3, &extra, true);
    expect(&file, lost);
    blob_free(&file);
    blob_free(&extra);
}

static void test_chunks(void **state)
{
    static const char zeros[40] = {0};
    expect_chunk("gAMA", zeros, 3, "gAMA (damaged)");
    expect_chunk("gAMA", zeros, 4, "gAMA (damaged)");
    expect_chunk("gAMA", zeros, 0, "gAMA (damaged)");
    expect_chunk("cHRM", zeros, 31, "cHRM (damaged)");
    expect_chunk("sRGB", zeros, 2, "sRGB (damaged)");
    expect_chunk("cICP", zeros, 5, "cICP (damaged)");
    expect_chunk("mDCV", zeros, 23, "mDCV (damaged)");
    expect_chunk("cLLI", zeros, 7, "cLLI (damaged)");
    expect_chunk("mDCV", zeros, 24, "");
    expect_chunk("cLLI", zeros, 8, "");
    expect_chunk("pHYs", zeros, 8, "pHYs (damaged)");
    expect_chunk("pHYs", "\0\0\0\0\0\0\0\1\0", 9, ""); /* ffmpeg's: unknown */
    expect_chunk("pHYs", "\0\0\0\0\0\0\0\1\1", 9, "pHYs (damaged)");
    expect_chunk("pHYs", "\xff\xff\xff\xff\0\0\0\1\1", 9, "pHYs (damaged)");
    expect_chunk("pHYs", "\0\0\0\1\0\0\0\1\2", 9, "pHYs (damaged)");
    expect_chunk("tEXt", "no end", 6, "tEXt (damaged)");
    expect_chunk("tEXt", "", 0, "tEXt (damaged)");
    expect_chunk("zTXt", "\0empty keyword", 14, "zTXt (damaged)");
    expect_chunk("iTXt", "XML:com.adobe.xmp", 17, "iTXt (damaged)");
    expect_chunk("iTXt", "XML:com.adobe.xmp\0", 18, "XMP (damaged)");
    expect_chunk("iTXt", "XML:com.adobe.xmp\0\0\0", 20, "XMP (damaged)");
    expect_chunk("iTXt", "XML:com.adobe.xmp\0\0\0en\0en", 25, "XMP (damaged)");
    expect_chunk("iTXt", "XML:com.adobe.xmp\0\1\0\0\0no stream", 31, "XMP (damaged)");
    expect_chunk("iTXt", "XML:com.adobe.xmp\0\2\0\0\0kind", 26, "XMP (damaged)");
    expect_chunk("eXIf", "", 0, "EXIF (damaged)");
    expect_chunk("eXIf", "Exif\0\0", 6, "EXIF (damaged)");
    expect_chunk("eXIf", "no EXIF at all", 14, "EXIF (damaged)");
    expect_chunk("iCCP", "", 0, "colour profile (damaged or too large)");
    expect_chunk("iCCP", "name", 4, "colour profile (damaged or too large)");
    expect_chunk("iCCP", "name\0", 5, "colour profile (damaged or too large)");
    expect_chunk("iCCP", "name\0\0", 6, "colour profile (damaged or too large)");
    expect_chunk("iCCP", "name\0\0x\x9cjunk", 12, "colour profile (damaged or too large)");
    expect_chunk("iCCP", "\0\0x\x9c", 4, "colour profile (damaged or too large)");
}

static void test_order_of_chunks(void **state)
{
    blob extra = {0};
    case_chunk(&extra, "sRGB", "\0", 1);
    case_chunk(&extra, "sRGB", "\0", 1);
    case_chunk(&extra, "pHYs", "\0\0\0\1\0\0\0\1\1", 9);
    case_chunk(&extra, "pHYs", "\0\0\0\1\0\0\0\1\1", 9);
    case_chunk(&extra, "tEXt", "a\0b", 3);
    case_chunk(&extra, "tEXt", "a\0b", 3);
    blob file = case_file("a.png", 3, &extra, true);
    expect(&file, "sRGB (a second one), pHYs (a second one)");
    file.size -= 12; /* IEND */
    case_chunk(&file, "gAMA", "\0\0\xb1\x8f", 4);
    case_chunk(&file, "tEXt", "a\0b", 3);
    case_chunk(&file, "IEND", "", 0);
    expect(&file, "sRGB (a second one), pHYs (a second one), gAMA (behind the pixels)");
    blob_add(&file, "and so on, in bytes that mean nothing", 37);
    expect(&file, "sRGB (a second one), pHYs (a second one), gAMA (behind the pixels)");
    blob_free(&file);
    blob_free(&extra);
}

/* Returns the EXIF of case_exif(), without its thumbnail. */
static blob without_thumbnail(int orientation)
{
    blob b = case_exif(true, orientation);
    b.size -= 15;
    memset(b.data + 8 + 2 + 2 * 12, 0, 4);
    return b;
}

/* Of two records of a kind the first is kept, and another second one is named. */
static void test_second_records(void **state)
{
    for (int other = 0; other < 4; other++) {
        blob one = without_thumbnail(3), two = without_thumbnail(other & 1 ? 6 : 3), jpeg = {0},
             png = {0};
        const char *const xmp = other & 2 ? "<other/>" : "<xmp/>";
        const char *const lost = other == 3   ? "EXIF (a second one), XMP (a second one)"
                                 : other == 2 ? "XMP (a second one)"
                                 : other == 1 ? "EXIF (a second one)"
                                              : "";
        case_segment(&jpeg, 0xe1, "Exif\0", 6, one.data, one.size);
        case_segment(&jpeg, 0xe1, "Exif\0", 6, two.data, two.size);
        case_segment(&jpeg, 0xe1, XMP_JPEG, sizeof XMP_JPEG, "<xmp/>", 6);
        case_segment(&jpeg, 0xe1, XMP_JPEG, sizeof XMP_JPEG, xmp, strlen(xmp));
        case_chunk(&png, "eXIf", one.data, one.size);
        case_chunk(&png, "eXIf", two.data, two.size);
        for (int is_png = 0; is_png < 2; is_png++) {
            blob file = case_file(is_png ? "a.png" : "a.jpg", 3, is_png ? &png : &jpeg, is_png);
            expect(&file, !is_png ? lost : other & 1 ? "EXIF (a second one)" : "");
            picture pic = case_decoded("a.x", blob_view(&file), CODEC_PLAIN);
            assert_int_equal(pic.orientation, 3);
            assert_int_equal(pic.meta.xmp.size, is_png ? 0 : 6);
            picture_free(&pic);
            blob_free(&file);
        }
        blob_free(&one);
        blob_free(&two);
        blob_free(&jpeg);
        blob_free(&png);
    }
}

/* Streams that unpack to more than any profile has, as one chunk or as many. */
static void test_bombs(void **state)
{
    const size_t size = (size_t)PROFILE_MOST + 1;
    uint8_t *zeros = unit_zeros(size);
    blob extra = {0}, text = {0};
    case_chunk_profile(&extra, "x", zeros, size);
    blob file = case_file("a.png", 3, &extra, true);
    expect(&file, "colour profile (damaged or too large)");
    blob_free(&file);
    blob_add(&text, "XML:com.adobe.xmp\0\1\0\0", 22);
    blob_add(&text, extra.data + 11, extra.size - 11 - 4);
    extra.size = 0;
    for (int i = 0; i < 20; i++)
        case_chunk(&extra, "iTXt", text.data, text.size);
    file = case_file("a.png", 3, &extra, true);
    expect(&file, "XMP (damaged)");
    blob_free(&file);
    blob_free(&text);
    blob_free(&extra);
}

/* More bytes than are carried: the chunk that would pass the limit is left out. */
static void test_limit(void **state)
{
    const size_t size = (size_t)METADATA_MOST - 100;
    uint8_t *zeros = unit_zeros(size);
    zeros[0] = 'k';
    blob extra = {0};
    case_chunk(&extra, "tEXt", zeros, size);
    case_chunk(&extra, "tEXt", zeros, 200);
    blob file = case_file("a.png", 3, &extra, true);
    expect(&file, "tEXt (too large)");
    blob_free(&file);
    blob_free(&extra);
}

static void test_profiles(void **state)
{
    static const struct {
        size_t size, at;
        const char *bytes;
    } cases[] = {{131, 0, ""}, {200, 0, "\0\0\1"}, {200, 36, "AC"}, {200, 0, "\0\0\0\x10"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        blob icc = case_profile(cases[i].size, "RGB "), png = {0}, jpeg = {0};
        memcpy(icc.data + cases[i].at, cases[i].bytes, i == 0 ? 0 : i == 2 ? 2 : i == 1 ? 3 : 4);
        case_chunk_profile(&png, "x", icc.data, icc.size);
        case_segment_profile(&jpeg, &icc, 65519);
        blob file = case_file("a.png", 3, &png, true);
        expect(&file, "colour profile (damaged)");
        blob_free(&file);
        file = case_file("a.jpg", 3, &jpeg, false);
        expect(&file, "colour profile (damaged)");
        blob_free(&file);
        blob_free(&png);
        blob_free(&jpeg);
        blob_free(&icc);
    }
}

/* numbers: pairs of a part's number and the count. */
static void expect_parts(const char *numbers, size_t parts, const char *lost)
{
    blob icc = case_profile(300, "RGB "), extra = {0};
    for (size_t i = 0; i < parts; i++) {
        char head[14] = "ICC_PROFILE";
        memcpy(head + 12, numbers + 2 * i, 2);
        case_segment(&extra, 0xe2, head, 14, icc.data + 100 * (i % 3), 100);
    }
    blob file = case_file("a.jpg", 3, &extra, false);
    expect(&file, lost);
    blob_free(&file);
    blob_free(&extra);
    blob_free(&icc);
}

static void test_parts_of_a_profile(void **state)
{
    expect_parts("\1\3\2\3\3\3", 3, "");
    expect_parts("\1\3\2\3\3\3\3\3", 4, "colour profile (damaged)");
    expect_parts("\1\3\2\3", 2, "colour profile (damaged)");
    expect_parts("\1\3\2\3\2\3", 3, "colour profile (damaged)");
    expect_parts("\0\3\1\3\2\3", 3, "colour profile (damaged)");
    expect_parts("\1\3\2\3\4\3", 3, "colour profile (damaged)");
    expect_parts("\1\3\2\4\3\3", 3, "colour profile (damaged)");
    expect_parts("\1\377\2\377\3\377", 3, "colour profile (damaged)");
    expect_parts("\1\0", 1, "colour profile (damaged)");
    blob extra = {0};
    case_segment(&extra, 0xe2, "ICC_PROFILE\0\1", 13, "", 0);
    case_segment(&extra, 0xe2, "ICC_PROFIL", 10, "", 0);
    case_segment(&extra, 0xe1, "Exif\0", 6, "", 0);
    case_segment(&extra, 0xe1, "", 0, "", 0);
    blob file = case_file("a.jpg", 3, &extra, false);
    expect(&file, "APP2, EXIF (damaged), APP1, colour profile (damaged)");
    blob_free(&file);
    blob_free(&extra);
}

/* --- Whole files ------------------------------------------------------------------------------ */

static void write_again(picture *pic, const char *to)
{
    problem p;
    memory m = {0};
    sink into = {.write = memory_write, .user = &m};
    const codec *c = codec_for_output(to, &p);
    metadata_fit(&pic->meta, codec_metadata(c), 3);
    const encode_settings settings = {.quality = 90, .compression = 1, .meta = &pic->meta};
    assert_non_null(codec_encode(c, &pic->image, &settings, &into, &p));
    picture again;
    if (!picture_decode(&again, m.data, m.size, to, NULL, &p))
        fail_msg("what was written cannot be read: %s", p.text);
    assert_string_equal(again.meta.lost.text, "");
    picture_free(&again);
}

static void set_sum(blob *chunk)
{
    blob sound = {0};
    case_chunk(&sound, (const char *)chunk->data + 4, chunk->data + 8, chunk->size - 12);
    blob_free(chunk);
    *chunk = sound;
}

/* Flips bits of chunks, whose checksums are right, and of segments. Metadata that is read must be
 * written and read again without a note. */
static void test_random_damage(void **state)
{
    blob icc = case_profile(200, "RGB "), exif = case_exif(true, 6);
    uint32_t random = 7;
    for (int turn = 0; turn < 4000; turn++) {
        const bool png = turn & 1;
        blob parts[3] = {{0}}, extra = {0};
        if (png) {
            case_chunk_profile(&parts[0], "x", icc.data, icc.size);
            case_chunk(&parts[1], "eXIf", exif.data, exif.size);
            case_chunk(&parts[2], "iTXt", "XML:com.adobe.xmp\0\0\0en\0\0text", 29);
        } else {
            case_segment_profile(&parts[0], &icc, 90);
            case_segment(&parts[1], 0xe1, "Exif\0", 6, exif.data, exif.size);
            case_segment(&parts[2], 0xe0, "JFIF\0\1\1\1\1\54\1\54\0", 14, "", 0);
        }
        for (int i = 0; i < 3; i++) {
            random = random * 1664525u + 1013904223u;
            const size_t first = png ? 8 : 4, at = first + (random >> 8) % (parts[i].size - first);
            parts[i].data[at] ^= (uint8_t)(1u << (random >> 5) % 8);
            if (png)
                set_sum(&parts[i]);
            blob_add(&extra, parts[i].data, parts[i].size);
            blob_free(&parts[i]);
        }
        blob file = case_file(png ? "a.png" : "a.jpg", 3, &extra, png);
        picture pic;
        problem p;
        if (picture_decode(&pic, file.data, file.size, "a.x", NULL, &p)) {
            write_again(&pic, turn & 2 ? "a.png" : "a.jpg");
            picture_free(&pic);
        } else {
            assert_false(png); /* a JPEG's length may be what was hit */
        }
        blob_free(&file);
        blob_free(&extra);
    }
    blob_free(&exif);
    blob_free(&icc);
}

UNIT_MAIN(UNIT(test_chunks), UNIT(test_order_of_chunks), UNIT(test_second_records),
          UNIT(test_bombs), UNIT(test_limit), UNIT(test_profiles), UNIT(test_parts_of_a_profile),
          UNIT(test_random_damage))
