/* For kernels over arrays: a word per thread, and arrays of places made by a scan of flags. */
#ifndef SATK_ARRAY_CUH
#define SATK_ARRAY_CUH

#include "common/parts.h"
#include "array/scan.h"
#include "array/array_tune.cuh"

#include <cuda_runtime.h>

/* Return the blocks of SATK_ARRAY_THREADS threads, one for each of count > 0 words, and a thread's
 * word. */
static inline unsigned satk_array_blocks(uint64_t count)
{
    return (unsigned)((count - 1) / SATK_ARRAY_THREADS + 1);
}

static __device__ __forceinline__ uint64_t satk_array_index(void)
{
    return (uint64_t)blockIdx.x * SATK_ARRAY_THREADS + threadIdx.x;
}

/* Returns the bits of a place in an array of count words, or of a count of them. */
static inline int satk_place_word(uint64_t count)
{
    return count <= SATK_NARROW_COUNT ? 32 : 64;
}

/* Scans flags, words of satk_place_word(count) bits, exclusively and in place. */
static inline satk_scan satk_scan_flags(void *flags, uint64_t count, void *scratch)
{
    satk_scan scan = {};

    scan.in = scan.out = flags;
    scan.count = count;
    scan.word = satk_place_word(count);
    scan.op = SATK_SCAN_ADD;
    scan.exclusive = 1;
    scan.variant = SATK_SCAN_LOOK_BACK;
    scan.scratch = scratch;
    return scan;
}

#endif
