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

#include "common/plane.h"
#include "common/tone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_edge { SATK_SHRINK = 0, SATK_CLAMP, SATK_MIRROR, SATK_WRAP } satk_edge;

typedef struct satk_box {
    const void *table;
    uint32_t
        ring; /* 0: the memory holds all rows; else this power of two of them, row y at y % ring */
    int word;
    int wide;
    satk_plane src, dst;
    satk_tone tone;
    satk_edge edge;
    uint32_t radius_x, radius_y; /* Q8; with a map: no pixel has more, in both */
    satk_plane map;
    const uint32_t *lut; /* Q8 radius by code: 256 or 65536 entries */
} satk_box;

/* The window of a pixel: its centre, and its radii in Q8. */
typedef struct satk_box_window {
    int x, y;
    uint32_t rx, ry;
} satk_box_window;

void satk_box_cpu(const satk_box *job, int threads);

/* Table and means in one, on the CPU, where the table need not exist whole; job.table and job.ring
 * are ignored. The same bits as satk_sat_cpu() and then satk_box_cpu():
 *   whole radii  each column's sum over the window's rows slides down the picture (one row enters,
 *                one leaves); the row of these sums is scanned: a table of one row (M. McDonnell,
 *                "Box-filtering techniques", 1981)
 *   else         each thread builds the rows of the table that its windows reach into a ring; their
 *                prefixes begin at its strip's first row: no box depends on that
 *   and where windows go on beyond the edges, or the picture is blurred in place: the whole table
 * scratch: at least satk_box_fused_scratch() bytes, 64-byte aligned, contents undefined. */
size_t satk_box_fused_scratch(const satk_box *job, int threads);
void satk_box_fused_cpu(const satk_box *job, void *scratch, int threads);

int satk_box_cuda(const satk_box *job, void *stream); /* a cudaError_t; 0 = launched */

/* Table and means in one, on the device. The same bits; job.table and job.word are ignored, dst is not
 * src.
 *   radii that are the same for all pixels: column sums that slide, as on the CPU, but with fractions, too
 *   else, or small: each block makes, in shared memory, the piece of the table that the windows of a
 *   tile of the picture reach
 * pays: 1 where this way can be taken and is the faster one. It takes codes of 8 bits, with alpha that is opaque
 * or a weight, and half floats if one whole radius is all pixels'; edges that shrink, a device with the memory, and
 * pixels of 2 or 4 channels that are aligned to as many bytes; nothing else about addresses decides. Windows that
 * slide have up to 2^23 pixels, with a fraction 2^15 or more, and columns whose samples add up to 32 bits; those of
 * half floats have up to 2^20 pixels. Others have up to 8190 pixels, of codes as they are and without weights.
 * scratch: at least satk_box_fused_scratch_cuda() bytes, 16-byte aligned, contents undefined; a picture with fewer
 * rows needs no more. */
int satk_box_fused_pays_cuda(const satk_box *job);
size_t satk_box_fused_scratch_cuda(const satk_box *job);
int satk_box_fused_cuda(const satk_box *job, void *scratch, void *stream);

#ifdef __cplusplus
}
#endif

#endif
