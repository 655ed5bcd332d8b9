/* Blurs by a fixed radius and by a radius map. */
#include "blur/blur.h"

#include "depth/lens.h"
#include "depth/radius_map.h"

static int is_radius(double r)
{
    return r >= 0 && r <= SATB_MAX_RADIUS; /* false for NaN */
}

satb_status satb_box(satb_context *context, const satb_image *src, const satb_image *dst,
                     const satb_box_params *params)
{
    const satb_box_params p = params ? *params : (satb_box_params){0};
    satb_status status = satb_blur_check(context, src, dst, &p.look);

    if (status == SATB_OK && !(is_radius(p.radius_x) && is_radius(p.radius_y)))
        status = satb_fail(context, SATB_ERR_ARG, "radius: not in 0 .. 2^23");
    if (status != SATB_OK)
        return status;
    const satb_blur blur = {.src = src,
                            .dst = dst,
                            .look = p.look,
                            .radius_x = satb_radius_q8(p.radius_x),
                            .radius_y = satb_radius_q8(p.radius_y)};
    return satb_blur_run(context, &blur);
}

/* A radius map whose largest code has the radius `most`. */
typedef struct linear_map {
    double most;
    uint32_t largest;
} linear_map;

static uint32_t radius_of(const void *job, uint32_t code)
{
    const linear_map *const m = job;

    return satb_radius_q8(m->most * code / m->largest);
}

satb_status satb_blur_map(satb_context *context, const satb_image *src, const satb_image *map,
                          const satb_image *dst, const satb_map_params *params)
{
    const satb_map_params p = params ? *params : (satb_map_params){0};
    satb_radius_map radii;
    satb_status status = satb_blur_check(context, src, dst, &p.look);

    if (status == SATB_OK && !is_radius(p.max_radius))
        status = satb_fail(context, SATB_ERR_ARG, "max_radius: not in 0 .. 2^23");
    if (status == SATB_OK)
        status = satb_open_radius_map(context, &radii, map, src->width, src->height);
    if (status != SATB_OK)
        return status;
    const linear_map linear = {p.max_radius, (1u << radii.map.bits) - 1};
    const satb_blur blur = {
        .src = src, .dst = dst, .look = p.look, .map = &radii.map, .call = &radii.call};
    status = satb_blur_by_map(context, blur, &radii.codes, radius_of, &linear);
    radii.call.is_done = status == SATB_OK;
    satb_close_radius_map(context, &radii);
    return status;
}
