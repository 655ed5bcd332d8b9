/* Tables by the code of a depth map: the radius that it is blurred by, its position among the slabs of a blur by layers, and the
 * aperture of its points of light (highlight/points.h).
 *
 * lens      from codes to radii: depth is disparity, or distance, and a thin lens's circle of confusion is linear in
 *           disparity (layer/radii_rule.h)
 * bits      of the codes, 8 or 16
 * radius    NULL, or [2^bits]: signed, in 1/256 pixel; below 0 behind the focus, above 0 before it
 * position  NULL, or [2^bits]: as satk_layer has them
 * disc      NULL, or with positions [2^bits]
 * slabs     with positions: the radii of the slabs in pixels, ascending, and their number
 * mark      with discs: slabs, falling, and their number. A disc's group is the number of marks that lie before its slab */
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

#define SATK_MOST_DISC  (1 << 22) /* the largest radius, Q8 */
#define SATK_GRAY_CELL  8         /* pixels of a side, of the cells of points.h */
#define SATK_MOST_CELLS 63        /* surroundings have fewer than 2^20 pixels */

/* The aperture of a code's points. Without padding, so equal tables have equal bytes. */
typedef struct satk_disc {
    int32_t radius; /* Q8, at most SATK_MOST_DISC */
    int16_t side;   /* -1 behind the focus, 1 before it, 0: no light is there */
    uint16_t
        group; /* 0: nothing hides its light; i: all that is before plane i - 1 of `left` (points.h) */
    uint16_t fade;  /* of its excess, 0 .. SATK_ONE */
    uint16_t cells; /* from its own to the farthest of its surroundings; 0: it has no excess */
} satk_disc;

typedef struct satk_radii {
    satk_lens lens;
    int bits;
    int32_t *radius;
    uint16_t *position;
    satk_disc *disc;
    int slab_count, marks, mark[SATK_MARKS];
    double slabs[SATK_MAX_SLABS];
} satk_radii;

void satk_radii_cpu(const satk_radii *job, int threads);

int satk_radii_cuda(const satk_radii *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
