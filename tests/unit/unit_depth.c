/* core/depth: median, counts, resampling, memory. */
#include "unit/unit.h"

#include "backend/backend.h"
#include "depth/depth_channel.h"
#include "depth/depth_focus.h"
#include "depth/depth_resample.h"
#include "depth/depth_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void median(void **state)
{
    uint32_t counts[256] = {0};

    (void)state;
    counts[10] = 4;
    counts[20] = 3;
    counts[200] = 2;
    assert_int_equal(satb_median_code(counts, 256), 20);
    counts[10] = 5;
    assert_int_equal(satb_median_code(counts, 256), 10);
}

static void counts_of_a_window(void **state)
{
    uint8_t data[3][8] = {{1, 9, 2, 9, 3, 9}, {1, 9, 2, 9, 3, 9}, {4, 9, 5, 9, 6, 9}};
    const satb_image map = {data, 8, 3, 3, 2, 8, 0};
    uint32_t counts[256];
    satb_context context = {.backend = &satb_backend_cpu, .threads = 2};

    (void)state;
    satb_count_codes(&context, &map, 1, 1, 3, 3, counts);
    assert_int_equal(counts[2], 1);
    assert_int_equal(counts[3], 1);
    assert_int_equal(counts[5], 1);
    assert_int_equal(counts[6], 1);
    assert_int_equal(counts[1] + counts[4] + counts[9], 0);
}

static satb_image resampled(const satb_image *map, int width, int height)
{
    satb_context context = {.backend = &satb_backend_cpu, .threads = 2};
    satb_image out;

    assert_int_equal(satb_resample(&context, map, width, height, &out), SATB_OK);
    return out;
}

/* Returns a sample by the definition, in floating point. */
static double sample(const satb_image *map, int x, int y, int width, int height)
{
    const double u = fmin(fmax((x + 0.5) * map->width / width - 0.5, 0), map->width - 1);
    const double v = fmin(fmax((y + 0.5) * map->height / height - 0.5, 0), map->height - 1);
    const int x0 = (int)u, y0 = (int)v;
    const int x1 = x0 + 1 < map->width ? x0 + 1 : x0, y1 = y0 + 1 < map->height ? y0 + 1 : y0;
    const uint8_t *const d = map->data;
    const double a =
        d[y0 * map->stride + x0] * (1 - (u - x0)) + d[y0 * map->stride + x1] * (u - x0);
    const double b =
        d[y1 * map->stride + x0] * (1 - (u - x0)) + d[y1 * map->stride + x1] * (u - x0);
    return (a * (1 - (v - y0)) + b * (v - y0)) * 257;
}

static void resampling(void **state)
{
    static const int sizes[][2] = {{1, 1}, {7, 5}, {14, 10}, {3, 2}, {33, 64}, {200, 3}, {8, 6}};
    uint8_t data[5][9];
    const satb_image map = {data, 9, 7, 5, 1, 8, 0};

    (void)state;
    for (int i = 0; i < 45; i++)
        data[i / 9][i % 9] = (uint8_t)(i * 89 + 17);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int w = sizes[i][0], h = sizes[i][1];
        const satb_image out = resampled(&map, w, h);
        assert_int_equal(out.bits, 16);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                assert_true(fabs(((uint16_t *)out.data)[y * w + x] - sample(&map, x, y, w, h)) <
                            1.5);
        free(out.data);
    }
}

static void resampling_keeps_constants_and_16_bits(void **state)
{
    uint16_t data[4] = {40001, 40001, 40001, 40001};
    const satb_image map = {data, 4, 2, 2, 1, 16, 0};
    const satb_image out = resampled(&map, 13, 11);

    (void)state;
    for (int i = 0; i < 13 * 11; i++)
        assert_int_equal(((uint16_t *)out.data)[i], 40001);
    free(out.data);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int was_there(const satb_spares *spares, const void *block)
{
    for (int i = 0; i < spares->count; i++)
        if (spares->blocks[i] == block)
            return 1;
    return 0;
}

/* The maps are large enough for all steps' memory to be kept. After the first map no more is
 * needed. */
static void the_next_map_takes_freed_memory(void **state)
{
    enum { SIDE = 512 };
    uint16_t *const codes = calloc(SIDE * SIDE, sizeof *codes);
    const satb_image map = {codes, 2 * SIDE, SIDE, SIDE, 1, 16, 0};
    const satb_image picture = {calloc(4 * SIDE * SIDE, 3), 6 * SIDE, 2 * SIDE, 2 * SIDE, 3, 8, 0};
    const satb_dof_params params = {.holes = SATB_HOLES_FILL};
    satb_context context = {.backend = &satb_backend_cpu, .threads = 2};
    satb_spares first = {0};

    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        codes[i] = (uint16_t)(i % SIDE < 300 ? 9000 : i % 7 * 8000);
    for (int i = 0; i < 3; i++) {
        satb_depth_map depth;
        assert_int_equal(satb_open_depth_map(&context, &depth, &map, &picture, &params), SATB_OK);
        assert_true(depth.unknown > 0 && depth.snapped > 0);
        satb_close_depth_map(&context, &depth);
        if (i == 0)
            first = context.spares;
    }
    assert_true(first.count > 3);
    assert_int_equal(context.spares.count, first.count);
    for (int i = 0; i < first.count; i++)
        assert_true(was_there(&context.spares, first.blocks[i]));
    satb_free_spares(&context.spares);
    free(map.data);
    free(picture.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(median),
        cmocka_unit_test(counts_of_a_window),
        cmocka_unit_test(resampling),
        cmocka_unit_test(resampling_keeps_constants_and_16_bits),
        cmocka_unit_test(the_next_map_takes_freed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
