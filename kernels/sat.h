/* Summed-area table: T(x,y) = sum of the samples at (0..x, 0..y), modulo 2^word, per channel.
 *
 * src      pixels as they came; `tone` turns a code into the summed sample while it is loaded
 *          (tone.h), so no intermediate image exists.
 * table    height rows of width * channels words, dense, interleaved like src; for CUDA
 *          16-byte aligned.
 * word     32 or 64: bits of a table word.
 * scratch  at least satk_sat_scratch_*() bytes, 16-byte aligned; contents undefined before and
 *          after.
 *
 * CPU: every thread owns a strip of rows. The strips' column totals are found first (one read of
 * the source) and scanned, and each strip then starts from its true predecessor row: two reads, one
 * write, no second pass over the table.
 *
 * Variants (CUDA; the CPU has one algorithm), all with the same bits, because addition modulo 2^n is
 * associative:
 *   one-pass      the picture is read once, the table written once: sat_onepass_cuda.cu. Pictures
 *                 that are too wide for the blocks that the device runs at a time (some ten thousand
 *                 pixels) are built by the other.
 *   rows-columns  inclusive scans of the rows, then of the columns. Each block scans its section,
 *                 the section sums are scanned (by the same code, recursively while they outgrow one
 *                 section), the offsets are added. */
#ifndef SATK_SAT_H
#define SATK_SAT_H

#include "plane.h"
#include "tone.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_sat_variant {
    SATK_SAT_ONE_PASS,
    SATK_SAT_ROWS_COLUMNS,
    SATK_SAT_VARIANTS
} satk_sat_variant;

extern const char *const satk_sat_variant_names[SATK_SAT_VARIANTS];

typedef struct satk_sat {
    satk_plane src;
    satk_tone tone;
    int word;
    satk_sat_variant variant;
    void *table;
    void *scratch;
} satk_sat;

size_t satk_sat_scratch_cpu(const satk_sat *job, int threads);
void satk_sat_cpu(const satk_sat *job, int threads);

size_t satk_sat_scratch_cuda(const satk_sat *job);
int satk_sat_cuda(const satk_sat *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
