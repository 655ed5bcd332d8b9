/* Stream compaction: the values that satisfy a predicate, in their order, without gaps.
 *
 * keep     value >= low and value <= high
 * out      room for all values that are kept (count in the worst case); not `in`. Nothing is
 *          written beyond them
 * indices  where each kept value was, one for each; or NULL
 * kept     how many there are
 * scratch  at least satk_compact_scratch_*() bytes, 16-byte aligned; contents undefined before and
 *          after
 * Everything else is aligned as its words are. All pointers of a CUDA job are device memory, `kept`
 * too. A size of SIZE_MAX: no memory is that large.
 *
 * Variants (CUDA; the CPU has one algorithm), all with the same bits:
 *   single-pass   a tile finds its place by decoupled look-back over the tiles' counts (D. Merrill,
 *                 M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016)
 *   three-kernel  flags, their exclusive scan (scan.h), scatter, the textbooks' way (D. Horn,
 *                 "Stream Reduction Operations for GPGPU Applications", 2005) */
#ifndef SATK_COMPACT_H
#define SATK_COMPACT_H

#include "common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_compact_variant {
    SATK_COMPACT_SINGLE_PASS,
    SATK_COMPACT_THREE_KERNEL,
    SATK_COMPACT_VARIANTS
} satk_compact_variant;

extern const char *const satk_compact_variant_names[SATK_COMPACT_VARIANTS];

typedef struct satk_compact {
    const uint32_t *in;
    uint64_t count; /* any, from 0 to beyond 2^32 */
    uint32_t low, high;
    uint32_t *out;
    uint64_t *indices;
    uint64_t *kept;
    satk_compact_variant variant;
    void *scratch;
} satk_compact;

/* Returns 1 if the value is kept. */
SATK_FN int satk_is_kept(const satk_compact *job, uint32_t value)
{
    return value >= job->low && value <= job->high;
}

size_t satk_compact_scratch_cpu(const satk_compact *job, int threads);
void satk_compact_cpu(const satk_compact *job, int threads);

size_t satk_compact_scratch_cuda(const satk_compact *job);
int satk_compact_cuda(const satk_compact *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
