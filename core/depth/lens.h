/* Disparities of depth codes, and radii of blur: the formulas of satblur.h at satb_dof_params. */
#ifndef SATB_LENS_H
#define SATB_LENS_H

#include "layer/radii.h"
#include <satblur.h>

#define SATB_MAX_RADIUS (1 << 23)

/* The distances that codes stand for. */
typedef struct satb_depth_scale {
    satb_depth_type type;
    int near_black;
    double low, high;                   /* stretch, as fractions of the full scale */
    double distance_near, distance_far; /* both 0: unknown */
} satb_depth_scale;

/* Returns what kernels find disparities by, and the host, too (layer/radii_rule.h): without focus and strength. */
satk_lens satb_lens_of(const satb_depth_scale *scale);

/* Convert disparity to metres, and metres to disparity; the distances are known. distance may be INFINITY. */
double satb_distance_of(const satb_depth_scale *scale, double disparity);
double satb_disparity_of(const satb_depth_scale *scale, double distance);

/* Returns the code of 8 or 16 bits whose disparity is next to the lens's focus. Codes on either side of it do not lie between
 * it and the focus, so radii still rise with the disparity if its own is 0. */
uint32_t satb_code_in_focus(const satk_lens *lens, int bits);

/* Returns the thin lens's radius in pixels at a disparity difference of 1, focused at disparity `focus`, for a picture of
 * this width. The result is negative if the focus distance is not beyond the focal length. */
double satb_lens_radius(const satb_depth_scale *scale, double focus, double fstop, double focal_mm,
                        double sensor_mm, int width);

/* Returns a radius in pixels, 0 .. 2^23, as Q8, rounded. */
uint32_t satb_radius_q8(double radius);

#endif
