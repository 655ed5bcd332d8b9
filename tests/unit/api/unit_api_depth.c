/* Focus, circles of confusion and scales as a user meets them. */
#include "unit/api/api_case.h"

#include <math.h>

/* On a slope, the median around a point is the point's own code. At a border it is the median of the pixels inside. */
static void focus_is_where_the_point_is(void **state)
{
    enum { WIDTH = 60, HEIGHT = 30, STEP = 1000 };
    static const int points[][3] = {{30, 15, 30}, {2, 2, 2}, {57, 27, 57}, {0, 0, 1}, {59, 29, 58}};
    const satb_image src = make(WIDTH, HEIGHT, 1, 8, 9), out = make(WIDTH, HEIGHT, 1, 8, 10);

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
    }
}

/* Circles follow the formulas of satblur.h for every code: the focus is 0.4, and all within 0.05 of it is sharp. */
static void circles_of_confusion(void **state)
{
    uint8_t codes[256];
    uint16_t circles[256];
    const satb_image src = make(256, 1, 3, 8, 31), depth = {codes, 256, 256, 1, 1, 8, 0, 0},
                     dst = {circles, 512, 256, 1, 1, 16, 0, 0};
    satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                              .focus = 0.4,
                              .focus_range = 0.1,
                              .strength = SATB_STRENGTH_RADIUS,
                              .max_radius = 30};
    satb_dof_report report;

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
}

/* The report of satb_coc() is that of satb_dof(). */
static void circles_are_those_of_the_blur(void **state)
{
    const satb_image src = make(60, 40, 4, 8, 32), depth = make(30, 20, 1, 8, 33),
                     dst = make(60, 40, 4, 8, 34), circles = make(60, 40, 1, 16, 35);
    const satb_dof_params params = {0};
    satb_dof_report blur, coc;
    int most = 0;

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
}

/* A scale of 0 keeps its half of the picture, the near one or the far one. A scale of 1 changes nothing. */
static void scales(void **state)
{
    const satb_image src = make(64, 32, 3, 8, 36), a = make(64, 32, 3, 8, 37),
                     b = make(64, 32, 3, 8, 38);
    const satb_image map = make(64, 32, 1, 8, 39);

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
            for (int y = 0; y < 32; y++) { /* but for pixels within the radius of the edge */
                const size_t sharp = (size_t)(y * 64 + (near ? 36 : 0)) * 3;
                const size_t blurred = (size_t)(y * 64 + (near ? 0 : 40)) * 3;
                assert_memory_equal((uint8_t *)b.data + sharp, (uint8_t *)src.data + sharp, 84);
                assert_memory_not_equal((uint8_t *)b.data + blurred, (uint8_t *)src.data + blurred,
                                        72);
            }
        }
    }
}

/* The report has the extreme codes as parts of the scale, and counts 0 only where there is no other. */
static void extremes(void **state)
{
    static const int codes[][3] = {{0, 60, 90}, {60, 60, 90}, {0, 90, 90}, {0, 0, 0}};

    for (int bits = 8; bits <= 16; bits += 8) {
        const satb_image src = make(16, 3, 1, 8, 51), map = make(16, 3, 1, bits, 52),
                         dst = make(16, 3, 1, 8, 53);
        for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
            const double largest = bits == 8 ? 255 : 65535;
            const int *const k = codes[i], least = k[0] > 0 ? k[0] : k[1];
            satb_dof_report report;
            for (int j = 0; j < 16 * 3; j++)
                if (bits == 8)
                    ((uint8_t *)map.data)[j] = (uint8_t)k[j % 3];
                else
                    ((uint16_t *)map.data)[j] = (uint16_t)k[j % 3];
            ok(satb_dof(cpu, &src, &map, &dst, &(satb_dof_params){.max_radius = 0}, &report));
            assert_true(report.least == least / largest && report.most == k[2] / largest);
        }
    }
}

/* A map of one value is in focus, and nothing changes, unless the focus is elsewhere. */
static void one_depth(void **state)
{
    const satb_image src = make(40, 30, 3, 8, 41), depth = make(40, 30, 1, 16, 42),
                     dst = make(40, 30, 3, 8, 43);

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
            params.focus_mode = SATB_FOCUS_VALUE; /* beyond the depths that occur */
            params.focus = report.focus < 0.5 ? 1 : 0;
            ok(satb_dof(cpu, &src, &depth, &dst, &params, &report));
            assert_true(report.single_value && report.largest_radius > 0.3);
            for (int j = 0; j < 20 * 30; j++) /* two values, among them 0 and 1 */
                ((uint16_t *)depth.data)[j] ^= 1;
            ok(satb_dof(cpu, &src, &depth, &dst, &params, &report));
            assert_true(!report.single_value);
        }
    }
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(focus_is_where_the_point_is), UNIT(circles_of_confusion),
                 UNIT(circles_are_those_of_the_blur), UNIT(scales), UNIT(one_depth), UNIT(extremes))
