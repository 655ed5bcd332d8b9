/* A picture laid over its blurred self, where a mask protects it.
 *
 * A pixel with coverage c has k = 2 c of 255 parts of the picture, at most 255, and 255 - k of the blurred one. So parts rise
 * from none to all up to half a pixel, from where on the depth is that of the focus (protect.h).
 *   - With k = 0 it keeps the blurred codes, and with k = 255 the picture's.
 *   - Otherwise each sample of tone.h is (k source + (255 - k) blurred) / 255, rounded half up.
 *   - Colours weighted by alpha are summed like that and divided by the same sum of alphas. Where that is 0, they are the blurred
 *     ones.
 *
 * src, blurred, dst  of the same size and kind; dst may be either of the others
 * cover              their size, one channel of 8 bits */
#ifndef SATK_MIX_H
#define SATK_MIX_H

#include "common/plane.h"
#include "common/tone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_mix {
    satk_plane src, blurred, dst, cover;
    satk_tone tone;
} satk_mix;

void satk_mix_cpu(const satk_mix *job, int threads);

int satk_mix_cuda(const satk_mix *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
