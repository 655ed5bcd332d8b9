/* Prefix scan of an array: out[i] = in[0] op ... op in[i] (inclusive), or without in[i] (exclusive;
 * out[0] is the identity, 0 for both operators). Unsigned words, addition modulo 2^word.
 *
 * in, out  count words each; may be the same array, no other overlap. Aligned as words are.
 * count    any, from 0 to beyond 2^32.
 * scratch  at least satk_scan_scratch_*() bytes, 16-byte aligned; contents undefined before and
 *          after.
 *
 * Variants (CUDA; the CPU has one algorithm), all with the same bits:
 *   look-back      one pass: a tile publishes its own sum at once and adds up the published sums of
 *                  the tiles before it until it meets a whole prefix. D. Merrill, M. Garland,
 *                  "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
 *   chained        one pass: a tile waits for its left neighbour's prefix.
 *   three-phase    tiles are scanned, their sums are scanned (recursively while they outgrow one
 *                  tile), the offsets are added: two reads more.
 * and three-phase with a tile scanned as the textbooks do:
 *   hillis-steele  n log n additions, double buffered (Hillis, Steele 1986; Kogge, Stone 1973)
 *   blelloch       up-sweep and down-sweep (Blelloch 1990)
 *   brent-kung     reduction tree and reverse tree (Brent, Kung 1982) */
#ifndef SATK_SCAN_H
#define SATK_SCAN_H

#include "common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_scan_op { SATK_SCAN_ADD, SATK_SCAN_MAX, SATK_SCAN_OPS } satk_scan_op;

typedef enum satk_scan_variant {
    SATK_SCAN_LOOK_BACK,
    SATK_SCAN_CHAINED,
    SATK_SCAN_THREE_PHASE,
    SATK_SCAN_HILLIS_STEELE,
    SATK_SCAN_BLELLOCH,
    SATK_SCAN_BRENT_KUNG,
    SATK_SCAN_VARIANTS
} satk_scan_variant;

extern const char *const satk_scan_variant_names[SATK_SCAN_VARIANTS];

typedef struct satk_scan {
    const void *in;
    void *out;
    uint64_t count;
    int word; /* 32 or 64 bits */
    satk_scan_op op;
    int exclusive;
    satk_scan_variant variant;
    void *scratch;
} satk_scan;

size_t satk_scan_scratch_cpu(const satk_scan *job, int threads);
void satk_scan_cpu(const satk_scan *job, int threads);

size_t satk_scan_scratch_cuda(const satk_scan *job);
int satk_scan_cuda(const satk_scan *job, void *stream); /* a cudaError_t; 0 = launched */

/* The other kind of a scan that exists. To exclusive: out[i] = scan[i - 1], not in place. To
 * inclusive: out[i] = scan[i] op values[i], out may be either array. */
typedef struct satk_scan_convert {
    const void *scan;
    const void
        *values; /* NULL: inclusive to exclusive; the scanned array: exclusive to inclusive */
    void *out;
    uint64_t count;
    int word;
    satk_scan_op op;
} satk_scan_convert;

void satk_scan_convert_cpu(const satk_scan_convert *job, int threads);
int satk_scan_convert_cuda(const satk_scan_convert *job, void *stream);

#ifdef __cplusplus
}
#endif

#endif
