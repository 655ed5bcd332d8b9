/* core/depth: the median around a focus, and the memory of maps. */
#include "depth/dof_plan.h"
#include "unit/core/unit_context.h"
#include "unit/core/unit_drawn.h"

#include <math.h>

/* --- Medians ---------------------------------------------------------------------------------- */

/* Returns the code in focus at a point: the median around it. */
static uint32_t focus_at(const satb_image *map, int x, int y)
{
    const satb_image picture = blank(map->width, map->height, 3, 8);
    const satb_image coc = blank(map->width, map->height, 1, 16);
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_POINT,
                                    .focus_x = x,
                                    .focus_y = y,
                                    .holes = SATB_HOLES_NONE,
                                    .edges = SATB_DEPTH_EDGES_KEEP};
    satb_dof_report report;

    assert_int_equal(satb_coc(cpu, &picture, map, &coc, &params, &report), SATB_OK);
    assert_true(report.focus_x == x && report.focus_y == y);
    return (uint32_t)lround(report.focus * ((1 << map->bits) - 1));
}

/* Returns a map whose codes are `code` but for those of a window in its corner, in an order of no meaning. */
static satb_image corner(int bits, int w, int h, const uint32_t *codes, uint32_t code)
{
    const satb_image map = blank(60, 50, 1, bits);

    for (int i = 0; i < 60 * 50; i++)
        put(&map, i % 60, i / 60, 0, code);
    for (int i = 0; i < w * h; i++)
        put(&map, i % w, i / w, 0, codes[i * 5 % (w * h)]);
    return map;
}

/* A window in a corner has 3 x 3 pixels, and the next one has 3 x 4. Of an even number, the lower one in the middle counts. */
static void median(void **state)
{
    static const uint32_t cases[][12] = {{10, 10, 10, 10, 20, 20, 20, 200, 200},
                                         {10, 10, 10, 10, 10, 20, 20, 200, 200},
                                         {7, 7, 7, 7, 7, 7, 8, 8, 8, 9, 9, 9},
                                         {7, 7, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9}};
    static const uint32_t want[] = {20, 10, 7, 8};

    for (int i = 0; i < 4 * 2 * 2; i++) {
        const int one = i / 4, rows = one < 2 ? 3 : 4, bits = i & 1 ? 16 : 8;
        const satb_image map = corner(bits, 3, rows, cases[one], i & 2 ? 0 : 250);
        assert_int_equal(focus_at(&map, 0, rows - 3), want[one]);
    }
}

enum { MANY = 200, FEW = 10, REACH = 5 }; /* codes; pixels: 1 % of 1000 are 2 REACH */

/* Returns a map of two channels: in the window around a point, but for its rim, just more than a half is MANY. With its rim,
 * most is FEW. All else is MANY. */
static satb_image ringed(int w, int h, int x0, int y0)
{
    const satb_image map = blank(w, h, 2, 8);

    for (int i = 0; i < w * h; i++) {
        const int x = i % w, y = i / w, dx = abs(x - x0), dy = abs(y - y0);
        const int away = dx > dy ? dx : dy;
        const int is_few = away == REACH || (away < REACH && (x + y + x0 + y0) % 2);
        put(&map, x, y, 0, is_few ? FEW : MANY);
        put(&map, x, y, 1, 99);
    }
    return map;
}

/* A window has 1 % of the longer side, and its first channel counts. */
static void window_of_a_point(void **state)
{
    for (int i = 0; i < 2; i++) {
        const satb_image map = i ? ringed(30, 1000, 15, 700) : ringed(1000, 30, 700, 15);
        assert_int_equal(i ? focus_at(&map, 15, 700) : focus_at(&map, 700, 15), FEW);
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int was_there(const satb_spares *spares, const void *block)
{
    for (int i = 0; i < spares->count; i++)
        if (spares->blocks[i] == block)
            return 1;
    return 0;
}

/* After the first map no more memory is needed: planes are where they were, and tables take blocks that were given back. */
static void the_next_map_takes_freed_memory(void **state)
{
    enum { SIDE = 512 };
    const satb_image map = blank(SIDE, SIDE, 1, 16), picture = blank(2 * SIDE, 2 * SIDE, 3, 8);
    const satb_dof_params params = {.holes = SATB_HOLES_FILL};
    satb_spares first = {0};
    satb_depth_map was = {0};

    for (int i = 0; i < SIDE * SIDE; i++)
        put(&map, i % SIDE, i / SIDE, 0, (uint32_t)(i % SIDE < 300 ? 9000 : i % 7 * 8000));
    satb_free_spares(&cpu->spares);
    for (int i = 0; i < 3; i++) {
        satb_dof_plan plan;
        assert_int_equal(satb_open_dof_plan(cpu, &plan, &picture, &map, &params), SATB_OK);
        assert_true(plan.depth.numbers.filled[SATK_FILL_HOLES] > 0);
        assert_true(plan.depth.numbers.surface[SATK_SNAPPED] > 0);
        if (i == 0)
            was = plan.depth;
        assert_ptr_equal(plan.depth.map.data, was.map.data);
        assert_ptr_equal(plan.depth.rims.near, was.rims.near);
        satb_close_dof_plan(cpu, &plan);
        if (i == 0)
            first = cpu->spares;
    }
    assert_true(first.count > 1);
    assert_int_equal(cpu->spares.count, first.count);
    for (int i = 0; i < first.count; i++)
        assert_true(was_there(&cpu->spares, first.blocks[i]));
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(median), UNIT(window_of_a_point),
                 UNIT(the_next_map_takes_freed_memory))
