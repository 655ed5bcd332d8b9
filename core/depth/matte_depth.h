/* A depth map whose subject is given by a matte. Runs on the host, in integers. */
#ifndef SATB_MATTE_DEPTH_H
#define SATB_MATTE_DEPTH_H

#include "base/context.h"
#include "depth/depth_rims.h"

/* Makes the map follow the matte, both of the picture's size and in host memory; the map, one channel, is changed in place.
 * A pixel belongs to the subject (255), to the background (0), or to both.
 *   - A pixel of one side is near others if a window around it has any: of 1/128 of the longer side, at least 8 pixels, to
 *     either side, or half of that, a quarter .., until both sides have pixels that are not. Those are inside.
 *   - Around a pixel near others, and around one of both, windows of twice that width and more, doubled until they have
 *     pixels inside on both sides, give the mean codes of the sides. Where these are more than 4/255 of the full scale apart,
 *     a code contradicts the matte if it lies more than half of the way from its own side's mean to the other's (of the
 *     subject, a quarter), and not beyond the other's by more than a quarter, where a third thing would be. That code
 *     becomes its own side's mean. All others stay.
 *   - Background beside a plain outline, with less than a quarter of pixels of both around, looks into the narrowest window
 *     alone: the ground around feet has the depth of the subject.
 *   - A pixel of both is a rim: its surfaces' codes are those means. Its own code is that of the side with the larger part.
 * Rims of the map that lie near the matte's edge are dropped. A matte without subject or without background changes
 * nothing. near_black: 1: small codes are near. *count: the pixels changed. Errors: NOMEM. */
satb_status satb_follow_matte(satb_context *context, const satb_image *matte, const satb_image *map,
                              int near_black, satb_rims *rims, size_t *count);

#endif
