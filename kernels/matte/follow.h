/* Makes a depth map follow a matte: gives the subject the matte's outline, with the depths farther inside.
 *
 * A pixel belongs to the subject (coverage 255), to the background (0), or to both.
 *   - A pixel of one side is near others if a window around it has any: of 1/128 of the longer side, at least 8 pixels, to
 *     either side, or half of that, a quarter .., until both sides have pixels that are not. Those are inside.
 *   - Around a pixel near others, and around one of both, windows of twice that width and more, doubled until they have
 *     pixels inside on both sides, give the mean codes of the sides. Where these are more than 4/255 of the full scale apart,
 *     a code contradicts the matte if it lies more than half of the way from its own side's mean to the other's (of the
 *     subject, a quarter), and not beyond the other's by more than a quarter, where a third thing would be. That code
 *     becomes its own side's mean. All others stay.
 *   - Background beside a plain outline, with less than a quarter of pixels of both around, looks into the narrowest window
 *     alone: the ground around feet has the depth of the subject.
 *   - A pixel of both is a rim: its surfaces' codes are those means. Its own code is that of the side with the larger part.
 * A matte without subject or without background changes no code.
 *
 * matte    8 bits, one channel
 * map      one channel, of the matte's size
 * dst      like map; it may be the map
 * rims     of the map, in and out: those of pixels that are not inside go, and the matte's own come
 * near_black  1: small codes are near
 * counts   [SATK_FOLLOW_COUNTS], out; for CUDA device memory
 * scratch  at least satk_follow_scratch_*() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_FOLLOW_H
#define SATK_FOLLOW_H

#include "common/plane.h"
#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_FOLLOWED, SATK_FOLLOW_COUNTS }; /* pixels whose code the matte decided */

typedef struct satk_follow {
    satk_plane matte, map, dst;
    satk_rims rims;
    int near_black;
    uint64_t *counts;
    void *scratch;
} satk_follow;

size_t satk_follow_scratch_cpu(const satk_follow *job, int threads);
void satk_follow_cpu(const satk_follow *job, int threads);

size_t satk_follow_scratch_cuda(const satk_follow *job);
int satk_follow_cuda(const satk_follow *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
