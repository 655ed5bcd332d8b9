/* Depth maps from EXR: numbers, windows, tiles, the choice of the channel, and what is refused. Linked so that allocations are
 * seen. */
#include "codec/codec.h"
#include "unit/codec/exr_case.h"

#include <math.h>
#include <string.h>

#include "unit/unit.h"

static size_t largest; /* bytes that were allocated at once */

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    largest = count * size > largest ? count * size : largest;
    return __real_calloc(count, size);
}

static bool decode(picture *pic, blob file, const char *channel, uint64_t max_pixels, problem *p)
{
    const decode_settings settings = {.as_map = true, .channel = channel, .max_pixels = max_pixels};
    p->text[0] = '\0';
    return picture_decode(pic, file.data, file.size, "a.exr", &settings, p);
}

/* Checks that channel c is chosen, and its numbers. */
static void reads(const exr_case *e, const char *channel, int c)
{
    picture pic;
    problem p;
    blob file = exr_case_file(e);
    const int width = e->shown_width ? e->shown_width : e->width;
    const int height = e->shown_height ? e->shown_height : e->height;
    if (!decode(&pic, file, channel, 0, &p))
        fail_msg("%s", p.text);
    assert_string_equal(pic.format, "EXR");
    assert_string_equal(pic.values.from, e->names[c]);
    assert_int_equal(pic.values.width, width);
    assert_int_equal(pic.values.height, height);
    for (int i = 0; i < width * height; i++) {
        const int x = i % width - e->left, y = i / width - e->top;
        const bool has = x >= 0 && x < e->width && y >= 0 && y < e->height;
        if (has)
            assert_true(pic.values.data[i] == exr_case_number(e, c, x, y));
        else
            assert_true(isnan(pic.values.data[i]));
    }
    picture_free(&pic);
    blob_free(&file);
}

static void refuses_bytes(blob file, const char *channel, uint64_t max_pixels, const char *text)
{
    picture pic;
    problem p;
    if (decode(&pic, file, channel, max_pixels, &p))
        fail_msg("is read: %s", text);
    if (strncmp(p.text, "a.exr: ", 7) != 0 || !strstr(p.text, text))
        fail_msg("%s", p.text);
}

static void refuses(const exr_case *e, const char *channel, const char *text)
{
    blob file = exr_case_file(e);
    refuses_bytes(file, channel, 0, text);
    blob_free(&file);
}

static void test_numbers(void **state)
{
    for (int type = EXR_CASE_UINT; type <= EXR_CASE_FLOAT; type++)
        for (int tile = 0; tile <= 4; tile += 4) {
            const exr_case e = {.width = 7,
                                .height = 5,
                                .names = {"A", "Z"},
                                .type = type,
                                .differ = true,
                                .tile = tile};
            reads(&e, NULL, 1);
        }
}

static void test_windows(void **state)
{
    const exr_case inside = {.width = 3,
                             .height = 2,
                             .left = 2,
                             .top = 1,
                             .shown_width = 6,
                             .shown_height = 5,
                             .names = {"Z"},
                             .type = EXR_CASE_FLOAT};
    const exr_case over = {.width = 7,
                           .height = 6,
                           .left = -2,
                           .top = -3,
                           .shown_width = 3,
                           .shown_height = 2,
                           .names = {"Z"},
                           .type = EXR_CASE_FLOAT};
    const exr_case tiles = {.width = 7,
                            .height = 6,
                            .left = -2,
                            .top = -3,
                            .shown_width = 9,
                            .shown_height = 2,
                            .names = {"Z"},
                            .type = EXR_CASE_HALF,
                            .tile = 3};
    const exr_case outside = {.width = 3,
                              .height = 2,
                              .left = 6,
                              .shown_width = 6,
                              .shown_height = 5,
                              .names = {"Z"},
                              .type = EXR_CASE_FLOAT};
    reads(&inside, NULL, 0);
    reads(&over, NULL, 0);
    reads(&tiles, NULL, 0);
    refuses(&outside, NULL, "outside its display window");
}

/* --- The channel ------------------------------------------------------------------------------ */

static void test_channel(void **state)
{
    static const struct {
        const char *names[8], *given;
        int chosen; /* -1: none */
    } cases[] = {
        {{"A", "B", "G", "R", "Z"}, NULL, 4},
        {{"A", "B", "G", "R", "Z"}, "A", 0},
        {{"A", "B", "G", "R"}, NULL, -1},
        {{"A", "B", "G", "R"}, "R", 3},
        {{"A", "B", "G", "R"}, "Q", -1},
        {{"V.Combined.R", "V.Depth.Z", "V.Normal.X", "V.Normal.Y", "V.Normal.Z"}, NULL, 1},
        {{"V.Combined.R", "V.Normal.X", "V.Normal.Y", "V.Normal.Z"}, NULL, -1},
        {{"A.Z", "ViewLayer.Depth.Z"}, NULL, 1},
        {{"AB.Z", "C.Z", "D.Z"}, NULL, 1},
        {{"X", "Y", "Z"}, NULL, -1},
        {{"conf", "depth"}, NULL, 1},
        {{"l.conf", "l.depth"}, NULL, 1},
        {{"A", "Y"}, NULL, 1},
        {{"whatever"}, NULL, 0},
        {{"one", "two"}, NULL, -1},
        {{"R"}, NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exr_case e = {.width = 2, .height = 2, .type = EXR_CASE_HALF, .differ = true};
        memcpy(e.names, cases[i].names, sizeof cases[i].names);
        if (cases[i].chosen >= 0)
            reads(&e, cases[i].given, cases[i].chosen);
        else
            refuses(&e, cases[i].given, cases[i].given ? "has no channel" : "is clearly the depth");
    }
}

static void test_equal_channels(void **state)
{
    exr_case e = {.width = 3, .height = 3, .names = {"A", "B", "G", "R"}, .type = EXR_CASE_HALF};
    reads(&e, NULL, 3);
    e.differ = true;
    refuses(&e, NULL, "no channel is clearly the depth; give --depth-channel NAME: A, B, G, R");
}

static void test_many_names(void **state)
{
    const exr_case e = {.width = 2,
                        .height = 2,
                        .type = EXR_CASE_HALF,
                        .names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"}};
    refuses(&e, NULL, "NAME: a, b, c, d, e, f, g, h, i, j, k, l, ...");
}

/* --- Refusals --------------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    exr_case e = {.width = 4, .height = 4, .names = {"Z"}, .type = EXR_CASE_FLOAT};
    e.packing = 8;
    refuses(&e, NULL, "DWAA compression is not read here; save it with ZIP");
    e.packing = 10; /* of later versions */
    refuses(&e, NULL, "compression is not read here; save it with ZIP");
    e.packing = 0;
    e.sampling = 2;
    refuses(&e, NULL, "subsampled");
}

static void test_limits(void **state)
{
    const exr_case e = {.width = 4, .height = 4, .names = {"Z"}, .type = EXR_CASE_FLOAT};
    const exr_case shown = {.width = 4,
                            .height = 4,
                            .shown_width = 1 << 16,
                            .shown_height = 1 << 16,
                            .names = {"Z"},
                            .type = EXR_CASE_FLOAT};
    blob file = exr_case_file(&e);
    refuses_bytes(file, NULL, 15, "--max-pixels");
    blob_free(&file);
    refuses(&shown, NULL, "too many");
}

/* What a file of some hundred bytes claims: the display window, and the data window. */
static void test_claims(void **state)
{
    const exr_case shown = {.width = 4,
                            .height = 4,
                            .shown_width = 30001,
                            .shown_height = 30001,
                            .names = {"Z"},
                            .type = EXR_CASE_FLOAT};
    refuses(&shown, NULL, "claims 30001 x 30001 pixels in");
    const exr_case e = {.width = 4, .height = 4, .names = {"Z"}, .type = EXR_CASE_FLOAT};
    static const char window[] = "dataWindow\0box2i\0\x10\0\0";
    blob file = exr_case_file(&e);
    for (size_t at = 0; at + sizeof window < file.size; at++)
        if (memcmp(file.data + at, window, sizeof window) == 0)
            memcpy(file.data + at + sizeof window + 8, "\x2f\x75\0\0\x2f\x75\0", 8);
    refuses_bytes(file, NULL, 0, "claims 30000 x 30000 pixels in");
    blob_free(&file);
}

/* A block whose bytes cannot be as many pixels is refused before memory for them is taken. */
static void test_block_claims(void **state)
{
    enum { SIDE = 1024, UNPACKED = 2 * SIDE * SIDE, LEAST = (UNPACKED - (1 << 16)) / 4096 };
    const exr_case e = {.width = SIDE,
                        .height = SIDE,
                        .names = {"Z"},
                        .type = EXR_CASE_HALF,
                        .packing = 3, /* ZIP */
                        .tile = SIDE};
    blob file = exr_case_file(&e);
    uint8_t *const packed = file.data + file.size - UNPACKED - 4;
    for (int size = LEAST - 1; size <= LEAST; size++) {
        memcpy(packed, (uint8_t[4]){(uint8_t)size, (uint8_t)(size >> 8)}, 4);
        largest = 0;
        refuses_bytes(file, NULL, 0, "damaged or cut off");
        assert_int_equal(largest >= UNPACKED, size == LEAST);
    }
    blob_free(&file);
}

static void test_as_picture(void **state)
{
    const exr_case e = {.width = 4, .height = 4, .names = {"Z"}, .type = EXR_CASE_FLOAT};
    picture pic;
    problem p;
    blob file = exr_case_file(&e);
    assert_false(picture_decode(&pic, file.data, file.size, "a.exr", NULL, &p));
    assert_non_null(strstr(p.text, "give it to --depth"));
    blob_free(&file);
}

/* A file that is cut off, or one of whose bytes is another, is read or refused with a line. */
static void test_damage(void **state)
{
    const exr_case e = {
        .width = 5, .height = 4, .names = {"A", "Z"}, .type = EXR_CASE_HALF, .tile = 3};
    blob file = exr_case_file(&e);
    for (size_t size = 4; size < file.size; size++) {
        uint8_t *const copy = unit_copy(file.data, size);
        refuses_bytes((blob){.data = copy, .size = size}, NULL, 0, "; ");
    }
    for (size_t at = 4; at < file.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            picture pic;
            problem p;
            file.data[at] ^= (uint8_t)(1 << bit);
            if (decode(&pic, file, NULL, 1 << 16, &p))
                picture_free(&pic);
            else
                assert_true(p.text[0] && !strchr(p.text, '\n'));
            file.data[at] ^= (uint8_t)(1 << bit);
        }
    blob_free(&file);
}

UNIT_MAIN(UNIT(test_numbers), UNIT(test_windows), UNIT(test_channel), UNIT(test_equal_channels),
          UNIT(test_many_names), UNIT(test_refused), UNIT(test_limits), UNIT(test_claims),
          UNIT(test_block_claims), UNIT(test_as_picture), UNIT(test_damage))
