/* Parameters and sizes that the library refuses. */
#include "support/dof_ranges.h"
#include "unit/api/api_case.h"

#include "unit/core/unit_drawn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The circles of confusion are refused as the blur is. */
static void refused(const satb_dof_params *params)
{
    const satb_image src = make(8, 8, 3, 8, 14), depth = make(8, 8, 1, 8, 15),
                     circles = blank(8, 8, 1, 16);
    char message[256];

    assert_int_equal(satb_coc(cpu, &src, &depth, &circles, params, NULL), SATB_ERR_ARG);
    snprintf(message, sizeof message, "%s", satb_last_message(cpu));
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, params, NULL), SATB_ERR_ARG);
    assert_string_equal(satb_last_message(cpu), message);
    assert_true(strlen(message) > 0);
    assert_null(strchr(message, '\n'));
}

/* Every focus area and point of small numbers is taken if all its pixels are the picture's, of 3 x 2, and refused otherwise. */
static void areas_and_points(void **state)
{
    const satb_image src = make(3, 2, 3, 8, 14), depth = make(3, 2, 1, 8, 15);

    for (int i = 0; i < 6 * 6 * 6 * 6; i++) {
        const int x = i % 6 - 1, y = i / 6 % 6 - 1, w = i / 36 % 6 - 1, h = i / 216 - 1;
        const int is_within = x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= 3 && y + h <= 2;
        const satb_dof_params area = {.focus_area = {x, y, w, h}},
                              point = {.focus_mode = SATB_FOCUS_POINT, .focus_x = x, .focus_y = y};
        assert_int_equal(satb_dof(cpu, &src, &depth, &src, &area, NULL),
                         w == 0 || is_within ? SATB_OK : SATB_ERR_ARG);
        if (w == 1 && h == 1)
            assert_int_equal(satb_dof(cpu, &src, &depth, &src, &point, NULL),
                             is_within ? SATB_OK : SATB_ERR_ARG);
    }
}

/* A distance is above 0, and needs those of the map. */
static void distances(void **state)
{
    const satb_image src = make(8, 8, 3, 8, 14), depth = make(8, 8, 1, 8, 15);
    satb_dof_params p = {.focus_mode = SATB_FOCUS_DISTANCE, .distance_near = 1, .distance_far = 2};

    refused(&p);
    assert_string_equal(satb_last_message(cpu), "focus: 0 is not a distance");
    p.focus = 0.5;
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, &p, NULL), SATB_OK);
}

/* Numbers of a lens that is none are named, rather than the radius that they would give. */
static void lenses(void **state)
{
    static const double numbers[][3] = {{0, 50, 36},        {-2, 50, 36},      {2, 0, 36},
                                        {2, -50, 36},       {2, 50, -1},       {NAN, 50, 36},
                                        {INFINITY, 50, 36}, {2, INFINITY, 36}, {2, NAN, 36}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        refused(&(satb_dof_params){.strength = SATB_STRENGTH_LENS,
                                   .fstop = numbers[i][0],
                                   .focal_mm = numbers[i][1],
                                   .sensor_mm = numbers[i][2],
                                   .distance_near = 1,
                                   .distance_far = 2});
        assert_string_equal(satb_last_message(cpu),
                            "lens: f-stop, focal length and sensor width must be above 0");
    }
}

static void bad_depth_parameters(void **state)
{
#define REFUSED(...) refused(&(satb_dof_params){__VA_ARGS__})
    REFUSED(.focus_mode = SATB_FOCUS_VALUE, .focus = NAN);
    REFUSED(.focus_mode = SATB_FOCUS_VALUE, .focus = 1.01);
    REFUSED(.focus_mode = SATB_FOCUS_DISTANCE, .focus = 2);
    REFUSED(.focus_mode = SATB_FOCUS_POINT, .focus_x = 8);
    REFUSED(.focus_mode = SATB_FOCUS_POINT, .focus_y = -1);
    REFUSED(.focus_area = {-1, 0, 2, 2});
    REFUSED(.focus_area = {0, 0, 1, 0});
    REFUSED(.focus_area = {0, 0, INT32_MAX, 1});
    REFUSED(.focus_area = {INT32_MAX, 0, INT32_MAX, 1});
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
}

static void bad_ways_to_blur(void **state)
{
    REFUSED(.look = {.edge = (satb_edge)9});
    REFUSED(.look = {.edge = (satb_edge)99}, .method = SATB_METHOD_GATHER);
    REFUSED(.scaled = 1, .near_scale = 2, .strength = SATB_STRENGTH_RADIUS, .max_radius = 1 << 23);
    REFUSED(.method = SATB_METHOD_GATHER, .bokeh = (satb_bokeh)3);
    REFUSED(.blades = 6, .bokeh = SATB_BOKEH_SMOOTH);
    REFUSED(.bokeh_edge = 0.5, .bokeh = SATB_BOKEH_SMOOTH);
    REFUSED(.spherical = -0.5, .bokeh = SATB_BOKEH_SMOOTH);
    REFUSED(.highlights = 1, .method = SATB_METHOD_GATHER);
    REFUSED(.highlights = 2, .method = SATB_METHOD_SPREAD);
    REFUSED(.method = SATB_METHOD_SPREAD, .look = {.edge = SATB_EDGE_WRAP});
    REFUSED(.vignette = 0.5, .look = {.edge = SATB_EDGE_WRAP});
    for (int edge = SATB_EDGE_CLAMP; edge <= SATB_EDGE_MIRROR; edge++) {
        REFUSED(.highlights = 2, .look = {.edge = (satb_edge)edge});
        REFUSED(.method = SATB_METHOD_LAYERED, .look = {.edge = (satb_edge)edge});
        REFUSED(.method = SATB_METHOD_SPREAD, .look = {.edge = (satb_edge)edge});
    }
}

static void taken(const dof_range *r, double value)
{
    const satb_image src = make(8, 8, 3, 8, 14), depth = make(8, 8, 1, 8, 15);
    satb_dof_params p = {.focus_mode = SATB_FOCUS_VALUE};

    dof_range_set(r, value, &p);
    if (satb_dof(cpu, &src, &depth, &src, &p, NULL) != SATB_OK)
        fail_msg("%s = %g: %s", r->name, value, satb_last_message(cpu));
}

/* Asks for a parameter that is refused by its name. */
static void named(const dof_range *r, double value)
{
    satb_dof_params p = {.focus_mode = SATB_FOCUS_VALUE};

    dof_range_set(r, value, &p);
    refused(&p);
    if (strncmp(satb_last_message(cpu), r->name, strlen(r->name)) != 0)
        fail_msg("%s = %g: %s", r->name, value, satb_last_message(cpu));
}

/* Numbers at the ends of their ranges are taken; those next to them are refused, and so is NaN. */
static void ranges(void **state)
{
    static const dof_range numbers[] = {SATB_DOF_NUMBERS(DOF_NUMBER_RANGE)};
    static const dof_range choices[] = {SATB_DOF_CHOICES(DOF_CHOICE_RANGE)};

    for (const dof_range *r = numbers; r < numbers + sizeof numbers / sizeof *numbers; r++) {
        const double step = r->is_whole ? 1 : 0.001;
        taken(r, r->low);
        taken(r, r->high);
        named(r, r->low - step != 0 ? r->low - step : -step);
        named(r, r->high + step);
        if (r->zero)
            taken(r, 0);
        if (!r->is_whole)
            named(r, NAN);
    }
    for (const dof_range *r = choices; r < choices + sizeof choices / sizeof *choices; r++) {
        named(r, -1);
        named(r, r->high + 1);
    }
    refused(&(satb_dof_params){.squeeze = 0.2});
    assert_string_equal(satb_last_message(cpu), "squeeze: 0.2 is neither 0 nor in 0.25 .. 4");
    refused(&(satb_dof_params){.blades = 10});
    assert_string_equal(satb_last_message(cpu), "blades: 10 is neither 0 nor in 3 .. 9");
    refused(&(satb_dof_params){.vignette = 1.5});
    assert_string_equal(satb_last_message(cpu), "vignette: 1.5 is not in 0 .. 1");
}

/* Windows far beyond the picture, of 16-bit RGBA, are refused if their sums could overflow. */
static void overflow_is_refused(void **state)
{
    const satb_image src = make(4, 4, 4, 16, 16);
    satb_box_params params = {100000, 100000, {0, SATB_EDGE_WRAP}};

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
}

/* The layered method's sums are larger: 16-bit RGBA in linear light ends at 2^16 pixels. */
static void layers_overflow_is_refused(void **state)
{
    const satb_image src = make(400, 300, 4, 16, 17), depth = make(400, 300, 1, 8, 18);
    satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 400};

    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL)); /* the default: gathers */
    params.method = SATB_METHOD_LAYERED;
    assert_int_equal(satb_dof(cpu, &src, &depth, &src, &params, NULL), SATB_ERR_LIMIT);
    assert_non_null(strstr(satb_last_message(cpu), "gather"));
    params.look.gamma = 1; /* 16 bits instead of 20: 2^20 pixels */
    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL));
    params.look.gamma = 0;
    params.max_radius = 50;
    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL));
}

/* A call that fails after a part of its work leaves the timings of the one before. */
static void failed_calls_are_not_timed(void **state)
{
    const satb_image src = make(400, 300, 4, 16, 17), depth = make(200, 150, 1, 8, 18),
                     circles = blank(400, 300, 1, 16);
    satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 5};
    const satb_map_params by_map = {100000, {0, SATB_EDGE_WRAP}};

    ok(satb_dof(cpu, &src, &depth, &src, &params, NULL));
    const satb_timings before = satb_last_timings(cpu);
    assert_true(before.ms[SATB_STAGE_DEPTH] > 0 && before.ms[SATB_STAGE_BLUR] > 0);
    params.method = SATB_METHOD_LAYERED;
    params.max_radius = 400;
    for (int protects = 0; protects < 2; protects++) {
        params.protect = protects ? &depth : NULL;
        assert_int_equal(satb_dof(cpu, &src, &depth, &src, &params, NULL), SATB_ERR_LIMIT);
        const satb_timings after = satb_last_timings(cpu);
        assert_memory_equal(&after, &before, sizeof before);
    }
    assert_int_equal(satb_blur_map(cpu, &src, &depth, &src, &by_map), SATB_ERR_LIMIT);
    const satb_timings by_radii = satb_last_timings(cpu);
    assert_memory_equal(&by_radii, &before, sizeof before);
    params = (satb_dof_params){.strength = SATB_STRENGTH_LENS,
                               .fstop = 2,
                               .focal_mm = 5000,
                               .distance_near = 1,
                               .distance_far = 2};
    assert_int_equal(satb_coc(cpu, &src, &depth, &circles, &params, NULL), SATB_ERR_ARG);
    const satb_timings of_circles = satb_last_timings(cpu);
    assert_memory_equal(&of_circles, &before, sizeof before);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(bad_depth_parameters), UNIT(areas_and_points),
                 UNIT(distances), UNIT(lenses), UNIT(bad_ways_to_blur), UNIT(ranges),
                 UNIT(overflow_is_refused), UNIT(layers_overflow_is_refused),
                 UNIT(failed_calls_are_not_timed))
