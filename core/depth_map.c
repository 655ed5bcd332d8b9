#include "depth_map.h"

#include "depth_edges.h"
#include "depth_holes.h"

#include <stdlib.h>

/* What the step's picture owns, if it is not its input's. */
static void *owned(const satb_image *out, const satb_image *in)
{
    return out->data == in->data ? NULL : out->data;
}

satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params)
{
    satb_image filled;

    *depth = (satb_depth_map){0};
    satb_status status = satb_check_image(context, map, "depth map");
    if (status != SATB_OK)
        return status;
    depth->holes = satb_holes_of(map, params);
    depth->resampled = map->width != picture->width || map->height != picture->height;
    status = satb_fill_holes(context, map, picture, depth->holes, params->near_black, &filled,
                             &depth->unknown);
    if (status != SATB_OK)
        return status;
    depth->filled = owned(&filled, map);
    status = satb_fit_depth(context, &filled, picture, &depth->map, &depth->snapped);
    if (status != SATB_OK) {
        free(depth->filled);
        return status;
    }
    depth->fitted = owned(&depth->map, &filled);
    return SATB_OK;
}

void satb_close_depth_map(satb_depth_map *depth)
{
    free(depth->filled);
    free(depth->fitted);
    *depth = (satb_depth_map){0};
}
