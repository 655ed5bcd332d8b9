/* Files of numbers, byte by byte: PFM, NPY and DPT. */
#include "unit/unit.h"

#include "codec/codec.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct file {
    uint8_t data[512];
    size_t size;
} file;

static void add(file *f, const void *data, size_t size)
{
    assert_true(f->size + size <= sizeof f->data);
    memcpy(f->data + f->size, data, size);
    f->size += size;
}

/* Adds a number of `size` bytes, by either byte order. */
static void add_number(file *f, uint64_t bits, int size, bool is_big)
{
    for (int i = 0; i < size; i++) {
        const uint8_t b = (uint8_t)(bits >> 8 * (is_big ? size - 1 - i : i));
        add(f, &b, 1);
    }
}

static void add_float(file *f, float number, bool is_big)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    add_number(f, bits, 4, is_big);
}

static bool read_map(const file *f, picture *pic, const decode_settings *settings, problem *p)
{
    decode_settings as_map = settings ? *settings : (decode_settings){0};
    as_map.as_map = true;
    return picture_decode(pic, f->data, f->size, "map", &as_map, p);
}

static void expect(const file *f, int width, int height, const float *want)
{
    picture pic;
    problem p = {.text = ""};
    if (!read_map(f, &pic, NULL, &p))
        fail_msg("%s", p.text);
    assert_null(pic.image.data);
    assert_int_equal(pic.values.width, width);
    assert_int_equal(pic.values.height, height);
    for (int i = 0; i < width * height; i++)
        assert_true(pic.values.data[i] == want[i] || (isnan(pic.values.data[i]) && isnan(want[i])));
    picture_free(&pic);
}

static void refused(const file *f, const char *words)
{
    picture pic;
    problem p = {.text = ""};
    assert_false(read_map(f, &pic, NULL, &p));
    if (!strstr(p.text, words))
        fail_msg("'%s' lacks '%s'", p.text, words);
}

static file text(const char *words)
{
    file f = {.size = 0};
    add(&f, words, strlen(words));
    return f;
}

/* --- PFM -------------------------------------------------------------------------------------- */

static void test_pfm(void **state)
{
    const float rows_up[] = {4, 5, INFINITY, 1, 2, NAN}, want[] = {1, 2, NAN, 4, 5, INFINITY};
    for (int is_big = 0; is_big < 2; is_big++) {
        file f = text(is_big ? "Pf\n3 2\n100.0\n" : "Pf\n3 2\n-0.25\n"); /* the size counts not */
        for (int i = 0; i < 6; i++)
            add_float(&f, rows_up[i], is_big);
        expect(&f, 3, 2, want);
        f.size--;
        refused(&f, "cut off");
    }
}

static void test_pfm_colours(void **state)
{
    file f = text("PF\n2 1\n-1\n");
    for (int i = 0; i < 6; i++)
        add_float(&f, (float)i, false);
    expect(&f, 2, 1, (const float[]){0, 3});
}

static void test_pfm_damage(void **state)
{
    const char *const wrong[] = {"Pf\n0 2\n-1\n",       "Pf\n2 x\n-1\n", "Pf\n2 2\n0\n",
                                 "Pf\n2 2\nnan\n",      "Pf\n2 2",       "Pf\n-2 2\n1\n",
                                 "Pf\n99999999 2\n-1\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const file f = text(wrong[i]);
        refused(&f, "damaged");
    }
}

/* --- NPY -------------------------------------------------------------------------------------- */

static file npy(int version, const char *type, const char *order, const char *shape)
{
    file f = text("\x93NUMPY");
    char words[128];
    const int length =
        snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", type,
                 order, shape);
    add_number(&f, (uint64_t)version, 2, false);
    add_number(&f, (uint64_t)length, version == 1 ? 2 : 4, false);
    add(&f, words, (size_t)length);
    return f;
}

static void test_npy_types(void **state)
{
    static const struct {
        const char *type;
        int size;
        uint64_t one, other; /* the bits of 1 and of -2 */
    } types[] = {
        {"f2", 2, 0x3c00, 0xc000},
        {"f4", 4, 0x3f800000, 0xc0000000},
        {"f8", 8, 0x3ff0000000000000, 0xc000000000000000},
        {"i1", 1, 1, 0xfe},
        {"i2", 2, 1, 0xfffe},
        {"i4", 4, 1, 0xfffffffe},
        {"i8", 8, 1, 0xfffffffffffffffe},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int k = 0; k < 6; k++) {
            char type[8];
            const bool is_big = k % 2;
            snprintf(type, sizeof type, "%c%s", is_big ? '>' : '<', types[i].type);
            file f = npy(1 + k / 2, type, "False", "(1, 2)");
            add_number(&f, types[i].one, types[i].size, is_big);
            add_number(&f, types[i].other, types[i].size, is_big);
            expect(&f, 2, 1, (const float[]){1, -2});
        }
}

static void test_npy_shapes(void **state)
{
    const char *const same[] = {"(2, 3)", "(1, 2, 3)", "(2, 3, 1)", "(1, 1, 2, 3)", "(2L, 3L)"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        file f = npy(1, "<f4", "False", same[i]), columns = npy(1, "<f4", "True", same[i]);
        for (int k = 0; k < 6; k++) {
            add_float(&f, (float)k, false);
            add_float(&columns, (float)k, false);
        }
        expect(&f, 3, 2, (const float[]){0, 1, 2, 3, 4, 5});
        expect(&columns, 3, 2, (const float[]){0, 2, 4, 1, 3, 5});
    }
}

/* Unsigned integers of at most 16 bits are codes, as in a picture. */
static void test_npy_codes(void **state)
{
    picture pic;
    problem p;
    file f = npy(1, ">u2", "False", "(1, 2)");
    add_number(&f, 258, 2, true);
    add_number(&f, 65535, 2, true);
    assert_true(read_map(&f, &pic, NULL, &p));
    assert_null(pic.values.data);
    assert_true(pic.image.bits == 16 && pic.image.channels == 1 && pic.white == 65535);
    assert_int_equal(((uint16_t *)pic.image.data)[0], 258);
    assert_int_equal(((uint16_t *)pic.image.data)[1], 65535);
    picture_free(&pic);
    f = npy(1, "|u1", "True", "(2, 1)");
    add_number(&f, 7, 1, false);
    add_number(&f, 200, 1, false);
    assert_true(read_map(&f, &pic, NULL, &p));
    assert_true(pic.image.bits == 8 && pic.image.height == 2 && pic.white == 255);
    assert_int_equal(((uint8_t *)pic.image.data)[1], 200);
    picture_free(&pic);
    assert_false(picture_decode(&pic, f.data, f.size, "a.npy", NULL, &p));
    assert_string_equal(p.text, "a.npy: NPY holds a depth map, not a picture; give it to --depth, "
                                "or save a picture as PNG");
}

static void test_npy_refusals(void **state)
{
    file f = npy(1, "<f4", "False", "(2, 2, 5)");
    refused(&f, "3 dimensions");
    f = npy(1, "|u1", "False", "(2, 6, 3)");
    refused(&f,
            "a picture of 6 x 2 pixels in 3 channels, and a depth map has one; save one of them");
    f = npy(1, "|u1", "False", "(2, 6, 4)");
    refused(&f, "a picture of 6 x 2 pixels in 4 channels");
    f = npy(1, "|u1", "False", "(2, 6, 5)");
    refused(&f, "for the maps of a clip");
    f = npy(1, "<c8", "False", "(2, 2)");
    refused(&f, "'<c8' is not a depth map");
    f = npy(1, "<f4", "Maybe", "(2, 2)");
    refused(&f, "header is damaged");
    f = npy(1, "<f4", "False", "(2, 2");
    refused(&f, "header is damaged");
    f = npy(4, "<f4", "False", "(2, 2)");
    refused(&f, "header is damaged");
    f = npy(1, "<f4", "False", "(2, 2)");
    refused(&f, "cut off");
    for (f.size--; f.size > 10; f.size--)
        refused(&f, "header is damaged");
    f = npy(1, "<f4", "False", "(0, 2)");
    refused(&f, "not a depth map");
    f = npy(1, "<f4", "False", "(16777216, 16777216)");
    refused(&f, "cut off");
}

/* --- DPT -------------------------------------------------------------------------------------- */

static void test_dpt(void **state)
{
    file f = {.size = 0};
    picture pic;
    problem p;
    add_float(&f, 202021.25F, false);
    add_number(&f, 2, 4, false);
    add_number(&f, 1, 4, false);
    add_float(&f, 2.5F, false);
    refused(&f, "cut off");
    add_float(&f, 40, false);
    expect(&f, 2, 1, (const float[]){2.5F, 40});
    assert_true(read_map(&f, &pic, NULL, &p) && pic.values.is_metres);
    picture_free(&pic);
    assert_false(read_map(&f, &pic, &(decode_settings){.max_pixels = 1}, &p));
    assert_non_null(strstr(p.text, "--max-pixels"));
}

/* --- COLMAP ----------------------------------------------------------------------------------- */

static void test_colmap(void **state)
{
    file f = {.size = 0};
    picture pic;
    problem p;
    add(&f, "2&3&1&", 6);
    for (int i = 0; i < 5; i++)
        add_float(&f, 0.5F * (float)i, false);
    refused(&f, "cut off");
    add_float(&f, 40, false);
    expect(&f, 2, 3, (const float[]){0, 0.5F, 1, 1.5F, 2, 40});
    assert_true(read_map(&f, &pic, NULL, &p) && pic.values.is_metres && pic.values.is_assumed);
    picture_free(&pic);
    assert_false(read_map(&f, &pic, &(decode_settings){.max_pixels = 5}, &p));
    assert_non_null(strstr(p.text, "--max-pixels"));
    f.data[4] = '3';
    refused(&f, "3 numbers a pixel");
    f.data[4] = '&';
    refused(&f, "not a picture of a known kind");
    f = (file){.size = 0};
    add(&f, "99999999&1&1&", 13);
    refused(&f, "damaged");
}

UNIT_MAIN(UNIT(test_pfm), UNIT(test_pfm_colours), UNIT(test_pfm_damage), UNIT(test_npy_types),
          UNIT(test_npy_shapes), UNIT(test_npy_codes), UNIT(test_npy_refusals), UNIT(test_dpt),
          UNIT(test_colmap))
