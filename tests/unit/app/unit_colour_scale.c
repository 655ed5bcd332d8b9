/* Colour scales of depth maps: their colours, which scale a map is drawn with, and the codes behind its colours. */
#include "depth/colour_codes.h"

#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

enum { WIDTH = 256, HEIGHT = 40 };

typedef struct scale_case {
    colour_scale scale;
    bool rounded;
    uint64_t hash; /* FNV-1a of 256 x red, green, blue, as the programs themselves gave them */
} scale_case;

static const scale_case scales[] = {
    /* by matplotlib 3.11, then by OpenCV 5.0 */
    {COLOURS_INFERNO, false, 0x6141c43a197621e9},   {COLOURS_MAGMA, false, 0x31dde46d7e819339},
    {COLOURS_PLASMA, false, 0xf6c435109a1ec502},    {COLOURS_VIRIDIS, false, 0x90c6ad65c23a4182},
    {COLOURS_TURBO, false, 0x4ee05738aea3685a},     {COLOURS_JET, false, 0x5c42533ca2479ecc},
    {COLOURS_SPECTRAL, false, 0x118052192865c237},  {COLOURS_INFERNO, true, 0x0c171f8959472839},
    {COLOURS_MAGMA, true, 0x18a2c8df7018d2be},      {COLOURS_PLASMA, true, 0xb80f5cf20e4372dc},
    {COLOURS_VIRIDIS, true, 0x1b8e5490518c939b},    {COLOURS_TURBO, true, 0xcf9a52c7e29b2626},
    {COLOURS_OPENCV_JET, true, 0xb9caa286bcc1eccc},
};
enum { SCALES = sizeof scales / sizeof *scales };

static void test_tables(void **state)
{
    for (int s = 0; s < SCALES; s++) {
        const colour_table t = colour_scale_table(scales[s].scale, scales[s].rounded);
        uint64_t hash = 0xcbf29ce484222325;
        for (int i = 0; i < 256 * 3; i++)
            hash = (hash ^ t.rgb[i / 3][i % 3]) * 0x100000001b3;
        if (hash != scales[s].hash)
            fail_msg("%s, rounded %d", colour_scale_name(scales[s].scale), scales[s].rounded);
    }
}

/* --- Maps ------------------------------------------------------------------------------------- */

typedef struct drawn {
    uint8_t rgb[HEIGHT][WIDTH][3];
    uint8_t codes[HEIGHT][WIDTH], found[HEIGHT][WIDTH];
    size_t foreign; /* pixels of no colour of the scale, by the last read_error() */
    satb_image image;
} drawn;

static drawn map;

/* Draws a ramp of the codes, with a square of another depth in it. */
static void draw(const colour_table *t)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const bool square = y >= 10 && y < 30 && x >= 100 && x < 140;
            map.codes[y][x] = (uint8_t)(square ? 230 : x);
            memcpy(map.rgb[y][x], t->rgb[map.codes[y][x]], 3);
        }
    map.image = (satb_image){.data = map.rgb,
                             .width = WIDTH,
                             .height = HEIGHT,
                             .channels = 3,
                             .bits = 8,
                             .stride = 3 * WIDTH};
}

/* Returns the largest difference of a code that was read from the drawn one. */
static int read_error(const colour_match *match)
{
    int most = 0;
    assert_true(colour_read(&map.image, match, map.found[0], &map.foreign));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int apart = abs(map.found[y][x] - map.codes[y][x]);
            most = apart > most ? apart : most;
        }
    return most;
}

/* Codes of a scale that share a colour: two in viridis, up to four in matplotlib's jet. */
static int shared(colour_scale scale)
{
    return scale == COLOURS_VIRIDIS ? 1 : scale == COLOURS_JET ? 3 : 0;
}

static void test_exact(void **state)
{
    for (int s = 0; s < SCALES; s++) {
        const colour_table t = colour_scale_table(scales[s].scale, scales[s].rounded);
        colour_match found[2];
        draw(&t);
        assert_int_equal(colour_find(&map.image, found), COLOURS_FOUND);
        assert_int_equal(found[0].scale, scales[s].scale);
        assert_true(found[0].exact);
        assert_in_range(read_error(&found[0]), 0, shared(scales[s].scale));
    }
}

/* Scattered pixels of no scale, like letters, get a depth from around. */
static void test_letters(void **state)
{
    const colour_table t = colour_scale_table(COLOURS_TURBO, false);
    colour_match found[2];
    draw(&t);
    for (int y = 5; y < HEIGHT; y += 7)
        for (int x = 3; x < WIDTH; x += 5)
            memset(map.rgb[y][x], 255, 3);
    assert_int_equal(colour_find(&map.image, found), COLOURS_FOUND);
    assert_int_equal(found[0].scale, COLOURS_TURBO);
    read_error(&found[0]);
    for (int y = 5; y < HEIGHT; y += 7)
        for (int x = 3; x < WIDTH; x += 5) {
            const bool at_square = x >= 94 && x < 146;
            if (!at_square)
                assert_in_range(map.found[y][x], x < 10 ? 0 : x - 10, x + 10);
        }
    assert_int_equal(map.foreign, 0);
}

/* A white border is counted but for the 3 pixels beside the map, and takes the map's depths at its rim. */
static void test_border(void **state)
{
    enum { LEFT = 12, RIGHT = 10, SEEN = LEFT + RIGHT - 2 * 3 };
    for (int s = 0; s < SCALES; s++) {
        const colour_table t = colour_scale_table(scales[s].scale, scales[s].rounded);
        colour_match found[2];
        draw(&t);
        for (int y = 0; y < HEIGHT; y++) {
            memset(map.rgb[y], 255, sizeof map.rgb[y][0] * LEFT);
            memset(map.rgb[y][WIDTH - RIGHT], 255, sizeof map.rgb[y][0] * RIGHT);
        }
        assert_int_equal(colour_find(&map.image, found), COLOURS_FOUND);
        read_error(&found[0]);
        /* the ends of two scales are near enough to white */
        assert_in_range(map.foreign, SEEN * HEIGHT - 2 * HEIGHT, SEEN * HEIGHT);
        for (int y = 0; y < HEIGHT; y++) {
            assert_in_range(map.found[y][0], LEFT - 6, LEFT + 20);
            assert_in_range(map.found[y][WIDTH - 1], WIDTH - RIGHT - 20, WIDTH - RIGHT + 6);
        }
    }
}

/* Replaces colours by means over pairs of pixels and rows, in parts, as the chroma of a JPEG: brightness stays, hue mixes. */
static void mix_colours(void)
{
    for (int y = 0; y < HEIGHT; y += 2)
        for (int x = 1; x + 1 < WIDTH; x += 2) {
            uint8_t *const p = map.rgb[y][x], *const q = map.rgb[y][x + 1];
            const int light[2] = {(77 * p[0] + 150 * p[1] + 29 * p[2]) / 256,
                                  (77 * q[0] + 150 * q[1] + 29 * q[2]) / 256};
            for (int c = 0; c < 3; c++) {
                const int hue = (p[c] + q[c] - light[0] - light[1]) / 2;
                const int a = light[0] + hue, b = light[1] + hue;
                p[c] = (uint8_t)(a < 0 ? 0 : a > 255 ? 255 : a);
                q[c] = (uint8_t)(b < 0 ? 0 : b > 255 ? 255 : b);
            }
        }
}

/* At the edge of the square there is no code that is far from the codes to both sides. */
static void test_mixed(void **state)
{
    for (int s = 0; s < SCALES; s++) {
        const colour_table t = colour_scale_table(scales[s].scale, scales[s].rounded);
        draw(&t);
        mix_colours();
        colour_match match = colour_compare(&map.image, scales[s].scale);
        match.exact = false;
        read_error(&match);
        for (int y = 12; y < 28; y++)
            for (int x = 96; x < 144; x++) {
                const int apart = abs(map.found[y][x] - x), other = abs(map.found[y][x] - 230);
                if (apart > 16 && other > 16)
                    fail_msg("%s: %d at %d,%d", colour_scale_name(match.scale), map.found[y][x], x,
                             y);
            }
    }
}

static void test_unknown(void **state)
{
    const colour_table t = colour_scale_table(COLOURS_PLASMA, false);
    colour_match found[2];
    uint32_t random = 1;
    draw(&t);
    uint8_t *const bytes = map.image.data;
    for (int i = 0; i < WIDTH * HEIGHT * 3; i++) {
        random = random * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(random >> 24);
    }
    assert_int_equal(colour_find(&map.image, found), COLOURS_UNKNOWN);
    for (int i = 0; i < WIDTH * HEIGHT; i++) /* a single colour of a scale tells nothing */
        memcpy(bytes + 3 * i, t.rgb[100], 3);
    assert_int_equal(colour_find(&map.image, found), COLOURS_UNKNOWN);
}

/* Orange between that of plasma and that of turbo may be of either, and they put near and far the other way round. */
static void test_ambiguous(void **state)
{
    const colour_table a = colour_scale_table(COLOURS_PLASMA, false);
    const colour_table b = colour_scale_table(COLOURS_TURBO, false);
    colour_match found[2];
    colour_table t;
    for (int i = 0; i < 256; i++)
        for (int c = 0; c < 3; c++)
            t.rgb[i][c] = (uint8_t)((a.rgb[198 + i / 8][c] + b.rgb[181 - i / 13][c]) / 2);
    draw(&t);
    assert_int_equal(colour_find(&map.image, found), COLOURS_AMBIGUOUS);
    assert_true(found[0].scale == COLOURS_PLASMA || found[0].scale == COLOURS_TURBO);
    assert_true(found[1].scale == COLOURS_PLASMA || found[1].scale == COLOURS_TURBO);
}

static void test_packed(void **state)
{
    uint8_t rgb[4][3] = {{0, 0, 0}, {255, 255, 255}, {128, 0, 0}, {1, 2, 3}};
    uint16_t codes[4];
    const satb_image image = {
        .data = rgb, .width = 4, .height = 1, .channels = 3, .bits = 8, .stride = 12};
    colour_unpack(&image, false, codes);
    assert_int_equal(codes[0], 0);
    assert_int_equal(codes[1], 65535);
    assert_int_equal(codes[2], 32768);
    assert_int_equal(codes[3], 258);
    colour_unpack(&image, true, codes);
    assert_int_equal(codes[1], 65535);
    assert_int_equal(codes[2], 0);
    assert_int_equal(codes[3], 770);
}

UNIT_MAIN(UNIT(test_tables), UNIT(test_exact), UNIT(test_letters), UNIT(test_mixed),
          UNIT(test_unknown), UNIT(test_ambiguous), UNIT(test_packed), UNIT(test_border))
