/* Assigns the pixels of a depth map to surfaces: from a caller's map, which may be smaller than its picture and soft at its
 * edges, to a map of the picture's size whose edges are those of surfaces. The stages are those of `how`, in this order:
 *
 * mask  SATK_AS_MASK, or SATK_FIND_MASK where satk_counts_mask() says so: the map, brought to the picture's size, is cut at
 *       its middle. A gray pixel is a rim (SATK_RIM_SUBJECT): the near side's part of it is its brightness, or with near_black
 *       its darkness. No other stage follows.
 * cut   SATK_CUT: a pixel on a ramp between two surfaces gets the closer of the ramp's ends, low and high, of equals the high
 *       one. Ends at a sample are the least and the largest code of the smallest square around it that has them
 *       (satk_has_ends()), from 3 x 3 to 9 x 9. Edges and ramps are those of surface_mark_cpu.h, with satk_least_edge() as
 *       the least difference.
 *       - In a map of the picture's size whose ramps are narrow, the samples on ramps are cut.
 *       - Of a smaller map, or if the ramps of one of the picture's size are wide (satk_is_wide()), halves are looked at, too:
 *         each has half the samples of the one before along both axes, the means of their areas in 16 bits
 *         (satk_half_of()). A pixel is on a ramp if the sample that its centre lies in is within one sample of one on an
 *         edge; in a half, it goes by the sample that the centre of the map's own lies in. The finest map in which it is on
 *         one has its low and high, interpolated between four samples. An edge of a half counts only where it is new: no sample
 *         on an edge of the map before has its centre in a sample of that edge. The halves end before the first one of whose
 *         edges less than a third are new (satk_levels_used()): it shows no ramp better, and slopes of ground look like
 *         edges in it. A ramp's ends differ by more than satk_least_edge().
 *         A pixel stays where the map rises by less than a 32nd of the ramp along half a sample of that map, in its row and
 *         in its column: it is on a surface. Around its middle, a ramp is a rim (SATK_RIM_EDGE): the near end's part grows
 *         from nothing to all within a sixth of the ramp. A pixel nearer to the far end is a rim without a part, if it was
 *         not within a 64th of that end. Its part beside the edge of a sharp thing falls from all at the middle to nothing
 *         within a pixel, as a straight edge covers squares: it is 1 - d / (|u| + |v|), rounded, for codes that are d beyond the
 *         middle and rise by u along the row and by v along the column, half the difference of the pixels to both sides.
 *       - A map that is larger, in width or height, and one of less than 9 samples is not cut.
 * join  SATK_JOIN: a pixel that shows two surfaces gets the nearer one's code (surface_join_cpu.h).
 *
 * A turned or mirrored map gives the turned or mirrored result, unless an odd number of pixels has an even one of samples:
 * the middle pixel then lies in two.
 *
 * src      the picture, for `join`
 * map      one channel, of any size
 * dst      one channel, of the picture's size, apart from the map: of the map's bits if that has the same size, else of 16
 * rims     of dst; all of it is written
 * linear   14-bit linear light of codes of 8 bits
 * outline  NULL, or the sum of the coverage of a matte of the picture's size, in 1/255: no mask is found if it is neither 0 nor
 *          all, since the matte's outline is the better one
 * near_black  1: small codes are near
 * counts   [SATK_SURFACE_COUNTS], out
 * scratch  at least satk_surface_scratch_*() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_SURFACE_H
#define SATK_SURFACE_H

#include "common/plane.h"
#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_CUT = 1, SATK_JOIN = 2, SATK_FIND_MASK = 4, SATK_AS_MASK = 8 };

enum { SATK_MOST_HALVES = 3 };

/* Numbers of samples, or of pixels of dst. */
enum {
    SATK_BLACK, /* samples of the least code, and .. */
    SATK_WHITE, /* .. of the largest one; known with SATK_FIND_MASK */
    SATK_EDGES, /* samples of a map of the picture's size that are on edges .. */
    SATK_RAMPS, /* .. and on ramps; known with SATK_CUT, unless the map is a mask */
    SATK_SNAPPED, /* pixels that were on narrow ramps, or whose code was changed, or gray ones of a mask */
    SATK_MIXED,      /* pixels joined */
    SATK_RIMS,       /* pixels that are rims */
    SATK_NEAR_LOW,   /* 65536 less the least near code of an edge's rims, and .. */
    SATK_NEAR_HIGH,  /* .. 1 more than the largest; 0: there are none */
    SATK_HALF_EDGES, /* samples of each half of the map that are on edges .. */
    SATK_NEW_EDGES = SATK_HALF_EDGES + SATK_MOST_HALVES, /* .. and on none of the map before */
    SATK_SURFACE_COUNTS = SATK_NEW_EDGES + SATK_MOST_HALVES
};

typedef struct satk_surface {
    satk_plane src, map, dst;
    satk_rims rims;
    int how; /* stages, added up */
    int near_black;
    const uint32_t *linear; /* [256] */
    const uint64_t *outline;
    uint64_t *counts;
    void *scratch;
} satk_surface;

size_t satk_surface_scratch_cpu(const satk_surface *job, int threads);
void satk_surface_cpu(const satk_surface *job, int threads);

size_t satk_surface_scratch_cuda(const satk_surface *job);

/* cudaError_t; 0 = launched */
int satk_surface_cuda(const satk_surface *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
