/* Edges of a depth map, and their ramps: wide ones are narrower in a map of half the size. */
#ifndef SATB_DEPTH_RAMPS_H
#define SATB_DEPTH_RAMPS_H

#include "depth/depth_votes.h"

enum { SATB_LEAST_SIDE = 9 }; /* a map of fewer samples, in width or height, has no edges */

typedef struct satb_edge_count {
    size_t edges, ramps; /* samples on edges; those of them that are on ramps */
} satb_edge_count;

/* Marks the samples on edges, and those on ramps as mute. The map has at least SATB_LEAST_SIDE samples in width and height.
 * Returns 0 if memory ran out. */
int satb_mark_edges(const satb_votes *votes, int threads, satb_edge_count *count);

/* Halves a map as long as its edges are few or wide (satk_is_wide()), at most three times: a sample of the half has the mean
 * of its area, in 16 bits. An odd side has an odd half. votes and count come in with the map's own edges marked, and stay
 * if these are neither few nor wide, or if the half has few edges; otherwise they become those of the half. Errors: NOMEM;
 * votes are to be closed in any case. */
satb_status satb_narrow_edges(satb_context *context, satb_votes *votes, satb_edge_count *count);

#endif
