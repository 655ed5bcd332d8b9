/* Edges of depth where the picture has its own. Maps are smaller than their pictures, or their edges
 * are soft: what lies between two surfaces there belongs to neither of them. Runs on the host, in
 * integers; depth_surfaces.h has the most usual maps on a device. */
#ifndef SATB_DEPTH_EDGES_H
#define SATB_DEPTH_EDGES_H

#include "base/context.h"

/* The map at the picture's size. *out is the map itself where nothing has to be changed; otherwise it
 * owns memory, which the caller gives back (out->data, satb_give()). *snapped: how many pixels were
 * decided. Only the map's first channel counts, only the picture's colours. Errors: NOMEM.
 *
 * A sample of the map is on an edge where the codes of the 3 x 3 around it are more than 1/64 of the
 * full scale apart, and no less than a third as far as those of the 9 x 9: on a slope they are a
 * quarter as far. It is on a ramp, too, where its code lies between those of two opposite neighbours,
 * by a sixteenth of the 9 x 9's range from both.
 *   - In a map of the picture's size, pixels on ramps are decided; all others stay. Where its ramps are
 *     wide (satb_narrow_edges()), it decides as a smaller map would, and the other pixels stay.
 *   - In a smaller map, pixels are interpolated (satb_resample()), but decided where one of the 3 x 3
 *     samples around is on an edge.
 *   - A map that is larger, in width or height, is interpolated; in one of less than 9 samples, in
 *     width or height, nothing is decided.
 * Decided: the 5 x 5 samples around that are on no ramp vote for their code, each the more the closer
 * it is and the more its colour is the pixel's. The pixel gets the mean of the quarter of the codes'
 * range that has most votes. */
satb_status satb_fit_depth(satb_context *context, const satb_image *map, const satb_image *picture,
                           satb_image *out, size_t *snapped);

#endif
