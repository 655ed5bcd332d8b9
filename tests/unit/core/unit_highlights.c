/* kernels/layer/radii_rule.h, core/blur/dof_points.c: the discs, whose sums cannot overflow, and promises of points of light and highlights. */
#include "unit/unit.h"

#include "blur/dof_points.h"
#include "layer/radii_rule.h"
#include "unit/core/unit_context.h"
#include "unit/core/unit_image.h"

#include <math.h>
#include <string.h>

enum { SIDE = 101, MIDDLE = SIDE / 2 };

/* --- Discs ------------------------------------------------------------------------------------ */

static void sides_and_surroundings(void **state)
{
    assert_true(satk_disc_of(-7).side == -1 && satk_disc_of(7).side == 1);
    assert_true(satk_disc_of(0.99).side == 0 && satk_disc_of(-1).side == -1);
    assert_true(satk_disc_of(2).fade == 0 && satk_disc_of(2).cells == 0);
    assert_true(satk_disc_of(-2.5).fade == 128 && satk_disc_of(-8).cells == 1);
    assert_true(satk_disc_of(3).fade == 256 && satk_disc_of(8.1).cells == 2);
    assert_true(satk_disc_of(1e9).cells == SATK_MOST_CELLS);
    assert_true(satk_disc_of(1e9).radius == SATK_MOST_DISC);
}

/* Returns the most light that a pixel at this distance along an axis can get from a light: the larger part of its row or its
 * column. area: set to all light. */
static double part_at(const satb_outlines *o, int radius, int distance, double *area)
{
    int64_t all = 0, across = 0, down = 0;

    for (int i = 0; i < o->all.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&o->of[i], radius);
        const satk_range rows = satk_outline_rows(&s);
        satk_row_span span;
        for (int row = rows.lo; row < rows.hi; row++)
            all += satk_span_of_row(&s, row, &span);
        satk_span_of_row(&s, 0, &span);
        across += span.hi > 256 * distance ? 256 * span.weight : 0;
        satk_span_of_row(&s, distance, &span);
        down += 256 * span.weight;
    }
    *area = (double)all;
    return (double)(across > down ? across : down);
}

/* Returns the most light that a pixel can get up to a distance of 2^doublings, in lights: each light around it has the disc by
 * which it gives most. */
static double most_light(const satb_dof_params *p, int doublings)
{
    const int farthest = 1 << doublings;
    const satb_aperture aperture = satb_make_aperture(p);
    satb_outlines outlines;
    double *const most = unit_zeros(((size_t)farthest + 2) * sizeof *most); /* by distance */
    double sum = 0;

    assert_int_equal(satb_make_outlines(NULL, &aperture, 64, 64, &outlines), SATB_OK);
    for (int radius = 256; radius < farthest * 256; radius += 16 + radius / 64)
        for (int d = 0; d <= farthest; d += 1 + d / 64) {
            double area;
            const double part = part_at(&outlines, radius, d, &area);
            most[d] = fmax(most[d], part / area);
        }
    for (int d = farthest; d >= 0; d--) { /* nearer pixels get as much */
        most[d] = fmax(most[d], most[d + 1]);
        sum += most[d] * (d > 0 ? 8 * d : 1);
    }
    satb_free_outlines(&outlines);
    return sum;
}

/* 31, and 3.1 for each of five doublings more, are below 2^6. */
static void sums_fit(void **state)
{
    static const satb_dof_params shapes[] = {{.bokeh = SATB_BOKEH_DISC},
                                             {.bokeh = SATB_BOKEH_SQUARE},
                                             {.bokeh = SATB_BOKEH_SMOOTH},
                                             {.bokeh_edge = 1},
                                             {.bokeh_edge = -1},
                                             {.bokeh = SATB_BOKEH_SQUARE, .bokeh_edge = 1},
                                             {.blades = 3, .bokeh_edge = 1}};

    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const double light = most_light(&shapes[i], 9), more = light - most_light(&shapes[i], 7);
        if (!(light < 31 && more < 2 * 3.1))
            fail_msg("shape %d: %.2f, and %.2f by the last two doublings", (int)i, light, more);
    }
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void fill(const satb_image *image, uint32_t code)
{
    for (int i = 0; i < image->width * image->height * image->channels; i++)
        if (image->bits == 8)
            ((uint8_t *)image->data)[i] = (uint8_t)code;
        else
            ((uint16_t *)image->data)[i] = (uint16_t)code;
}

static uint8_t *at(const satb_image *image, int x, int y)
{
    return (uint8_t *)image->data + y * image->stride + x;
}

static satb_status blur(const satb_image *src, const satb_image *depth, const satb_image *dst,
                        double focus, double radius, double highlights, int gamma, satb_bokeh bokeh)
{
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                    .focus = focus,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = radius,
                                    .highlights = highlights,
                                    .bokeh = bokeh,
                                    .look = {.gamma = gamma}};

    return satb_dof(cpu, src, depth, dst, &params, NULL);
}

/* Returns all light of a black picture of 16-bit codes with one bright pixel, which is out of focus by 12 pixels. */
static double light_of(uint16_t code, double depth, double highlights, satb_bokeh bokeh)
{
    const satb_image src = make(SIDE, SIDE, 1, 16, 1), map = make(SIDE, SIDE, 1, 8, 1);
    double sum = 0;

    fill(&src, 0);
    fill(&map, (uint32_t)depth * 255);
    ((uint16_t *)src.data)[MIDDLE * SIDE + MIDDLE] = code;
    assert_int_equal(blur(&src, &map, &src, 1 - depth, 12, highlights, 1, bokeh), SATB_OK);
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += ((uint16_t *)src.data)[i];
    return sum;
}

/* Light is kept to half a code of each pixel of the disc. */
static void energy_is_kept(void **state)
{
    for (int i = 0; i < 4; i++) {
        const satb_bokeh bokeh = i / 2 ? SATB_BOKEH_SMOOTH : SATB_BOKEH_DISC;
        const int depth = i % 2;
        assert_true(fabs(light_of(60000, depth, 1, bokeh) - 60000) < 480);
        assert_true(fabs(light_of(60000, depth, 8, bokeh) - 60000) < 480);
        assert_true(fabs(light_of(65535, depth, 1, bokeh) - 65535) < 480);
        assert_true(fabs(light_of(65535, depth, 4, bokeh) - 4 * 65535.0) < 480);
    }
}

/* Blurs a picture of 16-bit codes that is black but for the middle, by a radius behind the focus and without highlights. */
static satb_image disc_of(uint16_t code, double radius)
{
    const satb_image src = make(SIDE, SIDE, 1, 16, 1), map = make(SIDE, SIDE, 1, 8, 1);

    fill(&src, 0);
    fill(&map, 0);
    ((uint16_t *)src.data)[MIDDLE * SIDE + MIDDLE] = code;
    assert_int_equal(blur(&src, &map, &src, 1, radius, 0, 1, SATB_BOKEH_DISC), SATB_OK);
    return src;
}

/* Returns the part of a pixel that is in a disc around the middle. */
static double in_disc(int x, int y, double radius)
{
    int in = 0;

    for (int i = 0; i < 64; i++)
        in += hypot(x + (i % 8 + 0.5) / 8 - 0.5, y + (i / 8 + 0.5) / 8 - 0.5) <= radius;
    return in / 64.0;
}

/* A point that is no highlight is a disc, too. */
static void points_are_discs(void **state)
{
    for (double radius = 3; radius < 20; radius *= 1.3) {
        const satb_image out = disc_of(65535, radius);
        const double each = 65535 / (acos(-1) * radius * radius);
        double differs = 0;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++)
                differs += fabs(((uint16_t *)out.data)[y * SIDE + x] -
                                each * in_disc(x - MIDDLE, y - MIDDLE, radius));
        if (!(differs / 65535 < 0.05))
            fail_msg("radius %.2f: %.3f of the light is elsewhere", radius, differs / 65535);
    }
}

/* Light that fades from frame to frame, and radii that grow, change the picture a little at a time. */
static void points_fade_smoothly(void **state)
{
    int before = 0, larger = 0;

    for (int i = 0; i <= 64; i++) {
        const satb_image out = disc_of((uint16_t)(1000 * i), 8);
        const int now = ((uint16_t *)out.data)[MIDDLE * SIDE + MIDDLE + 3];
        assert_in_range(now, before, before + 10); /* 5 on average */
        before = now;
    }
    for (double radius = 1.8; radius < 4.2; radius += 0.05) {
        const satb_image out = disc_of(65535, radius);
        const int now = ((uint16_t *)out.data)[MIDDLE * SIDE + MIDDLE];
        if (larger > 0)
            assert_in_range(now, larger * 0.8, larger * 1.1);
        larger = now;
    }
}

static void constant_stays_constant(void **state)
{
    for (int kind = 0; kind < 8; kind++)
        for (uint32_t code = 0; code < 3; code++) {
            const satb_image src = make(61, 47, 1 + kind % 4, 8 + kind / 4 * 8, 1),
                             dst = make(61, 47, 1 + kind % 4, 8 + kind / 4 * 8, 2),
                             map = make(61, 47, 1, 8, 3);
            fill(&src, 0xffff * code / 2);
            assert_int_equal(blur(&src, &map, &dst, 0.5, 20, 64, kind % 2, (satb_bokeh)(kind % 3)),
                             SATB_OK);
            assert_memory_equal(src.data, dst.data, (size_t)src.stride * 47);
        }
}

/* A picture without lights has the bits of a blur without highlights. */
static void dim_stays_as_it_was(void **state)
{
    const satb_image src = make(90, 70, 3, 8, 1), map = make(90, 70, 1, 8, 2),
                     want = make(90, 70, 3, 8, 3), got = make(90, 70, 3, 8, 4);

    for (int i = 0; i < 90 * 70 * 3; i++)
        ((uint8_t *)src.data)[i] /= 2;
    assert_int_equal(blur(&src, &map, &want, 0.5, 20, 0, 0, SATB_BOKEH_DISC), SATB_OK);
    assert_int_equal(blur(&src, &map, &got, 0.5, 20, 64, 0, SATB_BOKEH_DISC), SATB_OK);
    assert_memory_equal(want.data, got.data, 90 * 70 * 3);
}

/* Makes a gray subject in focus on the left, and black at another depth on the right. A pixel of
 * some code stands there, 5 beside the subject, and its disc reaches 20. */
static void with_subject(uint8_t subject, uint8_t right, uint8_t light, satb_image *dst)
{
    const satb_image map = make(80, 60, 1, 8, 2);

    *dst = make(80, 60, 1, 8, 1);
    for (int i = 0; i < 80 * 60; i++) {
        ((uint8_t *)map.data)[i] = i % 80 < 40 ? subject : right;
        ((uint8_t *)dst->data)[i] = i % 80 < 40 ? 90 : 0;
    }
    *at(dst, 45, 30) = light;
    assert_int_equal(blur(dst, &map, dst, subject / 255.0, 20, 32, 0, SATB_BOKEH_DISC), SATB_OK);
}

static void what_is_sharp_covers(void **state)
{
    satb_image dst;

    with_subject(255, 0, 255, &dst);
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 40; x++)
            assert_int_equal(*at(&dst, x, y), 90);
    assert_true(*at(&dst, 41, 30) > 20 && *at(&dst, 60, 30) > 20);
}

static void what_is_near_does_not(void **state)
{
    satb_image dst, dark;

    with_subject(0, 255, 255, &dst);
    with_subject(0, 255, 0, &dark);
    assert_true(*at(&dst, 30, 30) > *at(&dark, 30, 30) + 5);
    assert_true(*at(&dst, 60, 30) > *at(&dark, 60, 30) + 20);
    assert_int_equal(*at(&dst, 5, 30), 90);
}

/* A bulb close to the lens, whose rim has the depth of the wall far behind it, makes one disc and
 * no ring. */
static void rims_are_not_rings(void **state)
{
    const satb_image src = make(SIDE, SIDE, 1, 8, 1), map = make(SIDE, SIDE, 1, 8, 1);

    fill(&src, 0);
    fill(&map, 0);
    for (int i = 0; i < 16; i++)
        *at(&src, MIDDLE - 2 + i % 4, MIDDLE - 2 + i / 4) = 255;
    for (int i = 0; i < 9; i++) /* 8 pixels before the focus; all else 24 behind it */
        *at(&map, MIDDLE - 2 + i % 3, MIDDLE - 2 + i / 3) = 255;
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                    .focus = 0.75,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 32,
                                    .highlights = 32};
    assert_int_equal(satb_dof(cpu, &src, &map, &src, &params, NULL), SATB_OK);
    assert_true(*at(&src, MIDDLE + 6, MIDDLE) > 200);
    assert_true(*at(&src, MIDDLE + 14, MIDDLE) < 10);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(sides_and_surroundings), UNIT(sums_fit),
                 UNIT(energy_is_kept), UNIT(points_are_discs), UNIT(points_fade_smoothly),
                 UNIT(constant_stays_constant), UNIT(dim_stays_as_it_was),
                 UNIT(what_is_sharp_covers), UNIT(what_is_near_does_not), UNIT(rims_are_not_rings))
