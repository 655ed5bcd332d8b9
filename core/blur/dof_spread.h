/* Depth of field by spreading: from radii by code to the splats of spread/spread.h. */
#ifndef SATB_DOF_SPREAD_H
#define SATB_DOF_SPREAD_H

#include "base/context.h"
#include "blur/dof_blur.h"
#include "spread/spread.h"

/* Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_spread_run(satb_context *context, const satb_dof_blur *spread);

/* What a source spreads in all, its light, is 2^bits; this is the largest for which no sum passes 64
 * bits where no window reaches farther than `farthest` pixels. */
int satb_light_bits(int farthest, uint64_t largest_sample);

/* The splat of a source of a Q8 radius. */
satk_splat satb_make_splat(uint32_t radius, int bits);

#endif
