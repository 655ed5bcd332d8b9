/* core/blur/aperture.c: the shapes of apertures, compared with the ideal ones pixel by pixel. */
#include "unit/unit.h"

#include "blur/aperture.h"
#include "blur/outlines.h"
#include "unit/core/unit_spans.h"
#include "support/dof_ranges.h"

#include <math.h>
#include <string.h>

/* Returns the distance from the centre to the outline of a polygon whose corners are at a distance of 1, at an angle from a
 * corner. Rounded sides lie between the chord and the circle. Found by bisection. */
static double outline_at(const satb_dof_params *p, double angle)
{
    const double pi = acos(-1), each = 2 * pi / p->blades;
    const double from = fmod(fmod(angle, each) + each, each);
    double low = 0, high = 1;

    for (int i = 0; i < 50; i++) { /* the point of the edge in that direction */
        const double t = (low + high) / 2, c = p->blade_curvature;
        const double x = (1 - c) * (1 - t + t * cos(each)) + c * cos(t * each);
        const double y = (1 - c) * t * sin(each) + c * sin(t * each);
        *(atan2(y, x) < from ? &low : &high) = t;
        if (i == 49)
            return hypot(x, y);
    }
    return 1;
}

enum { STEPS = 7200 };

/* An ideal aperture with the area of a disc of radius 1: the distance from its centre to its outline, all around. */
typedef struct ideal {
    const satb_dof_params *p;
    double outline[STEPS];
} ideal;

static void make_ideal(const satb_dof_params *p, ideal *shape)
{
    const double pi = acos(-1);
    double area = 0;

    shape->p = p;
    for (int i = 0; i < STEPS; i++) {
        const double r = p->blades > 0 ? outline_at(p, 2 * pi * i / STEPS) : 1;
        shape->outline[i] = r;
        area += r * r * pi / STEPS;
    }
    for (int i = 0; i < STEPS; i++)
        shape->outline[i] *= sqrt(pi / area);
}

/* Returns 1 if a point is in the ideal aperture. */
static int is_inside(const ideal *shape, double x, double y)
{
    const double squeeze = shape->p->squeeze > 0 ? shape->p->squeeze : 1;
    const double across = x * sqrt(squeeze), down = y / sqrt(squeeze);
    const double turns =
        atan2(down, across) / (2 * acos(-1)) + 1.25 - shape->p->blade_rotation / 360;
    const double at = (turns - floor(turns)) * STEPS;
    const int i = (int)at % STEPS;
    const double to_next = at - floor(at), from = shape->outline[i],
                 to = shape->outline[(i + 1) % STEPS];

    return hypot(across, down) <= from + to_next * (to - from);
}

static int count_at(const satk_form *form, int radius, int x, int y)
{
    int count = 0;

    for (int i = 0; i < form->count; i++) {
        const satk_range across = satk_form_columns(&form->box[i], radius, 0);
        const satk_range down = satk_form_rows(&form->box[i], radius, 0);
        if (across.lo <= x && x < across.hi && down.lo <= y && y < down.hi)
            count += form->box[i].weight;
    }
    return count;
}

enum { SIDE = 330 };

static double lit[2 * SIDE + 1]
                 [2 * SIDE + 1]; /* of pixels around the centre of a point behind the focus */

/* Finds what an aperture lights. radius: Q8. Returns the light. */
static double light(const satb_dof_params *p, int radius)
{
    const satb_aperture a = satb_make_aperture(p);
    satb_outlines outlines;
    double all = 0;

    assert_int_equal(satb_make_outlines(NULL, &a, 64, 64, &outlines), SATB_OK);
    memset(lit, 0, sizeof lit);
    for (int i = 0; i < outlines.all.levels; i++)
        for (int y = -SIDE; y <= SIDE; y++)
            all += add_lit_row(&outlines.of[i], radius, y, SIDE, lit[y + SIDE]);
    satb_free_outlines(&outlines);
    return all;
}

/* Returns the parts of pixels that differ from the ideal aperture, of its area. */
static double light_difference(const ideal *shape, double r)
{
    const int reach = (int)(3.3 * r) + 2, sub = 5;
    double differs = 0;

    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            int in = 0;
            for (int i = 0; i < sub * sub; i++)
                in += is_inside(shape, (x + (i % sub + 0.5) / sub - 0.5) / r,
                                (y + (i / sub + 0.5) / sub - 0.5) / r);
            differs += fabs(lit[y + SIDE][x + SIDE] - in / (double)(sub * sub));
        }
    return differs / (acos(-1) * r * r);
}

/* Returns the area that only one of a form and the ideal aperture has, as a part of the latter. sign: -1 turns the form by half
 * a turn. */
static double difference(const ideal *shape, const satk_form *form, double r, int sign)
{
    const int reach = (int)(2.7 * r) + 2;
    double differs = 0;

    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            const int count = count_at(form, (int)lround(256 * r), sign * x, sign * y);
            assert_in_range(count, 0, 1);
            differs += count != is_inside(shape, x / r, y / r);
        }
    return differs / (acos(-1) * r * r);
}

static const satb_dof_params shapes[] = {
    {.blades = 0},
    {.blades = 3},
    {.blades = 3, .blade_rotation = 30},
    {.blades = 4},
    {.blades = 4, .blade_rotation = 45},
    {.blades = 5},
    {.blades = 5, .blade_rotation = -20},
    {.blades = 6},
    {.blades = 6, .blade_rotation = 15},
    {.blades = 7, .blade_curvature = 0.5},
    {.blades = 8, .blade_rotation = 22.5},
    {.blades = 9, .blade_curvature = 1},
    {.squeeze = 2},
    {.squeeze = 0.5},
    {.blades = 6, .squeeze = 1.33, .blade_rotation = 200},
    {.blades = 5, .blade_curvature = 0.3, .squeeze = 4},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Light differs by at most 5 % from radius 6 on, by 12 % below; but an oval of 4 to 1 is half as wide. All light is in pixels. */
static void lights_have_the_shape(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        ideal shape;
        make_ideal(&shapes[i], &shape);
        for (double r = 3; r < 120; r *= 1.9) {
            const int radius = (int)lround(256 * r);
            const double all = light(&shapes[i], radius), off = light_difference(&shape, r);
            double sum = 0;
            for (int k = 0; k < (2 * SIDE + 1) * (2 * SIDE + 1); k++)
                sum += lit[k / (2 * SIDE + 1)][k % (2 * SIDE + 1)];
            assert_true(fabs(sum - all) < 1e-6 * all);
            if (!(off <= (r < 6 ? 0.12 : 0.05) * (shapes[i].squeeze == 4 ? 1.5 : 1)))
                fail_msg("shape %d, radius %.2f: %.1f %% differ", i, r, 100 * off);
        }
    }
}

/* Windows are coarser, and turned by half a turn. */
static void windows_have_the_shape(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        const satb_aperture a = satb_make_aperture(&shapes[i]);
        ideal shape;
        make_ideal(&shapes[i], &shape);
        if (a.windows[0].count > 0) {
            const double off = difference(&shape, &a.windows[0], 100.25, -1);
            if (!(off <= 0.15))
                fail_msg("shape %d: %.1f %% differ", i, 100 * off);
        }
    }
}

/* A squeezed disc has the second moments of its axes. */
static void moments(void **state)
{
    for (int i = 0; i < SHAPES; i++) {
        const satb_aperture a = satb_make_aperture(&shapes[i]);
        const double area = light(&shapes[i], 100 * 256);
        double sum = 0;
        for (int y = -SIDE; y <= SIDE; y++)
            for (int x = -SIDE; x <= SIDE; x++)
                sum += lit[y + SIDE][x + SIDE] * (x * x + y * y);
        assert_true(fabs(area / (acos(-1) * 10000) - 1) < 0.01);
        assert_true(fabs(sqrt(a.moments[0] * sum / area / 2) / 100 - 1) < 0.01);
    }
}

/* A hexagon is its mirror image. */
static void mirrored(void **state)
{
    const satb_dof_params p = {.blades = 6};

    light(&p, 40 * 256);
    for (int y = -60; y <= 60; y++)
        for (int x = -60; x <= 60; x++) {
            assert_true(fabs(lit[y + SIDE][x + SIDE] - lit[y + SIDE][SIDE - x]) < 0.02);
            assert_true(fabs(lit[y + SIDE][x + SIDE] - lit[SIDE - y][x + SIDE]) < 0.02);
        }
}

static int are_equal(const satb_aperture *a, const satb_aperture *b)
{
#define SAME(name, ...) &&a->shape.name == b->shape.name
    return memcmp(a->windows, b->windows, sizeof a->windows) == 0 &&
           a->shape.bokeh == b->shape.bokeh SATB_DOF_SHAPE_NUMBERS(SAME);
#undef SAME
}

/* A context makes a shape again if a parameter of it is another. */
static void kept_by_contexts(void **state)
{
    static const dof_range numbers[] = {SATB_DOF_SHAPE_NUMBERS(DOF_NUMBER_RANGE)};
    const satb_dof_params six = {.blades = 6};
    const satb_aperture first = satb_make_aperture(&six);
    satb_context *context = NULL;

    assert_int_equal(satb_open(&context, &(satb_config){.device = SATB_DEVICE_CPU}), SATB_OK);
    for (size_t i = 0; i <= sizeof numbers / sizeof *numbers; i++) {
        satb_dof_params other = six;
        if (i < sizeof numbers / sizeof *numbers)
            dof_range_set(&numbers[i], numbers[i].high, &other);
        else
            other = (satb_dof_params){.bokeh = SATB_BOKEH_SMOOTH};
        const satb_aperture want = satb_make_aperture(&other);
        assert_false(are_equal(&want, &first));
        for (int k = 0; k < 2; k++)
            assert_true(are_equal(satb_aperture_of(context, &six), &first));
        assert_true(are_equal(satb_aperture_of(context, &other), &want));
    }
    satb_close(&context);
}

UNIT_MAIN(UNIT(lights_have_the_shape), UNIT(windows_have_the_shape), UNIT(moments), UNIT(mirrored),
          UNIT(kept_by_contexts))
