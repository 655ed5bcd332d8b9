/* Tables by the code of a depth map: the radius that it is blurred by, and its position among the slabs of a blur by layers.
 *
 * lens      from codes to radii: depth is disparity, or distance, and a thin lens's circle of confusion is linear in
 *           disparity (layer/radii_rule.h)
 * bits      of the codes, 8 or 16
 * radius    NULL, or [2^bits]: signed, in 1/256 pixel; below 0 behind the focus, above 0 before it
 * position  NULL, or [2^bits]: as satk_layer has them
 * slabs     with positions: the radii of the slabs in pixels, ascending, and their number */
#ifndef SATK_RADII_H
#define SATK_RADII_H

#include "layer/layer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Disparities are 0, the farthest, to 1. */
typedef struct satk_lens {
    int is_linear;           /* 1: codes are linear in distance, and not in its inverse */
    int near_black;          /* 1: small codes are near */
    double low, span;        /* of the codes that occur, as parts of the full scale */
    double far, near;        /* inverse distances; of linear codes the distances count, too: */
    double distance, nearer; /* the farthest one, and what the nearest adds to it, below 0 */
    double focus, sharp;     /* the disparity in focus, and how far from it all is sharp */
    double behind, before;   /* pixels of radius per disparity, on either side of the focus */
    uint32_t kept; /* 1 + the code next to the focus, if its radius is 0 anyway; 0: there is none */
} satk_lens;

typedef struct satk_radii {
    satk_lens lens;
    int bits;
    int32_t *radius;
    uint16_t *position;
    int slab_count;
    double slabs[SATK_MAX_SLABS];
} satk_radii;

void satk_radii_cpu(const satk_radii *job, int threads);

int satk_radii_cuda(const satk_radii *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
