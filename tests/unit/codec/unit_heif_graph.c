/* The walk in front of libheif: sizes and ranges of coded pictures, and files that are refused. */
#include "format/heif/heif_box.h"
#include "format/heif/heif_coded.h"
#include "format/heif/heif_graph.h"
#include "format/heif/heif_items.h"
#include "unit/codec/heif_case.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

static bool allows(bytes file, const char *says)
{
    problem p = {.text = ""};
    const bool done = heif_graph_allows(file, NULL, NULL, &p);
    if (done ? p.text[0] != '\0' : !strstr(p.text, says) || strchr(p.text, '\n'))
        fail_msg("'%s' instead of '%s'", p.text, says);
    return done;
}

/* --- Coded pictures --------------------------------------------------------------------------- */

/* Small HEVC is coded in 64 x 64 by libheif. */
static void test_sizes(void **state)
{
    static const int sizes[][2] = {{64, 64}, {80, 72}, {300, 200}, {1024, 17}};
    static const char *const names[] = {"a.heic", "a.avif"};
    for (int n = 0; n < 2; n++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            satb_image image = heif_case_ramp(sizes[i][0], sizes[i][1]);
            memory file = case_encoded_by(names[n], &image, &case_settings);
            problem p;
            heif_coded c;
            heif_items *items = heif_items_read((bytes){.data = file.data, .size = file.size}, &p);
            assert_non_null(items);
            const heif_entry *const e = &items->entry[items->primary];
            assert_true(heif_coded_read(items, e, &c, &p));
            assert_int_equal(c.pictures, 1);
            assert_in_range(c.width, sizes[i][0], sizes[i][0] + (n ? 0 : 63));
            assert_in_range(c.height, sizes[i][1], sizes[i][1] + (n ? 0 : 63));
            assert_int_equal(c.range, n ? HEIF_RANGE_FULL : HEIF_RANGE_UNKNOWN);
            assert_true(e->properties.is_gray);
            free(items);
        }
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* A box is at least as large as its head, and lies within: of 19 bytes. Size 0 is all of them, and 1 says that a long size
 * follows. */
static void check_box(unsigned size, bool is_long)
{
    uint8_t data[19] = {0, 0, 0, is_long ? 1 : (uint8_t)size, 'f', 'r', 'e', 'e'};
    const unsigned head = is_long ? 16 : 8, whole = is_long || size > 0 ? size : sizeof data;
    const bool is_right = whole >= head && whole <= sizeof data;
    bytes from = {.data = data, .size = sizeof data};
    heif_box b;
    data[15] = is_long ? (uint8_t)size : 0;
    assert_int_equal(heif_next_box(&from, &b), is_right);
    assert_int_equal(from.size, sizeof data - (is_right ? whole : 0));
    assert_true(!is_right || b.data.size == whole - head);
}

static void test_boxes(void **state)
{
    for (unsigned size = 0; size <= 24; size++) {
        if (size != 1)
            check_box(size, false);
        check_box(size, true);
    }
}

/* --- Files ------------------------------------------------------------------------------------ */

static blob two_pictures(void)
{
    heif_case_part parts[] = {
        {.image = heif_case_ramp(64, 64), .quarters = 1},
        {.image = heif_case_ramp(64, 64), .type = "urn:mpeg:hevc:2015:auxid:1"}};
    blob file = heif_case_file(parts, 2);
    return file;
}

static uint8_t *find(const blob *file, const char *kind)
{
    for (size_t at = 0; at + 4 <= file->size; at++)
        if (memcmp(file->data + at, kind, 4) == 0)
            return file->data + at;
    fail_msg("there is no %s", kind);
    return NULL;
}

/* Changes a byte at a distance from a box's kind, and expects a refusal. */
static void expect_refused(const char *kind, size_t at, uint8_t value, const char *says)
{
    blob file = two_pictures();
    assert_true(allows(blob_view(&file), ""));
    find(&file, kind)[at] = value;
    if (allows(blob_view(&file), says))
        fail_msg("%s %zu: it was not refused", kind, at);
    blob_free(&file);
}

static void test_refusals(void **state)
{
    expect_refused("pitm", 9, 9, "its picture is missing");
    expect_refused("infe", 9, 2, "two items have the same number");
    expect_refused("infe", 4, 4, "an item has no kind");
    expect_refused("hvc1", 0, 'x', "a part of the kind xvc1");
    expect_refused("iref", 7 + 4 + 8, 7, "a box has the wrong size");
    expect_refused("auxl", 9, 9, "an alpha belongs to no picture");
    expect_refused("iloc", 8, 0x45, "places have odd sizes");
    expect_refused("iloc", 12 + 6, 0x7f, "data lies beyond its end");
    expect_refused("iloc", 27, 1, "an item has two places");
    expect_refused("ipma", 15, 0x7f, "a property is missing");
    expect_refused("ispe", 8, 0xff, "too many");
}

static void test_twice(void **state)
{
    static const uint8_t meta[] = {0, 0, 0, 12, 'm', 'e', 't', 'a', 0, 0, 0, 0};
    blob file = two_pictures();
    blob_add(&file, "not a box", 9);
    assert_true(allows(blob_view(&file), ""));
    file.size -= 9;
    blob_add(&file, meta, sizeof meta);
    assert_false(allows(blob_view(&file), "there are two"));
    blob_free(&file);
}

/* A file that is cut off or has a wrong byte anywhere is refused or read in no time. */
static void test_damage(void **state)
{
    blob file = two_pictures();
    for (size_t at = 0; at < file.size; at++) {
        assert_false(allows((bytes){.data = file.data, .size = at}, "; "));
        for (int bit = 0; bit < 8; bit++) {
            file.data[at] ^= (uint8_t)(1 << bit);
            allows(blob_view(&file), "; ");
            heif_properties_of(blob_view(&file), 1);
            file.data[at] ^= (uint8_t)(1 << bit);
        }
    }
    blob_free(&file);
}

static void test_colours(void **state)
{
    static const char limited[] = "\0\1\0\x0d\0\6\0";
    heif_case_part parts[] = {{.image = heif_case_ramp(64, 64), .nclx = limited},
                              {.image = heif_case_ramp(64, 64),
                               .type = "urn:mpeg:hevc:2015:auxid:1",
                               .nclx = "\0\1\0\x0d\0\6\x80"}};
    blob file = heif_case_file(parts, 2);
    heif_colours colours;
    problem p;
    const uint32_t second = 2;
    assert_true(heif_graph_allows(blob_view(&file), NULL, &colours, &p));
    assert_true(colours.is_gray);
    assert_int_equal(colours.range, HEIF_RANGE_LIMITED);
    assert_int_equal(colours.alpha, HEIF_RANGE_FULL);
    assert_true(heif_graph_allows(blob_view(&file), &second, &colours, &p));
    assert_int_equal(colours.range, HEIF_RANGE_FULL);
    assert_int_equal(colours.alpha, HEIF_RANGE_UNKNOWN);
    blob_free(&file);
}

UNIT_MAIN(UNIT(test_sizes), UNIT(test_boxes), UNIT(test_refusals), UNIT(test_twice),
          UNIT(test_damage), UNIT(test_colours))
