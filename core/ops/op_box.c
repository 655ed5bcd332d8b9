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
    const uint32_t codes = 1u << radii.map.bits, largest = codes - 1;
    for (uint32_t code = satb_next_code(&radii.codes, 0, codes); code < codes;
         code = satb_next_code(&radii.codes, code + 1, codes))
        radii.radius[code] = satb_radius_q8(p.max_radius * code / largest);
    status = satb_blur_by_map(context, src, dst, &p.look, &radii);
    satb_close_radius_map(context, &radii);
    return status;
}
