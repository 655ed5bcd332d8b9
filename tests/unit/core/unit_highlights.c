/* core/blur/dof_highlights.c: the discs, whose sums cannot overflow, and promises of highlights. */
#include "unit/unit.h"

#include "highlight/highlight_rule.h"
#include "blur/dof_highlights.h"
#include "unit/core/unit_context.h"
#include "unit/core/unit_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 101, MIDDLE = SIDE / 2 };

/* --- Discs ------------------------------------------------------------------------------------ */

static satb_aperture aperture_of(satb_bokeh bokeh)
{
    const satb_dof_params params = {.bokeh = bokeh};

    return satb_make_aperture(&params);
}

static satk_disc made(double radius, satb_bokeh bokeh)
{
    const satb_aperture aperture = aperture_of(bokeh);

    return satb_make_disc(radius, &aperture);
}

static void sides_and_masks(void **state)
{
    (void)state;
    assert_true(made(-7, 0).side == -1 && made(-7, 0).behind == 255);
    assert_true(made(-0.5, 0).side == 0 && made(-0.5, 0).behind == 128);
    assert_true(made(0, 0).side == 0 && made(0, 0).behind == 0);
    assert_true(made(1, 1).side == 1 && made(1, 1).behind == 0);
    assert_true(made(0.99, 1).side == 0);
}

/* A disc's pixels are those of a circle that is a quarter of a pixel larger, to 2 % for large
 * discs. A smooth disc's pixels are those of eight boxes. A disc's light is that of its source. */
static void areas_and_shares(void **state)
{
    const double HEAP_AREA =
        2 * 4 * 1.5 * (0.9594 * 0.2906 + 0.8911 * 0.4531 + 0.8223 * 0.5658 + 0.7471 * 0.6656);

    (void)state;
    for (double radius = 1; radius < 2000; radius = radius * 1.01 + 0.1)
        for (satb_bokeh shape = SATB_BOKEH_DISC; shape <= SATB_BOKEH_SMOOTH; shape++) {
            const satb_aperture aperture = aperture_of(shape);
            const satk_disc disc = satb_make_disc(radius, &aperture);
            const satk_form *const form = &aperture.lights[0];
            const double area = (double)satk_form_area(form->box, form->count, disc.radius);
            const double side = 2 * floor(round((radius + 0.5) * 256) / 256) + 1, r = radius + 0.25;
            const double boxes = shape == SATB_BOKEH_SMOOTH ? HEAP_AREA : acos(-1);
            assert_true(shape == SATB_BOKEH_SQUARE
                            ? area == side * side
                            : fabs(area / (boxes * r * r) - 1) < 0.02 + 0.7 / r);
            const uint64_t share = satk_disc_share(form->box, form->count, disc.radius);
            assert_true(fabs(area * (double)share / 0x1p32 - 1) <= area / 0x1p33);
        }
}

/* Returns the weight of a disc's boxes that have a pixel at this distance along an axis. */
static uint64_t times_at(const satk_form *form, int radius, int distance)
{
    int across = 0, down = 0;

    for (int i = 0; i < form->count; i++) {
        const satk_range x = satk_form_columns(&form->box[i], radius, 0);
        const satk_range y = satk_form_rows(&form->box[i], radius, 0);
        across +=
            form->box[i].weight * (x.lo <= distance && distance < x.hi && y.lo <= 0 && 0 < y.hi);
        down +=
            form->box[i].weight * (y.lo <= distance && distance < y.hi && x.lo <= 0 && 0 < x.hi);
    }
    return (uint64_t)(across > down ? across : down);
}

/* Returns the most light that a pixel can get up to a distance of 2^doublings, in lights: each light around it has the disc by
 * which it gives most. */
static double most_light(const satb_dof_params *p, int doublings)
{
    const int farthest = 1 << doublings;
    const satb_aperture aperture = satb_make_aperture(p);
    const satk_form *const form = &aperture.lights[0];
    double *const most = calloc((size_t)farthest + 2, sizeof *most); /* by distance */
    double sum = 0;

    for (int radius = 256; radius < farthest * 256; radius += 16 + radius / 256) {
        const satk_disc disc = satb_make_disc(radius / 256.0, &aperture);
        const uint64_t share = satk_disc_share(form->box, form->count, disc.radius);
        for (int d = 0; d <= farthest; d++)
            most[d] = fmax(most[d], (double)(times_at(form, disc.radius, d) * share));
    }
    for (int d = farthest; d >= 0; d--) { /* nearer pixels get as much */
        most[d] = fmax(most[d], most[d + 1]);
        sum += most[d] * (d > 0 ? 8 * d : 1);
    }
    free(most);
    return sum / 0x1p32;
}

static void sums_fit(void **state)
{
    static const satb_dof_params shapes[] = {{.bokeh = SATB_BOKEH_DISC},
                                             {.bokeh = SATB_BOKEH_SQUARE},
                                             {.bokeh = SATB_BOKEH_SMOOTH},
                                             {.bokeh_edge = 1},
                                             {.bokeh_edge = -1},
                                             {.bokeh = SATB_BOKEH_SQUARE, .bokeh_edge = 1},
                                             {.blades = 3, .bokeh_edge = 1}};

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const double light = most_light(&shapes[i], 9);
        if (!(light < (i < 3 ? 2 : 3.2) * 9))
            fail_msg("shape %d: %.2f of a light a doubling", (int)i, light / 9);
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
    free(src.data);
    free(map.data);
    return sum;
}

/* Light is kept to half a code of each pixel of the disc. */
static void energy_is_kept(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        const satb_bokeh bokeh = i / 2 ? SATB_BOKEH_SMOOTH : SATB_BOKEH_DISC;
        const int depth = i % 2;
        assert_true(fabs(light_of(60000, depth, 1, bokeh) - 60000) < 480);
        assert_true(fabs(light_of(60000, depth, 8, bokeh) - 60000) < 480);
        assert_true(fabs(light_of(65535, depth, 1, bokeh) - 65535) < 480);
        assert_true(fabs(light_of(65535, depth, 4, bokeh) - 4 * 65535.0) < 480);
    }
}

static void constant_stays_constant(void **state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind++)
        for (uint32_t code = 0; code < 3; code++) {
            const satb_image src = make(61, 47, 1 + kind % 4, 8 + kind / 4 * 8, 1),
                             dst = make(61, 47, 1 + kind % 4, 8 + kind / 4 * 8, 2),
                             map = make(61, 47, 1, 8, 3);
            fill(&src, 0xffff * code / 2);
            assert_int_equal(blur(&src, &map, &dst, 0.5, 20, 64, kind % 2, (satb_bokeh)(kind % 3)),
                             SATB_OK);
            assert_memory_equal(src.data, dst.data, (size_t)src.stride * 47);
            free(src.data);
            free(dst.data);
            free(map.data);
        }
}

/* A picture without lights has the bits of a blur without highlights. */
static void dim_stays_as_it_was(void **state)
{
    const satb_image src = make(90, 70, 3, 8, 1), map = make(90, 70, 1, 8, 2),
                     want = make(90, 70, 3, 8, 3), got = make(90, 70, 3, 8, 4);

    (void)state;
    for (int i = 0; i < 90 * 70 * 3; i++)
        ((uint8_t *)src.data)[i] /= 2;
    assert_int_equal(blur(&src, &map, &want, 0.5, 20, 0, 0, SATB_BOKEH_DISC), SATB_OK);
    assert_int_equal(blur(&src, &map, &got, 0.5, 20, 64, 0, SATB_BOKEH_DISC), SATB_OK);
    assert_memory_equal(want.data, got.data, 90 * 70 * 3);
    free(src.data);
    free(map.data);
    free(want.data);
    free(got.data);
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
    free(map.data);
}

static void what_is_sharp_covers(void **state)
{
    satb_image dst;

    (void)state;
    with_subject(255, 0, 255, &dst);
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 40; x++)
            assert_int_equal(*at(&dst, x, y), 90);
    assert_true(*at(&dst, 41, 30) > 20 && *at(&dst, 60, 30) > 20);
    free(dst.data);
}

static void what_is_near_does_not(void **state)
{
    satb_image dst, dark;

    (void)state;
    with_subject(0, 255, 255, &dst);
    with_subject(0, 255, 0, &dark);
    assert_true(*at(&dst, 30, 30) > *at(&dark, 30, 30) + 5);
    assert_true(*at(&dst, 60, 30) > *at(&dark, 60, 30) + 20);
    assert_int_equal(*at(&dst, 5, 30), 90);
    free(dst.data);
    free(dark.data);
}

/* A bulb close to the lens, whose rim has the depth of the wall far behind it, makes one disc and
 * no ring. */
static void rims_are_not_rings(void **state)
{
    const satb_image src = make(SIDE, SIDE, 1, 8, 1), map = make(SIDE, SIDE, 1, 8, 1);

    (void)state;
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
    free(src.data);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_and_masks),
        cmocka_unit_test(areas_and_shares),
        cmocka_unit_test(sums_fit),
        cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(constant_stays_constant),
        cmocka_unit_test(dim_stays_as_it_was),
        cmocka_unit_test(what_is_sharp_covers),
        cmocka_unit_test(what_is_near_does_not),
        cmocka_unit_test(rims_are_not_rings),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
