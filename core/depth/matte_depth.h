/* A depth map whose subject is given by a matte. Runs on the host, in integers. */
#ifndef SATB_MATTE_DEPTH_H
#define SATB_MATTE_DEPTH_H

#include "base/context.h"
#include "depth/depth_rims.h"

/* Makes the map follow the matte, both of the picture's size and in host memory; the map, one channel, is changed in place.
 * A pixel belongs to the subject, to the background, or to both (matte_plane.h).
 *   - Windows of 1/128 of the longer side, at least 8 pixels to either side, look around the pixels of one side that lie
 *     near others. Where they have only one side, they are twice as wide, and so on. If the mean codes of the two sides
 *     are more than 4/255 of the full scale apart, a code contradicts the matte that is closer to the other side's mean,
 *     and not beyond that by more than a quarter of the difference, where a third thing would be. It becomes the mean of
 *     those around on its own side that do not contradict. All others stay.
 *   - A pixel of both is a rim: its surfaces' codes are the means of either side around it. Its own code is that of the side
 *     that has the larger part.
 * Doubtful rims of the map that lie near the matte's edge are dropped. A matte without subject or without background
 * changes nothing. near_black: 1: small codes are near. *count: the pixels changed. Errors: NOMEM. */
satb_status satb_follow_matte(satb_context *context, const satb_image *matte, satb_image *map,
                              int near_black, satb_rims *rims, size_t *count);

#endif
