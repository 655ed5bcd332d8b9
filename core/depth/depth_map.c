#include "depth/depth_map.h"

#include "backend/image.h"
#include "base/memory.h"
#include "depth/depth_channel.h"
#include "depth/depth_edges.h"
#include "depth/depth_holes.h"
#include "depth/depth_join.h"
#include "depth/depth_mask.h"
#include "depth/depth_resample.h"
#include "depth/depth_surfaces.h"
#include "depth/matte_depth.h"
#include "depth/matte_plane.h"

/* Returns the memory that a step's result owns: NULL if it is the step's input. */
static void *owned(const satb_image *out, const satb_image *in)
{
    return out->data == in->data ? NULL : out->data;
}

/* Brings the picture to the host, for holes and mixed pixels. */
static satb_status bring_guide(satb_context *context, satb_depth_map *depth,
                               const satb_image *picture)
{
    return depth->guide.data ? SATB_OK
                             : satb_view_on_host(context, picture, &depth->guide, &depth->picture);
}

/* Fits edges and joins mixed pixels. */
static satb_status fit_on_host(satb_context *context, satb_depth_map *depth, const satb_image *view,
                               const satb_image *picture, int near_black)
{
    satb_image fitted;

    satb_status status = satb_fit_depth(context, view, picture->width, picture->height, near_black,
                                        &fitted, &depth->snapped, &depth->rims);
    if (status != SATB_OK)
        return status;
    depth->fitted = owned(&fitted, view);
    status = bring_guide(context, depth, picture);
    if (status == SATB_OK)
        status = satb_join_surfaces(context, &fitted, &depth->guide, near_black, &depth->map,
                                    &depth->mixed);
    if (status == SATB_OK)
        depth->joined = owned(&depth->map, &fitted);
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

/* Returns whether there is a matte, and it is neither all subject nor all background. */
static int has_outline(const satb_depth_map *depth)
{
    const double mean = depth->matte.data ? satb_matte_mean(&depth->matte) : 0;

    return mean > 0 && mean < 1;
}

/* Places edges on the host. A mask has none if a matte has, which is the better one. */
static satb_status place_on_host(satb_context *context, satb_depth_map *depth,
                                 const satb_image *filled, const satb_image *picture,
                                 int near_black)
{
    satb_image view;
    int is_mask = 0;

    satb_status status = satb_view_on_host(context, filled, &view, &depth->fetched);
    if (status == SATB_OK && !has_outline(depth))
        status = satb_is_mask(context, &view, &is_mask);
    if (status != SATB_OK)
        return status;
    return (is_mask ? cut_mask : fit_on_host)(context, depth, &view, picture, near_black);
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
        return place_on_host(context, depth, filled, picture, near_black);
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

/* Makes the map follow the matte, in memory of its own. */
static satb_status follow_matte(satb_context *context, satb_depth_map *depth, int near_black)
{
    satb_image view, own;
    void *copy;
    size_t count = 0;

    satb_status status = satb_view_on_host(context, &depth->map, &view, &copy);
    if (status != SATB_OK)
        return status;
    if (!satb_copy_map(context, &view, &own))
        status = satb_fail(context, SATB_ERR_NOMEM, "out of memory for a depth map");
    satb_give(&context->spares, copy);
    if (status != SATB_OK)
        return status;
    depth->followed = own.data;
    depth->map = own;
    depth->counted = NULL;
    status = satb_follow_matte(context, &depth->matte, &own, near_black, &depth->rims, &count);
    depth->snapped += count;
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

    if (map->channels > 1 || depth->holes != SATB_HOLES_NONE)
        status = fill_depth_map(context, depth, map, picture, near_black, &filled);
    if (status != SATB_OK)
        return status;
    return params->edges == SATB_DEPTH_EDGES_KEEP
               ? keep_edges(context, depth, &filled, picture)
               : place_edges(context, depth, &filled, picture, near_black);
}

/* Makes the map of a matte, a map, or both. */
static satb_status make_any(satb_context *context, satb_depth_map *depth, const satb_image *map,
                            const satb_image *picture, const satb_dof_params *params)
{
    satb_status status = SATB_OK;

    if (params->matte)
        status = satb_open_matte_plane(context, params->matte, picture->width, picture->height,
                                       &depth->matte);
    if (status == SATB_OK && !map)
        return cut_mask(context, depth, &depth->matte, picture, 0);
    if (status == SATB_OK)
        status = make(context, depth, map, picture, params);
    if (status == SATB_OK && params->matte)
        status = follow_matte(context, depth, params->near_black);
    return status;
}

satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params)
{
    *depth = (satb_depth_map){0};
    satb_status status = SATB_OK;
    if (map || !params->matte)
        status = satb_check_image(context, map, "depth map");
    if (status != SATB_OK)
        return status;
    const satb_image *const given = map ? map : params->matte;
    depth->holes = map ? satb_holes_of(map, params) : SATB_HOLES_NONE;
    depth->resampled = given->width != picture->width || given->height != picture->height;
    status = make_any(context, depth, map, picture, params);
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
    satb_give(&context->spares, depth->followed);
    satb_give(&context->spares, depth->matte.data);
    satb_free_rims(&depth->rims);
    *depth = (satb_depth_map){0};
    context->keeps_images = 0;
}
