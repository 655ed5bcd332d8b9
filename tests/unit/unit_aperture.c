/* core/blur/aperture.c: the shapes of apertures, compared with the ideal ones pixel by pixel. */
#include "unit/unit.h"

#include "blur/aperture.h"

#include <math.h>
#include <stdlib.h>
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

/* Returns the factor by which the outline has the area of a disc of radius 1. */
static double scale_of(const satb_dof_params *p)
{
    enum { STEPS = 3600 };
    double area = 0;

    for (int i = 0; i < STEPS; i++)
        area += pow(outline_at(p, 2 * acos(-1) * (i + 0.5) / STEPS), 2) * acos(-1) / STEPS;
    return sqrt(acos(-1) / area);
}

/* Returns 1 if a point is in the ideal aperture of radius 1. */
static int is_inside(const satb_dof_params *p, double scale, double x, double y)
{
    const double squeeze = p->squeeze > 0 ? p->squeeze : 1;
    const double across = x * sqrt(squeeze), down = y / sqrt(squeeze), pi = acos(-1);

    if (p->blades == 0)
        return across * across + down * down <= 1;
    return hypot(across, down) <=
           scale * outline_at(p, atan2(down, across) + pi / 2 - p->blade_rotation * pi / 180);
}

static int count_at(const satk_form *form, int radius, int x, int y)
{
    int count = 0;

    for (int i = 0; i < form->count; i++) {
        const satk_range across = satk_form_columns(&form->box[i], radius, 0);
        const satk_range down = satk_form_rows(&form->box[i], radius, 0);
        count += across.lo <= x && x < across.hi && down.lo <= y && y < down.hi;
    }
    return count;
}

/* Returns the area that only one of a form and the ideal aperture has, as a part of the latter. sign: -1 turns the form by half
 * a turn. */
static double difference(const satb_dof_params *p, const satk_form *form, double r, int sign)
{
    const int reach = (int)(2.7 * r) + 2;
    const double scale = p->blades > 0 ? scale_of(p) : 1;
    double differs = 0;

    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            const int count = count_at(form, (int)lround(256 * r), sign * x, sign * y);
            assert_in_range(count, 0, 1);
            differs += count != is_inside(p, scale, x / r, y / r);
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

/* Discs of light are at most 5 % off from radius 12 on, and the pixels' rounding. */
static void lights_have_the_shape(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const satb_aperture a = satb_make_aperture(&shapes[i]);
        for (double r = 12.25; r < 120; r *= 1.7) {
            const double off = difference(&shapes[i], &a.lights, r, 1);
            if (!(off <= 0.05))
                fail_msg("shape %d, radius %.2f: %.1f %% differ", i, r, 100 * off);
        }
    }
}

/* Windows are coarser, and turned by half a turn. */
static void windows_have_the_shape(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const satb_aperture a = satb_make_aperture(&shapes[i]);
        if (a.windows.count > 0) {
            const double off = difference(&shapes[i], &a.windows, 100.25, -1);
            if (!(off <= 0.15))
                fail_msg("shape %d: %.1f %% differ", i, 100 * off);
        }
    }
}

/* A squeezed disc has the second moments of its axes. */
static void moments(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        const satb_aperture a = satb_make_aperture(&shapes[i]);
        double area = 0, sum = 0;
        for (int y = -300; y <= 300; y++)
            for (int x = -300; x <= 300; x++)
                if (count_at(&a.lights, 100 * 256, x, y)) {
                    area++;
                    sum += x * x + y * y;
                }
        assert_true(fabs(area / (acos(-1) * 10000) - 1) < 0.01);
        assert_true(fabs(sqrt(a.moments * sum / area / 2) / 100 - 1) < 0.01);
    }
}

/* Strips of a form that is as high as wide above and below the centre are the mirrored ones. */
static void mirrored(void **state)
{
    const satb_dof_params p = {.blades = 6}, turned = {.blades = 6, .blade_rotation = 180};
    const satb_aperture a = satb_make_aperture(&p), b = satb_make_aperture(&turned);

    (void)state;
    for (int y = -60; y <= 60; y++)
        for (int x = -60; x <= 60; x++) {
            assert_int_equal(count_at(&a.lights, 40 * 256, x, y),
                             count_at(&a.lights, 40 * 256, -x, y));
            assert_true(abs(count_at(&a.lights, 40 * 256, x, y) -
                            count_at(&b.lights, 40 * 256, x, y)) <= 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lights_have_the_shape),
        cmocka_unit_test(windows_have_the_shape),
        cmocka_unit_test(moments),
        cmocka_unit_test(mirrored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
