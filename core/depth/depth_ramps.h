/* Where a depth map has edges, and how soft they are. */
#ifndef SATB_DEPTH_RAMPS_H
#define SATB_DEPTH_RAMPS_H

#include "depth/depth_votes.h"

enum { SATB_LEAST_SIDE = 9 }; /* a map of fewer samples, in width or height, has no edges */

typedef struct satb_edge_count {
    size_t edges, ramps; /* samples on edges; those of them that are on ramps */
} satb_edge_count;

/* Marks what is on edges, and what is on ramps as mute (see satb_fit_depth()). The map has at least SATB_LEAST_SIDE samples in width and
 * height. 0: out of memory. */
int satb_mark_edges(const satb_votes *votes, int threads, satb_edge_count *count);

/* Halves a map, by means of 2 x 2, as long as more than 4/5 of what is on edges is on ramps, or less
 * than an eighth of its width in samples is on edges (satk_is_wide()); at most three times. votes and count come in
 * with the map's own edges marked, and stay where that is not so, or finds no more edges; otherwise
 * they become those of the smaller map. Errors: NOMEM; votes are to be closed in any case. */
satb_status satb_narrow_edges(satb_context *context, satb_votes *votes, satb_edge_count *count);

#endif
