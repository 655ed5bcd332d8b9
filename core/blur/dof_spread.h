/* Depth of field by spreading: from radii by code to the splats of spread/spread.h. */
#ifndef SATB_DOF_SPREAD_H
#define SATB_DOF_SPREAD_H

#include "base/context.h"
#include "blur/dof_blur.h"
#include "spread/spread.h"

/* Blurs by spreading. Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_dof_spread_run(satb_context *context, const satb_dof_blur *spread);

/* Returns the largest number of bits for which no sum passes 64 bits: (2 + 2 b) largest_sample
 * 2^bits < 2^64, where b is the number of binary digits of `farthest`. A source spreads a light
 * of 2^bits in all, and no window reaches farther than `farthest` pixels. */
int satb_light_bits(int farthest, uint64_t largest_sample);

/* Returns the splat of a source: 2^bits w(dx) w(dy) / (2 r + 1)^2, rounded half up, for the
 * pixel at dx, dy beside it. w is the weight of a window of radius r along an axis: 1, or a
 * fraction at the outermost ring. radius: r in 1/256 pixel. */
satk_splat satb_make_splat(uint32_t radius, int bits);

#endif
