/* Depth maps that are masks: white where the subject is, black elsewhere, with gray rims. Runs on the host. */
#ifndef SATB_DEPTH_MASK_H
#define SATB_DEPTH_MASK_H

#include "base/context.h"
#include "depth/depth_rims.h"

/* Returns whether a map is a mask with gray rims, from its numbers of black, white and all samples: at least nine tenths,
 * but not all, are black or white, and at least a hundredth each. */
int satb_counts_mask(uint64_t black, uint64_t white, uint64_t samples);

/* Sets *is to whether a map of one channel is one. Errors: NOMEM. */
satb_status satb_is_mask(satb_context *context, const satb_image *map, int *is);

/* Makes *out the mask at width x height pixels, cut at its middle, and adds its gray pixels to the rims. The coverage of the
 * near side is their brightness, or with near_black their darkness, interpolated if the mask has another size. *out owns
 * memory, which the caller gives back (out->data, satb_give()). Errors: NOMEM, with nothing to give back or to free. */
satb_status satb_cut_mask(satb_context *context, const satb_image *map, int width, int height,
                          int near_black, satb_image *out, satb_rims *rims);

#endif
