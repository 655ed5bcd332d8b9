/* Masks that protect parts of a picture, as a user of the library meets them. */
#include "unit/api/api_case.h"

#include "unit/core/unit_drawn.h"

#include <string.h>

enum { WIDTH = 120, HEIGHT = 80, LEFT = 40, RIGHT = 70, TOP = 20, BOTTOM = 50 };

static int is_inside(int x, int y)
{
    return x >= LEFT && x < RIGHT && y >= TOP && y < BOTTOM;
}

/* Makes a dark, noisy picture with a square of one colour. */
static satb_image make_picture(int channels, int bits, uint32_t colour)
{
    const satb_image src = make(WIDTH, HEIGHT, channels, bits, 5);
    const uint32_t white = (1u << bits) - 1;

    for (int k = 0; k < WIDTH * HEIGHT * channels; k++) {
        const int x = k / channels % WIDTH, y = k / channels / WIDTH, c = k % channels;
        const int alpha = channels % 2 == 0 && c == channels - 1;
        const uint32_t code = sample(&src, x, y, c);
        put(&src, x, y, c,
            alpha             ? white - code / 4
            : is_inside(x, y) ? (c ? colour : white)
                              : code / 4);
        if (alpha && is_inside(x, y))
            put(&src, x, y, c, white);
    }
    return src;
}

static satb_image make_mask(uint32_t inside)
{
    const satb_image mask = blank(WIDTH, HEIGHT, 1, 8);

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        put(&mask, i % WIDTH, i / WIDTH, 0, is_inside(i % WIDTH, i / WIDTH) ? inside : 0);
    return mask;
}

/* Returns a map of one depth. */
static satb_image make_depth(uint32_t code)
{
    const satb_image map = blank(WIDTH, HEIGHT, 1, 8);

    memset(map.data, (int)code, bytes_of(&map));
    return map;
}

static satb_dof_params params_of(const satb_image *mask, satb_method method)
{
    return (satb_dof_params){.focus_mode = SATB_FOCUS_VALUE,
                             .focus = 0.5,
                             .strength = SATB_STRENGTH_RADIUS,
                             .max_radius = 24,
                             .protect = mask,
                             .method = method};
}

static satb_image blurred(const satb_image *src, const satb_image *depth,
                          const satb_dof_params *params, satb_dof_report *report)
{
    const satb_image dst = blank(src->width, src->height, src->channels, src->bits);

    ok(satb_dof(cpu, src, depth, &dst, params, report));
    return dst;
}

/* Compares what is inside the square, or outside. */
static void same_part(const satb_image *a, const satb_image *b, int inside)
{
    for (int k = 0; k < WIDTH * HEIGHT * a->channels; k++) {
        const int x = k / a->channels % WIDTH, y = k / a->channels / WIDTH, c = k % a->channels;
        if (is_inside(x, y) == inside && sample(a, x, y, c) != sample(b, x, y, c))
            fail_msg("%d,%d,%d is %u and %u", x, y, c, sample(a, x, y, c), sample(b, x, y, c));
    }
}

/* The colour of the square does not matter beside it, and the square stays. Spread has no leak on either side of the focus. */
static void colours_stay_inside(void **state)
{
    static const satb_method methods[] = {SATB_METHOD_LAYERED, SATB_METHOD_SPREAD,
                                          SATB_METHOD_SPREAD};
    static const uint32_t depths[] = {0, 0, 255};

    for (int i = 0; i < 24; i++) {
        const int channels = 1 + i % 4, bits = i / 4 % 2 ? 16 : 8, way = i / 8;
        const satb_image a = make_picture(channels, bits, 0), b = make_picture(channels, bits, 200);
        const satb_image mask = make_mask(255), map = make_depth(depths[way]);
        satb_dof_params params = params_of(&mask, methods[way]);
        satb_dof_report report;
        const satb_image of_a = blurred(&a, &map, &params, &report);
        const satb_image of_b = blurred(&b, &map, &params, NULL);
        assert_true(report.kept > 0.09 && report.kept < 0.1);
        same_part(&of_a, &of_b, 0);
        same_part(&of_a, &a, 1);
        same_part(&of_b, &b, 1);
        params.protect = NULL;
        const satb_image without = blurred(&a, &map, &params, &report);
        assert_true(report.kept == 0);
        assert_memory_not_equal(without.data, of_a.data, bytes_of(&a));
    }
}

/* A blurred thing nearer than the focus covers nothing that is protected, with any method. */
static void nothing_covers(void **state)
{
    for (int method = SATB_METHOD_LAYERED; method <= SATB_METHOD_SPREAD; method++) {
        const satb_image src = make_picture(3, 8, 9), mask = make_mask(128), map = make_depth(255);
        satb_dof_params params = params_of(&mask, (satb_method)method);
        const satb_image dst = blurred(&src, &map, &params, NULL);
        const satb_image place = blank(WIDTH, HEIGHT, 3, 8);
        same_part(&dst, &src, 1);
        for (int k = 0; k < 3 * WIDTH * HEIGHT; k++)
            put(&place, k / 3 % WIDTH, k / 3 / WIDTH, k % 3,
                sample(&src, k / 3 % WIDTH, k / 3 / WIDTH, k % 3));
        ok(satb_dof(cpu, &place, &map, &place, &params, NULL)); /* in place, too */
        same_part(&place, &dst, 0);
        same_part(&place, &dst, 1);
    }
}

/* Below a half the source counts twice the coverage; a mask of another size, and one of alpha, are read like mattes. */
static void soft_parts_mix(void **state)
{
    const satb_image src = make_picture(1, 8, 0), map = make_depth(0), mask = make_mask(64);
    satb_dof_params params = params_of(NULL, SATB_METHOD_LAYERED);
    params.look.gamma = 1;
    const satb_image plain = blurred(&src, &map, &params, NULL);
    params.protect = &mask;
    const satb_image mixed = blurred(&src, &map, &params, NULL);
    same_part(&plain, &mixed, 0);
    for (int y = TOP; y < BOTTOM; y++)
        for (int x = LEFT; x < RIGHT; x++) {
            const uint32_t sum = 128 * sample(&src, x, y, 0) + 127 * sample(&plain, x, y, 0);
            assert_int_equal(sample(&mixed, x, y, 0), (sum + 127) / 255);
        }
    const satb_image cut_out = blank(WIDTH / 10, HEIGHT / 10, 2, 16);
    for (int i = 0; i < WIDTH * HEIGHT / 100; i++)
        put(&cut_out, i % (WIDTH / 10), i / (WIDTH / 10), 1,
            is_inside(i % (WIDTH / 10) * 10, i / (WIDTH / 10) * 10) ? 65535 : 0);
    params.protect = &cut_out;
    const satb_image kept = blurred(&src, &map, &params, NULL);
    for (int y = TOP + 5; y < BOTTOM - 5; y++)
        for (int x = LEFT + 5; x < RIGHT - 5; x++)
            assert_int_equal(sample(&kept, x, y, 0), sample(&src, x, y, 0));
}

/* Circles of confusion are 0 there, also where the focus is between two codes. */
static void no_circles(void **state)
{
    const satb_image src = make_picture(3, 8, 9), mask = make_mask(255), map = make_depth(200),
                     coc = blank(WIDTH, HEIGHT, 1, 16);
    satb_dof_params params = params_of(&mask, SATB_METHOD_DEFAULT);
    params.max_radius = 4000;
    for (int black = 0; black < 2; black++) {
        params.near_black = black;
        ok(satb_coc(cpu, &src, &map, &coc, &params, NULL));
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            const uint32_t code = sample(&coc, i % WIDTH, i / WIDTH, 0);
            assert_true(is_inside(i % WIDTH, i / WIDTH) ? code == SATB_COC_ZERO
                                                        : code != SATB_COC_ZERO);
        }
    }
}

/* A black mask changes nothing, and one of half floats is refused. */
static void masks_that_say_nothing(void **state)
{
    const satb_image src = make_picture(4, 16, 9), map = make_depth(0);
    satb_image mask = make_mask(0), half = blank(WIDTH, HEIGHT, 1, 16);
    satb_dof_params params = params_of(NULL, SATB_METHOD_DEFAULT);
    const satb_image want = blurred(&src, &map, &params, NULL);
    params.protect = &mask;
    const satb_image got = blurred(&src, &map, &params, NULL);
    same(&got, &want);
    half.half = 1;
    params.protect = &half;
    assert_int_equal(satb_dof(cpu, &src, &map, &got, &params, NULL), SATB_ERR_ARG);
    assert_non_null(strstr(satb_last_message(cpu), "protect"));
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(colours_stay_inside), UNIT(nothing_covers),
                 UNIT(soft_parts_mix), UNIT(no_circles), UNIT(masks_that_say_nothing))
