/* A map of codes, of the picture's size, whose codes stand for radii. */
#ifndef SATB_RADIUS_MAP_H
#define SATB_RADIUS_MAP_H

#include "backend/call.h"
#include "depth/code_set.h"

typedef struct satb_radius_map {
    satb_image map;      /* of one channel, or the caller's */
    satb_code_set codes; /* that occur in it */
    satb_call call;      /* the call that it is made for, and that ends with it */
} satb_radius_map;

/* Checks a caller's map, resamples it if it is not width x height, finds its codes: on the context's device, with one wait,
 * or on the host if the device's memory does not hold it. It is valid until the context's next map. Errors: ARG, NOMEM,
 * DEVICE_NOMEM, DEVICE (nothing to close). */
satb_status satb_open_radius_map(satb_context *context, satb_radius_map *radii,
                                 const satb_image *map, int width, int height);

void satb_close_radius_map(satb_context *context, satb_radius_map *radii);

#endif
