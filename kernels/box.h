/* Window mean in O(1) per pixel from a summed-area table: one radius for all pixels, or one for
 * each.
 *
 * A radius is Q8 (1/256 pixel). Its integer part r and fraction f define the weights per axis: 1
 * for |d| <= r, f for |d| = r + 1; the window's weight is the product of both axes'. It is read as
 * the sum of four nested boxes, each of four table words, with integer weights: nothing is
 * interpolated, the mean is exact and rounded half up.
 *
 * table, word  of the whole image, made by sat.h from the same src and tone.
 * src          the image itself: pixels of radius 0 keep their code, transparent windows keep their
 *              colour.
 * dst          of src's size and kind; may be src's memory: a pixel reads only itself from src.
 * map          image-sized, its first channel counts: radius = lut[code]; data NULL = the fixed
 *              radius_x, radius_y.
 * wide         1 when the weighted sum of a window may pass 64 bits: 128-bit arithmetic then,
 *              slower, exact.
 * The caller has checked that r + 1 is below 2^24, that a box's sum fits the word, and that a
 * window's area is at most 2^31, so that its weighted area and alpha fit 64 bits. */
#ifndef SATK_BOX_H
#define SATK_BOX_H

#include "plane.h"
#include "tone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_edge { SATK_SHRINK = 0, SATK_CLAMP, SATK_MIRROR, SATK_WRAP } satk_edge;

typedef struct satk_box {
    const void *table;
    int word;
    int wide;
    satk_plane src, dst;
    satk_tone tone;
    satk_edge edge;
    uint32_t radius_x, radius_y; /* Q8 */
    satk_plane map;
    const uint32_t *lut; /* Q8 radius by code: 256 or 65536 entries */
} satk_box;

void satk_box_cpu(const satk_box *job, int threads);
int satk_box_cuda(const satk_box *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
