/* Radix sort of unsigned words, ascending, stable, least significant digit first.
 *
 * keys     count words of 32 or 64 bits, sorted in place
 * values   count 32-bit values that travel with their keys, or NULL
 * scratch  at least satk_sort_scratch_*() bytes, 16-byte aligned (a second copy of the arrays and
 *          counters); contents undefined before and after
 * Keys and values are aligned as their words are. A size of SIZE_MAX: no memory is that large.
 *
 * Variants (CUDA; the CPU sorts by digits), all with the same bits:
 *   digits  8 bits a pass: one histogram of all digits, its scan, and per pass a stable scatter whose
 *           tiles find their places by decoupled look-back (A. Adinets, D. Merrill, "Onesweep", 2022)
 *   split   one bit a pass, the textbooks' way: e = not the bit, f = exclusive scan of e, totalFalses,
 *           t = i - f + totalFalses, d = bit ? t : f, scatter (Harris, Sengupta, Owens 2007)
 *   tiles   tiles are sorted in shared memory, then pairs of sorted runs are merged, every thread
 *           finding its part by binary search on the merge path (Satish, Harris, Garland 2009;
 *           Green, McColl, Bader 2012) */
#ifndef SATK_SORT_H
#define SATK_SORT_H

#include "common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_sort_variant {
    SATK_SORT_DIGITS,
    SATK_SORT_SPLIT,
    SATK_SORT_TILES,
    SATK_SORT_VARIANTS
} satk_sort_variant;

extern const char *const satk_sort_variant_names[SATK_SORT_VARIANTS];

typedef struct satk_sort {
    void *keys;
    uint32_t *values;
    uint64_t count; /* any, from 0 to beyond 2^32 */
    int word;       /* bits of a key: 32 or 64 */
    satk_sort_variant variant;
    void *scratch;
} satk_sort;

/* The size depends on count, word, variant and whether there are values. */
size_t satk_sort_scratch_cpu(const satk_sort *job, int threads);
void satk_sort_cpu(const satk_sort *job, int threads);

size_t satk_sort_scratch_cuda(const satk_sort *job);
int satk_sort_cuda(const satk_sort *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
