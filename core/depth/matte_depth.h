/* A depth map whose subject is given by a matte. Runs on the host, in integers. */
#ifndef SATB_MATTE_DEPTH_H
#define SATB_MATTE_DEPTH_H

#include "base/context.h"
#include "depth/depth_rims.h"

/* Makes the map follow the matte, both of the picture's size and in host memory; the map, one channel, is changed in place.
 * matte/follow.h has the definition. near_black: 1: small codes are near. The pixels changed are added to *count.
 * Errors: NOMEM. */
satb_status satb_follow_matte(satb_context *context, const satb_image *matte, const satb_image *map,
                              int near_black, satb_rims *rims, size_t *count);

#endif
