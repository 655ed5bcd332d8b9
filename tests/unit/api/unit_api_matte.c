/* Mattes, as a user of the library meets them: alone, beside a map, and where they say nothing. */
#include "unit/api/api_case.h"

#include "unit/core/unit_drawn.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 120, HEIGHT = 80, RADIUS = 12 };

static const uint32_t subject[3] = {60, 30, 20}, background[3] = {190, 210, 90};

/* Returns the coverage of a pixel, in 1/255: the subject is a disc with a rim of 8 pixels. */
static uint32_t cover_at(int x, int y)
{
    const double d = hypot(x - 60, y - 40);

    return (uint32_t)lround(fmin(fmax((29 - d) / 8, 0), 1) * 255);
}

static satb_image make_matte(void)
{
    const satb_image matte = blank(WIDTH, HEIGHT, 1, 8);

    for (int i = 0; i < WIDTH * HEIGHT; i++)
        put(&matte, i % WIDTH, i / WIDTH, 0, cover_at(i % WIDTH, i / WIDTH));
    return matte;
}

/* Makes a picture whose rim mixes both colours, as stored codes do. */
static satb_image make_picture(int bits)
{
    const satb_image src = blank(WIDTH, HEIGHT, 3, bits);
    const uint32_t unit = bits == 8 ? 1 : 257;

    for (int k = 0; k < WIDTH * HEIGHT * 3; k++) {
        const int x = k / 3 % WIDTH, y = k / 3 / WIDTH, c = k % 3;
        const uint32_t m = cover_at(x, y);
        put(&src, x, y, c, (m * subject[c] + (255 - m) * background[c] + 127) / 255 * unit);
    }
    return src;
}

static satb_dof_params params_of(const satb_image *matte)
{
    return (satb_dof_params){.matte = matte,
                             .strength = SATB_STRENGTH_RADIUS,
                             .max_radius = RADIUS,
                             .look = {.gamma = 1}};
}

/* Blurs, in memory of the result's own. depth may be NULL. */
static satb_image blurred(const satb_image *src, const satb_image *depth,
                          const satb_dof_params *params, satb_dof_report *report)
{
    const satb_image dst = blank(src->width, src->height, src->channels, src->bits);

    ok(satb_dof(cpu, src, depth, &dst, params, report));
    return dst;
}

/* The subject stays. Its rim is the subject's colour over the background's: nothing of either is doubled. */
static void alone(void **state)
{
    for (int bits = 8; bits <= 16; bits += 8) {
        const satb_image src = make_picture(bits), matte = make_matte();
        const satb_dof_params params = params_of(&matte);
        const double unit = bits == 8 ? 1 : 257;
        satb_dof_report report;
        const satb_image dst = blurred(&src, NULL, &params, &report);
        assert_true(report.focus == 1 && report.focus_x == -1);
        assert_true(report.subject > 0.15 && report.subject < 0.3);
        for (int k = 0; k < WIDTH * HEIGHT * 3; k++) {
            const int x = k / 3 % WIDTH, y = k / 3 / WIDTH, c = k % 3;
            const double m = cover_at(x, y), off = m > 0 && m < 255 ? 255 / 16.0 : 0;
            const double want = (m * subject[c] + (255 - m) * background[c]) / 255;
            const double range = fabs((double)subject[c] - background[c]) * off / 255 + 2;
            if (m == 255)
                assert_int_equal(sample(&dst, x, y, c), sample(&src, x, y, c));
            if (fabs(sample(&dst, x, y, c) / unit - want) > range)
                fail_msg("%d bits: %d,%d,%d is %g, not %g", bits, x, y, c,
                         sample(&dst, x, y, c) / unit, want);
        }
    }
}

/* What a depth map would mean does not count without one. */
static void no_map_no_meaning(void **state)
{
    const satb_image src = make_picture(8), matte = make_matte();
    satb_dof_params params = params_of(&matte);
    const satb_image want = blurred(&src, NULL, &params, NULL);
    params.near_black = 1;
    params.depth_type = SATB_DEPTH_LINEAR;
    params.range_low = 0.1, params.range_high = 0.3;
    params.holes = SATB_HOLES_FILL;
    params.edges = SATB_DEPTH_EDGES_KEEP;
    const satb_image got = blurred(&src, NULL, &params, NULL);
    same(&got, &want);
}

/* A map of two planes, whose outline is off, gives the picture of the matte alone. */
static void map_follows(void **state)
{
    const satb_image src = make_picture(8), matte = make_matte(), map = blank(WIDTH, HEIGHT, 1, 8);
    satb_dof_params params = params_of(&matte);
    satb_dof_report report;
    params.focus_mode = SATB_FOCUS_VALUE, params.focus = 1;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        put(&map, i % WIDTH, i / WIDTH, 0, hypot(i % WIDTH - 57, i / WIDTH - 42) < 26 ? 255 : 0);
    const satb_image want = blurred(&src, NULL, &params, NULL);
    for (int edges = 0; edges < 2; edges++) {
        params.edges = (satb_depth_edges)edges;
        const satb_image got = blurred(&src, &map, &params, &report);
        same(&got, &want);
        assert_in_range(report.snapped, 1, WIDTH * HEIGHT);
    }
}

/* A matte without an outline leaves a map as it is; alone it is one plane. */
static void constant(void **state)
{
    const satb_image src = make(WIDTH, HEIGHT, 3, 8, 5), map = make(WIDTH, HEIGHT, 1, 8, 6);
    const satb_image matte = blank(WIDTH, HEIGHT, 1, 8);
    satb_dof_report report;
    for (int white = 0; white < 2; white++) {
        memset(matte.data, white ? 255 : 0, bytes_of(&matte));
        satb_dof_params params = params_of(&matte);
        (void)blurred(&src, NULL, &params, &report);
        assert_true(report.subject == white && report.single_value);
        assert_true((report.largest_radius > 0) == !white);
        params.focus_mode = SATB_FOCUS_VALUE, params.focus = 0.5;
        const satb_image with = blurred(&src, &map, &params, NULL);
        params.matte = NULL;
        const satb_image without = blurred(&src, &map, &params, NULL);
        same(&with, &without);
    }
}

/* Also a map that is a mask, whose rims are covered in part. */
static void constant_beside_a_mask(void **state)
{
    const satb_image src = make(WIDTH, HEIGHT, 3, 8, 5), matte = blank(WIDTH, HEIGHT, 1, 8);
    const satb_image mask = blank(WIDTH, HEIGHT, 1, 8);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        put(&mask, i % WIDTH, i / WIDTH, 0,
            (uint32_t)fmin(fmax((25 - hypot(i % WIDTH - 60, i / WIDTH - 40)) * 80, 0), 255));
    satb_dof_params params = params_of(NULL);
    params.focus_mode = SATB_FOCUS_VALUE, params.focus = 1;
    const satb_image without = blurred(&src, &mask, &params, NULL);
    params.matte = &matte;
    for (int white = 0; white < 2; white++) {
        memset(matte.data, white ? 255 : 0, bytes_of(&matte));
        const satb_image with = blurred(&src, &mask, &params, NULL);
        same(&with, &without);
    }
}

/* Other methods cut the matte at its middle. */
static void other_methods(void **state)
{
    for (int method = SATB_METHOD_GATHER; method <= SATB_METHOD_SPREAD; method++) {
        if (method == SATB_METHOD_LAYERED)
            continue;
        const satb_image src = make_picture(8), matte = make_matte(), cut = make_matte();
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            put(&cut, i % WIDTH, i / WIDTH, 0, cover_at(i % WIDTH, i / WIDTH) >= 128 ? 255 : 0);
        satb_dof_params params = params_of(&matte);
        params.method = (satb_method)method;
        const satb_image got = blurred(&src, NULL, &params, NULL);
        params.matte = &cut;
        const satb_image want = blurred(&src, NULL, &params, NULL);
        same(&got, &want);
    }
}

/* Into the picture itself, and drawn as radii. */
static void in_place(void **state)
{
    const satb_image src = make_picture(8), matte = make_matte(),
                     coc = make(WIDTH, HEIGHT, 1, 16, 1);
    const satb_dof_params params = params_of(&matte);
    const satb_image want = blurred(&src, NULL, &params, NULL);
    ok(satb_coc(cpu, &src, NULL, &coc, &params, NULL));
    assert_int_equal(sample(&coc, 60, 40, 0), SATB_COC_ZERO);
    assert_int_equal(sample(&coc, 2, 2, 0), 1);
    ok(satb_dof(cpu, &src, NULL, &src, &params, NULL));
    same(&src, &want);
}

/* A rim that is wider than the blur stays a ramp, whatever is in focus. */
static void wide_rims(void **state)
{
    enum { LONG = 360, RAMP = 80, AT = 140 };
    const satb_image src = blank(LONG, 40, 1, 8), matte = blank(LONG, 40, 1, 8);

    for (int i = 0; i < LONG * 40; i++) {
        const double away = fmin(fmax((i % LONG - AT) / (double)RAMP, 0), 1);
        const double part = 1 - away * away * (3 - 2 * away);
        put(&matte, i % LONG, i / LONG, 0, (uint32_t)lround(255 * part));
        put(&src, i % LONG, i / LONG, 0, (uint32_t)lround(40 * part + 200 * (1 - part)));
    }
    for (int focus = 0; focus < 2; focus++) {
        satb_dof_params params = params_of(&matte);
        params.focus_mode = SATB_FOCUS_VALUE;
        params.focus = focus * 0.5;
        params.max_radius = 20;
        const satb_image dst = blurred(&src, NULL, &params, NULL);
        for (int x = 1; x < LONG; x++)
            assert_in_range(sample(&dst, x, 20, 0) + 8 - sample(&dst, x - 1, 20, 0), 0, 16);
    }
}

static void bad(void **state)
{
    const satb_image src = make_picture(8),
                     lost = {.width = 3, .height = 3, .channels = 1, .bits = 8};
    satb_dof_params params = params_of(NULL);
    assert_int_equal(satb_dof(cpu, &src, NULL, &src, &params, NULL), SATB_ERR_ARG);
    assert_non_null(strstr(satb_last_message(cpu), "depth map"));
    params.matte = &lost;
    assert_int_equal(satb_dof(cpu, &src, NULL, &src, &params, NULL), SATB_ERR_ARG);
    assert_non_null(strstr(satb_last_message(cpu), "matte"));
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(alone), UNIT(no_map_no_meaning), UNIT(map_follows),
                 UNIT(constant), UNIT(constant_beside_a_mask), UNIT(other_methods), UNIT(in_place),
                 UNIT(wide_rims), UNIT(bad))
