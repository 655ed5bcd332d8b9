/* Depth of field by spreading: each pixel gives its light to the pixels of its own window, where a
 * window's mean (box.h) takes from them; the transpose of it.
 *
 * A source gives each pixel of its window a weight from its splat: `inner` where the pixel is within
 * `reach` of it on both axes, and with a ring, one pixel wide around that, `side` where it is so on one
 * axis and `corner` where on none. Over all sources whose windows hold a pixel, W is the sum of the
 * weights and C the sum of the weights times the samples of tone.h. The pixel is C / W, rounded half up,
 * and encoded: the mean of box.h, with these weights. Windows end at the picture's edges; light beyond
 * them is lost.
 *
 * A window is constant in parts, so its differences along both axes are 0 but at its corners. These
 * are added to a plane of deltas, whose summed-area table is W, or C of one channel (M. Kosloff, M. W.
 * Tao, B. A. Barsky, "Depth of Field Postprocessing For Layered Scenes Using Constant-Time Rectangle
 * Spreading", 2009). Sums are taken modulo 2^64: in any order they are the same, and right where the
 * true ones fit.
 *
 * src, dst  of the same size and kind; dst is apart from src and map, whose neighbours are read
 * map       the picture's size, its first channel counts; splat by code, 256 or 65536 entries
 * splat     `side` is at least `corner`, `inner` at least `side` and not 0; no W, and no C, passes
 *           64 bits (the caller has checked)
 * farthest  `reach`, with a ring one more, of no code that occurs is larger
 * scratch   at least satk_spread_scratch_*() bytes, 64-byte aligned; contents undefined before and
 *           after */
#ifndef SATK_SPREAD_H
#define SATK_SPREAD_H

#include "common/plane.h"
#include "common/tone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_splat {
    uint64_t inner, side, corner;
    int reach;
    int ring; /* 0: there is none, and side and corner are 0 */
} satk_splat;

typedef struct satk_spread {
    satk_plane src, dst;
    satk_tone tone;
    satk_plane map;
    const satk_splat *splat;
    int farthest;
    void *scratch;
} satk_spread;

size_t satk_spread_scratch_cpu(const satk_spread *job, int threads);
void satk_spread_cpu(const satk_spread *job, int threads);

size_t satk_spread_scratch_cuda(const satk_spread *job);
int satk_spread_cuda(const satk_spread *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
