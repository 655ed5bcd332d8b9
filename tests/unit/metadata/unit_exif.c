/* EXIF that is damaged or lies: its orientation, and the removal of its thumbnail. */
#include "unit/metadata/metadata_case.h"

#include "format/exif.h"
#include "format/exif_clean.h"

#include <string.h>

#include "unit/unit.h"

/* Does all that the program does with EXIF, on a copy of exactly that size. */
static int use(const blob *exif, size_t size)
{
    blob copy = {0};
    uint8_t *exact = unit_copy(exif->data, size);
    copy = (blob){.data = exact, .size = size, .capacity = size};
    const int orientation = exif_orientation(blob_view(&copy));
    assert_in_range(orientation, 1, 8);
    if (exif_is_sound(blob_view(&copy))) {
        exif_clean(&copy);
        exif_set_upright(&copy);
        assert_int_equal(exif_orientation(blob_view(&copy)), 1);
    } else {
        assert_int_equal(orientation, 1);
    }
    assert_in_range(copy.size, 0, size);
    return orientation;
}

/* In both byte orders, the orientation of a file that is cut off anywhere is the tag's or none. */
static void test_orientation(void **state)
{
    for (int kind = 0; kind < 16; kind++) {
        const int orientation = 1 + kind / 2;
        blob exif = case_exif(kind & 1, orientation);
        assert_int_equal(use(&exif, exif.size), orientation);
        for (size_t size = 0; size < exif.size; size++)
            assert_int_equal(use(&exif, size), size < 34 ? 1 : orientation);
        blob_free(&exif);
    }
    blob wrong = case_exif(true, 9);
    assert_int_equal(exif_orientation(blob_view(&wrong)), 1);
    wrong.data[8 + 2 + 12 + 9] = 0;
    assert_int_equal(exif_orientation(blob_view(&wrong)), 1);
    wrong.data[8 + 2 + 12 + 9] = 6;
    assert_int_equal(exif_orientation(blob_view(&wrong)), 6);
    wrong.data[8 + 2 + 12 + 7] = 2; /* two numbers */
    assert_int_equal(exif_orientation(blob_view(&wrong)), 1);
    blob_free(&wrong);
}

/* Directories that follow themselves or lie elsewhere, a thumbnail that would be the head. */
static void test_exif_that_lies(void **state)
{
    enum { NEXT = 8 + 2 + 24, SECOND = NEXT + 4 + 6 };
    static const struct {
        size_t at;
        uint32_t value;
    } lies[] = {{4, 0},
                {4, 7},
                {4, 0xffffffff},
                {4, SECOND},
                {NEXT, 8},
                {NEXT, NEXT},
                {NEXT, 0xfffffffe},
                {NEXT, 1},
                {SECOND + 10, 0},
                {SECOND + 10, 8},
                {SECOND + 10, NEXT + 3},
                {SECOND + 22, 0xffffffff},
                {SECOND + 26, 8},
                {SECOND + 26, SECOND}};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        blob exif = case_exif(true, 6);
        for (int k = 0; k < 4; k++)
            exif.data[lies[i].at + (size_t)k] = (uint8_t)(lies[i].value >> (24 - 8 * k));
        use(&exif, exif.size);
        if (lies[i].at > 4) { /* the first directory is sound and stays */
            blob copy = {0};
            blob_add(&copy, exif.data, exif.size);
            exif_clean(&copy);
            assert_memory_equal(copy.data, exif.data, NEXT);
            assert_int_equal(exif_orientation(blob_view(&copy)), 6);
            blob_free(&copy);
        }
        blob_free(&exif);
    }
}

static bool contains(const blob *b, const char *text)
{
    for (size_t i = 0; i + strlen(text) <= b->size; i++)
        if (memcmp(b->data + i, text, strlen(text)) == 0)
            return true;
    return false;
}

/* The thumbnail is removed at the end or in between; all else stays. */
static void test_thumbnail(void **state)
{
    for (int kind = 0; kind < 4; kind++) {
        blob exif = case_exif(kind & 1, 3);
        const size_t size = exif.size;
        if (kind & 2)
            blob_add(&exif, "behind", 6);
        assert_true(contains(&exif, "THUMBNAIL"));
        exif_clean(&exif);
        assert_false(contains(&exif, "THUMBNAIL"));
        assert_true(contains(&exif, "Maker"));
        assert_int_equal(contains(&exif, "behind"), (kind & 2) != 0);
        assert_int_equal(exif.size, kind & 2 ? size + 6 : size - 15);
        assert_int_equal(exif_orientation(blob_view(&exif)), 3);
        exif_clean(&exif);
        assert_int_equal(exif.size, kind & 2 ? size + 6 : size - 15);
        blob_free(&exif);
    }
}

static void put(blob *exif, size_t at, uint32_t value, int size)
{
    for (int k = 0; k < size; k++)
        exif->data[at + (size_t)k] = (uint8_t)(value >> 8 * (size - 1 - k));
}

/* Appends a directory, big-endian. Each entry has the tag, the type, the count and the value. */
static void add_directory(blob *exif, const uint32_t entries[][4], uint32_t count, uint32_t next)
{
    blob_add_number(exif, count, 2);
    for (uint32_t i = 0; i < count; i++) {
        blob_add_number(exif, entries[i][0], 2);
        blob_add_number(exif, entries[i][1], 2);
        blob_add_number(exif, entries[i][2], 4);
        blob_add_number(exif, entries[i][3], 4);
    }
    blob_add_number(exif, next, 4);
}

enum { ORIENTATION_3 = 3 << 16 }; /* a SHORT stands in the high bytes */

/* "SECRET-ONE" and "SECRET-TWO" are gone, and the first directory is what it was. */
static void wipes(blob *exif, bool in_first, const char *name)
{
    if ((exif_clean(exif) != 0) != in_first)
        fail_msg("%s: what it returns", name);
    if (contains(exif, "SECRET-ONE") || contains(exif, "SECRET-TWO"))
        fail_msg("%s: still there", name);
    assert_true(exif_is_sound(blob_view(exif)));
    assert_int_equal(exif_orientation(blob_view(exif)), 3);
    blob_free(exif);
}

/* Before the first directory; of two strips; with a size that is too large; in a directory within the first. */
static void test_thumbnail_layouts(void **state)
{
    blob before = {0};
    blob_add(&before, "MM\0*\0\0\0\x12SECRET-ONE", 18);
    add_directory(&before, (const uint32_t[][4]){{0x112, 3, 1, ORIENTATION_3}}, 1, 36);
    add_directory(&before, (const uint32_t[][4]){{0x201, 4, 1, 8}, {0x202, 4, 1, 10}}, 2, 0);
    wipes(&before, false, "before the first directory");

    blob strips = {0};
    blob_add(&strips, "MM\0*\0\0\0\x08", 8);
    add_directory(&strips, (const uint32_t[][4]){{0x112, 3, 1, ORIENTATION_3}}, 1, 26);
    add_directory(&strips, (const uint32_t[][4]){{0x111, 4, 2, 56}, {0x117, 3, 2, 10 << 16 | 10}},
                  2, 0);
    blob_add_number(&strips, 64, 4);
    blob_add_number(&strips, 80, 4);
    blob_add(&strips, "SECRET-ONE......SECRET-TWO......", 32);
    wipes(&strips, false, "two strips");

    blob large = case_exif(true, 3);
    enum { SECOND = 8 + 2 + 24 + 4 + 6 };
    put(&large, SECOND + 2 + 12 + 8, 100000, 4);
    memcpy(large.data + large.size - 15, "SECRET-ONE", 10);
    wipes(&large, false, "a size beyond the end");

    blob sub = {0};
    blob_add(&sub, "MM\0*\0\0\0\x08", 8);
    add_directory(&sub,
                  (const uint32_t[][4]){
                      {0x112, 3, 1, ORIENTATION_3}, {0x14a, 4, 2, 50}, {0x213, 3, 1, 1 << 16}},
                  3, 0);
    blob_add_number(&sub, 58, 4);
    blob_add_number(&sub, 88, 4);
    add_directory(&sub, (const uint32_t[][4]){{0x201, 4, 1, 118}, {0x202, 4, 1, 10}}, 2, 0);
    add_directory(&sub, (const uint32_t[][4]){{0x144, 4, 1, 128}, {0x145, 4, 1, 10}}, 2, 0);
    blob_add(&sub, "SECRET-ONESECRET-TWO", 20);
    blob again = {0};
    blob_add(&again, sub.data, sub.size);
    wipes(&sub, true, "directories within the first");
    assert_true(exif_clean(&again));
    assert_false(exif_clean(&again)); /* the entry is gone */
    assert_int_equal(again.data[9], 2);
    assert_memory_equal(again.data + 10 + 12, "\x02\x13", 2);
    blob_free(&again);
}

/* The smallest bytes that pass for a JPEG: a comment, and a scan with a byte of data. */
#define SMALL_JPEG "\xff\xd8\xff\xfe\0\x0cSECRET-ONE\xff\xda\0\x03\1\x55\xff\xd9"

/* In a directory that is named as TIFF's type 13 does it, and JPEGs that no directory names. */
static void test_thumbnail_elsewhere(void **state)
{
    blob sub = {0};
    blob_add(&sub, "MM\0*\0\0\0\x08", 8);
    add_directory(&sub, (const uint32_t[][4]){{0x112, 3, 1, ORIENTATION_3}, {0x14a, 13, 1, 38}}, 2,
                  0);
    add_directory(&sub, (const uint32_t[][4]){{0x201, 4, 1, 68}, {0x202, 4, 1, 10}}, 2, 0);
    blob_add(&sub, "SECRET-ONE", 10);
    wipes(&sub, true, "a directory of type 13");

    for (int cut = 0; cut <= 2; cut += 2) {
        blob notes = {0};
        blob_add(&notes, "MM\0*\0\0\0\x08", 8);
        add_directory(
            &notes, (const uint32_t[][4]){{0x112, 3, 1, ORIENTATION_3}, {0x8769, 4, 1, 38}}, 2, 0);
        add_directory(&notes, (const uint32_t[][4]){{0x927c, 7, 40, 56}}, 1, 0);
        blob_add(&notes, "notes\xff\xd8\xff\xff\xd8", 10);
        blob_add(&notes, SMALL_JPEG, sizeof SMALL_JPEG - 1 - (size_t)cut);
        if (!cut)
            blob_add(&notes, "behind", 6);
        blob again = {0};
        blob_add(&again, notes.data, notes.size);
        wipes(&notes, true, "a JPEG in a camera's notes");
        assert_true(exif_clean(&again));
        assert_true(contains(&again, "notes"));
        assert_int_equal(contains(&again, "behind"), !cut);
        assert_false(exif_clean(&again));
        blob_free(&again);
    }
}

/* Photoshop's resources 1033 and 1036 are thumbnails, whatever their format is. A resource may go on in another segment. */
static void test_photoshop_thumbnail(void **state)
{
    static const char kept[] = "8BIM\4\x0a\0\0\0\0\0\1\1"; /* and a byte of padding */
    for (int kind = 0; kind < 4; kind++) {
        blob all = {0}, file = {0};
        metadata m = {0};
        blob_add(&all, kept, sizeof kept);
        blob_add(&all, kind & 1 ? "8BIM\4\x0c\0\0\0\0\0\x34" : "8BIM\4\x09\0\0\0\0\0\x34", 12);
        blob_add(&all, "head of 28 bytes............", 28);
        blob_add(&all, kind & 2 ? SMALL_JPEG : "SECRET-ONESECRET-ONE....", 24);
        blob_add(&all, kept, sizeof kept);
        for (size_t cut = 1; cut < all.size; cut++) {
            file.size = 0;
            blob_add(&file, "\xff\xd8", 2);
            case_segment(&file, 0xed, "Photoshop 3.0", 14, all.data, cut);
            case_segment(&file, 0xed, "Photoshop 3.0", 14, all.data + cut, all.size - cut);
            blob_add(&file, "\xff\xd9", 2);
            metadata_read(&m, METADATA_JPEG, blob_view(&file));
            assert_false(contains(&m.own, "SECRET"));
            assert_int_equal(m.own.size, 4 + 14 + 2 * sizeof kept);
            assert_string_equal(m.lost.text, "");
            metadata_free(&m);
        }
        blob_free(&file);
        blob_free(&all);
    }
}

/* A preview in XMP becomes spaces, in an attribute or an element. */
static void test_xmp_previews(void **state)
{
    static const char packet[] = "<a b='/9j/SECRET-ONE' c=\"x/9j/kept\">/9j/SECRET&#xA;SECRET</a>";
    static const char left[] = "<a b='              ' c=\"x/9j/kept\">                     </a>";
    metadata m = {0};
    metadata_take_xmp(&m, (bytes){.data = (const uint8_t *)packet, .size = sizeof packet - 1});
    assert_int_equal(m.xmp.size, sizeof left - 1);
    assert_memory_equal(m.xmp.data, left, sizeof left - 1);
    assert_string_equal(m.lost.text, "XMP's previews");
    metadata_free(&m);
}

#define GUID "0123456789ABCDEF0123456789ABCDEF"

static void add_extended(blob *file, const char *all, size_t at, size_t end)
{
    static const char head[] = "http://ns.adobe.com/xmp/extension/\0" GUID;
    blob part = {0};
    blob_add_number(&part, (uint32_t)strlen(all), 4);
    blob_add_number(&part, (uint32_t)at, 4);
    blob_add(&part, all + at, end - at);
    case_segment(file, 0xe1, head, sizeof head - 1, part.data, part.size);
    blob_free(&part);
}

/* Extended XMP is kept whole if it has no picture, wherever it is cut into segments. Otherwise it is left out whole. */
static void test_extended_xmp(void **state)
{
    static const char packet[] =
        "<a xmlns:n='http://ns.adobe.com/xmp/note/' n:HasExtendedXMP='" GUID "'/>";
    static const struct {
        const char *text, *lost;
    } cases[] = {{"<a b='kept &#xA;/8j/SECRET'/>", ""},
                 {"<a b=' &#xA;/9j/SECRET'/>", "extended XMP (with a picture)"},
                 {"<a b='&#x2F;&#57;&#x6a;/SECRET'/>", "extended XMP (with a picture)"},
                 {"<a b='not closed>SECRET", "extended XMP (not understood)"}};
    for (size_t kind = 0; kind < sizeof cases / sizeof *cases; kind++)
        for (size_t cut = 1, size = strlen(cases[kind].text); cut < size; cut++) {
            const bool is_kept = cases[kind].lost[0] == '\0';
            blob file = {0};
            metadata m = {0};
            blob_add(&file, "\xff\xd8", 2);
            case_segment(&file, 0xe1, XMP_JPEG, sizeof XMP_JPEG, packet, sizeof packet - 1);
            add_extended(&file, cases[kind].text, 0, cut);
            add_extended(&file, cases[kind].text, cut, size);
            blob_add(&file, "\xff\xd9", 2);
            metadata_read(&m, METADATA_JPEG, blob_view(&file));
            assert_string_equal(m.lost.text, cases[kind].lost);
            assert_int_equal(contains(&m.own, cases[kind].text), is_kept);
            assert_int_equal(contains(&m.own, "SECRET"), is_kept);
            assert_int_equal(contains(&m.xmp, GUID), is_kept);
            metadata_free(&m);
            blob_free(&file);
        }
}

/* Directories within each other, in a ring, and ranges that all cover the whole end at once. */
static void test_thumbnail_work(void **state)
{
    enum { PARTS = 4000 };
    blob exif = {0};
    blob_add(&exif, "MM\0*\0\0\0\x08", 8);
    add_directory(&exif, (const uint32_t[][4]){{0x14a, 4, UINT32_MAX, 26}}, 1, 8);
    for (int i = 0; i < 8; i++)
        add_directory(&exif,
                      (const uint32_t[][4]){{0x14a, 4, UINT32_MAX, 8},
                                            {0x111, 4, PARTS, 300},
                                            {0x117, 4, PARTS, 300}},
                      3, 26);
    while (exif.size < 300 + 4 * PARTS)
        blob_add_number(&exif, 200, 4);
    exif_clean(&exif);
    blob_free(&exif);
}

static void test_random_exif(void **state)
{
    uint32_t random = 99;
    for (int turn = 0; turn < 200000; turn++) {
        blob exif = case_exif(turn & 1, 5);
        for (int hits = 1 + turn % 5; hits > 0; hits--) {
            random = random * 1664525u + 1013904223u;
            exif.data[(random >> 8) % exif.size] = (uint8_t)((random >> 3) & (turn & 8 ? 255 : 63));
        }
        use(&exif, exif.size);
        blob_free(&exif);
    }
}

/* An entry's values end within the file. */
static void test_end_of_values(void **state)
{
    static const uint8_t tiff[] = "II*\0\10\0\0\0\1\0\17\1\2\0\6\0\0\0\32\0\0\0\0\0\0\0Maker";
    exif_entry e;
    for (size_t size = 26; size <= sizeof tiff; size++)
        assert_int_equal(exif_find_entry((bytes){tiff, size}, 8, 0x10f, &e), size == sizeof tiff);
}

UNIT_MAIN(UNIT(test_orientation), UNIT(test_exif_that_lies), UNIT(test_thumbnail_layouts),
          UNIT(test_thumbnail_work), UNIT(test_thumbnail), UNIT(test_random_exif),
          UNIT(test_thumbnail_elsewhere), UNIT(test_photoshop_thumbnail), UNIT(test_end_of_values),
          UNIT(test_xmp_previews), UNIT(test_extended_xmp))
