/* The public library as a user meets it: promises of satblur.h that no kernel test sees. */
#include "unit/unit_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static satb_context *cpu;

static int set_up(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 2};

    (void)state;
    return satb_open(&cpu, &config);
}

static int tear_down(void **state)
{
    (void)state;
    satb_close(&cpu);
    return cpu != NULL;
}

static size_t bytes_of(const satb_image *image)
{
    return (size_t)image->stride * (size_t)image->height;
}

static void same(const satb_image *a, const satb_image *b)
{
    assert_memory_equal(a->data, b->data, bytes_of(a));
}

static void ok(satb_status status)
{
    if (status != SATB_OK)
        fail_msg("%s: %s", satb_status_text(status), satb_last_message(cpu));
}

/* --- Blur ------------------------------------------------------------------------------------- */

static void radius_zero_is_identity(void **state)
{
    (void)state;
    for (int channels = 1; channels <= 4; channels++)
        for (int bits = 8; bits <= 16; bits += 8) {
            const satb_image src = make(37, 23, channels, bits, 1),
                             dst = make(37, 23, channels, bits, 2);
            const satb_box_params params = {0};
            ok(satb_box(cpu, &src, &dst, &params));
            same(&src, &dst);
            free(src.data);
            free(dst.data);
        }
}

static void fill(const satb_image *image, const uint16_t *pixel)
{
    const size_t n = (size_t)image->width * (size_t)image->height;

    for (size_t i = 0; i < n * (size_t)image->channels; i++)
        if (image->bits == 8)
            ((uint8_t *)image->data)[i] = (uint8_t)pixel[i % (size_t)image->channels];
        else
            ((uint16_t *)image->data)[i] = pixel[i % (size_t)image->channels];
}

/* Every code, linear light or not, with and without transparency. */
static void constant_stays_constant(void **state)
{
    (void)state;
    for (int step = 0; step < 65536; step += 97)
        for (int channels = 1; channels <= 4; channels++)
            for (int bits = 8; bits <= 16; bits += 8) {
                const uint16_t pixel[4] = {(uint16_t)step, (uint16_t)(65535 - step),
                                           (uint16_t)(step / 7), (uint16_t)(step / 3 + 1)};
                const satb_image src = make(5, 4, channels, bits, 1),
                                 dst = make(5, 4, channels, bits, 2);
                const satb_box_params params = {1.5, 2.25, {step % 2, (satb_edge)(step % 4)}};
                fill(&src, pixel);
                ok(satb_box(cpu, &src, &dst, &params));
                same(&src, &dst);
                free(src.data);
                free(dst.data);
            }
}

static void in_place(void **state)
{
    const satb_image src = make(61, 47, 4, 8, 3), dst = make(61, 47, 4, 8, 4);
    const satb_box_params params = {3.5, 7, {0, SATB_EDGE_MIRROR}};

    (void)state;
    ok(satb_box(cpu, &src, &dst, &params));
    ok(satb_box(cpu, &src, &src, &params));
    same(&src, &dst);
    free(src.data);
    free(dst.data);
}

/* One radius, three ways: box, constant radius map, constant depth out of focus. */
static void three_ways_agree(void **state)
{
    const satb_image src = make(64, 40, 3, 16, 5), map = make(64, 40, 1, 8, 6);
    const satb_image a = make(64, 40, 3, 16, 7), b = make(64, 40, 3, 16, 8);
    const uint16_t code = 51;
    const satb_box_params box = {4.2, 4.2, {0}};
    const satb_map_params by_map = {.max_radius = 21};
    const satb_dof_params dof = {.focus_mode = SATB_FOCUS_VALUE,
                                 .focus = 0.9,
                                 .strength = SATB_STRENGTH_RADIUS,
                                 .max_radius = 6,
                                 .method = SATB_METHOD_GATHER};
    satb_dof_report report;

    (void)state;
    fill(&map, &code);
    ok(satb_box(cpu, &src, &a, &box));
    ok(satb_blur_map(cpu, &src, &map, &b, &by_map));
    same(&a, &b);
    ok(satb_dof(cpu, &src, &map, &b, &dof, &report));
    same(&a, &b);
    assert_true(report.single_value && !report.resampled);
    assert_true(report.method == SATB_METHOD_GATHER && report.bokeh == SATB_BOKEH_SQUARE);
    assert_true(fabs(report.largest_radius - 4.2) < 1.0 / 256);
    free(src.data);
    free(map.data);
    free(a.data);
    free(b.data);
}

/* On a slope, the median around a point is the point's own code; at a border, of what is inside. */
static void focus_is_where_the_point_is(void **state)
{
    enum { WIDTH = 60, HEIGHT = 30, STEP = 1000 };
    static const int points[][3] = {{30, 15, 30}, {2, 2, 2}, {57, 27, 57}, {0, 0, 1}, {59, 29, 58}};
    const satb_image src = make(WIDTH, HEIGHT, 1, 8, 9), out = make(WIDTH, HEIGHT, 1, 8, 10);

    (void)state;
    for (int bits = 8; bits <= 16; bits += 8) {
        const satb_image map = make(WIDTH, HEIGHT, 1, bits, 11);
        const double largest = bits == 8 ? 255 : 65535, step = bits == 8 ? 4 : STEP;
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            if (bits == 8)
                ((uint8_t *)map.data)[i] = (uint8_t)(i % WIDTH * 4);
            else
                ((uint16_t *)map.data)[i] = (uint16_t)(i % WIDTH * STEP);
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            const satb_dof_params params = {
                .focus_mode = SATB_FOCUS_POINT, .focus_x = points[i][0], .focus_y = points[i][1]};
            satb_dof_report report;
            ok(satb_dof(cpu, &src, &map, &out, &params, &report));
            assert_true(fabs(report.focus - points[i][2] * step / largest) < 1e-9);
        }
        free(map.data);
    }
    free(src.data);
    free(out.data);
}

/* The CPU has no other memory. */
static void no_device_no_images_there(void **state)
{
    const satb_image src = make(8, 8, 1, 8, 1);
    satb_image there = src;
    satb_channel_stats stats;

    (void)state;
    there.on_device = 1;
    const satb_box_params params = {1, 1, {0}};
    assert_int_equal(satb_box(cpu, &there, &src, &params), SATB_ERR_ARG);
    assert_string_equal(satb_last_message(cpu), "source: on a device, and the context has none");
    assert_int_equal(satb_box(cpu, &src, &there, &params), SATB_ERR_ARG);
    assert_int_equal(satb_measure(cpu, &there, &stats), SATB_ERR_ARG);
    assert_int_equal(satb_dof(cpu, &src, &there, &src, &(satb_dof_params){0}, NULL), SATB_ERR_ARG);
    free(src.data);
}

/* In focus, pixels keep their bits; a map of another size is resampled and said so. */
static void depth_of_field(void **state)
{
    const satb_image src = make(80, 60, 3, 8, 9), dst = make(80, 60, 3, 8, 10);
    uint8_t near_left[2] = {255, 0};
    const satb_image depth = {near_left, 2, 2, 1, 1, 8, 0};
    const satb_dof_params params = {0};
    satb_dof_report report;

    (void)state;
    ok(satb_dof(cpu, &src, &depth, &dst, &params, &report));
    assert_true(report.resampled && !report.single_value);
    assert_true(report.focus > 0.9);
    assert_true(report.max_radius == 1.6);
    for (int y = 0; y < 60; y++)
        assert_memory_equal((uint8_t *)src.data + 240 * y, (uint8_t *)dst.data + 240 * y, 3 * 10);
    free(src.data);
    free(dst.data);
}

static satb_dof_report dof(const satb_image *src, const satb_image *depth, const satb_image *dst,
                           satb_method method, satb_bokeh bokeh, satb_edge edge)
{
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                    .focus = 0.5,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 12,
                                    .method = method,
                                    .bokeh = bokeh,
                                    .look = {.edge = edge}};
    satb_dof_report report;

    ok(satb_dof(cpu, src, depth, dst, &params, &report));
    return report;
}

/* What the defaults stand for, and that each choice makes another picture. */
static void methods(void **state)
{
    const satb_image src = make(70, 50, 3, 8, 21), depth = make(70, 50, 1, 8, 22);
    const satb_image a = make(70, 50, 3, 8, 23), b = make(70, 50, 3, 8, 24);

    (void)state;
    satb_dof_report r = dof(&src, &depth, &a, 0, 0, 0);
    assert_true(r.method == SATB_METHOD_LAYERED && r.bokeh == SATB_BOKEH_DISC);
    dof(&src, &depth, &b, SATB_METHOD_LAYERED, SATB_BOKEH_DISC, SATB_EDGE_SHRINK);
    same(&a, &b);
    r = dof(&src, &depth, &b, SATB_METHOD_LAYERED, SATB_BOKEH_SQUARE, SATB_EDGE_SHRINK);
    assert_true(r.method == SATB_METHOD_LAYERED && r.bokeh == SATB_BOKEH_SQUARE);
    assert_memory_not_equal(a.data, b.data, bytes_of(&a));
    r = dof(&src, &depth, &a, SATB_METHOD_LAYERED, SATB_BOKEH_SMOOTH, SATB_EDGE_SHRINK);
    assert_true(r.method == SATB_METHOD_LAYERED && r.bokeh == SATB_BOKEH_SMOOTH);
    assert_memory_not_equal(a.data, b.data, bytes_of(&a));
    r = dof(&src, &depth, &a, SATB_METHOD_GATHER, SATB_BOKEH_DISC, SATB_EDGE_SHRINK);
    assert_true(r.method == SATB_METHOD_GATHER && r.bokeh == SATB_BOKEH_SQUARE);
    assert_memory_not_equal(a.data, b.data, bytes_of(&a));
    dof(&src, &depth, &b, SATB_METHOD_GATHER, SATB_BOKEH_SQUARE, SATB_EDGE_SHRINK);
    same(&a, &b);
    for (int edge = SATB_EDGE_CLAMP; edge <= SATB_EDGE_WRAP; edge++) {
        r = dof(&src, &depth, &a, SATB_METHOD_DEFAULT, SATB_BOKEH_DISC, (satb_edge)edge);
        assert_true(r.method == SATB_METHOD_GATHER && r.bokeh == SATB_BOKEH_SQUARE);
        dof(&src, &depth, &b, SATB_METHOD_GATHER, SATB_BOKEH_SQUARE, (satb_edge)edge);
        same(&a, &b);
    }
    dof(&src, &depth, &b, 0, 0, 0);
    dof(&src, &depth, &src, 0, 0, 0); /* in place */
    same(&src, &b);
    free(src.data);
    free(depth.data);
    free(a.data);
    free(b.data);
}

/* A constant picture under layers of every depth; a picture that is in focus everywhere. */
static void layers_keep(void **state)
{
    static const double radii[] = {0, 0.3, 1, 7.7, 60, 1e4, 1 << 23};

    (void)state;
    for (int channels = 1; channels <= 4; channels++)
        for (int bits = 8; bits <= 16; bits += 8)
            for (int i = 0; i < 7; i++) {
                const uint16_t pixel[4] = {(uint16_t)(40503 * i), (uint16_t)(7919 * i), 250, 77};
                const satb_image src = make(31, 22, channels, bits, 1),
                                 dst = make(31, 22, channels, bits, 2),
                                 depth = make(31, 22, 1, i % 2 ? 16 : 8, (uint32_t)i);
                satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS,
                                          .max_radius = radii[i],
                                          .method = SATB_METHOD_LAYERED,
                                          .bokeh = (satb_bokeh)(i % 3),
                                          .look = {.gamma = i / 2 % 2}};
                if (radii[i] > 0)
                    fill(&src, pixel);
                ok(satb_dof(cpu, &src, &depth, &dst, &params, NULL));
                same(&src, &dst);
                params.focus_range = 2; /* nothing is blurred */
                scramble(src.data, bytes_of(&src), 3);
                ok(satb_dof(cpu, &src, &depth, &dst, &params, NULL));
                same(&src, &dst);
                free(src.data);
                free(dst.data);
                free(depth.data);
            }
}

/* --- Circles of confusion --------------------------------------------------------------------- */

/* The formulas of satblur.h, for every code: focus 0.4, all sharp within 0.05 of it. */
static void circles_of_confusion(void **state)
{
    uint8_t codes[256];
    uint16_t circles[256];
    const satb_image src = make(256, 1, 3, 8, 31), depth = {codes, 256, 256, 1, 1, 8, 0},
                     dst = {circles, 512, 256, 1, 1, 16, 0};
    satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                              .focus = 0.4,
                              .focus_range = 0.1,
                              .strength = SATB_STRENGTH_RADIUS,
                              .max_radius = 30};
    satb_dof_report report;

    (void)state;
    for (int i = 0; i < 256; i++)
        codes[i] = (uint8_t)i;
    for (int scaled = 0; scaled < 2; scaled++) {
        params.scaled = scaled;
        params.near_scale = 0.5;
        params.far_scale = 3;
        ok(satb_coc(cpu, &src, &depth, &dst, &params, &report));
        assert_true(report.max_radius == 30 && report.full_radius == (scaled ? 90 : 30));
        for (int i = 0; i < 256; i++) {
            const double off = i / 255.0 - 0.4, far = fmax(0, fabs(off) - 0.05);
            const double scale = !scaled ? 1 : off < 0 ? 3 : 0.5;
            const double radius = 30 * far * scale * (off < 0 ? -1 : 1);
            assert_int_equal(circles[i],
                             SATB_COC_ZERO + lround(32767 * radius / report.full_radius));
        }
    }
    free(src.data);
}

/* What satb_dof() says that it used. */
static void circles_are_those_of_the_blur(void **state)
{
    const satb_image src = make(60, 40, 4, 8, 32), depth = make(30, 20, 1, 8, 33),
                     dst = make(60, 40, 4, 8, 34), circles = make(60, 40, 1, 16, 35);
    const satb_dof_params params = {0};
    satb_dof_report blur, coc;
    int most = 0;

    (void)state;
    ok(satb_dof(cpu, &src, &depth, &dst, &params, &blur));
    ok(satb_coc(cpu, &src, &depth, &circles, &params, &coc));
    assert_true(blur.focus == coc.focus && blur.largest_radius == coc.largest_radius);
    assert_true(blur.snapped == coc.snapped && blur.snapped > 0 && blur.mixed == coc.mixed);
    for (int i = 0; i < 60 * 40; i++) {
        const int off = abs(((uint16_t *)circles.data)[i] - SATB_COC_ZERO);
        most = off > most ? off : most;
    }
    assert_true(fabs(most * coc.full_radius / 32767 - coc.largest_radius) < 0.01);
    assert_int_equal(satb_coc(cpu, &src, &depth, &dst, &params, NULL), SATB_ERR_ARG);
    assert_int_equal(satb_coc(cpu, &src, &depth, &depth, &params, NULL), SATB_ERR_ARG);
    assert_int_equal(satb_coc(cpu, &src, NULL, &circles, &params, NULL), SATB_ERR_ARG);
    free(src.data);
    free(depth.data);
    free(dst.data);
    free(circles.data);
}

/* A scale of 0 keeps its side: the near half of the picture, or the far one; of 1, nothing changes. */
static void scales(void **state)
{
    const satb_image src = make(64, 32, 3, 8, 36), a = make(64, 32, 3, 8, 37),
                     b = make(64, 32, 3, 8, 38);
    const satb_image map = make(64, 32, 1, 8, 39);

    (void)state;
    for (int i = 0; i < 64 * 32; i++)
        ((uint8_t *)map.data)[i] = i % 64 < 32 ? 255 : 0;
    for (int method = SATB_METHOD_LAYERED; method <= SATB_METHOD_SPREAD; method++) {
        satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                  .focus = 0.5,
                                  .strength = SATB_STRENGTH_RADIUS,
                                  .max_radius = 6,
                                  .method = (satb_method)method};
        ok(satb_dof(cpu, &src, &map, &a, &params, NULL));
        params.scaled = 1;
        params.near_scale = params.far_scale = 1;
        ok(satb_dof(cpu, &src, &map, &b, &params, NULL));
        same(&a, &b);
        for (int near = 0; near < 2; near++) {
            params.near_scale = near;
            params.far_scale = !near;
            ok(satb_dof(cpu, &src, &map, &b, &params, NULL));
            for (int y = 0; y < 32; y++) { /* apart from what lies within the radius of the edge */
                const size_t sharp = (size_t)(y * 64 + (near ? 36 : 0)) * 3;
                const size_t blurred = (size_t)(y * 64 + (near ? 0 : 40)) * 3;
                assert_memory_equal((uint8_t *)b.data + sharp, (uint8_t *)src.data + sharp, 84);
                assert_memory_not_equal((uint8_t *)b.data + blurred, (uint8_t *)src.data + blurred,
                                        72);
            }
        }
    }
    free(src.data);
    free(a.data);
    free(b.data);
    free(map.data);
}

/* --- Maps that say little --------------------------------------------------------------------- */

/* One value: it is in focus, and nothing changes; unless the focus is put elsewhere. */
static void one_depth(void **state)
{
    const satb_image src = make(40, 30, 3, 8, 41), depth = make(40, 30, 1, 16, 42),
                     dst = make(40, 30, 3, 8, 43);

    (void)state;
    for (uint32_t code = 0; code <= 65535; code += 13107) {
        const uint16_t pixel[1] = {(uint16_t)code};
        for (int i = 0; i < 8; i++) {
            satb_dof_params params = {.depth_type = (satb_depth_type)(i & 1),
                                      .near_black = i >> 1 & 1,
                                      .holes = i & 4 ? SATB_HOLES_FILL : SATB_HOLES_DEFAULT};
            satb_dof_report report;
            fill(&depth, pixel);
            ok(satb_dof(cpu, &src, &depth, &dst, &params, &report));
            assert_true(report.single_value && report.largest_radius == 0);
            same(&src, &dst);
            params.focus_mode = SATB_FOCUS_VALUE; /* beyond what occurs */
            params.focus = report.focus < 0.5 ? 1 : 0;
            ok(satb_dof(cpu, &src, &depth, &dst, &params, &report));
            assert_true(report.single_value && report.largest_radius > 0.3);
        }
    }
    free(src.data);
    free(depth.data);
    free(dst.data);
}

/* What the layers are for: a sharp subject lends nothing to the blur behind it, and keeps its bits. */
static void sharp_stays_out_of_blurred(void **state)
{
    const satb_image src = make(60, 20, 1, 8, 0), dst = make(60, 20, 1, 8, 0),
                     depth = make(60, 20, 1, 8, 0);
    const satb_dof_params layered = {.focus_mode = SATB_FOCUS_VALUE,
                                     .focus = 1,
                                     .strength = SATB_STRENGTH_RADIUS,
                                     .max_radius = 8};
    satb_dof_params gather = layered;

    (void)state;
    gather.method = SATB_METHOD_GATHER;
    for (int i = 0; i < 60 * 20; i++) {
        ((uint8_t *)depth.data)[i] = i % 60 < 30 ? 255 : 0; /* white subject on black, far behind */
        ((uint8_t *)src.data)[i] = i % 60 < 30 ? 255 : 0;
    }
    ok(satb_dof(cpu, &src, &depth, &dst, &layered, NULL));
    same(&src, &dst);
    ok(satb_dof(cpu, &src, &depth, &dst, &gather, NULL));
    assert_true(((uint8_t *)dst.data)[31] > 0);
    free(src.data);
    free(dst.data);
    free(depth.data);
}

static void threads_do_not_matter(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 7};
    const satb_image src = make(131, 97, 4, 16, 11), a = make(131, 97, 4, 16, 12),
                     b = make(131, 97, 4, 16, 13);
    const satb_box_params params = {12.75, 3, {0}};
    satb_context *seven;

    (void)state;
    assert_int_equal(satb_open(&seven, &config), SATB_OK);
    ok(satb_box(cpu, &src, &a, &params));
    ok(satb_box(seven, &src, &b, &params));
    same(&a, &b);
    satb_close(&seven);
    assert_null(seven);
    free(src.data);
    free(a.data);
    free(b.data);
}

/* --- Table ------------------------------------------------------------------------------------ */

static void table_is_inclusive(void **state)
{
    uint8_t data[6] = {1, 2, 3, 4, 5, 6};
    const satb_image src = {data, 3, 3, 2, 1, 8, 0};
    const uint32_t expected[6] = {1, 3, 6, 5, 12, 21};
    uint32_t table[6];
    uint64_t wide[6];

    (void)state;
    ok(satb_table(cpu, &src, 32, table));
    assert_memory_equal(table, expected, sizeof table);
    ok(satb_table(cpu, &src, 64, wide));
    for (int i = 0; i < 6; i++)
        assert_int_equal(wide[i], expected[i]);
    assert_int_equal(satb_table(cpu, &src, 16, table), SATB_ERR_ARG);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void refused(const satb_dof_params *params)
{
    const satb_image src = make(8, 8, 3, 8, 14), depth = make(8, 8, 1, 8, 15);

    assert_int_equal(satb_dof(cpu, &src, &depth, &src, params, NULL), SATB_ERR_ARG);
    assert_true(strlen(satb_last_message(cpu)) > 0);
    assert_null(strchr(satb_last_message(cpu), '\n'));
    free(src.data);
    free(depth.data);
}

static void bad_depth_parameters(void **state)
{
    (void)state;
#define REFUSED(...) refused(&(satb_dof_params){__VA_ARGS__})
    REFUSED(.focus_mode = SATB_FOCUS_VALUE, .focus = NAN);
    REFUSED(.focus_mode = SATB_FOCUS_VALUE, .focus = 1.01);
    REFUSED(.focus_mode = SATB_FOCUS_DISTANCE, .focus = 2);
    REFUSED(.focus_mode = SATB_FOCUS_POINT, .focus_x = 8);
    REFUSED(.focus_mode = SATB_FOCUS_POINT, .focus_y = -1);
    REFUSED(.focus_range = -0.1);
    REFUSED(.focus_range = NAN);
    REFUSED(.strength = SATB_STRENGTH_RADIUS, .max_radius = -1);
    REFUSED(.strength = SATB_STRENGTH_RADIUS, .max_radius = NAN);
    REFUSED(.strength = SATB_STRENGTH_RADIUS, .max_radius = INFINITY);
    REFUSED(.strength = SATB_STRENGTH_LENS, .fstop = 2, .focal_mm = 50);
    REFUSED(.strength = SATB_STRENGTH_LENS, .fstop = 0, .focal_mm = 50, .distance_near = 1,
            .distance_far = 2);
    REFUSED(.strength = SATB_STRENGTH_LENS, .fstop = 2, .focal_mm = 5000, .distance_near = 1,
            .distance_far = 2);
    REFUSED(.range_low = 0.5, .range_high = 0.5);
    REFUSED(.range_low = 0.5, .range_high = 1.5);
    REFUSED(.distance_near = 2, .distance_far = 1);
    REFUSED(.distance_near = NAN, .distance_far = 1);
    /* Distances whose inverses are infinite, or equal, and lenses that are not numbers. */
    REFUSED(.depth_type = SATB_DEPTH_LINEAR, .distance_near = 1e-320, .distance_far = 10);
    REFUSED(.depth_type = SATB_DEPTH_LINEAR, .distance_near = 1.9,
            .distance_far = 1.9000000000000001);
    REFUSED(.strength = SATB_STRENGTH_LENS, .fstop = INFINITY, .focal_mm = 1e200,
            .distance_near = 1, .distance_far = INFINITY);
    REFUSED(.depth_type = SATB_DEPTH_LINEAR, .distance_near = 1, .distance_far = INFINITY);
    REFUSED(.look = {.edge = (satb_edge)9});
    REFUSED(.holes = (satb_holes)5);
    REFUSED(.holes = (satb_holes)-1);
    REFUSED(.scaled = 1, .near_scale = -0.1, .far_scale = 1);
    REFUSED(.scaled = 1, .near_scale = 1, .far_scale = 1001);
    REFUSED(.scaled = 1, .near_scale = NAN, .far_scale = 1);
    REFUSED(.scaled = 1, .near_scale = 2, .strength = SATB_STRENGTH_RADIUS, .max_radius = 1 << 23);
    REFUSED(.method = (satb_method)4);
    REFUSED(.method = (satb_method)-1);
    REFUSED(.bokeh = (satb_bokeh)3);
    REFUSED(.bokeh = (satb_bokeh)-1);
    REFUSED(.method = SATB_METHOD_GATHER, .bokeh = (satb_bokeh)3);
    REFUSED(.highlights = 0.5);
    REFUSED(.highlights = -1);
    REFUSED(.highlights = 64.5);
    REFUSED(.highlights = NAN);
    REFUSED(.highlights = 2, .method = SATB_METHOD_GATHER);
    REFUSED(.highlights = 2, .method = SATB_METHOD_SPREAD);
    for (int edge = SATB_EDGE_CLAMP; edge <= SATB_EDGE_WRAP; edge++) {
        REFUSED(.highlights = 2, .look = {.edge = (satb_edge)edge});
        REFUSED(.method = SATB_METHOD_LAYERED, .look = {.edge = (satb_edge)edge});
        REFUSED(.method = SATB_METHOD_SPREAD, .look = {.edge = (satb_edge)edge});
    }
}

/* A sum that could overflow is refused, not risked: 16-bit RGBA, windows far beyond the picture. */
static void overflow_is_refused(void **state)
{
    const satb_image src = make(4, 4, 4, 16, 16);
    satb_box_params params = {100000, 100000, {0, SATB_EDGE_WRAP}};

    (void)state;
    assert_int_equal(satb_box(cpu, &src, &src, &params), SATB_ERR_LIMIT);
    params.radius_x = params.radius_y = 8191; /* 16383^2 windows: just below 2^28 */
    assert_int_equal(satb_box(cpu, &src, &src, &params), SATB_OK);
    params.radius_x = params.radius_y = 8192;
    assert_int_equal(satb_box(cpu, &src, &src, &params), SATB_ERR_LIMIT);
    params.look.edge = SATB_EDGE_SHRINK;
    assert_int_equal(satb_box(cpu, &src, &src, &params), SATB_OK);
    params.radius_x = NAN;
    assert_int_equal(satb_box(cpu, &src, &src, &params), SATB_ERR_ARG);
    params.radius_x = -1;
    assert_int_equal(satb_box(cpu, &src, &src, &params), SATB_ERR_ARG);
    free(src.data);
}

/* The layered method's sums have less room: 16-bit RGBA in linear light ends at 2^16 pixels. */
static void layers_overflow_is_refused(void **state)
{
    const satb_image src = make(400, 300, 4, 16, 17), depth = make(400, 300, 1, 8, 18);
    satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 400};

    (void)state;
    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL)); /* its own choice: gathers */
    params.method = SATB_METHOD_LAYERED;
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, &params, NULL), SATB_ERR_LIMIT);
    assert_non_null(strstr(satb_last_message(cpu), "gather"));
    params.look.gamma = 1; /* 16 bits instead of 20: 2^20 pixels */
    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL));
    params.look.gamma = 0;
    params.max_radius = 50;
    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL));
    free(src.data);
    free(depth.data);
}

/* Once each, where there is a GPU at all; and results are the same. */
static void memory_is_pinned(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CUDA};
    const satb_image src = make(300, 200, 3, 8, 1), dst = make(300, 200, 3, 8, 2);
    const satb_image want = make(300, 200, 3, 8, 3);
    const satb_box_params params = {.radius_x = 4, .radius_y = 4};
    satb_context *cuda = NULL;

    (void)state;
    const int is_there = satb_open(&cuda, &config) == SATB_OK;
    const satb_status status = satb_pin(src.data, bytes_of(&src));
    assert_int_equal(status, is_there ? SATB_OK : SATB_ERR_UNAVAILABLE);
    ok(satb_box(cpu, &src, &want, &params));
    if (is_there) {
        assert_int_equal(satb_pin(src.data, bytes_of(&src)), SATB_ERR_UNAVAILABLE);
        assert_int_equal(satb_box(cuda, &src, &dst, &params), SATB_OK);
        same(&want, &dst);
        satb_unpin(src.data);
        assert_int_equal(satb_pin(src.data, bytes_of(&src)), SATB_OK);
        satb_unpin(src.data);
    }
    satb_close(&cuda);
    free(src.data);
    free(dst.data);
    free(want.data);
}

/* Memory that is given back between calls, as often as one likes, changes nothing. */
static void memory_is_given_back(void **state)
{
    static const satb_device devices[] = {SATB_DEVICE_CPU, SATB_DEVICE_CUDA};
    const satb_image src = make(120, 90, 3, 8, 1), depth = make(120, 90, 1, 8, 2);
    const satb_image dst = make(120, 90, 3, 8, 3), want = make(120, 90, 3, 8, 4);
    const satb_dof_params params = {.max_radius = 6, .range_high = 1};

    (void)state;
    ok(satb_dof(cpu, &src, &depth, &want, &params, NULL));
    for (int i = 0; i < 2; i++) {
        const satb_config config = {.device = devices[i]};
        satb_context *context;
        if (satb_open(&context, &config) != SATB_OK)
            continue;
        for (int round = 0; round < 3; round++) {
            memset(dst.data, 0, bytes_of(&dst));
            assert_int_equal(satb_dof(context, &src, &depth, &dst, &params, NULL), SATB_OK);
            same(&want, &dst);
            for (int times = 0; times < round; times++)
                satb_trim(context);
        }
        satb_close(&context);
    }
    free(src.data);
    free(depth.data);
    free(dst.data);
    free(want.data);
}

static void opening(void **state)
{
    satb_context *context = (satb_context *)1;
    satb_config config = {.device = (satb_device)7};

    (void)state;
    assert_int_equal(satb_open(&context, &config), SATB_ERR_ARG);
    assert_null(context);
    assert_true(strlen(satb_open_message()) > 0);
    const satb_config other = {.device = SATB_DEVICE_CPU, .sat = "rows-columns"},
                      no_way = {.device = SATB_DEVICE_CPU, .sat = "columns"};
    assert_int_equal(satb_open(&context, &no_way), SATB_ERR_ARG);
    assert_null(context);
    assert_non_null(strstr(satb_open_message(), "\"columns\""));
    assert_int_equal(satb_open(&context, &other), SATB_OK);
    satb_close(&context);
    assert_int_equal(satb_open(&context, NULL), SATB_OK);
    assert_true(strlen(satb_open_message()) == 0);
    satb_close(&context);
    satb_close(&context);
    satb_close(NULL);
    config = (satb_config){.device = SATB_DEVICE_CUDA, .cuda_index = 99};
    assert_int_equal(satb_open(&context, &config), SATB_ERR_UNAVAILABLE);
    assert_null(strchr(satb_open_message(), '\n'));
    assert_string_equal(satb_version(), SATB_VERSION);
    assert_non_null(satb_status_text((satb_status)-5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radius_zero_is_identity),
        cmocka_unit_test(constant_stays_constant),
        cmocka_unit_test(in_place),
        cmocka_unit_test(three_ways_agree),
        cmocka_unit_test(focus_is_where_the_point_is),
        cmocka_unit_test(no_device_no_images_there),
        cmocka_unit_test(depth_of_field),
        cmocka_unit_test(methods),
        cmocka_unit_test(layers_keep),
        cmocka_unit_test(sharp_stays_out_of_blurred),
        cmocka_unit_test(circles_of_confusion),
        cmocka_unit_test(circles_are_those_of_the_blur),
        cmocka_unit_test(scales),
        cmocka_unit_test(one_depth),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(table_is_inclusive),
        cmocka_unit_test(bad_depth_parameters),
        cmocka_unit_test(overflow_is_refused),
        cmocka_unit_test(layers_overflow_is_refused),
        cmocka_unit_test(opening),
        cmocka_unit_test(memory_is_pinned),
        cmocka_unit_test(memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
