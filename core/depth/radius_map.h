/* A map of codes, of the picture's size, and the radius that each code stands for. */
#ifndef SATB_RADIUS_MAP_H
#define SATB_RADIUS_MAP_H

#include "base/context.h"
#include "depth/code_set.h"

typedef struct satb_radius_map {
    satb_image map;      /* of one channel, or the caller's */
    satb_code_set codes; /* that occur in it */
    uint32_t *radius;    /* by code: Q8, filled in by the caller for codes that occur */
    uint32_t largest;    /* largest radius that occurs, set by satb_blur_by_map() */
    void *brought;       /* memory of a map from the device, or NULL */
} satb_radius_map;

/* Checks a caller's map, resamples it if it is not width x height, finds its codes: on the context's device, with one wait,
 * or on the host if the device's memory does not hold it. It is valid until the context's next map. Errors: ARG, NOMEM,
 * DEVICE_NOMEM, DEVICE (nothing to close). */
satb_status satb_open_radius_map(satb_context *context, satb_radius_map *radii,
                                 const satb_image *map, int width, int height);

/* Makes room for a radius of each code of radii->map, which is 0 at first. Errors: NOMEM. */
satb_status satb_make_radii(satb_context *context, satb_radius_map *radii);

void satb_close_radius_map(satb_context *context, satb_radius_map *radii);

#endif
