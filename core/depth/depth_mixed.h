/* Pixels that show two surfaces. Along an edge of depth a picture is anti-aliased, but each pixel of a
 * map is one surface; a mixture that counts as the far one is blurred, or covered, with what it shows of
 * the near one, and the near one's edge gets ragged. Runs on the host, in integers, as depth_edges.h. */
#ifndef SATB_DEPTH_MIXED_H
#define SATB_DEPTH_MIXED_H

#include "base/context.h"

/* Mixed pixels become the near surface's. *out is the map itself where there are none, or where is_ours
 * says that it may be changed; otherwise it owns memory, which the caller gives back (out->data,
 * satb_give()). map: one channel, of the picture's size. near_black: 1: small codes are near. *mixed: how
 * many pixels. Errors: NOMEM; the map is as it was.
 *
 * A pixel is beside something nearer where one of the 3 x 3 around it is nearer by more than 2^bits / 32
 * codes. Then N is the mean colour of those of the 5 x 5 around it whose codes are closer to that of
 * the nearest of the 3 x 3 than to its own; F is that of the others, and V their variance (the mean of
 * the squared distances from F), but without those that are beside something nearer, too. Colours are
 * red, green and blue of linear light, by the higher byte of 16 bits; alpha does not count. With d = N - F and v = its colour - F, it is mixed if
 *     v v > 16 V                     it is further from F than the far surface's own colours are,
 *     0 < v d <= d d                 between the two,
 *     (v d)^2 > 9/10 (v v) (d d)     and on their line, within 18 degrees.
 * The first with exact means, the others with means rounded down.
 * It gets the code of the nearest of the 3 x 3. That v = alpha d is the equation of matting: A. R. Smith,
 * J. F. Blinn, "Blue Screen Matting", SIGGRAPH 1996; here it is only decided whether it holds. */
satb_status satb_join_mixed(satb_context *context, const satb_image *map, int is_ours,
                            const satb_image *picture, int near_black, satb_image *out,
                            size_t *mixed);

#endif
