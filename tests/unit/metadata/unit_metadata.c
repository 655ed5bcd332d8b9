/* Metadata from file to file: it is carried between all formats by all codecs. */
#include "unit/metadata/metadata_case.h"

#include "format/exif.h"

#include <string.h>

#include "unit/unit.h"

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
    case_segment(&extra, 0xed, "Photoshop 3.0", 14, "8BIM\4\x0a\0\0\0\0\0\1\1", 14);
    case_segment_profile(&extra, icc, 65519);
    case_segment(&extra, 0xfe, "", 0, "a remark", 8);
    blob file = case_file("a.jpg", 3, &extra, true);
    blob_free(&extra);
    return file;
}

static void assert_in_png(const blob *file, bool from_png, const blob *exif)
{
    const char *name = from_png ? "a name" : "ICC profile";
    assert_int_equal(case_count_chunks(blob_view(file), "iCCP", name, strlen(name) + 1), 1);
    const char *size = from_png ? "\0\0\x2e\x23\0\0\x1e\xc2\1" : "\0\0\x1e\xc2\0\0\x2e\x23\1";
    assert_int_equal(case_count_chunks(blob_view(file), "pHYs", size, 9), 1);
    assert_int_equal(case_count_chunks(blob_view(file), "eXIf", exif->data, exif->size), 1);
    assert_int_equal(case_count_chunks(blob_view(file), "eXIf", "", 0), 1);
    assert_int_equal(case_count_chunks(blob_view(file), "gAMA", "\0\0\xb1\x8f", 4), from_png);
    assert_int_equal(case_count_chunks(blob_view(file), "tEXt", "Author\0me", 9), from_png);
    const char *packet = XMP_PNG "\0\0\0\0\0<x:xmpmeta tiff:Orientation=";
    assert_int_equal(case_count_chunks(blob_view(file), "iTXt", packet, 22 + 28), 1);
}

static void assert_in_jpeg(const blob *file, bool from_jpeg, const blob *exif)
{
    char head[6 + 200] = "Exif\0";
    memcpy(head + 6, exif->data, exif->size);
    assert_int_equal(case_count_segments(blob_view(file), 0xe1, head, 6 + exif->size), 1);
    assert_int_equal(case_count_segments(blob_view(file), 0xe1, "Exif", 4), 1);
    assert_int_equal(case_count_segments(blob_view(file), 0xe1, XMP_JPEG "\0" PACKET,
                                         sizeof XMP_JPEG + sizeof PACKET - 1),
                     1);
    assert_int_equal(case_count_segments(blob_view(file), 0xe0, "JFIF\0\1\1\1\1\54\0\xc8\0", 14),
                     1);
    assert_int_equal(case_count_segments(blob_view(file), 0xe0, "", 0), 1);
    assert_int_equal(case_count_segments(blob_view(file), 0xed, "Photoshop 3.0\0008BIM", 18),
                     from_jpeg);
    assert_int_equal(case_count_segments(blob_view(file), 0xfe, "a remark", 8), from_jpeg);
}

/* From a JPEG's EXIF to a PNG, the orientation goes into the pixels, elsewhere it stays a tag. */
static void carry(bool from_png, bool to_png, codec_choice choice, size_t icc_size, bool big)
{
    blob icc = case_profile(icc_size, "RGB "), with = case_exif(big, 6);
    const int left = to_png && !from_png ? 1 : 6;
    blob exif = without_thumbnail(big, left);
    blob file = from_png ? full_png(&icc, &with) : full_jpeg(&icc, &with);
    int turn;
    picture pic = case_decoded("a.x", blob_view(&file), choice);
    assert_int_equal(pic.orientation, 6);
    blob out = case_carried(&pic, to_png ? "a.png" : "a.jpg", choice, &turn);
    assert_int_equal(turn, left == 1 ? 6 : 1);
    assert_string_equal(pic.meta.lost.text, from_png == to_png ? ""
                                            : from_png         ? "text"
                                                               : "comment, IPTC and Photoshop's");
    if (to_png)
        assert_in_png(&out, from_png, &exif);
    else
        assert_in_jpeg(&out, !from_png, &exif);
    picture again = case_decoded("a.x", blob_view(&out), choice);
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
    static const size_t sizes[] = {132, 3144, 65519, 65520, 400000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 16; kind++)
            carry(kind & 1, kind & 2, kind & 4 ? CODEC_PLAIN : CODEC_FAST, sizes[i], kind & 8);
}

/* What says how bright a PNG's light is, is carried to a PNG, and named where it is lost. */
static void test_light(void **state)
{
    char brightest[24] = "brightest", level[8] = "level";
    blob extra = {0};
    case_chunk(&extra, "cICP", "\11\20\0\1", 4);
    case_chunk(&extra, "mDCV", brightest, sizeof brightest);
    case_chunk(&extra, "cLLI", level, sizeof level);
    blob file = case_file("a.png", 3, &extra, true);
    for (int to_png = 0; to_png < 2; to_png++) {
        int turn;
        picture pic = case_decoded("a.x", blob_view(&file), CODEC_FAST);
        blob out = case_carried(&pic, to_png ? "a.png" : "a.jpg", CODEC_FAST, &turn);
        assert_string_equal(pic.meta.lost.text, to_png ? "" : "cICP, mDCV, cLLI");
        if (to_png) {
            assert_int_equal(case_count_chunks(blob_view(&out), "mDCV", brightest, 24), 1);
            assert_int_equal(case_count_chunks(blob_view(&out), "cLLI", level, 8), 1);
        }
        picture_free(&pic);
        blob_free(&out);
    }
    blob_free(&file);
    blob_free(&extra);
}

/* The densities of a picture that is turned on its side change places. */
static void test_turned_density(void **state)
{
    for (int orientation = 1; orientation <= 8; orientation++) {
        metadata m = {.from = METADATA_JPEG,
                      .exif = case_exif(true, orientation),
                      .density = {300, 100, DENSITY_INCH}};
        assert_int_equal(metadata_fit(&m, METADATA_PNG, 3), orientation);
        assert_int_equal(orientation < 5 ? m.density.x : m.density.y, 11811);
        assert_int_equal(orientation < 5 ? m.density.y : m.density.x, 3937);
        metadata_free(&m);
    }
}

/* libspng writes 16 bits at another level. Gray keeps a gray profile in a PNG. */
static void test_other_encoders(void **state)
{
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
        picture pic = case_decoded("a.png", (bytes){m.data, m.size}, CODEC_FAST);
        assert_blob(&pic.meta.icc, &icc);
        assert_memory_equal(pic.image.data, image.data, picture_bytes(&image));
        picture_free(&pic);
        blob_free(&icc);
    }
}

/* Without metadata no byte is added. A sink that fails at any byte is reported. */
static void test_sinks(void **state)
{
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
        }
    }
    blob_free(&icc);
}

UNIT_MAIN(UNIT(test_carried), UNIT(test_light), UNIT(test_turned_density),
          UNIT(test_other_encoders), UNIT(test_sinks))
