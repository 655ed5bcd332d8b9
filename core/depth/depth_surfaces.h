/* Edges of depth and mixed pixels by a device that has a kernel for both: the results of depth_edges.h and then
 * depth_join.h, for maps of the picture's size. */
#ifndef SATB_DEPTH_SURFACES_H
#define SATB_DEPTH_SURFACES_H

#include "base/context.h"

typedef struct satb_surfaces {
    satb_image map;        /* on the device, for the context's further work */
    size_t snapped, mixed; /* the counts of satb_fit_depth() and satb_join_surfaces() */
    /* The number of pixels by code of `map`; the back end's memory, until the next call. */
    const uint64_t *counted;
    int is_made; /* 0: the host has to do it, and the rest is undefined */
} satb_surfaces;

/* Finds the surfaces on the device. The host has to do it (is_made 0) on the CPU; for maps of another size than the
 * picture's, or of less than SATB_LEAST_SIDE samples in width or height; for maps with few edges or wide ones
 * (satk_is_wide()); for masks (depth_mask.h); if the device's memory does not hold all at once, or held no whole picture in
 * the last call; and if no memory can be pinned. map: one channel. From then on, and until satb_close_depth_map(), the
 * context's work goes on with the same images. Errors: DEVICE. */
satb_status satb_find_surfaces(satb_context *context, const satb_image *map,
                               const satb_image *picture, int near_black, satb_surfaces *found);

#endif
