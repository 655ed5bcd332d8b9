/* Separates the colours of a subject from those of its background: a pixel that the subject covers in part shows a
 * mixture, of which each of the two surfaces has its own part.
 *
 * The colours F of the subject and B of the background at a pixel are the closest to the mean colours of both sides around
 * that mix to the pixel's: m F + (1 - m) B, by least squares, then cut to the codes that there are. The means are those of
 * the smallest window that has 12 pixels of either side, with 3, 6, 12 .. pixels to each side of its centre. Where the whole
 * picture has less, the pixel keeps its colour. Codes are mixed as they are stored, since programs that make mattes learn
 * from mixtures of codes. Alpha stays.
 *
 * src      the picture
 * matte    of its size, one channel, 8 bits: the subject's part m in 1/255
 * sides    like matte: what becomes of each pixel's colour, a satk_colour_side
 * dst      like src, and apart from it
 * scratch  at least satk_separate_scratch_*() bytes, 64-byte aligned; contents undefined before and after */
#ifndef SATK_SEPARATE_H
#define SATK_SEPARATE_H

#include "common/plane.h"
#include "surface/rims.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_separate {
    satk_plane src, matte, sides, dst;
    void *scratch;
} satk_separate;

size_t satk_separate_scratch_cpu(const satk_separate *job, int threads);
void satk_separate_cpu(const satk_separate *job, int threads);

size_t satk_separate_scratch_cuda(const satk_separate *job);
int satk_separate_cuda(const satk_separate *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
