/* Histogram of 256 bins per channel: bin = code of an 8-bit sample, code / 256 of a 16-bit one.
 * Every thread (CPU) or block (CUDA) counts in a private copy, which is added to the result once.
 * out has src.channels * 256 entries, channel after channel, and is overwritten; for CUDA it is
 * device memory. */
#ifndef SATK_HISTOGRAM_H
#define SATK_HISTOGRAM_H

#include "plane.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SATK_BINS 256

typedef struct satk_histogram {
    satk_plane src;
    uint64_t *out;
} satk_histogram;

void satk_histogram_cpu(const satk_histogram *job, int threads);
int satk_histogram_cuda(const satk_histogram *job, void *stream); /* a cudaError_t; 0 = launched */

#ifdef __cplusplus
}
#endif

#endif
