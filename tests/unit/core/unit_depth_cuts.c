/* Depth maps made ready (depth_map.h): ramps of codes are cut at their middle. */
#include "unit/unit.h"

#include "unit/core/depth_map_case.h"

/* A picture of one colour, in which no pixel is a mixture. */
static uint8_t black[SIDE][SIDE][3];
static const satb_image plain_picture = {black, SIDE * 3, SIDE, SIDE, 3, 8, 0, 0};

/* Returns codes of an edge that is three pixels wide, around the hard one. */
static uint32_t soft(int x, int y)
{
    return (hard(x - 1, y) + hard(x, y) + hard(x + 1, y)) / 3;
}

static uint32_t soft16(int x, int y)
{
    return (hard16(x - 1, y) + hard16(x, y) + hard16(x + 1, y)) / 3;
}

static void soft_edges_are_cut_at_their_middle(void **state)
{
    for (depths_at = 3; depths_at <= SIDE - 3; depths_at++) {
        const satb_image maps[] = {make(SIDE, SIDE, 8, soft), make(SIDE, SIDE, 16, soft16)};
        for (int i = 0; i < 2; i++) {
            satb_depth_map depth = opened_with(&maps[i], &plain_picture, 0, 0);
            assert_int_equal(depth.numbers.surface[SATK_SNAPPED], 2 * SIDE);
            assert_int_equal(depth.map.bits, maps[i].bits);
            is_hard(&depth, i ? 257 : 1);
            satb_close_depth_map(cpu, &depth);
        }
    }
    depths_at = EDGE_AT;
}

static int ramp; /* pixels */

/* Returns codes of an edge that is a ramp, of a map that was enlarged. */
static uint32_t wide(int x, int y)
{
    const int from = 2 * (x - depths_at) + ramp + 1; /* half pixels from where the ramp begins */

    (void)y;
    return from <= 0 ? 40 : from >= 2 * ramp ? 200 : 40 + (uint32_t)(160 * from / (2 * ramp));
}

/* Every pixel gets to its side of the ramp's middle, within a sixteenth of its end. In the outer parts of a ramp, some are on
 * no edge of any half, and stay. */
static void wide_ramps_are_cut_at_their_middle(void **state)
{
    for (ramp = 4; ramp <= 16; ramp += 2)
        for (depths_at = 14; depths_at <= SIDE - 14; depths_at++) {
            const satb_image map = make(SIDE, SIDE, 8, wide);
            satb_depth_map depth = opened_with(&map, &plain_picture, 0, 0);
            assert_int_equal(depth.map.bits, 8);
            size_t snapped = 0;
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    const int was = (int)wide(x, y), got = (int)code_of(&depth.map, x, y);
                    const int is_outer = 16 * abs(2 * (x - depths_at) + 1) >= 11 * ramp;
                    snapped += got != was;
                    if (abs(got - (int)hard(x, y)) > 160 / 16 && !(is_outer && got == was))
                        fail_msg("ramp of %d at %d: %d,%d is %d", ramp, depths_at, x, y, got);
                }
            assert_int_equal(depth.numbers.surface[SATK_SNAPPED], snapped);
            assert_true(4 * snapped >= 3 * (size_t)ramp * SIDE);
            satb_close_depth_map(cpu, &depth);
        }
    depths_at = EDGE_AT;
}

static int size; /* pixels of a sample's side */

/* Returns the mean of a row of pixels, those of a sample of a smaller map. */
static uint32_t smaller16(int x, int y)
{
    uint32_t sum = 0;

    for (int i = 0; i < size; i++)
        sum += hard16(size * x + i, y);
    return sum / (uint32_t)size;
}

static uint32_t smaller(int x, int y)
{
    return smaller16(x, y) / 257;
}

/* A sample that an edge crosses has a mixture of both depths: interpolation passes the middle within half a pixel of the
 * edge. */
static void smaller_maps_are_cut_at_the_middle(void **state)
{
    for (size = 2; size <= 4; size++)
        for (depths_at = 2 * size; depths_at <= SIDE - 2 * size; depths_at++) {
            const satb_image maps[] = {make(SIDE / size, SIDE / size, 8, smaller),
                                       make(SIDE / size, SIDE / size, 16, smaller16),
                                       make(SIDE / size, SIDE, 8, smaller)};
            for (int i = 0; i < 3; i++) {
                satb_depth_map depth = opened_with(&maps[i], &plain_picture, 0, 0);
                assert_true(depth.resampled && depth.numbers.surface[SATK_SNAPPED] > 0);
                assert_int_equal(depth.map.bits, 16);
                is_hard(&depth, 257);
                satb_close_depth_map(cpu, &depth);
            }
        }
    depths_at = EDGE_AT;
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(soft_edges_are_cut_at_their_middle),
                 UNIT(wide_ramps_are_cut_at_their_middle), UNIT(smaller_maps_are_cut_at_the_middle))
