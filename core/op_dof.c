/* Depth of field: from the depth map and the camera to a radius per depth code. */
#include "depth.h"
#include "depth_edges.h"
#include "layers.h"
#include "lens.h"
#include "radius_map.h"

#include "blur.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_SENSOR_MM 36.0
#define DEFAULT_SHARE     0.02 /* of the longer side */

/* --- Parameters ------------------------------------------------------------------------------- */

static satb_status check_focus(satb_context *context, const satb_image *src,
                               const satb_dof_params *p)
{
    switch (p->focus_mode) {
    case SATB_FOCUS_AUTO: break;
    case SATB_FOCUS_VALUE:
        if (!(p->focus >= 0 && p->focus <= 1))
            return satb_fail(context, SATB_ERR_ARG, "focus: %g is not a disparity of 0 .. 1",
                             p->focus);
        break;
    case SATB_FOCUS_DISTANCE:
        if (!(p->focus > 0))
            return satb_fail(context, SATB_ERR_ARG, "focus: %g is not a distance", p->focus);
        if (p->distance_near == 0)
            return satb_fail(context, SATB_ERR_ARG,
                             "focus: a distance needs the distances of the depth map");
        break;
    case SATB_FOCUS_POINT:
        if (p->focus_x < 0 || p->focus_y < 0 || p->focus_x >= src->width ||
            p->focus_y >= src->height)
            return satb_fail(context, SATB_ERR_ARG,
                             "focus point: %d,%d is outside the picture of %d x %d", p->focus_x,
                             p->focus_y, src->width, src->height);
        break;
    default: return satb_fail(context, SATB_ERR_ARG, "focus: no such mode");
    }
    if (!(p->focus_range >= 0 && p->focus_range <= 2))
        return satb_fail(context, SATB_ERR_ARG, "focus range: %g is not in 0 .. 2", p->focus_range);
    return SATB_OK;
}

static satb_status check_depth(satb_context *context, const satb_dof_params *p)
{
    const int known = p->distance_near != 0 || p->distance_far != 0;

    if (p->depth_type != SATB_DEPTH_DISPARITY && p->depth_type != SATB_DEPTH_LINEAR)
        return satb_fail(context, SATB_ERR_ARG, "depth type: no such type");
    if (!(p->range_low >= 0 && p->range_high <= 1) ||
        ((p->range_low != 0 || p->range_high != 0) && !(p->range_low < p->range_high)))
        return satb_fail(context, SATB_ERR_ARG,
                         "depth range: %g to %g is not a range within 0 .. 1", p->range_low,
                         p->range_high);
    /* Compared as the inverses that are computed with: these could be infinite, or equal. */
    if (known && !(p->distance_near > 0 && isfinite(1 / p->distance_near) && p->distance_far > 0 &&
                   1 / p->distance_near > 1 / p->distance_far))
        return satb_fail(context, SATB_ERR_ARG, "distances: %g to %g m is not near to far",
                         p->distance_near, p->distance_far);
    if (p->depth_type == SATB_DEPTH_LINEAR && isinf(p->distance_far))
        return satb_fail(context, SATB_ERR_ARG,
                         "distances: linear depth needs a finite far distance");
    return SATB_OK;
}

static satb_status check_strength(satb_context *context, const satb_dof_params *p)
{
    switch (p->strength) {
    case SATB_STRENGTH_DEFAULT: return SATB_OK;
    case SATB_STRENGTH_RADIUS:
        if (!(p->max_radius >= 0 && p->max_radius <= SATB_MAX_RADIUS))
            return satb_fail(context, SATB_ERR_ARG, "max radius: not in 0 .. 2^23");
        return SATB_OK;
    case SATB_STRENGTH_LENS:
        if (!(p->fstop > 0 && p->focal_mm > 0 && p->sensor_mm >= 0) || isinf(p->focal_mm) ||
            isinf(p->fstop))
            return satb_fail(context, SATB_ERR_ARG,
                             "lens: f-stop, focal length and sensor width must be above 0");
        if (p->distance_near == 0)
            return satb_fail(context, SATB_ERR_ARG,
                             "lens: the distances of the depth map are needed");
        return SATB_OK;
    default: return satb_fail(context, SATB_ERR_ARG, "strength: no such mode");
    }
}

static satb_depth_scale depth_scale(const satb_dof_params *p)
{
    satb_depth_scale scale = {.type = p->depth_type,
                              .near_black = p->near_black,
                              .low = p->range_low,
                              .high = p->range_low == 0 && p->range_high == 0 ? 1 : p->range_high,
                              .distance_near = p->distance_near,
                              .distance_far = p->distance_far};
    if (scale.type == SATB_DEPTH_LINEAR && scale.distance_near == 0) {
        scale.distance_near = 1; /* only the ratio matters; 1 : 10 is a usual scene */
        scale.distance_far = 10;
    }
    return scale;
}

/* --- Focus and radius ------------------------------------------------------------------------- */

/* The median code of a window of 1 % of the longer side around a point, at least 5 x 5 pixels. */
static satb_status code_at(satb_context *context, const satb_image *map, int x, int y,
                           uint32_t *code)
{
    const int longer = map->width > map->height ? map->width : map->height;
    const int reach = longer / 200 > 2 ? longer / 200 : 2;
    const size_t codes = (size_t)1 << map->bits;
    uint32_t *const counts = malloc(codes * sizeof *counts);

    if (!counts)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    satb_count_codes(map, x > reach ? x - reach : 0, y > reach ? y - reach : 0,
                     x + reach < map->width ? x + reach + 1 : map->width,
                     y + reach < map->height ? y + reach + 1 : map->height, counts,
                     context->threads);
    *code = satb_median_code(counts, codes);
    free(counts);
    return SATB_OK;
}

static satb_status find_focus(satb_context *context, const satb_radius_map *radii,
                              const satb_depth_scale *scale, const satb_dof_params *p,
                              const double *disparity, double *focus)
{
    uint32_t code = 0;
    satb_status status = SATB_OK;

    switch (p->focus_mode) {
    case SATB_FOCUS_VALUE: *focus = p->focus; break;
    case SATB_FOCUS_DISTANCE: *focus = satb_disparity_of(scale, p->focus); break;
    case SATB_FOCUS_POINT:
        status = code_at(context, &radii->map, p->focus_x, p->focus_y, &code);
        *focus = disparity[code];
        break;
    case SATB_FOCUS_AUTO:
    default:
        *focus = satb_auto_focus(disparity, radii->counts, (size_t)1 << radii->map.bits);
        break;
    }
    return status;
}

static satb_status find_strength(satb_context *context, const satb_image *src,
                                 const satb_depth_scale *scale, const satb_dof_params *p,
                                 double focus, double *radius)
{
    if (p->strength == SATB_STRENGTH_RADIUS) {
        *radius = p->max_radius;
        return SATB_OK;
    }
    if (p->strength == SATB_STRENGTH_DEFAULT) {
        *radius = DEFAULT_SHARE * (src->width > src->height ? src->width : src->height);
        return SATB_OK;
    }
    *radius = satb_lens_radius(scale, focus, p->fstop, p->focal_mm,
                               p->sensor_mm == 0 ? DEFAULT_SENSOR_MM : p->sensor_mm, src->width);
    if (!(*radius >= 0))
        return satb_fail(context, SATB_ERR_ARG,
                         "lens: the focus at %.3g m is not beyond the focal length of %g mm",
                         satb_distance_of(scale, focus), p->focal_mm);
    if (!(*radius <= SATB_MAX_RADIUS))
        return satb_fail(context, SATB_ERR_ARG, "lens: a radius of %.3g pixels is beyond 2^23",
                         *radius);
    return SATB_OK;
}

static int is_single_value(const satb_radius_map *radii)
{
    int values = 0;

    for (size_t i = 0; i < (size_t)1 << radii->map.bits && values < 2; i++)
        values += radii->counts[i] > 0;
    return values == 1;
}

static int is_layered(const satb_dof_params *p)
{
    return p->method == SATB_METHOD_LAYERED ||
           (p->method == SATB_METHOD_DEFAULT && p->look.edge == SATB_EDGE_SHRINK);
}

static double largest_radius(const satb_radius_map *radii)
{
    uint32_t largest = 0;

    for (size_t i = 0; i < (size_t)1 << radii->map.bits; i++)
        if (radii->counts[i] && radii->radius[i] > largest)
            largest = radii->radius[i];
    return largest / 256.0;
}

static satb_status check_method(satb_context *context, const satb_dof_params *p)
{
    if ((int)p->method < 0 || p->method > SATB_METHOD_GATHER)
        return satb_fail(context, SATB_ERR_ARG, "method: no such method");
    if ((int)p->bokeh < 0 || p->bokeh > SATB_BOKEH_SQUARE)
        return satb_fail(context, SATB_ERR_ARG, "bokeh: no such shape");
    if (p->method == SATB_METHOD_LAYERED && p->look.edge != SATB_EDGE_SHRINK)
        return satb_fail(context, SATB_ERR_ARG,
                         "method: layers have shrinking windows; another edge needs gather");
    return SATB_OK;
}

/* --- Run -------------------------------------------------------------------------------------- */

/* By the method asked for; where none was, by layers if they hold the sums. *used: which it was. */
static satb_status blur(satb_context *context, const satb_image *src, const satb_image *dst,
                        satb_radius_map *radii, const double *signed_radius,
                        const satb_dof_params *p, satb_method *used)
{
    satb_status status = SATB_ERR_LIMIT;

    *used = SATB_METHOD_GATHER;
    if (is_layered(p)) {
        const satb_layers layers = {.src = src,
                                    .dst = dst,
                                    .map = &radii->map,
                                    .counts = radii->counts,
                                    .radius = signed_radius,
                                    .gamma = p->look.gamma,
                                    .square = p->bokeh == SATB_BOKEH_SQUARE};
        status = satb_layers_run(context, &layers);
        if (status != SATB_ERR_LIMIT || p->method == SATB_METHOD_LAYERED)
            *used = SATB_METHOD_LAYERED;
    }
    return *used == SATB_METHOD_LAYERED ? status
                                        : satb_blur_by_map(context, src, dst, &p->look, radii);
}

static satb_status run(satb_context *context, const satb_image *src, const satb_image *dst,
                       satb_radius_map *radii, const satb_dof_params *p, double *disparity,
                       satb_dof_report *report)
{
    const satb_depth_scale scale = depth_scale(p);
    const uint32_t largest = (1u << radii->map.bits) - 1;
    satb_method method = SATB_METHOD_GATHER;
    double focus, strength;

    for (uint32_t code = 0; code <= largest; code++)
        disparity[code] = satb_disparity(&scale, code, largest);
    satb_status status = find_focus(context, radii, &scale, p, disparity, &focus);
    if (status == SATB_OK)
        status = find_strength(context, src, &scale, p, focus, &strength);
    if (status != SATB_OK)
        return status;
    for (uint32_t code = 0; code <= largest; code++) { /* disparity becomes signed radius */
        const double away = fabs(disparity[code] - focus) - p->focus_range / 2;
        const double radius = away > 0 ? strength * away : 0;
        radii->radius[code] = satb_radius_q8(radius);
        disparity[code] = disparity[code] < focus ? -radius : radius;
    }
    status = blur(context, src, dst, radii, disparity, p, &method);
    if (status != SATB_OK)
        return status;
    *report = (satb_dof_report){
        .focus = focus,
        .focus_distance = scale.distance_near == 0 ? 0 : satb_distance_of(&scale, focus),
        .distance_near = scale.distance_near,
        .distance_far = scale.distance_far,
        .max_radius = strength,
        .largest_radius = largest_radius(radii),
        .single_value = is_single_value(radii),
        .resampled = radii->resampled != NULL,
        .method = method,
        .bokeh = method == SATB_METHOD_LAYERED ? p->bokeh : SATB_BOKEH_SQUARE};
    return SATB_OK;
}

satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                     const satb_image *dst, const satb_dof_params *params, satb_dof_report *report)
{
    satb_radius_map radii;
    satb_dof_report unused;
    satb_status status = satb_blur_check(context, src, dst, &params->look);

    if (status == SATB_OK)
        status = check_focus(context, src, params);
    if (status == SATB_OK)
        status = check_depth(context, params);
    if (status == SATB_OK)
        status = check_strength(context, params);
    if (status == SATB_OK)
        status = check_method(context, params);
    if (status == SATB_OK)
        status = satb_check_image(context, depth, "depth map");
    satb_image fitted = {0};
    if (status == SATB_OK)
        status = getenv("NOFIT") ? (fitted = *depth, SATB_OK) : satb_fit_depth(context, depth, src, &fitted, &(size_t){0});
    if (status == SATB_OK)
        status = satb_open_radius_map(context, &radii, &fitted, "depth map", src->width, src->height);
    if (status != SATB_OK)
        return status;
    double *const disparity = malloc(sizeof *disparity << radii.map.bits);
    status = disparity
                 ? run(context, src, dst, &radii, params, disparity, report ? report : &unused)
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    free(disparity);
    satb_close_radius_map(&radii);
    return status;
}
