/* A map of codes, of the picture's size, and the radius that each code stands for. */
#ifndef SATB_RADIUS_MAP_H
#define SATB_RADIUS_MAP_H

#include "base/context.h"

typedef struct satb_radius_map {
    satb_image map;   /* the caller's; or that on the host; or resampled to the picture's size */
    void *fetched;    /* memory of a map from the device, or NULL */
    void *resampled;  /* and of a resampled one */
    uint32_t *counts; /* by code: how many pixels */
    uint32_t *radius; /* by code: Q8, filled in by the caller */
    uint32_t largest; /* largest radius that occurs, set by satb_blur_by_map() */
} satb_radius_map;

/* Checks the map, resamples it if it is not width x height, counts its codes. counted: how often each code occurs in
 * it where that is known, or NULL: a map on the device is fetched then. Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE
 * (nothing to close). */
satb_status satb_open_radius_map(satb_context *context, satb_radius_map *radii,
                                 const satb_image *map, const uint64_t *counted, const char *what,
                                 int width, int height);

void satb_close_radius_map(satb_context *context, satb_radius_map *radii);

#endif
