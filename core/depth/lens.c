#include "depth/lens.h"

static double clamp01(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

double satb_disparity(const satb_depth_scale *scale, uint32_t code, uint32_t largest)
{
    const double stretched =
        clamp01(((double)code / largest - scale->low) / (scale->high - scale->low));
    const double nearness = scale->near_black ? 1 - stretched : stretched;

    if (scale->type == SATB_DEPTH_DISPARITY)
        return nearness;
    return satb_disparity_of(scale, scale->distance_far +
                                        nearness * (scale->distance_near - scale->distance_far));
}

double satb_distance_of(const satb_depth_scale *scale, double disparity)
{
    const double far = 1 / scale->distance_far,
                 near = 1 / scale->distance_near; /* 1 / INFINITY is 0 */

    return 1 / (far + disparity * (near - far));
}

double satb_disparity_of(const satb_depth_scale *scale, double distance)
{
    const double far = 1 / scale->distance_far, near = 1 / scale->distance_near;

    return clamp01((1 / distance - far) / (near - far));
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
