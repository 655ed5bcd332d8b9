/* core/blur/dof_slabs.c: the windows of slabs. */
#include "unit/unit.h"

#include "layer/layer_cells.h"
#include "unit/core/slab_case.h"

/* Wide slabs are coarse, so no coarse one lies between two that are not. */
static void wide_ones_are_coarse(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++)
        for (int count = make(-FAR, FAR, LONGEST, bokeh), i = 0; i < count; i++)
            assert_int_equal(slabs[i].coarse, made_for(abs(i - count / 2)) >= SATB_COARSE_RADIUS);
}

/* Windows are as layer.h demands. They are symmetric, since a number counts to both sides. */
static void windows_widen(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SQUARE; bokeh++)
        for (int i = make(-FAR, FAR, LONGEST, bokeh) - 1; i >= 0; i--)
            for (int j = 0; j < slabs[i].windows; j++) {
                const satk_stack *const s = &slabs[i].window[j];
                assert_true(s->middle_rows >= 0 && s->outer >= 0);
                assert_true(s->middle >= s->outer && s->rows >= s->middle_rows);
                assert_int_equal(s->middle, s->rows);
                if (j > 0) /* by a pixel, or by the same cells */
                    assert_true(s->rows >= s[-1].rows + !slabs[i].coarse &&
                                s->middle >= s[-1].middle + !slabs[i].coarse &&
                                s->middle_rows >= s[-1].middle_rows && s->outer >= s[-1].outer);
            }
}

/* Returns the number of a slab's windows: four, and more until one reaches `beyond` pixels beyond the aperture. by: the
 * pixels by which each is wider. */
static int windows_to(int beyond, int *by)
{
    static const int wider[SATK_WINDOWS - 1] = {0, 2, 6, 16, 40, 100, 250};
    int count = 0;

    while (count < 4 || (count < SATK_WINDOWS - 1 && wider[count - 1] < beyond)) {
        by[count] = wider[count];
        count++;
    }
    if (by[count - 1] >= beyond) {
        by[count - 1] = count > 4 ? beyond : by[count - 1];
        return count;
    }
    by[count] = beyond;
    return count + 1;
}

/* Checks the windows of slab i: of squares each side, to a pixel or a cell. */
static void reaches(const satk_slab *slab, int radius, int beyond, satb_bokeh bokeh)
{
    int by[SATK_WINDOWS];
    const int count = windows_to(beyond, by), cell = cell_of(slab);

    assert_int_equal(slab->windows, count);
    assert_true(by[count - 1] >= beyond);
    for (int j = 0; j < count; j++) {
        const satk_slab alone = {.window = {slab->window[j]}, .coarse = slab->coarse};
        const double want = radius + by[j] + 0.25 * (radius + by[j] > 0);
        const double moment = moment_of(&alone);
        const double wide = sqrt((bokeh == SATB_BOKEH_SQUARE ? 3 : 4) * moment);
        if (!(fabs(wide - want) <= rounding_of(slab, want)))
            fail_msg("bokeh %d: window %d of %d is as wide as %.3f, not %.2f", (int)bokeh, j,
                     radius, wide, want);
        if (bokeh == SATB_BOKEH_SQUARE)
            assert_true(abs((2 * slab->window[j].middle + 1) * cell - (2 * (radius + by[j]) + 1)) <=
                        (slab->coarse ? SATK_CELL : 0));
    }
}

/* Windows reach from the aperture to all that what lies before the focus may hide: the widest one is the same for all slabs
 * with the same squares. */
static void windows_reach_what_hides(void **state)
{
    static const double most[][2] = {{0, LONGEST},     {3.2, LONGEST},   {16, LONGEST},
                                     {16.01, LONGEST}, {40, LONGEST},    {40.5, LONGEST},
                                     {77.7, LONGEST},  {330.1, LONGEST}, {2000, 100}};

    for (int m = 0; m < 9 * 3; m++) {
        const satb_bokeh bokeh = (satb_bokeh)(m % 3);
        const double before = most[m / 3][0];
        const int longest = (int)most[m / 3][1];
        const int farthest = (int)ceil(before < longest ? before : longest);
        const int count = make(-300, before, longest, bokeh);
        const satk_stack *widest[2] = {NULL, NULL};
        int focus = 0;
        while (radii[focus] < 0)
            focus++;
        for (int i = 0; i < count; i++) {
            const int on_grid = made_for(abs(i - focus));
            const int radius = on_grid < longest ? on_grid : longest;
            const satk_stack *const last = &slabs[i].window[slabs[i].windows - 1];
            reaches(&slabs[i], radius, farthest - radius, bokeh);
            if (slabs[i].windows == 4)
                continue;
            if (widest[slabs[i].coarse])
                assert_memory_equal(widest[slabs[i].coarse], last, sizeof *last);
            widest[slabs[i].coarse] = last;
        }
    }
}

/* Behind a soft rim windows reach as much farther as it is wide, and no aperture changes. */
static void windows_reach_across_soft_rims(void **state)
{
    static satk_slab wider[SATK_MAX_SLABS];
    static double same[SATK_MAX_SLABS];
    const satb_aperture aperture = satb_make_aperture(&(satb_dof_params){.blades = 0});

    for (int soft = 0; soft <= 128; soft += 16) {
        const int count = make(-60, 12 + soft, 1000, SATB_BOKEH_DISC);
        const int few = satb_make_slabs(-60, 12, soft, 1000, &aperture, wider, same);
        assert_in_range(few, 2, count);
        assert_memory_equal(wider, slabs, (size_t)few * sizeof *wider);
        assert_memory_equal(same, radii, (size_t)few * sizeof *same);
    }
}

/* However far they reach, there are never more than SATK_WINDOWS, and each slab's last window goes as far. */
static void windows_of_largest_radii(void **state)
{
    for (satb_bokeh bokeh = SATB_BOKEH_DISC; bokeh <= SATB_BOKEH_SMOOTH; bokeh++)
        for (int bits = 0; bits <= 23; bits++) {
            const int before = 1 << bits, count = make(-FAR, before, LONGEST, bokeh);
            for (int i = 0; i < count; i++) {
                const double of = bokeh == SATB_BOKEH_SQUARE   ? 1
                                  : bokeh == SATB_BOKEH_SMOOTH ? 0.916 * sqrt(1.5)
                                                               : 0.9565;
                const int cell = cell_of(&slabs[i]);
                const satk_stack *const last = &slabs[i].window[slabs[i].windows - 1];
                assert_in_range(slabs[i].windows, 4, SATK_WINDOWS);
                assert_true((last->middle + 0.5) * cell >= of * before - cell / 2.0);
            }
        }
}

/* Returns the distance of the farthest row in the cells of windows of that reach, around the middle
 * of a picture. */
static int farthest_of_cells(int length, int reach)
{
    const satk_cut cut = satk_cut_axis(length, SATK_CELL);
    const int count = satk_squares_of_axis(length, SATK_CELL);
    int farthest = 0;

    for (int y = length / 2 - 20; y < length / 2 + 20; y++) {
        const satk_between cells = satk_cells_at(&cut, y, count);
        const int up = y - satk_square_begin(&cut, SATK_CELL, cells.from - reach, length);
        const int end = satk_square_begin(&cut, SATK_CELL, cells.to + reach + 1, length);
        farthest = up > farthest ? up : end - 1 - y > farthest ? end - 1 - y : farthest;
    }
    return farthest;
}

/* Rows are read around both cells between which a pixel lies. */
static void rows_that_are_read(void **state)
{
    satk_slab slab = {.used = 1};

    for (int reach = 0; reach < 40; reach++) {
        for (int i = 0; i < SATK_WINDOWS; i++)
            slab.window[i] = (satk_stack){reach, reach, 0, reach};
        slab.windows = SATK_WINDOWS;
        slab.coarse = 0;
        assert_int_equal(satb_slab_rows(&slab), reach);
        slab.coarse = 1;
        for (int length = 2000; length < 2008; length++)
            assert_int_equal(satb_slab_rows(&slab), farthest_of_cells(length, reach));
    }
}

UNIT_MAIN(UNIT(wide_ones_are_coarse), UNIT(windows_widen), UNIT(windows_reach_what_hides),
          UNIT(windows_reach_across_soft_rims), UNIT(windows_of_largest_radii),
          UNIT(rows_that_are_read))
