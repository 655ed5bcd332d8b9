/* From the depth map and the camera to a signed radius per depth code. */
#include "depth/dof_plan.h"

#include "backend/host.h"
#include "backend/image.h"
#include "base/size.h"
#include "common/plane.h"
#include "depth/depth_focus.h"
#include "depth/lens.h"
#include "depth/protect.h"
#include "layer/radii_rule.h"
#include <dof_table.h>

#include <math.h>
#include <stdlib.h>

#define DEFAULT_SENSOR_MM 36.0

/* --- Parameters ------------------------------------------------------------------------------- */

/* A choice or a number as it is given, and what it may be. */
typedef struct value {
    const char *name;
    double given, low, high;
    int zero; /* 1: 0 may be, too */
} value;

static satb_status check_table(satb_context *context, const satb_dof_params *p)
{
#define CHOICE(name, type, last, ...)            {#name, (int)p->name, 0, last, 0},
#define NUMBER(name, type, low, high, zero, ...) {#name, p->name, low, high, zero},
    const value all[] = {SATB_DOF_CHOICES(CHOICE) SATB_DOF_NUMBERS(NUMBER)};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const value *const v = &all[i];
        if (!(v->given >= v->low && v->given <= v->high) && !(v->zero && v->given == 0))
            return satb_fail(context, SATB_ERR_ARG, "%s: %.10g is %s in %.10g .. %.10g", v->name,
                             v->given, v->zero ? "neither 0 nor" : "not", v->low, v->high);
    }
    return SATB_OK;
}

int satb_is_layered(const satb_dof_params *p)
{
    return p->method == SATB_METHOD_LAYERED ||
           (p->method == SATB_METHOD_DEFAULT &&
            (p->look.edge == SATB_EDGE_SHRINK || p->look.edge == SATB_EDGE_WRAP));
}

/* Checks what the parameters of the blur say together. */
static satb_status check_method(satb_context *context, const satb_image *src,
                                const satb_dof_params *p)
{
    if (p->blades > 0 && p->bokeh != SATB_BOKEH_DISC)
        return satb_fail(context, SATB_ERR_ARG, "blades: the bokeh must be disc");
    if (p->bokeh == SATB_BOKEH_SMOOTH && (p->bokeh_edge != 0 || p->spherical != 0))
        return satb_fail(
            context, SATB_ERR_ARG,
            "bokeh: smooth has its own brightness; use bokeh_edge or spherical with the disc");
    const satb_edge edge = p->look.edge;
    if (p->method == SATB_METHOD_SPREAD && edge != SATB_EDGE_SHRINK)
        return satb_fail(context, SATB_ERR_ARG,
                         "method: spread needs the edge to shrink; use gather for other edges");
    if (p->method == SATB_METHOD_LAYERED && edge != SATB_EDGE_SHRINK && edge != SATB_EDGE_WRAP)
        return satb_fail(context, SATB_ERR_ARG,
                         "method: layered needs the edge to shrink or to wrap; use gather for "
                         "other edges");
    if (p->vignette > 0 && edge == SATB_EDGE_WRAP && satb_is_layered(p))
        return satb_fail(
            context, SATB_ERR_ARG,
            "vignette: the edge must not wrap, because the picture then has no corners");
    if (p->highlights > 0 && !satb_is_layered(p))
        return satb_fail(context, SATB_ERR_ARG, "highlights: the method must be layered");
    if (p->highlights > 0 && src->half)
        return satb_fail(context, SATB_ERR_ARG,
                         "highlights: half floats already have the brightness of highlights");
    return SATB_OK;
}

/* Checks the area of an automatic focus. */
static satb_status check_area(satb_context *context, const satb_image *src, const int area[4])
{
    if (area[2] == 0 || (area[0] >= 0 && area[1] >= 0 && area[2] > 0 && area[3] > 0 &&
                         area[2] <= src->width - area[0] && area[3] <= src->height - area[1]))
        return SATB_OK;
    return satb_fail(context, SATB_ERR_ARG,
                     "focus area: %d x %d pixels at %d,%d are not within the picture of %d x %d",
                     area[2], area[3], area[0], area[1], src->width, src->height);
}

static satb_status check_focus(satb_context *context, const satb_image *src,
                               const satb_dof_params *p)
{
    switch (p->focus_mode) {
    case SATB_FOCUS_AUTO: return check_area(context, src, p->focus_area);
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
    }
    return SATB_OK;
}

static satb_status check_depth(satb_context *context, const satb_dof_params *p)
{
    const int known = p->distance_near != 0 || p->distance_far != 0;

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
    case SATB_STRENGTH_DEFAULT: break;
    case SATB_STRENGTH_RADIUS:
        if (!(p->max_radius >= 0 && p->max_radius <= SATB_MAX_RADIUS))
            return satb_fail(context, SATB_ERR_ARG, "max radius: not in 0 .. 2^23");
        break;
    case SATB_STRENGTH_LENS:
        if (!(p->fstop > 0 && p->focal_mm > 0 && p->sensor_mm >= 0) || isinf(p->focal_mm) ||
            isinf(p->fstop))
            return satb_fail(context, SATB_ERR_ARG,
                             "lens: f-stop, focal length and sensor width must be above 0");
        if (p->distance_near == 0)
            return satb_fail(context, SATB_ERR_ARG,
                             "lens: the distances of the depth map are needed");
        break;
    }
    return SATB_OK;
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

static int compare(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Finds the median code of the window around a point. */
static satb_status find_median(satb_context *context, const satb_image *window, uint32_t *code)
{
    const size_t count = (size_t)window->width * (size_t)window->height;
    uint16_t *const codes = malloc(count * sizeof *codes);

    if (!codes)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const int x = (int)(i % (size_t)window->width), y = (int)(i / (size_t)window->width);
        codes[i] = (uint16_t)satk_code((const uint8_t *)window->data + y * window->stride,
                                       (size_t)x, window->bits);
    }
    qsort(codes, count, sizeof *codes, compare);
    *code = codes[(count - 1) / 2];
    free(codes);
    return SATB_OK;
}

/* Finds the disparity in focus, and the pixel that it was found at: -1, -1 if the caller gave a number. */
static satb_status find_focus(satb_context *context, const satb_depth_map *depth,
                              const satb_depth_scale *scale, const satb_dof_params *p,
                              const satk_lens *lens, satb_found_focus *focus)
{
    uint32_t code = 0;
    satb_status status = SATB_OK;

    *focus = (satb_found_focus){.disparity = p->focus, .x = -1, .y = -1};
    switch (p->focus_mode) {
    case SATB_FOCUS_VALUE: break;
    case SATB_FOCUS_DISTANCE: focus->disparity = satb_disparity_of(scale, p->focus); break;
    case SATB_FOCUS_POINT:
        status = find_median(context, &depth->window, &code);
        *focus = (satb_found_focus){satk_disparity(lens, code, (1u << depth->map.bits) - 1),
                                    p->focus_x, p->focus_y};
        break;
    case SATB_FOCUS_AUTO:
    default:
        status = satb_find_focus(depth, p, lens, focus);
        status = satb_from_host(context, depth->at, status);
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
        *radius = SATB_DEFAULT_RADIUS * satb_longer_side(src);
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

static int is_single_value(const satb_depth_map *depth)
{
    const uint32_t codes = 1u << depth->map.bits;
    const uint32_t first = satb_next_code(&depth->numbers.codes, 0, codes);

    return satb_next_code(&depth->numbers.codes, first + 1, codes) == codes;
}

/* Finds the extreme codes that occur, as parts of the full scale. Code 0 counts only where there is no other. */
static void find_extremes(const satb_depth_map *depth, double *least, double *most)
{
    const uint32_t codes = 1u << depth->map.bits;
    const uint32_t first = satb_next_code(&depth->numbers.codes, 1, codes);

    *least = first < codes ? (double)first / (codes - 1) : 0;
    *most = (double)satb_last_code(&depth->numbers.codes, codes) / (codes - 1);
}

/* Returns the largest radius that occurs: that of one of the extreme codes. */
static double largest_radius(const satk_lens *lens, const satb_depth_map *depth)
{
    const int bits = depth->map.bits;
    const uint32_t last = satb_last_code(&depth->numbers.codes, 1u << bits);
    const int32_t a = satk_radius_q8(
        satk_radius_of(lens, satb_next_code(&depth->numbers.codes, 0, 1u << bits), bits));
    const int32_t b = satk_radius_q8(satk_radius_of(lens, last, bits));

    return (abs(a) > abs(b) ? abs(a) : abs(b)) / 256.0;
}

/* --- Plan ------------------------------------------------------------------------------------- */

static double larger_scale(const satb_dof_params *p)
{
    if (!p->scaled)
        return 1;
    return p->near_scale > p->far_scale ? p->near_scale : p->far_scale;
}

static satb_status find_radii(satb_context *context, const satb_image *src,
                              const satb_dof_params *p, satb_dof_plan *plan)
{
    const satb_depth_scale scale = depth_scale(p);
    const satb_depth_numbers *const numbers = &plan->depth.numbers;
    satb_found_focus focus;
    double strength;

    plan->lens = satb_lens_of(&scale);
    satb_status status = find_focus(context, &plan->depth, &scale, p, &plan->lens, &focus);
    if (status == SATB_OK)
        status = find_strength(context, src, &scale, p, focus.disparity, &strength);
    if (status != SATB_OK)
        return status;
    if (!(strength * larger_scale(p) * (1 + p->fringe) <= SATB_MAX_RADIUS))
        return satb_fail(context, SATB_ERR_ARG, "scales: a radius of %.3g pixels is beyond 2^23",
                         strength * larger_scale(p));
    plan->lens.focus = focus.disparity;
    plan->lens.sharp = p->focus_range / 2;
    plan->lens.behind = p->scaled ? strength * p->far_scale : strength;
    plan->lens.before = p->scaled ? strength * p->near_scale : strength;
    plan->report = (satb_dof_report){
        .focus = focus.disparity,
        .focus_x = focus.x,
        .focus_y = focus.y,
        .focus_distance = scale.distance_near == 0 ? 0 : satb_distance_of(&scale, focus.disparity),
        .distance_near = scale.distance_near,
        .distance_far = scale.distance_far,
        .max_radius = strength,
        .full_radius = strength * larger_scale(p),
        .largest_radius = largest_radius(&plan->lens, &plan->depth),
        .single_value = is_single_value(&plan->depth),
        .resampled = plan->depth.resampled,
        .holes = plan->depth.holes,
        .unknown = numbers->filled[SATK_FILL_HOLES],
        .snapped = numbers->surface[SATK_SNAPPED] + numbers->followed[SATK_FOLLOWED],
        .mixed = numbers->surface[SATK_MIXED],
        .subject = p->matte ? satb_matte_mean(&plan->depth) : 0,
        .kept = p->protect ? satb_protect_mean(&plan->depth) : 0};
    find_extremes(&plan->depth, &plan->report.least, &plan->report.most);
    return SATB_OK;
}

/* Moves what is protected to the code next to the focus, whose radius becomes 0. */
static satb_status protect(satb_context *context, satb_dof_plan *plan)
{
    const uint32_t code = satb_code_in_focus(&plan->lens, plan->depth.map.bits);

    plan->lens.kept = code + 1;
    satb_add_codes(&plan->depth.numbers.codes, code, code);
    return satb_protect_depth(context, &plan->depth, code);
}

/* Returns the parameters as they are without a depth map: the matte is the map, and its subject is nearest. */
static satb_dof_params params_of_matte(const satb_dof_params *given)
{
    satb_dof_params p = *given;

    if (p.focus_mode == SATB_FOCUS_AUTO) {
        p.focus_mode = SATB_FOCUS_VALUE;
        p.focus = 1;
    }
    p.depth_type = SATB_DEPTH_DISPARITY;
    p.near_black = 0;
    p.holes = SATB_HOLES_NONE;
    p.range_low = p.range_high = 0;
    return p;
}

satb_status satb_open_dof_plan(satb_context *context, satb_dof_plan *plan, const satb_image *src,
                               const satb_image *depth, const satb_dof_params *params)
{
    const int matte_alone = !depth && params->matte;
    const satb_dof_params own = matte_alone ? params_of_matte(params) : *params, *const p = &own;

    *plan = (satb_dof_plan){0};
    satb_status status = satb_check_look(context, src, &p->look);
    if (status == SATB_OK)
        status = check_method(context, src, p);
    if (status == SATB_OK)
        status = check_table(context, p);
    if (status == SATB_OK)
        status = check_focus(context, src, p);
    if (status == SATB_OK)
        status = check_depth(context, p);
    if (status == SATB_OK)
        status = check_strength(context, p);
    if (status == SATB_OK)
        status = satb_open_depth_map(context, &plan->depth, depth, src, p);
    if (status != SATB_OK)
        return status;
    status = find_radii(context, src, p, plan);
    if (status == SATB_OK && p->protect)
        status = protect(context, plan);
    if (status != SATB_OK)
        satb_close_dof_plan(context, plan);
    return status;
}

void satb_close_dof_plan(satb_context *context, satb_dof_plan *plan)
{
    satb_close_depth_map(context, &plan->depth);
    *plan = (satb_dof_plan){0};
}
