/* Assigns the pixels along the edges of a depth map to surfaces: from the map's own codes to those that a blur takes. For
 * CUDA devices, and for maps of the picture's size. The CPU has `mark` and `join` as kernels of their own; callers cut.
 *
 * mark  finds edges and ramps: surface_mark_cpu.h has the definition, satk_least_edge() is the least difference
 * cut   gives a sample on a ramp the closer of the ramp's ends, of equals the higher: they are the extremes of the smallest
 *       square around it that has them (satk_has_ends())
 * join  gives a pixel that shows two surfaces the nearer one's code: surface_join_cpu.h has the definition
 *
 * Of a map with few edges or wide ones (satk_is_wide()) only the first two counts are made, and dst is anything.
 *
 * src      the picture
 * map      its size, one channel, at least 9 x 9 samples
 * cut      like map, apart from it; at the end it has the codes before `join`
 * dst      like map; it may be the map
 * near_black  1: small codes are near
 * counts   [SATK_SURFACE_COUNTS], out
 * scratch  at least satk_surface_scratch_cuda() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_SURFACE_H
#define SATK_SURFACE_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SATK_EDGES,
    SATK_RAMPS,
    SATK_MIXED,
    SATK_SURFACE_COUNTS
}; /* samples on edges, on ramps; pixels joined */

typedef struct satk_surface {
    satk_plane src, map, cut, dst;
    const uint32_t *linear; /* [256]: 14-bit linear light of codes of 8 bits */
    int near_black;
    uint64_t *counts;
    void *scratch;
} satk_surface;

size_t satk_surface_scratch_cuda(const satk_surface *job);

/* cudaError_t; 0 = launched */
int satk_surface_cuda(const satk_surface *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
