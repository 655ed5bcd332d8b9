#include "depth/lens.h"

#include "layer/radii_rule.h"

satk_lens satb_lens_of(const satb_depth_scale *scale)
{
    return (satk_lens){.is_linear = scale->type == SATB_DEPTH_LINEAR,
                       .near_black = scale->near_black,
                       .low = scale->low,
                       .span = scale->high - scale->low,
                       .far = 1 / scale->distance_far, /* 1 / INFINITY is 0 */
                       .near = 1 / scale->distance_near,
                       .distance = scale->distance_far,
                       .nearer = scale->distance_near - scale->distance_far};
}

double satb_distance_of(const satb_depth_scale *scale, double disparity)
{
    const double far = 1 / scale->distance_far,
                 near = 1 / scale->distance_near; /* 1 / INFINITY is 0 */

    return 1 / (far + disparity * (near - far));
}

double satb_disparity_of(const satb_depth_scale *scale, double distance)
{
    const satk_lens lens = satb_lens_of(scale);

    return satk_disparity_of(&lens, distance);
}

uint32_t satb_code_in_focus(const satk_lens *lens, int bits)
{
    const uint32_t most = (1u << bits) - 1, flip = lens->near_black ? most : 0;
    uint32_t behind = 0,
             before = most; /* as if the largest code were nearest; the focus is between them */

    while (before - behind > 1) {
        const uint32_t middle = behind + (before - behind) / 2;
        if (satk_disparity(lens, middle ^ flip, most) < lens->focus)
            behind = middle;
        else
            before = middle;
    }
    const double a = lens->focus - satk_disparity(lens, behind ^ flip, most);
    const double b = satk_disparity(lens, before ^ flip, most) - lens->focus;
    return (a < b ? behind : before) ^ flip;
}

double satb_lens_radius(const satb_depth_scale *scale, double focus, double fstop, double focal_mm,
                        double sensor_mm, int width)
{
    const double f = focal_mm / 1000, sensor = sensor_mm / 1000; /* metres */
    const double inverse_s = 1 / satb_distance_of(scale, focus);
    const double range = 1 / scale->distance_near - 1 / scale->distance_far;

    /* f^2 s / (N (s - f)), written in 1/s so that a focus at infinity is an ordinary case. */
    if (1 - f * inverse_s <= 0)
        return -1;
    const double diameter = f * f / (fstop * (1 - f * inverse_s)) * range;
    return diameter / 2 * width / sensor;
}

uint32_t satb_radius_q8(double radius)
{
    return (uint32_t)(radius * 256 + 0.5);
}
