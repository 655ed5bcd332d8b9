#include "depth/depth_map.h"

#include "backend/image.h"
#include "depth/depth_channel.h"
#include "depth/depth_edges.h"
#include "depth/depth_holes.h"
#include "depth/depth_join.h"
#include "depth/depth_mask.h"
#include "depth/depth_resample.h"
#include "depth/depth_surfaces.h"

/* Returns the memory that a step's result owns: NULL if it is the step's input. */
static void *owned(const satb_image *out, const satb_image *in)
{
    return out->data == in->data ? NULL : out->data;
}

/* Brings the picture, which guides edges, to the host. */
static satb_status bring_guide(satb_context *context, satb_depth_map *depth,
                               const satb_image *picture)
{
    return depth->guide.data ? SATB_OK
                             : satb_view_on_host(context, picture, &depth->guide, &depth->picture);
}

/* Fits edges and joins mixed pixels on the host. */
static satb_status fit_on_host(satb_context *context, satb_depth_map *depth,
                               const satb_image *filled, const satb_image *picture, int near_black)
{
    satb_image view, fitted;

    satb_status status = satb_view_on_host(context, filled, &view, &depth->fetched);
    if (status == SATB_OK)
        status = satb_fit_depth(context, &view, picture->width, picture->height, near_black,
                                &fitted, &depth->snapped, &depth->rims);
    if (status != SATB_OK)
        return status;
    depth->fitted = owned(&fitted, &view);
    status = bring_guide(context, depth, picture);
    if (status == SATB_OK)
        status = satb_join_surfaces(context, &fitted, &depth->guide, near_black, &depth->map,
                                    &depth->mixed);
    if (status == SATB_OK)
        depth->joined = owned(&depth->map, &fitted);
    return status;
}

/* Fits edges and joins mixed pixels, on the device or on the host. */
static satb_status place_edges(satb_context *context, satb_depth_map *depth,
                               const satb_image *filled, const satb_image *picture, int near_black)
{
    satb_surfaces found;

    const satb_status status = satb_find_surfaces(context, filled, picture, near_black, &found);
    if (status != SATB_OK)
        return status;
    if (!found.is_made)
        return fit_on_host(context, depth, filled, picture, near_black);
    depth->map = found.map;
    depth->counted = found.counted;
    depth->snapped = found.snapped;
    depth->mixed = found.mixed;
    return SATB_OK;
}

/* Makes *filled the map's first channel without holes, on the host. */
static satb_status fill_depth_map(satb_context *context, satb_depth_map *depth,
                                  const satb_image *map, const satb_image *picture, int near_black,
                                  satb_image *filled)
{
    satb_image view, channel;

    satb_status status = satb_view_on_host(context, map, &view, &depth->whole);
    if (status == SATB_OK)
        status = satb_first_channel(context, &view, &channel);
    if (status != SATB_OK)
        return status;
    depth->channel = owned(&channel, &view);
    if (depth->holes == SATB_HOLES_FILL)
        status = bring_guide(context, depth, picture);
    if (status == SATB_OK)
        status = satb_fill_holes(context, &channel, &depth->guide, depth->holes, near_black, filled,
                                 &depth->unknown);
    if (status == SATB_OK)
        depth->filled = owned(filled, &channel);
    return status;
}

/* Cuts a mask at the picture's size. */
static satb_status cut_mask(satb_context *context, satb_depth_map *depth, const satb_image *filled,
                            const satb_image *picture, int near_black)
{
    const satb_status status = satb_cut_mask(context, filled, picture->width, picture->height,
                                             near_black, &depth->map, &depth->rims);

    if (status == SATB_OK)
        depth->fitted = depth->map.data;
    depth->snapped = depth->rims.count;
    return status;
}

/* Brings the map to the picture's size and leaves its edges as they are. */
static satb_status keep_edges(satb_context *context, satb_depth_map *depth,
                              const satb_image *filled, const satb_image *picture)
{
    satb_image view;

    depth->map = *filled;
    if (!depth->resampled)
        return SATB_OK;
    satb_status status = satb_view_on_host(context, filled, &view, &depth->fetched);
    if (status == SATB_OK)
        status = satb_resample(context, &view, picture->width, picture->height, &depth->map);
    if (status == SATB_OK)
        depth->fitted = depth->map.data;
    return status;
}

static satb_status make(satb_context *context, satb_depth_map *depth, const satb_image *map,
                        const satb_image *picture, const satb_dof_params *params)
{
    const int near_black = params->near_black;
    satb_image filled = *map;
    satb_status status = SATB_OK;
    int is_mask = 0;

    if (map->channels > 1 || depth->holes != SATB_HOLES_NONE)
        status = fill_depth_map(context, depth, map, picture, near_black, &filled);
    if (status == SATB_OK && params->edges == SATB_DEPTH_EDGES_KEEP)
        return keep_edges(context, depth, &filled, picture);
    if (status == SATB_OK && !filled.on_device)
        status = satb_is_mask(context, &filled, &is_mask);
    if (status != SATB_OK)
        return status;
    return (is_mask ? cut_mask : place_edges)(context, depth, &filled, picture, near_black);
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
    satb_give(&context->spares, depth->picture);
    satb_give(&context->spares, depth->whole);
    satb_give(&context->spares, depth->channel);
    satb_give(&context->spares, depth->filled);
    satb_give(&context->spares, depth->fetched);
    satb_give(&context->spares, depth->fitted);
    satb_give(&context->spares, depth->joined);
    satb_free_rims(&depth->rims);
    *depth = (satb_depth_map){0};
    context->keeps_images = 0;
}
