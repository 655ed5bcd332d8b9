/* Summed-area table: T(x,y) = sum of the samples at (0..x, 0..y), modulo 2^word, per channel.
 *
 * src      pixels as they came; `tone` turns a code into the summed sample while it is loaded
 *          (tone.h), so no intermediate image exists.
 * table    height rows of width * channels words, dense, interleaved like src; for CUDA
 *          16-byte aligned.
 * word     32 or 64: bits of a table word.
 * scratch  at least satk_sat_scratch_*() bytes, 16-byte aligned; contents undefined before and
 *          after. 0 bytes: none is needed.
 * board    CUDA, one-pass: at least satk_sat_board_cuda() bytes, 16-byte aligned; blocks exchange their
 *          sums there. The caller clears it before its first use, and again after SATK_SAT_BUILDS builds:
 *          words on the board carry their build's number, and the numbers begin again then. Between these a
 *          build relies on the contents that the build before has left. A board serves one build at a time,
 *          and any job that it is large enough for.
 * pictures CUDA: the number of pictures of the kind of src in one launch. Each begins src_step bytes
 *          behind the one before, and their tables follow each other. 0: one.
 *
 * CPU: every thread owns a strip of rows. The strips' column totals are found first (one read of
 * the source) and scanned, and each strip then starts from its true predecessor row: two reads, one
 * write, no second pass over the table.
 *
 * Variants (CUDA; the CPU has one algorithm), all with the same bits, because addition modulo 2^n is
 * associative:
 *   one-pass      reads the picture once and writes the table once, by look-back (sat_lookback_cuda.cu).
 *                 Tiles are chosen by the picture's size, or by `tiles` where the device can hold them.
 *   rows-columns  inclusive scans of the rows, then of the columns. Each block scans its section,
 *                 the section sums are scanned (by the same code, recursively while they outgrow one
 *                 section), the offsets are added. */
#ifndef SATK_SAT_H
#define SATK_SAT_H

#include "common/plane.h"
#include "common/tone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_sat_variant { SATK_SAT_ONE_PASS, SATK_SAT_ROWS_COLUMNS } satk_sat_variant;

#define SATK_SAT_BUILDS 0x7fffffffu /* of a board, until it is cleared again */

typedef enum satk_sat_tiles {
    SATK_TILES_BY_SIZE,
    SATK_TILES_SMALL,
    SATK_TILES_LARGE
} satk_sat_tiles;

typedef struct satk_sat {
    satk_plane src;
    satk_tone tone;
    int word;
    satk_sat_variant variant;
    satk_sat_tiles tiles;
    int pictures;
    size_t src_step;
    void *table;
    void *scratch;
    void *board;
} satk_sat;

SATK_FN int satk_sat_pictures(const satk_sat *job)
{
    return job->pictures > 0 ? job->pictures : 1;
}

size_t satk_sat_scratch_cpu(const satk_sat *job, int threads);
void satk_sat_cpu(const satk_sat *job, int threads);

size_t satk_sat_scratch_cuda(const satk_sat *job);
size_t satk_sat_board_cuda(const satk_sat *job);
int satk_sat_cuda(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
