/* Depth of field by spreading: from radii by code to the splats of kernels/spread.h. */
#ifndef SATB_SPREADING_H
#define SATB_SPREADING_H

#include "base/context.h"
#include "spread/spread.h"

typedef struct satb_spread {
    const satb_image *src, *dst;
    const satb_image *map;  /* of src's size, its first channel counts */
    const uint32_t *counts; /* by code: pixels of the map */
    const uint32_t *radius; /* by code: Q8 */
    int gamma;
} satb_spread;

/* Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_spread_run(satb_context *context, const satb_spread *spread);

/* What a source spreads in all, its light, is 2^bits; this is the largest for which no sum passes 64
 * bits where no window reaches farther than `farthest` pixels. */
int satb_light_bits(int farthest, uint64_t largest_sample);

/* The splat of a source of a Q8 radius. */
satk_splat satb_make_splat(uint32_t radius, int bits);

#endif
