/* Fills the holes of a sensor's depth map: its samples of code 0, whose depth is unknown.
 *
 * SATK_FILL_FAR, SATK_FILL_NEAR  all holes get the farthest code, or the nearest
 * SATK_FILL_INWARDS              they get depths from their rims inwards, in rounds. If no sample is known, all stay 0
 *
 * votes   A hole is on a rim if one of the eight samples around it is known. The known ones of the 5 x 5 around it vote
 *         for its code, by distance and likeness of colour (surface_vote_cpu.h). The colour of a sample is that of the
 *         pixel or, unless the map has the picture's size, the mean of the pixels in the middle half of its area, by
 *         8 bits a channel.
 * rounds  In a round, all holes on rims vote, by what was known before it. The support of their votes has four levels
 *         (satk_support_level()). Those of the best levels become known, of as few levels as have 1/SATK_FILL_LEAST of
 *         all: a surface grows into a hole until the picture changes. Holes whose depth is refused stay on the rims.
 * gaps    Holes side by side, or one above the other, are a gap. Of large ones (satk_is_small_gap()) the rim is looked
 *         at, farther out than its next samples, as sensors often let a surface end beside its contour. If its depths
 *         make a step, a nearer surface grows into the gap only as far as its own colour does: a sensor sees nothing out
 *         of its range, and stereo cameras nothing that one of them does not see. Both are behind the rim's nearer
 *         side. So is a gap larger than 1/SATK_GAP_LARGE of the map at its border, whose colours the rim does not
 *         show: it is beyond the range.
 * rest    When all depths are refused, the remaining holes get the far side's.
 *
 * All is integers. No order of samples changes the result, and it turns with picture and map.
 *
 * src         the picture, for SATK_FILL_INWARDS; of 16 bits the higher byte counts, and alpha does not
 * map         one channel, of any size
 * dst         like map, apart from it; where the map has no hole it is the map
 * near_black  1: small codes are near
 * counts      [SATK_FILL_COUNTS], out
 * scratch     at least satk_fill_scratch_*() bytes, 64-byte aligned; contents undefined before and after. The CPU's depends
 *             on the number of holes: satk_fill_scratch_cpu() counts them, so the map must be there */
#ifndef SATK_FILL_H
#define SATK_FILL_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_fill_way { SATK_FILL_INWARDS, SATK_FILL_FAR, SATK_FILL_NEAR } satk_fill_way;

/* The last three are 0 unless holes were filled inwards. */
enum {
    SATK_FILL_HOLES,  /* samples of code 0 */
    SATK_FILL_GAPS,   /* large gaps */
    SATK_FILL_ROUNDS, /* rounds in which holes became known */
    SATK_FILL_REST,   /* holes that no surface grew into */
    SATK_FILL_COUNTS
};

typedef struct satk_fill {
    satk_plane src, map, dst;
    satk_fill_way how;
    int near_black;
    uint64_t *counts;
    void *scratch;
} satk_fill;

/* Returns the number of a map's holes. */
uint64_t satk_fill_count_cpu(const satk_plane *map, int threads);

size_t satk_fill_scratch_cpu(const satk_fill *job, int threads);
void satk_fill_cpu(const satk_fill *job, int threads);

size_t satk_fill_scratch_cuda(const satk_fill *job);

/* cudaError_t; 0 = launched */
int satk_fill_cuda(const satk_fill *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
