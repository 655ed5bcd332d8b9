/* Where a depth map has edges, and how soft they are. */
#ifndef SATB_DEPTH_RAMPS_H
#define SATB_DEPTH_RAMPS_H

#include "depth_votes.h"

enum { SATB_LEAST_SIDE = 9 }; /* a map of fewer samples, in width or height, has no edges */

typedef struct satb_edge_count {
    size_t edges, ramps; /* samples on edges; those of them that are on ramps */
} satb_edge_count;

/* Marks SATB_EDGE, and SATB_MUTE on ramps (see satb_fit_depth()). least: the difference of codes that
 * may be an edge. 0: out of memory. */
int satb_mark_edges(const satb_votes *votes, uint32_t least, int threads, satb_edge_count *count);

/* Halves a map, by means of 2 x 2, as long as more than 4/5 of what is on edges is on ramps, or less
 * than an eighth of its width in samples is on edges; at most three times. *narrow is the map itself
 * where that is not so, or finds no more edges; otherwise it owns new memory, which the caller frees
 * (narrow->data). Errors: NOMEM. */
satb_status satb_narrow_edges(satb_context *context, const satb_image *map,
                              const satb_image *picture, satb_image *narrow);

#endif
