/* Histogram of every code: the number of samples of each channel that have it. Extremes, mean, deviation,
 * median and entropy follow from these counts: the image is read once.
 *
 * out      src.channels << src.bits counts, channel after channel, and is overwritten; for CUDA it
 *          is device memory.
 * scratch  CPU only: satk_histogram_scratch_cpu() bytes, 64-byte aligned; contents undefined before
 *          and after.
 * adds     1: out is added to instead. So the bands of a picture are counted one after the other. */
#ifndef SATK_HISTOGRAM_H
#define SATK_HISTOGRAM_H

#include "common/plane.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct satk_histogram {
    satk_plane src;
    uint64_t *out;
    void *scratch;
    int adds;
} satk_histogram;

/* Returns the bytes of out. */
SATK_FN size_t satk_histogram_bytes(int channels, int bits)
{
    return (size_t)channels * sizeof(uint64_t) << bits;
}

size_t satk_histogram_scratch_cpu(const satk_histogram *job, int threads);
void satk_histogram_cpu(const satk_histogram *job, int threads);

size_t satk_histogram_scratch_cuda(const satk_histogram *job);    /* 0 */
int satk_histogram_cuda(const satk_histogram *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
