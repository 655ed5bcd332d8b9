#include "depth_map.h"

#include "depth.h"
#include "depth_edges.h"
#include "depth_holes.h"
#include "depth_mixed.h"
#include "depth_surfaces.h"

/* What the step's picture owns, if it is not its input's. */
static void *owned(const satb_image *out, const satb_image *in)
{
    return out->data == in->data ? NULL : out->data;
}

/* Edges and mixed pixels, on the device or on the host. is_ours: `filled` may be changed. */
static satb_status place_edges(satb_context *context, satb_depth_map *depth,
                               const satb_image *filled, int is_ours, const satb_image *picture,
                               int near_black)
{
    satb_surfaces found;
    satb_image fitted;

    satb_status status = satb_find_surfaces(context, filled, picture, near_black, &found);
    if (status == SATB_OK && found.is_made) {
        depth->map = found.map;
        depth->counted = found.counted;
        depth->snapped = found.snapped;
        depth->mixed = found.mixed;
        return SATB_OK;
    }
    if (status == SATB_OK)
        status = satb_fit_depth(context, filled, picture, &fitted, &depth->snapped);
    if (status != SATB_OK)
        return status;
    depth->fitted = owned(&fitted, filled);
    is_ours |= depth->fitted != NULL;
    status =
        satb_join_mixed(context, &fitted, is_ours, picture, near_black, &depth->map, &depth->mixed);
    if (status == SATB_OK)
        depth->joined = owned(&depth->map, &fitted);
    return status;
}

static satb_status make(satb_context *context, satb_depth_map *depth, const satb_image *map,
                        const satb_image *picture, const satb_dof_params *params)
{
    satb_image channel, filled;

    satb_status status = satb_first_channel(context, map, &channel);
    if (status != SATB_OK)
        return status;
    depth->channel = owned(&channel, map);
    status = satb_fill_holes(context, &channel, picture, depth->holes, params->near_black, &filled,
                             &depth->unknown);
    if (status != SATB_OK)
        return status;
    depth->filled = owned(&filled, &channel);
    return place_edges(context, depth, &filled, filled.data != map->data, picture,
                       params->near_black);
}

satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params)
{
    *depth = (satb_depth_map){0};
    satb_status status = satb_check_image(context, map, "depth map");
    if (status != SATB_OK)
        return status;
    depth->holes = satb_holes_of(map, params);
    depth->resampled = map->width != picture->width || map->height != picture->height;
    status = make(context, depth, map, picture, params);
    if (status != SATB_OK)
        satb_close_depth_map(context, depth);
    return status;
}

void satb_close_depth_map(satb_context *context, satb_depth_map *depth)
{
    satb_give(&context->spares, depth->channel);
    satb_give(&context->spares, depth->filled);
    satb_give(&context->spares, depth->fitted);
    satb_give(&context->spares, depth->joined);
    *depth = (satb_depth_map){0};
    context->goes_on = 0;
}
