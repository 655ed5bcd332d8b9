/* Cuts the edges of a depth map at the middle of their ramps, at the picture's size. Maps are smaller than their pictures,
 * or their edges are soft: codes between those of two surfaces belong to neither. Runs on the host, in integers;
 * depth_surfaces.h has maps of the picture's size on a device. */
#ifndef SATB_DEPTH_EDGES_H
#define SATB_DEPTH_EDGES_H

#include "base/context.h"
#include "depth/depth_rims.h"

/* Makes *out the map, one channel, at width x height pixels. *out is the map itself if nothing has to be changed; otherwise
 * it owns memory, which the caller gives back (out->data, satb_give()). *snapped: the pixels whose code has been changed.
 * near_black: 1: small codes are near. *rims: as below; the caller frees them. Errors: NOMEM, with nothing to free.
 *
 * A pixel on a ramp gets the closer of the ramp's ends, low and high, of equals the high one. The ends at a sample are the
 * least and the largest code of the smallest square around it that has them (satk_has_ends()), from 3 x 3 to 9 x 9.
 *   - In a map of the picture's size, ramps are those of surface_mark_cpu.h, with satk_least_edge() as the least
 *     difference.
 *   - Of a smaller map, or if the ramps of one of the picture's size are wide (satk_is_wide()), halves are looked at, too
 *     (depth_levels.h). A pixel is on a ramp if the sample that its centre lies in is within one sample of one on an edge;
 *     in a half, it goes by the sample that the centre of the map's own lies in. The finest map in which it is on one has
 *     its low and high, interpolated between four samples. An edge of a half counts only where the map before has none:
 *     no sample on an edge there has its centre in a sample of that edge. A ramp's ends differ by more than
 *     satk_least_edge().
 *     A pixel stays where the map rises by less than a 32nd of the ramp along half a sample of that map, in its row and in its
 *     column: it is on a surface. Around its middle, a ramp is a rim: the near end's part grows from nothing to all within
 *     a sixth of the ramp. A pixel nearer to the far end is a rim without a part, if it was not within a 64th of that end.
 *   - A map that is larger, in width or height, and one of less than 9 samples is interpolated and no more.
 *
 * A turned or mirrored map gives the turned or mirrored result, unless an odd number of pixels has an even one of samples:
 * the middle pixel then lies in two. */
satb_status satb_fit_depth(satb_context *context, const satb_image *map, int width, int height,
                           int near_black, satb_image *out, size_t *snapped, satb_rims *rims);

#endif
