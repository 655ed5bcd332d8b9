#include "depth/radius_map.h"

#include "backend/image.h"
#include "depth/depth_channel.h"
#include "depth/depth_resample.h"

satb_status satb_open_radius_map(satb_context *context, satb_radius_map *radii,
                                 const satb_image *map, const uint64_t *counted, const char *what,
                                 int width, int height)
{
    satb_status status = satb_check_image(context, map, what);

    if (status != SATB_OK)
        return status;
    *radii = (satb_radius_map){.map = *map};
    if (!counted)
        status = satb_view_on_host(context, map, &radii->map, &radii->fetched);
    if (status == SATB_OK && (map->width != width || map->height != height)) {
        const satb_image view = radii->map;
        status = satb_resample(context, &view, width, height, &radii->map);
        radii->resampled = status == SATB_OK ? radii->map.data : NULL;
    }
    if (status != SATB_OK) {
        satb_close_radius_map(context, radii);
        return status;
    }
    const size_t codes = (size_t)1 << radii->map.bits;
    radii->counts = satb_take(&context->spares, codes * sizeof *radii->counts);
    radii->radius = satb_take(&context->spares, codes * sizeof *radii->radius);
    int whole = radii->counts && radii->radius;
    if (whole && !counted)
        whole = satb_count_codes(context, &radii->map, 0, 0, width, height, radii->counts);
    for (size_t i = 0; whole && counted && i < codes; i++)
        radii->counts[i] = (uint32_t)counted[i];
    if (whole)
        return SATB_OK;
    satb_close_radius_map(context, radii);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
}

void satb_close_radius_map(satb_context *context, satb_radius_map *radii)
{
    satb_give(&context->spares, radii->fetched);
    satb_give(&context->spares, radii->resampled);
    satb_give(&context->spares, radii->counts);
    satb_give(&context->spares, radii->radius);
    *radii = (satb_radius_map){0};
}
