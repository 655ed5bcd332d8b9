/* Counting codes on a GPU: the walk over the image, the counters in shared memory, and the passes over
 * 16-bit codes. A block adds its counts to the result once. They fit 32 bits: it sees at most 2^31
 * pixels. */
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

static const uint32_t SATK_NO_CODE = 0xffffffffu;

/* Adds one to the bin, once for all lanes of the warp that have the same one: in an image of one
 * colour 32 lanes would otherwise queue for one address, the classic trap of the privatised
 * histogram. Every lane calls this; those that have nothing to count have the bin SATK_NO_CODE. */
static __device__ __forceinline__ void satk_count_equal(unsigned *bins, uint32_t bin)
{
    if (__ballot_sync(0xffffffffu, bin != SATK_NO_CODE) == 0)
        return;
    const unsigned same = __match_any_sync(0xffffffffu, bin);
    const int first = __ffs((int)same) - 1;

    if (bin != SATK_NO_CODE && (int)(threadIdx.x % SATK_WARP) == first)
        atomicAdd(&bins[bin], (unsigned)__popc(same));
}

/* --- 16 bits ---------------------------------------------------------------------------------- */

/* 65536 bins do not fit a block's memory. Each value of blockIdx.y stands for one plane of codes and
 * one range of them, which its blocks count, passing over all others. */
struct satk_ranges {
    satk_segments cuts;
    int bits;     /* a range has 2^bits codes */
    size_t bytes; /* of shared memory for them */
    dim3 grid;
};

/* Counts codes as the body of a kernel. code_of(row, x, plane) is pixel x's code in a plane, or
 * SATK_NO_CODE; out has the planes' 65536 bins one after the other. */
template <typename CODE>
static __device__ __forceinline__ void satk_count_range(const satk_plane *src, const CODE &code_of,
                                                        const satk_segments *cuts, int range_bits,
                                                        unsigned *counts, unsigned long long *out)
{
    const unsigned ranges = 65536u >> range_bits, bins = 1u << range_bits;
    const unsigned plane = blockIdx.y / ranges, lowest = blockIdx.y % ranges << range_bits;
    const unsigned lane = threadIdx.x % SATK_WARP;

    satk_clear_counts(counts, bins);
    for (unsigned s = satk_first_segment(); s < cuts->count; s = satk_next_segment(s)) {
        const uint8_t *const row = satk_segment_row(src, cuts, s);
        const unsigned first = s % cuts->across * cuts->length;
        uint32_t code[SATK_HISTOGRAM_CODES];
#pragma unroll
        for (unsigned i = 0; i < SATK_HISTOGRAM_CODES; i++) {
            const unsigned x = first + i * SATK_WARP + lane;
            code[i] = x < (unsigned)src->width ? code_of(row, (int)x, plane) : SATK_NO_CODE;
        }
#pragma unroll
        for (unsigned i = 0; i < SATK_HISTOGRAM_CODES; i++)
            satk_count_equal(counts, code[i] - lowest < bins ? code[i] - lowest : SATK_NO_CODE);
    }
    satk_add_copies<1>(counts, bins, out + plane * 65536 + lowest);
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

/* Returns the largest ranges that fit a block's memory. */
static inline satk_ranges satk_plan_ranges(const satk_plane *src, int planes, const satk_limits *l)
{
    satk_ranges r = {satk_cut(src, (unsigned)src->width, SATK_WARP * SATK_HISTOGRAM_CODES), 16, 0,
                     dim3()};

    while (sizeof(unsigned) << r.bits > l->shared)
        r.bits--;
    r.bytes = sizeof(unsigned) << r.bits;
    const unsigned slices = (unsigned)planes << (16 - r.bits);
    r.grid = dim3(satk_blocks_for(&r.cuts, l->processors / slices), slices);
    return r;
}

#endif
