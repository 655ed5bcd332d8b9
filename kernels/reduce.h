/* Reduction of an image to its moments: smallest and largest code, sum and sum of squares, per
 * channel, in one read. Integers only (16-bit squares of 2^31 pixels fit 63 bits), so the order of
 * addition does not matter. out has src.channels entries and is overwritten; for CUDA it is device
 * memory. */
#ifndef SATK_REDUCE_H
#define SATK_REDUCE_H

#include "plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_moments {
    uint64_t sum, sum_squares;
    uint32_t min, max;
} satk_moments;

typedef struct satk_reduce {
    satk_plane src;
    satk_moments *out;
} satk_reduce;

void satk_reduce_cpu(const satk_reduce *job, int threads);
int satk_reduce_cuda(const satk_reduce *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
