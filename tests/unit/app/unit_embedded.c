/* Finding maps within photos: XMP by names, base64, and trailers with hostile sizes. */
#include "base/md5.h"
#include "embedded/photo.h"
#include "format/xmp.h"
#include "format/xmp_add.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

static bytes text_of(const char *text)
{
    return (bytes){.data = (const uint8_t *)text, .size = strlen(text)};
}

static void test_base64(void **state)
{
    static const struct {
        const char *text, *want;
    } right[] = {{"", ""},
                 {"Zg==", "f"},
                 {"Zm8=", "fo"},
                 {"Zm9v", "foo"},
                 {"Zm9v\n YmFy", "foobar"},
                 {"Zm9vYg", "foob"}};
    static const char *const wrong[] = {"Zm9v!", "Z", "Zg==Zg==", "Zm&#10;9v"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        blob out = {0};
        assert_true(base64_decode(text_of(right[i].text), &out));
        assert_int_equal(out.size, strlen(right[i].want));
        assert_true(out.size == 0 || memcmp(out.data, right[i].want, out.size) == 0);
        blob_free(&out);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        blob out = {0};
        assert_false(base64_decode(text_of(wrong[i]), &out));
        blob_free(&out);
    }
}

static void test_base64_of(void **state)
{
    for (size_t size = 0; size < 2000;
         size += size < 5 ? 1 : 255) { /* whole blocks of 768, and beside them */
        uint8_t some[2000];
        blob text = {0}, back = {0};
        for (size_t i = 0; i < size; i++)
            some[i] = (uint8_t)(i * 37 + i / 256);
        base64_encode((bytes){.data = some, .size = size}, &text);
        assert_int_equal(text.size, (size + 2) / 3 * 4);
        assert_true(base64_decode(blob_view(&text), &back));
        assert_int_equal(back.size, size);
        assert_true(size == 0 || memcmp(back.data, some, size) == 0);
        blob_free(&text);
        blob_free(&back);
    }
}

/* The texts of RFC 1321, A.5, and those around a block's end by another program. */
static void test_md5(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "D41D8CD98F00B204E9800998ECF8427E"},
        {"message digest", "F96B697D7CB7938D525A2F31AAF161D0"},
        {"1234567890123456789012345678901234567890123456789012345678901234567890123456789"
         "0",
         "57EDF4A22BE3C955AC49DA2E2107B67A"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "EF1772B6DFF9A122358552954AD0DF65"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "3B0C8AC703F828B04C6C197006D17218"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "B06521F39153D618550606BE297466D5"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "014842D480B571495A4A0363793F7367"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "C743A45E0D2E6A95CB859ADAE0248435"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[33];
        md5_name(text_of(rows[i].text), name);
        assert_string_equal(name, rows[i].want);
    }
}

#define FRAME "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
#define END   "</x:xmpmeta>"
#define ADDED "<rdf:Description rdf:about=\"\""
#define BOUND ADDED " xmlns:rdf=\"" XMP_RDF "\""

/* A description is added where a reader finds it. */
static void test_xmp_add(void **state)
{
    static const struct {
        const char *packet, *want; /* want NULL: there is no place */
    } rows[] = {
        {"", FRAME "\n<rdf:RDF xmlns:rdf=\"" XMP_RDF "\">\n" ADDED "/></rdf:RDF>\n" END "\n"},
        {"<rdf:RDF xmlns:rdf='" XMP_RDF "'><a/></rdf:RDF >",
         "<rdf:RDF xmlns:rdf='" XMP_RDF "'><a/>" ADDED "/></rdf:RDF >"},
        {"<rdf:RDF xmlns:rdf='" XMP_RDF "' />",
         "<rdf:RDF xmlns:rdf='" XMP_RDF "' >" ADDED "/></rdf:RDF>"},
        {"<r:RDF xmlns:r='" XMP_RDF "'></r:RDF>",
         "<r:RDF xmlns:r='" XMP_RDF "'>" BOUND "/></r:RDF>"},
        {"<RDF xmlns='" XMP_RDF "'/>", "<RDF xmlns='" XMP_RDF "'>" BOUND "/></RDF>"},
        {"<rdf:RDF xmlns:rdf='" XMP_RDF "'></rdf:RDF><!-- </rdf:RDF> --><?a </rdf:RDF> ?><b/>",
         "<rdf:RDF xmlns:rdf='" XMP_RDF "'>" ADDED
         "/></rdf:RDF><!-- </rdf:RDF> --><?a </rdf:RDF> ?><b/>"},
        {"<rdf:RDF xmlns:rdf='urn:other'></rdf:RDF>", NULL},
        {"<a></a>", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const want = rows[i].want ? rows[i].want : rows[i].packet;
        blob packet = {0};
        blob_add(&packet, rows[i].packet, strlen(rows[i].packet));
        assert_int_equal(xmp_add(&packet, text_of("/>")), rows[i].want != NULL);
        assert_int_equal(packet.size, strlen(want));
        assert_memory_equal(packet.data, want, packet.size);
        blob_free(&packet);
    }
}

/* A name counts whole, and by its namespace whatever its prefix is. */
static void test_names(void **state)
{
    const bytes xmp = text_of("<?x y?><a xmlns:p='u:1' xmlns:q=\"u:2\" q:Near='1' p:NearX='2' "
                              "Near='3'><!-- <p:Near>4</p:Near> -->"
                              "<p:Near> 5 </p:Near><p:Far>6<b/></p:Far></a>");
    xmp_space space = {.count = 0};
    bytes value;
    xmp_bind(xmp, "u:1", false, &space);
    assert_int_equal(space.count, 1);
    assert_true(xmp_value(xmp, &space, "Near", &value));
    assert_true(xmp_equals(value, "5"));
    assert_false(xmp_value(xmp, &space, "Far", &value)); /* it holds an element */
    assert_false(xmp_value(xmp, &space, "Missing", &value));
}

static void test_google(void **state)
{
    embedded_map map = {.source = ""};
    assert_true(embedded_set_google(&map, text_of("RangeInverse"), 500, 8000, 0.001));
    assert_true(map.means.near_black && map.means.type == SATB_DEPTH_DISPARITY);
    assert_true(map.means.distance_near == 0.5 && map.means.distance_far == 8);
    map = (embedded_map){.source = ""};
    assert_true(
        embedded_set_google(&map, text_of("RangeLinear"), 8, 2, 1)); /* near is not nearer */
    assert_true(map.means.type == SATB_DEPTH_LINEAR && map.means.distance_near == 0);
    assert_false(embedded_set_google(&map, text_of("RangeInverseX"), 1, 2, 1));
    assert_true(embedded_set_google(&map, text_of("RangeInverse"), 2, 1e9, 1));
    assert_true(map.means.distance_near == 2 && isinf(map.means.distance_far));
}

/* A file of Huawei's, 3 x 2 codes, with the block's size and width as given. */
static embedded_status find_huawei(uint32_t size, uint8_t width, embedded_map *map, problem *p)
{
    uint8_t file[4 + 64 + 6 + 12] = {0xff, 0xd8, 0xff, 0xd9};
    for (int i = 0; i < 6; i++)
        file[68 + i] = (uint8_t)(10 * i);
    file[4 + 12] = width;
    file[4 + 14] = 2;
    for (int i = 0; i < 4; i++)
        file[74 + i] = (uint8_t)(size >> 8 * i);
    memcpy(file + 78, "DepthEn", 8);
    const decode_settings settings = {.max_pixels = 100};
    return embedded_find((bytes){.data = file, .size = sizeof file}, EMBEDDED_DEPTH, &settings, map,
                         p);
}

static void test_trailer(void **state)
{
    embedded_map map;
    problem p;
    assert_int_equal(find_huawei(70, 3, &map, &p), EMBEDDED_FOUND);
    const satb_image *const image = &map.picture.image;
    assert_true(image->width == 3 && image->height == 2 && image->channels == 1 &&
                image->bits == 8);
    assert_memory_equal(image->data, "\0\x0a\x14\x1e\x28\x32", 6);
    assert_true(map.means.near_is_assumed && map.means.distance_near == 0 &&
                map.original.size == 0);
    embedded_free(&map);
    static const uint32_t sizes[] = {0, 63, 75, 0x7fffffff, 0xffffffff};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(find_huawei(sizes[i], 3, &map, &p), EMBEDDED_FAILED);
    assert_int_equal(find_huawei(70, 4, &map, &p), EMBEDDED_FAILED); /* more codes than bytes */
    assert_int_equal(find_huawei(70, 0, &map, &p), EMBEDDED_FAILED);
}

/* The photo as it was taken, before the block: none where its size is more than what is before it, whatever is there. */
static void test_trailer_original(void **state)
{
    enum { OTHER = 16, FRONT = 9, BLOCK = FRONT + 12, SIZE = BLOCK + 64 + 1 + 12 };
    for (uint8_t size = FRONT; size <= BLOCK + 1; size++) {
        uint8_t room[OTHER + SIZE] = {0}, *const file = room + OTHER;
        const decode_settings settings = {.max_pixels = 100};
        embedded_map map;
        problem p;
        memcpy(file + FRONT - size, "\xff\xd8\xff\xd9", 4);
        memcpy(file, "\xff\xd8\xff\xd9", 4);
        file[FRONT] = size;
        memcpy(file + FRONT + 4, "edof\0\0\0", 8);
        file[BLOCK + 12] = file[BLOCK + 14] = 1;
        file[BLOCK + 64 + 1] = 64 + 1;
        memcpy(file + SIZE - 8, "DepthEn", 8);
        const bytes in = {.data = file, .size = SIZE};
        assert_int_equal(embedded_find(in, EMBEDDED_DEPTH, &settings, &map, &p), EMBEDDED_FOUND);
        assert_int_equal(map.original.size, size == FRONT ? FRONT : 0);
        embedded_free(&map);
    }
}

/* --- Samsung ---------------------------------------------------------------------------------- */

static void put_16(uint8_t *to, uint32_t n)
{
    to[0] = (uint8_t)n;
    to[1] = (uint8_t)(n >> 8);
}

/* Writes a block's entry: its type, how far before the directory it begins, and its size. */
static void put_entry(uint8_t *to, uint32_t type, uint32_t back, uint32_t size)
{
    put_16(to + 2, type);
    put_16(to + 4, back);
    put_16(to + 8, size);
}

/* Where a version has the map's size, as the number of a word. */
typedef struct layout {
    uint8_t version, width, height;
} layout;

/* A file of Samsung's with raw codes of 2 x 3, whose block is `more` bytes longer than what is before the directory. The block with
 * the size ends at that number. */
static embedded_status find_samsung(const layout *at, uint32_t more, uint32_t end_of_info,
                                    embedded_map *map, problem *p)
{
    enum { INFO = 8 + 19 + 4 * 23, MAP = 8 + 19 + 6, FRONT = 4, DIRECTORY = FRONT + INFO + MAP };
    uint8_t file[DIRECTORY + 12 + 2 * 12 + 8] = {0xff, 0xd8, 0xff, 0xd9};
    uint8_t *const info = file + FRONT, *const codes = info + INFO, *const end = file + DIRECTORY;
    put_16(info + 4, 19);
    memcpy(info + 8, "DualShot_Extra_Info", 19);
    put_16(info + 27, at->version);
    put_16(info + 27 + 4 * at->width, 2);
    put_16(info + 27 + 4 * at->height, 3);
    put_16(codes + 4, 19);
    memcpy(codes + 8, "DualShot_DepthMap_1", 19);
    for (int i = 0; i < 6; i++)
        codes[27 + i] = (uint8_t)(i + 1);
    memcpy(end, "SEFH", 4);
    put_16(end + 8, 2);
    put_entry(end + 12, 0x0ab3, INFO + MAP, 8 + 19 + end_of_info);
    put_entry(end + 24, 0x0ab1, MAP, MAP + more);
    put_16(end + 36, 36);
    memcpy(end + 40, "SEFT", 4);
    const decode_settings settings = {.max_pixels = 100};
    return embedded_find((bytes){.data = file, .size = sizeof file}, EMBEDDED_DEPTH, &settings, map,
                         p);
}

/* A block that does not end before the directory is none. */
static void test_samsung(void **state)
{
    embedded_map map;
    problem p;
    static const layout layouts[] = {
        {1, 9, 10}, {3, 12, 13}, {4, 17, 18}, {5, 20, 19}, {6, 22, 21}};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const layout *const at = &layouts[i];
        const uint32_t whole = 4 + 4u * (at->width > at->height ? at->width : at->height);
        assert_int_equal(find_samsung(at, 0, whole, &map, &p), EMBEDDED_FOUND);
        const satb_image *const image = &map.picture.image;
        assert_true(image->width == 2 && image->height == 3);
        assert_memory_equal(image->data, "\1\2\3\4\5\6", 6);
        embedded_free(&map);
        assert_int_equal(find_samsung(at, 0, whole - 1, &map, &p), EMBEDDED_FAILED);
    }
    static const uint32_t more[] = {1, 44, 1000};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        assert_int_equal(find_samsung(&layouts[0], more[i], 44, &map, &p), EMBEDDED_NONE);
}

UNIT_MAIN(UNIT(test_base64), UNIT(test_base64_of), UNIT(test_md5), UNIT(test_xmp_add),
          UNIT(test_names), UNIT(test_google), UNIT(test_trailer), UNIT(test_trailer_original),
          UNIT(test_samsung))
