/* Makes a caller's depth map ready: fills holes, cuts the map's edges at the picture's size, joins pixels that show two
 * surfaces to the nearer one, and gives the subject the outline of a matte. All of it runs on the context's device, with
 * one wait; or on the host, if the device's memory does not hold it. */
#ifndef SATB_DEPTH_MAP_H
#define SATB_DEPTH_MAP_H

#include "base/context.h"
#include "depth/code_set.h"
#include "matte/follow.h"
#include "matte/matte_plane.h"
#include "surface/fill.h"
#include "surface/surface.h"

/* What is known of a map when it is ready. */
typedef struct satb_depth_numbers {
    uint64_t surface[SATK_SURFACE_COUNTS];
    uint64_t matte[SATK_MATTE_COUNTS]; /* 0 without a matte; the next, too */
    uint64_t followed[SATK_FOLLOW_COUNTS];
    uint64_t filled[SATK_FILL_COUNTS]; /* 0 if code 0 is no hole */
    satb_code_set codes;               /* of the map */
    satb_code_set near;                /* of the near surfaces of rims; empty: there are none */
} satb_depth_numbers;

typedef struct satb_depth_map {
    satb_context
        *at; /* the context whose memory has the planes: the caller's, or that of its host */
    satb_image picture; /* as that context reads it */
    satb_image map;     /* of the picture's size, one channel */
    satb_image matte;   /* the subject's coverage, 8 bits; data NULL: unknown */
    satk_rims rims;     /* of the map */
    satb_depth_numbers numbers;
    satb_holes holes; /* as used */
    int resampled;
    satb_image window; /* for a focus at a point: the map around it, in host memory */
    void *brought[3];  /* memory of images brought to the host, or NULL */
} satb_depth_map;

/* map may be NULL if params have a matte, which is the map then. All of it is valid until the context's next map. Errors:
 * ARG (the map, the matte), NOMEM, DEVICE_NOMEM, DEVICE; nothing to close then. */
satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params);

void satb_close_depth_map(satb_context *context, satb_depth_map *depth);

/* Returns the meaning of SATB_HOLES_DEFAULT with this map; other choices stay. */
satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params);

/* Returns the mean of the matte's coverage, 0 .. 1. */
double satb_matte_mean(const satb_depth_map *depth);

/* Makes *plane one of one channel in a slot of the context's device. Errors: NOMEM, DEVICE_NOMEM. */
satb_status satb_plane_in(satb_context *context, int slot, int width, int height, int bits,
                          satk_plane *plane);

/* Returns a plane in a slot as an image for further work of the context. */
satb_image satb_image_in(const satb_context *context, const satk_plane *plane);

#endif
