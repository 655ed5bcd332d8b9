/* Reduction of an array of 32-bit values to one word.
 *
 * op       result (64 bits)                               of no values
 * sum      sum of the values, exact to 2^32 of them, else modulo 2^64       0
 * product  product modulo 2^64                            1
 * min, max smallest, largest value                        2^32 - 1, 0
 * argmin, argmax  its index, the first of equals          2^64 - 1
 *
 * out      one word; device memory for CUDA
 * scratch  at least satk_reduce_scratch_*() bytes, 16-byte aligned; contents undefined before and
 *          after
 *
 * Variants (CUDA; the CPU has one algorithm), all with the same bits; each is a step of the
 * textbooks' way to the last (M. Harris, "Optimizing Parallel Reduction in CUDA", 2007; Hwu, Kirk,
 * El Hajj, "Programming Massively Parallel Processors", 4th ed., chapter 10):
 *   interleaved  a tree in global memory whose active threads lie ever farther apart: warps diverge
 *   convergent   the same tree, folded so that active threads stay neighbours
 *   shared       the tree in shared memory; the first addition is done while loading
 *   segmented    as shared; blocks add their results to one word by atomics instead of a second
 *                launch
 *   coarsened    as segmented; a thread first adds up SATK_REDUCE_COARSE pairs
 *   fast         a grid that fills the device once, 16-byte loads, warp reductions in registers,
 *                one atomic per block; the default */
#ifndef SATK_REDUCE_H
#define SATK_REDUCE_H

#include "common/rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum satk_reduce_op {
    SATK_REDUCE_SUM,
    SATK_REDUCE_PRODUCT,
    SATK_REDUCE_MIN,
    SATK_REDUCE_MAX,
    SATK_REDUCE_ARGMIN,
    SATK_REDUCE_ARGMAX,
    SATK_REDUCE_OPS
} satk_reduce_op;

typedef enum satk_reduce_variant {
    SATK_REDUCE_FAST,
    SATK_REDUCE_INTERLEAVED,
    SATK_REDUCE_CONVERGENT,
    SATK_REDUCE_SHARED,
    SATK_REDUCE_SEGMENTED,
    SATK_REDUCE_COARSENED,
    SATK_REDUCE_VARIANTS
} satk_reduce_variant;

extern const char *const satk_reduce_variant_names[SATK_REDUCE_VARIANTS];

typedef struct satk_reduce {
    const uint32_t *values;
    uint64_t count; /* any, from 0 to beyond 2^32 */
    satk_reduce_op op;
    satk_reduce_variant variant;
    uint64_t *out;
    void *scratch;
} satk_reduce;

size_t satk_reduce_scratch_cpu(const satk_reduce *job, int threads); /* 0 */
void satk_reduce_cpu(const satk_reduce *job, int threads);

size_t satk_reduce_scratch_cuda(const satk_reduce *job);
int satk_reduce_cuda(const satk_reduce *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
