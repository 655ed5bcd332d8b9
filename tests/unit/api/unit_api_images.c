/* Blurs and tables as a user meets them: promises of satblur.h that no kernel test sees. */
#include "unit/api/api_case.h"

#include <math.h>

static void radius_zero_is_identity(void **state)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int bits = 8; bits <= 16; bits += 8) {
            const satb_image src = make(37, 23, channels, bits, 1),
                             dst = make(37, 23, channels, bits, 2);
            const satb_box_params params = {0};
            ok(satb_box(cpu, &src, &dst, &params));
            same(&src, &dst);
        }
}

/* Every code, linear light or not, with and without transparency. */
static void constant_stays_constant(void **state)
{
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
            }
}

static void in_place(void **state)
{
    const satb_image src = make(61, 47, 4, 8, 3), dst = make(61, 47, 4, 8, 4);
    const satb_box_params params = {3.5, 7, {0, SATB_EDGE_MIRROR}};

    ok(satb_box(cpu, &src, &dst, &params));
    ok(satb_box(cpu, &src, &src, &params));
    same(&src, &dst);
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

    fill(&map, &code);
    ok(satb_box(cpu, &src, &a, &box));
    ok(satb_blur_map(cpu, &src, &map, &b, &by_map));
    same(&a, &b);
    ok(satb_dof(cpu, &src, &map, &b, &dof, &report));
    same(&a, &b);
    assert_true(report.single_value && !report.resampled);
    assert_true(report.method == SATB_METHOD_GATHER && report.bokeh == SATB_BOKEH_SQUARE);
    assert_true(fabs(report.largest_radius - 4.2) < 1.0 / 256);
}

/* Pixels in focus keep their bits. A map of another size is resampled, and the report says so. */
static void depth_of_field(void **state)
{
    const satb_image src = make(80, 60, 3, 8, 9), dst = make(80, 60, 3, 8, 10);
    uint8_t near_left[2] = {255, 0};
    const satb_image depth = {near_left, 2, 2, 1, 1, 8, 0, 0};
    const satb_dof_params params = {0};
    satb_dof_report report;

    ok(satb_dof(cpu, &src, &depth, &dst, &params, &report));
    assert_true(report.resampled && !report.single_value);
    assert_true(report.focus > 0.9);
    assert_true(report.max_radius == 1.6);
    for (int y = 0; y < 60; y++)
        assert_memory_equal((uint8_t *)src.data + 240 * y, (uint8_t *)dst.data + 240 * y, 3 * 10);
}

/* The defaults stand for layers of discs, and each choice makes another picture. */
static void methods(void **state)
{
    const satb_image src = make(70, 50, 3, 8, 21), depth = make(70, 50, 1, 8, 22);
    const satb_image a = make(70, 50, 3, 8, 23), b = make(70, 50, 3, 8, 24);

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
    for (int edge = SATB_EDGE_CLAMP; edge <= SATB_EDGE_MIRROR; edge++) {
        r = dof(&src, &depth, &a, SATB_METHOD_DEFAULT, SATB_BOKEH_DISC, (satb_edge)edge);
        assert_true(r.method == SATB_METHOD_GATHER && r.bokeh == SATB_BOKEH_SQUARE);
        dof(&src, &depth, &b, SATB_METHOD_GATHER, SATB_BOKEH_SQUARE, (satb_edge)edge);
        same(&a, &b);
    }
    dof(&src, &depth, &b, 0, 0, 0);
    dof(&src, &depth, &src, 0, 0, 0); /* in place */
    same(&src, &b);
}

/* Layers keep a constant picture under a map of every depth, and a picture that is in focus everywhere. */
static void layers_keep(void **state)
{
    static const double radii[] = {0, 0.3, 1, 7.7, 60, 1e4, 1 << 23};

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
            }
}

/* A sharp subject lends nothing to the blur behind it, and keeps its bits. */
static void sharp_stays_out_of_blurred(void **state)
{
    const satb_image src = make(60, 20, 1, 8, 0), dst = make(60, 20, 1, 8, 0),
                     depth = make(60, 20, 1, 8, 0);
    const satb_dof_params layered = {.focus_mode = SATB_FOCUS_VALUE,
                                     .focus = 1,
                                     .strength = SATB_STRENGTH_RADIUS,
                                     .max_radius = 8};
    satb_dof_params gather = layered;

    gather.method = SATB_METHOD_GATHER;
    for (int i = 0; i < 60 * 20; i++) {
        ((uint8_t *)depth.data)[i] = i % 60 < 30 ? 255 : 0; /* white subject on black, far behind */
        ((uint8_t *)src.data)[i] = i % 60 < 30 ? 255 : 0;
    }
    ok(satb_dof(cpu, &src, &depth, &dst, &layered, NULL));
    same(&src, &dst);
    ok(satb_dof(cpu, &src, &depth, &dst, &gather, NULL));
    assert_true(((uint8_t *)dst.data)[31] > 0);
}

static void table_is_inclusive(void **state)
{
    uint8_t data[6] = {1, 2, 3, 4, 5, 6};
    const satb_image src = {data, 3, 3, 2, 1, 8, 0, 0};
    const uint32_t expected[6] = {1, 3, 6, 5, 12, 21};
    uint32_t table[6];
    uint64_t wide[6];

    ok(satb_table(cpu, &src, 32, table));
    assert_memory_equal(table, expected, sizeof table);
    ok(satb_table(cpu, &src, 64, wide));
    for (int i = 0; i < 6; i++)
        assert_int_equal(wide[i], expected[i]);
    assert_int_equal(satb_table(cpu, &src, 16, table), SATB_ERR_ARG);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(radius_zero_is_identity), UNIT(constant_stays_constant),
                 UNIT(in_place), UNIT(three_ways_agree), UNIT(depth_of_field), UNIT(methods),
                 UNIT(layers_keep), UNIT(sharp_stays_out_of_blurred), UNIT(table_is_inclusive))
