/* Counting codes on a GPU: the walk over the image, and counters in shared memory. A block adds its counts
 * to the result once. They fit 32 bits: it sees at most 2^31 pixels. */
#ifndef SATK_HISTOGRAM_CUH
#define SATK_HISTOGRAM_CUH

#include "common/launch.cuh"
#include "common/plane.h"
#include "stats/stats_tune.cuh"

/* --- Walking the image ------------------------------------------------------------------------ */

/* Rows are cut into segments, which the grid's warps take in turn. There are fewer than 2^25 + 2^24
 * of them: one per row, and as 2^33 bytes are 2^25 segments of 256 bytes or more. */
struct satk_segments {
    unsigned across, count; /* of a row, of the image */
    unsigned length;        /* in elements of a row */
};

static inline satk_segments satk_cut(const satk_plane *src, unsigned row, unsigned length)
{
    const unsigned across = (row + length - 1) / length;

    return {across, across * (unsigned)src->height, length};
}

static __device__ __forceinline__ unsigned satk_first_segment(void)
{
    return (blockIdx.x * SATK_HISTOGRAM_THREADS + threadIdx.x) / SATK_WARP;
}

static __device__ __forceinline__ unsigned satk_next_segment(unsigned segment)
{
    return segment + gridDim.x * (SATK_HISTOGRAM_THREADS / SATK_WARP);
}

static __device__ __forceinline__ const uint8_t *
satk_segment_row(const satk_plane *src, const satk_segments *cuts, unsigned segment)
{
    return (const uint8_t *)src->data + (int64_t)(segment / cuts->across) * src->pitch;
}

/* --- Counters --------------------------------------------------------------------------------- */

static __device__ __forceinline__ void satk_clear_counts(unsigned *counts, unsigned words)
{
    for (unsigned i = threadIdx.x; i < words; i += SATK_HISTOGRAM_THREADS)
        counts[i] = 0;
    __syncthreads();
}

/* Adds bins of COPIES counters each to the result. */
template <int COPIES>
static __device__ __forceinline__ void satk_add_copies(const unsigned *counts, unsigned bins,
                                                       unsigned long long *out)
{
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < bins; bin += SATK_HISTOGRAM_THREADS) {
        unsigned sum = 0;
#pragma unroll
        for (unsigned i = 0; i < COPIES; i++) /* each lane begins elsewhere, so that banks differ */
            sum += counts[bin * COPIES + (threadIdx.x + i) % COPIES];
        if (sum)
            atomicAdd(&out[bin], (unsigned long long)sum);
    }
}

/* --- Launching -------------------------------------------------------------------------------- */

typedef struct satk_limits {
    unsigned processors;
    size_t shared; /* bytes that a block may have */
} satk_limits;

static inline int satk_get_limits(satk_limits *out)
{
    int device = 0, processors = 0, shared = 0;
    cudaError_t error = cudaGetDevice(&device);

    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *out = {(unsigned)processors, (size_t)shared};
    return (int)error;
}

/* Returns the blocks that give every warp something to do, and no more than `most`. */
static inline unsigned satk_blocks_for(const satk_segments *cuts, unsigned most)
{
    const unsigned warps = SATK_HISTOGRAM_THREADS / SATK_WARP;

    return min((cuts->count + warps - 1) / warps, max(most, 1u));
}

#endif
