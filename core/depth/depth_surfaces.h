/* Edges of depth and mixed pixels by a device that has a kernel for both: the results of depth_edges.h and then
 * depth_join.h, for maps of the picture's size. */
#ifndef SATB_DEPTH_SURFACES_H
#define SATB_DEPTH_SURFACES_H

#include "base/context.h"

typedef struct satb_surfaces {
    satb_image map;        /* on the device, where the context's work goes on with it */
    size_t snapped, mixed; /* the counts of satb_fit_depth() and satb_join_surfaces() */
    /* By code of `map`: how many pixels have it; the back end's memory, until the next call. */
    const uint64_t *counted;
    int is_made; /* 0: this is the host's work, and nothing is here */
} satb_surfaces;

/* It is the host's work on the CPU, in maps of another size than the picture's, in those that have few edges or wide
 * ones (satk_is_wide()), where the device's memory does not hold all at once or held no whole picture in the last
 * call, and where there is no memory to be pinned. map: one channel. From then on, and until satb_close_depth_map(),
 * the context's work goes on with the same images. Errors: DEVICE. */
satb_status satb_find_surfaces(satb_context *context, const satb_image *map,
                               const satb_image *picture, int near_black, satb_surfaces *found);

#endif
