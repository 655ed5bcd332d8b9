/* Makes a caller's depth map ready: fills holes, cuts the map's edges at the picture's size, joins pixels that show two
 * surfaces to the nearer one, and gives the subject the outline of a matte. */
#ifndef SATB_DEPTH_MAP_H
#define SATB_DEPTH_MAP_H

#include "base/context.h"
#include "depth/depth_rims.h"

typedef struct satb_depth_map {
    satb_image map;   /* of the picture's size, one channel; valid until the context's next map, and
                       on the device, in a slot, until it is closed */
    satb_image guide; /* the picture for the host; data NULL: the host did not need it */
    void *picture;    /* memory of that, or NULL; and of the steps */
    void *whole, *channel, *filled, *fetched, *fitted, *joined, *followed;
    satb_holes holes; /* as used */
    /* Samples that were holes; pixels that were changed at edges; pixels that showed two surfaces. */
    size_t unknown, snapped, mixed;
    satb_rims rims;          /* for blurs that know coverage; of maps in host memory */
    satb_image matte;        /* the subject's coverage, 8 bits, on the host; data NULL: unknown */
    const uint64_t *counted; /* the number of pixels, by code; NULL: unknown */
    int resampled;
} satb_depth_map;

/* map may be NULL if params have a matte, which is the map then. Errors: ARG (the map, the matte), NOMEM, DEVICE_NOMEM,
 * DEVICE; nothing to close then. */
satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params);

void satb_close_depth_map(satb_context *context, satb_depth_map *depth);

#endif
