/* Moves the edges of a depth map to those of its picture. Maps are smaller than their pictures, or their edges are soft:
 * codes between those of two surfaces belong to neither. Runs on the host, in integers; depth_surfaces.h has maps of the
 * picture's size on a device. */
#ifndef SATB_DEPTH_EDGES_H
#define SATB_DEPTH_EDGES_H

#include "base/context.h"

/* Makes *out the map at the picture's size. *out is the map itself if nothing has to be changed; otherwise it owns memory,
 * which the caller gives back (out->data, satb_give()). *snapped: the number of pixels that were decided. Only the map's
 * first channel counts, and only the picture's colours. Errors: NOMEM.
 *
 * A sample is on an edge, or on a ramp too, as surface_mark_cpu.h says, with satk_least_edge() as the least difference.
 *   - In a map of the picture's size, pixels on ramps are decided, and all others stay. If its ramps are wide
 *     (satb_narrow_edges()), a map of half the size decides like a smaller map, and the other pixels stay.
 *   - In a smaller map, pixels are interpolated (satb_resample()), but decided if one of the 3 x 3 samples around theirs
 *     is on an edge. A pixel's sample is the one that its centre lies in; of two, the one closer to the picture's middle.
 *   - A map that is larger, in width or height, is interpolated; in one of less than 9 samples, in width or height,
 *     nothing is decided.
 * The 5 x 5 samples around a decided pixel's vote for their codes, less those on ramps (surface_vote_cpu.h). Votes count
 * codes of 16 bits, and the result is rounded to the bits of *out.
 *
 * A turned or mirrored picture and map give the turned or mirrored result, but for the middle column (or row) of a picture
 * of odd width (or height) whose map has an even one, as that lies between two samples. */
satb_status satb_fit_depth(satb_context *context, const satb_image *map, const satb_image *picture,
                           satb_image *out, size_t *snapped);

#endif
