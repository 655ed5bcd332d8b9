#include "depth_map.h"

#include "depth.h"
#include "depth_edges.h"
#include "depth_holes.h"
#include "depth_mixed.h"

/* What the step's picture owns, if it is not its input's. */
static void *owned(const satb_image *out, const satb_image *in)
{
    return out->data == in->data ? NULL : out->data;
}

static satb_status make(satb_context *context, satb_depth_map *depth, const satb_image *map,
                        const satb_image *picture, const satb_dof_params *params)
{
    satb_image channel, filled, fitted;

    satb_status status = satb_first_channel(context, map, &channel);
    if (status != SATB_OK)
        return status;
    depth->channel = owned(&channel, map);
    status = satb_fill_holes(context, &channel, picture, depth->holes, params->near_black, &filled,
                             &depth->unknown);
    if (status != SATB_OK)
        return status;
    depth->filled = owned(&filled, &channel);
    status = satb_fit_depth(context, &filled, picture, &fitted, &depth->snapped);
    if (status != SATB_OK)
        return status;
    depth->fitted = owned(&fitted, &filled);
    status = satb_join_mixed(context, &fitted, fitted.data != map->data, picture,
                             params->near_black, &depth->map, &depth->mixed);
    if (status == SATB_OK)
        depth->joined = owned(&depth->map, &fitted);
    return status;
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
}
