/* The lens (lens.h): depth codes to disparity, distances and circles of confusion. */
#include "unit/unit.h"

#include "depth/lens.h"
#include "layer/radii_rule.h"

#include <math.h>

static const satb_depth_scale disparity = {.type = SATB_DEPTH_DISPARITY, .low = 0, .high = 1};
static const satb_depth_scale metric = {
    .type = SATB_DEPTH_DISPARITY, .low = 0, .high = 1, .distance_near = 1, .distance_far = 10};

static void near_to(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%.12g is not %.12g", actual, expected);
}

static double disparity_of(const satb_depth_scale *scale, uint32_t code, uint32_t largest)
{
    const satk_lens lens = satb_lens_of(scale);

    return satk_disparity(&lens, code, largest);
}

static void disparity_codes(void **state)
{
    near_to(disparity_of(&disparity, 0, 255), 0);
    near_to(disparity_of(&disparity, 51, 255), 0.2);
    near_to(disparity_of(&disparity, 65535, 65535), 1);
}

static void near_black(void **state)
{
    satb_depth_scale s = disparity;

    s.near_black = 1;
    near_to(disparity_of(&s, 0, 255), 1);
    near_to(disparity_of(&s, 51, 255), 0.8);
}

/* Of the codes on both sides of the focus, the one closer to it counts. */
static void code_next_to_the_focus(void **state)
{
    for (int flip = 0; flip < 2; flip++)
        for (uint32_t code = 0; code < 255; code++)
            for (int nearer = 0; nearer < 2; nearer++) {
                satb_depth_scale s = disparity;
                s.near_black = flip;
                satk_lens lens = satb_lens_of(&s);
                lens.focus = (code + (nearer ? 0.75 : 0.25)) / 255;
                const uint32_t want = code + (uint32_t)nearer;
                assert_int_equal(satb_code_in_focus(&lens, 8), flip ? 255 - want : want);
            }
}

static void stretched_and_clipped(void **state)
{
    satb_depth_scale s = disparity;

    s.low = 0.2;
    s.high = 0.6;
    near_to(disparity_of(&s, 51, 255), 0);
    near_to(disparity_of(&s, 102, 255), 0.5);
    near_to(disparity_of(&s, 0, 255), 0);
    near_to(disparity_of(&s, 255, 255), 1);
}

/* Half way between 1 and 10 m is 5.5 m: (1/5.5 - 1/10) / (1 - 1/10) = 1/11. */
static void linear_depth(void **state)
{
    satb_depth_scale s = metric;

    s.type = SATB_DEPTH_LINEAR;
    near_to(disparity_of(&s, 50, 100), (1 / 5.5 - 0.1) / 0.9);
    near_to(disparity_of(&s, 0, 100), 0);
    near_to(disparity_of(&s, 100, 100), 1);
}

static void distances_there_and_back(void **state)
{
    satb_depth_scale to_infinity = metric;

    near_to(satb_distance_of(&metric, 1), 1);
    near_to(satb_distance_of(&metric, 0), 10);
    near_to(satb_disparity_of(&metric, satb_distance_of(&metric, 0.3)), 0.3);
    near_to(satb_disparity_of(&metric, 100), 0);
    to_infinity.distance_far = INFINITY;
    near_to(satb_distance_of(&to_infinity, 0.25), 4);
    assert_true(isinf(satb_distance_of(&to_infinity, 0)));
    near_to(satb_disparity_of(&to_infinity, INFINITY), 0);
}

/* 50 mm at f/1.8 focused at 2 m: c = f^2 |d-s| / (N d (s-f)); at infinity f^2 / (N (s-f)) = 0.712 mm,
 * which on a 36 mm sensor and 3840 pixels is a radius of 38 pixels. */
static void thin_lens(void **state)
{
    const satb_depth_scale s = {
        .low = 0, .high = 1, .distance_near = 0.5, .distance_far = INFINITY};
    const double f = 0.05, n = 1.8, focus_distance = 2;
    const double focus = satb_disparity_of(&s, focus_distance);
    const double radius = satb_lens_radius(&s, focus, n, 50, 36, 3840);

    near_to(radius * focus, f * f / (n * (focus_distance - f)) * 3840 / (2 * 0.036));
    assert_true(fabs(radius * focus - 37.99) < 0.01);
    for (double d = 0.6; d < 50; d *= 1.7) {
        const double c = f * f * fabs(d - focus_distance) / (n * d * (focus_distance - f));
        near_to(radius * fabs(satb_disparity_of(&s, d) - focus), c * 3840 / (2 * 0.036));
    }
}

static void lens_focused_too_near(void **state)
{
    const satb_depth_scale s = {.low = 0, .high = 1, .distance_near = 0.01, .distance_far = 1};

    assert_true(satb_lens_radius(&s, 1, 2, 50, 36, 1000) < 0);
}

/* Focus at infinity is ordinary: c = f^2 / (N d). */
static void lens_at_infinity(void **state)
{
    const satb_depth_scale s = {.low = 0, .high = 1, .distance_near = 1, .distance_far = INFINITY};

    near_to(satb_lens_radius(&s, 0, 2, 50, 36, 1000), 0.05 * 0.05 / 2 / 2 * 1000 / 0.036);
}

static void radius_rounds(void **state)
{
    assert_int_equal(satb_radius_q8(0), 0);
    assert_int_equal(satb_radius_q8(2.5), 640);
    assert_int_equal(satb_radius_q8(0.0019), 0);
    assert_int_equal(satb_radius_q8(0.002), 1);
    assert_int_equal(satb_radius_q8(1 << 23), (uint32_t)1 << 31);
    for (int sign = -1; sign <= 1; sign += 2) { /* a half goes away from the focus */
        assert_int_equal(satk_radius_q8(sign * 2.5), sign * 640);
        assert_int_equal(satk_radius_q8(sign * 1.0019), sign * 256);
        assert_int_equal(satk_radius_q8(sign * (1 + 0.5 / 256)), sign * 257);
    }
    assert_int_equal(satk_radius_q8(1e9), INT32_MAX);
    assert_int_equal(satk_radius_q8(-1e9), -INT32_MAX);
}

UNIT_MAIN(UNIT(disparity_codes), UNIT(near_black), UNIT(code_next_to_the_focus),
          UNIT(stretched_and_clipped), UNIT(linear_depth), UNIT(distances_there_and_back),
          UNIT(thin_lens), UNIT(lens_focused_too_near), UNIT(lens_at_infinity), UNIT(radius_rounds))
