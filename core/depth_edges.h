/* Edges of depth where the picture has its own. Maps are smaller than their pictures, or their edges
 * are soft: what lies between two surfaces there belongs to neither of them. Runs on the host for
 * both back ends, in integers. */
#ifndef SATB_DEPTH_EDGES_H
#define SATB_DEPTH_EDGES_H

#include "context.h"

/* The map at the picture's size. *out owns new memory, which the caller frees (out->data), or is the
 * map itself where nothing had to be changed. Only the map's first channel counts, only the picture's
 * colours. Errors: NOMEM.
 *
 * An edge is where the codes of 3 x 3 samples of the map are more than 1/64 of the full scale apart,
 * and no less than half as far as those of the 7 x 7 around: on a slope, they are a third as far.
 *   - In a map of the picture's size, a pixel on an edge whose code lies between those of two opposite
 *     neighbours, by a sixteenth of the 5 x 5's range from both, is on a ramp, and is decided.
 *   - In a map of another size, pixels are interpolated (satb_resample()); those in the 3 x 3 samples
 *     around a sample on an edge are decided.
 * Decided: of the 5 x 5 samples around, those in the nearest quarter of their range are one surface,
 * those in the farthest quarter the other. Each sample counts the more the closer it is and the more
 * its colour is the pixel's; the surface that counts more is taken, and the pixel gets its mean. */
satb_status satb_fit_depth(satb_context *context, const satb_image *map, const satb_image *picture,
                           satb_image *out);

#endif
