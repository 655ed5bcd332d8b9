/* Depth maps made ready (depth_map.h): holes, sizes, edges. */
#include "unit/unit.h"

#include "backend/backend.h"
#include "surface/resample.h"
#include "unit/core/depth_map_case.h"

static uint8_t photo[SIDE][SIDE][3];

/* Makes a picture that is dark on the left and light on the right, with some noise. */
static int draw(void **state)
{
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            for (int c = 0; c < 3; c++)
                photo[y][x][c] = (uint8_t)((x < EDGE_AT ? 60 : 190) + (x * 7 + y * 11 + c * 5) % 9);
    return set_up(state);
}

static const satb_image picture = {photo, SIDE * 3, SIDE, SIDE, 3, 8, 0, 0};

static satb_depth_map opened(const satb_image *map, satb_holes holes, int near_black)
{
    return opened_with(map, &picture, holes, near_black);
}

/* --- Edges ------------------------------------------------------------------------------------ */

static void exact_maps_stay(void **state)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        const satb_image map = make(SIDE, SIDE, bits, hard);
        satb_depth_map depth = opened(&map, 0, 0);
        is_as_it_was(&depth, &map);
        assert_false(depth.resampled);
        satb_close_depth_map(cpu, &depth);
    }
}

/* A slope is no edge, however steep. Without edges, a smaller map is interpolated. */
static int slope_x, slope_y;

static uint32_t slope(int x, int y)
{
    return (uint32_t)(slope_x * x + slope_y * y);
}

static void slopes_stay(void **state)
{
    for (int i = 0; i <= 64; i++) {
        slope_x = i * 10; /* up to 640 * 47 + 640 * 47 = 60160 */
        slope_y = 640 - i * 9;
        const satb_image map = make(SIDE, SIDE, 16, slope);
        satb_depth_map depth = opened(&map, 0, 0);
        is_as_it_was(&depth, &map);
        satb_close_depth_map(cpu, &depth);
    }
    slope_x = 2, slope_y = 3; /* steps of 8-bit codes; and more than 4 codes within 3 x 3 */
    const satb_image map = make(SIDE, SIDE, 8, slope);
    satb_depth_map depth = opened(&map, 0, 0);
    is_as_it_was(&depth, &map);
    satb_close_depth_map(cpu, &depth);
}

static uint32_t nothing(int x, int y)
{
    (void)x, (void)y;
    return 0;
}

static void smaller_slopes_are_interpolated(void **state)
{
    slope_x = 1500, slope_y = 900;
    const satb_image map = make(SIDE / 2, SIDE / 2, 16, slope);
    const satb_image plain = make(SIDE, SIDE, 16, nothing);
    satk_resample job = {.src = satb_plane_of(&map), .dst = satb_plane_of(&plain)};
    satb_depth_map depth = opened(&map, 0, 0);
    job.scratch = unit_memory(satk_resample_scratch_cpu(&job, 1));
    satk_resample_cpu(&job, 1);
    is_as_it_was(&depth, &plain);
    assert_true(depth.resampled);
    satb_close_depth_map(cpu, &depth);
}

static uint32_t random_code(int x, int y)
{
    uint32_t v = (uint32_t)(x * 7919 + y * 104729 + 12345);

    v = (v ^ v >> 13) * 2654435761u;
    v ^= v >> 15;
    return v % 3 ? v >> 16 : 0; /* a third is 0 */
}

/* Every size, code and number of threads works, down to one sample or one row. A map is valid until the next. */
static void every_size(void **state)
{
    static const int sides[] = {1, 2, 3, 5, 17, SIDE - 1, SIDE, SIDE + 1, 100};

    for (int i = 0; i < 81; i++)
        for (int bits = 8; bits <= 16; bits += 8) {
            const satb_image map = make(sides[i % 9], sides[i / 9], bits, random_code);
            uint32_t codes[SIDE * SIDE];
            cpu->threads = 1;
            satb_depth_map one = opened(&map, SATB_HOLES_FILL, 0);
            for (int k = 0; k < SIDE * SIDE; k++)
                codes[k] = code_of(&one.map, k % SIDE, k / SIDE);
            const int was_of = one.map.bits;
            satb_close_depth_map(cpu, &one);
            cpu->threads = 3;
            satb_depth_map many = opened(&map, SATB_HOLES_FILL, 0);
            cpu->threads = 2;
            assert_int_equal(many.map.bits, was_of);
            for (int k = 0; k < SIDE * SIDE; k++)
                assert_int_equal(code_of(&many.map, k % SIDE, k / SIDE), codes[k]);
            satb_close_depth_map(cpu, &many);
        }
}

/* --- Holes ------------------------------------------------------------------------------------ */

/* A hole that crosses the edge, and one in the corner. */
static int in_hole(int x, int y)
{
    return (x >= 12 && x < 30 && y >= 10 && y < 33) || (x > 40 && y > 40);
}

static uint32_t holed(int x, int y)
{
    return in_hole(x, y) ? 0 : hard(x, y);
}

static void holes_get_their_surfaces(void **state)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        const satb_image map = make(SIDE, SIDE, bits, holed);
        satb_depth_map depth = opened(&map, SATB_HOLES_FILL, 0);
        assert_int_equal(depth.numbers.filled[SATK_FILL_HOLES], 18 * 23 + 7 * 7);
        assert_int_equal(depth.holes, SATB_HOLES_FILL);
        is_hard(&depth, 1);
        satb_close_depth_map(cpu, &depth);
    }
}

static void holes_become(satb_holes how, int near_black, uint32_t code)
{
    const satb_image map = make(SIDE, SIDE, 16, holed);
    satb_depth_map depth = opened(&map, how, near_black);

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            assert_int_equal(code_of(&depth.map, x, y), in_hole(x, y) ? code : hard(x, y));
    satb_close_depth_map(cpu, &depth);
}

static void far_and_near(void **state)
{
    holes_become(SATB_HOLES_NONE, 0, 0);
    holes_become(SATB_HOLES_FAR, 0, 0);
    holes_become(SATB_HOLES_NEAR, 0, 65535);
    holes_become(SATB_HOLES_FAR, 1, 65535);
    holes_become(SATB_HOLES_NEAR, 1, 0);
}

static void nothing_known(void **state)
{
    const satb_image map = make(SIDE, SIDE, 16, nothing);

    for (int near = 0; near < 2; near++) {
        satb_depth_map depth = opened(&map, near ? SATB_HOLES_NEAR : SATB_HOLES_FILL, 0);
        assert_int_equal(depth.numbers.filled[SATK_FILL_HOLES], SIDE * SIDE);
        for (int i = 0; i < SIDE * SIDE; i++)
            assert_int_equal(code_of(&depth.map, i % SIDE, i / SIDE), near ? 65535 : 0);
        satb_close_depth_map(cpu, &depth);
    }
}

/* Salt and pepper, and a single known sample. */
static int share;

static uint32_t sparse(int x, int y)
{
    return (x * 31 + y * 17) % 64 < share || x + y == 0 ? 99 + (uint32_t)(x > 24) : 0;
}

static void all_holes_are_filled(void **state)
{
    for (share = 0; share < 64; share += 7)
        for (int side = 11; side <= SIDE; side += 37) {
            const satb_image map = make(side, side, 16, sparse);
            satb_depth_map depth = opened(&map, SATB_HOLES_FILL, 0);
            for (int i = 0; i < SIDE * SIDE; i++)
                assert_in_range(code_of(&depth.map, i % SIDE, i / SIDE), 99, 100);
            satb_close_depth_map(cpu, &depth);
        }
}

/* Millimetres of a sensor: 16 bits, linear, larger is farther. */
static void what_is_a_hole_by_default(void **state)
{
    for (int i = 0; i < 8; i++) {
        const satb_image map = make(SIDE, SIDE, i & 1 ? 16 : 8, holed);
        const satb_dof_params params = {
            .depth_type = i & 2 ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY, .near_black = i & 4};
        satb_depth_map depth;
        assert_int_equal(satb_open_depth_map(cpu, &depth, &map, &picture, &params), SATB_OK);
        assert_int_equal(depth.holes, i == 7 ? SATB_HOLES_FILL : SATB_HOLES_NONE);
        assert_true((depth.numbers.filled[SATK_FILL_HOLES] > 0) == (i == 7));
        satb_close_depth_map(cpu, &depth);
    }
}

UNIT_MAIN_WITHIN(draw, tear_down, UNIT(exact_maps_stay), UNIT(slopes_stay),
                 UNIT(smaller_slopes_are_interpolated), UNIT(every_size),
                 UNIT(holes_get_their_surfaces), UNIT(far_and_near), UNIT(nothing_known),
                 UNIT(all_holes_are_filled), UNIT(what_is_a_hole_by_default))
