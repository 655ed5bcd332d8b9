/* A caller's depth map, made ready: holes filled, of the picture's size, edges where the picture has
 * its own, and pixels that show two surfaces with the nearer. */
#ifndef SATB_DEPTH_MAP_H
#define SATB_DEPTH_MAP_H

#include "base/context.h"

typedef struct satb_depth_map {
    satb_image map;   /* of the picture's size, one channel; valid until the context's next map, and
                       where it is on the device, in a slot, until it is closed */
    satb_image guide; /* the picture where the host reads it; data NULL: it did not need it */
    void *picture;    /* memory of that, or NULL; and of the steps */
    void *whole, *channel, *filled, *fetched, *fitted, *joined;
    satb_holes holes; /* as used */
    /* Samples that were holes; pixels that edges were decided for, and that showed two surfaces. */
    size_t unknown, snapped, mixed;
    const uint64_t *counted; /* by code, how many pixels have it; NULL: not known */
    int resampled;
} satb_depth_map;

/* Errors: ARG (the map), NOMEM, DEVICE_NOMEM, DEVICE; nothing to close then. */
satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params);

void satb_close_depth_map(satb_context *context, satb_depth_map *depth);

#endif
