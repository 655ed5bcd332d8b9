/* Circles of confusion as a picture: the signed radius of each pixel's depth.
 *
 * src      a depth map, whose first channel counts
 * dst      gray, 16 bits, src's size: SATK_COC_ZERO + SATK_COC_MOST * radius / full, rounded half away from 0. Radii are below
 *          0 behind the focus. It shares no memory with src
 * lens     from codes to radii (layer/radii.h)
 * full     pixels, no less than any radius; 0: all radii are 0
 * scratch  satk_coc_scratch_*() bytes, aligned to 2; contents undefined before and after */
#ifndef SATK_COC_H
#define SATK_COC_H

#include "layer/radii.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SATK_COC_ZERO = 32768, SATK_COC_MOST = 32767 };

typedef struct satk_coc {
    satk_plane src, dst;
    satk_lens lens;
    double full;
    void *scratch;
} satk_coc;

size_t satk_coc_scratch_cpu(const satk_coc *job, int threads);
void satk_coc_cpu(const satk_coc *job, int threads);

size_t satk_coc_scratch_cuda(const satk_coc *job);
int satk_coc_cuda(const satk_coc *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
