/* Scans of a tile as the textbooks have them (Hwu, Kirk, El Hajj, "Programming Massively Parallel
 * Processors", 4th ed., chapter 11): one block, its tile in shared memory, blockDim a power of two.
 * Each leaves out scanned within the tile, and the tile's sum. Words beyond count are 0. */
#ifndef SATK_SCAN_TEXTBOOK_CUH
#define SATK_SCAN_TEXTBOOK_CUH

#include "array/array_tune.cuh"
#include "common/scan.cuh"

/* n log n: every step adds the word 2^k to the left. Two buffers, so that nobody reads what a
 * neighbour has already replaced. */
template <typename T, typename OP>
static __global__ void scan_hillis_steele(const T *in, T *out, uint64_t count, int exclusive,
                                          T *sums)
{
    __shared__ T words[2][SATK_SCAN_TEXTBOOK_THREADS];
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned t = threadIdx.x;
    int from = 0;

    words[from][t] = i < count ? in[i] : 0;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        words[!from][t] =
            t >= stride ? OP()(words[from][t - stride], words[from][t]) : words[from][t];
        from = !from;
    }
    __syncthreads();
    if (t == blockDim.x - 1)
        sums[blockIdx.x] = words[from][t];
    if (i < count)
        out[i] = !exclusive ? words[from][t] : t > 0 ? words[from][t - 1] : 0;
}

/* Two words per thread, a blockDim apart so that accesses are coalesced. */
template <typename T> static __device__ void load_tile(const T *in, uint64_t count, T *words)
{
    const uint64_t first = (uint64_t)blockIdx.x * 2 * blockDim.x;

    for (unsigned t = threadIdx.x; t < 2 * blockDim.x; t += blockDim.x)
        words[t] = first + t < count ? in[first + t] : 0;
    __syncthreads();
}

/* The up-sweep, a reduction in place: afterwards every word whose index ends in k ones holds the
 * sum of its 2^k last ones. */
template <typename T, typename OP> static __device__ void sweep_up(T *words)
{
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        const unsigned at = (threadIdx.x + 1) * 2 * stride - 1;
        if (at < 2 * blockDim.x)
            words[at] = OP()(words[at - stride], words[at]);
        __syncthreads();
    }
}

/* Blelloch: the root becomes the identity and the down-sweep hands every node what is to its left:
 * to the left child as it is, to the right one with the left child's sum. An exclusive scan. */
template <typename T, typename OP>
static __global__ void scan_blelloch(const T *in, T *out, uint64_t count, int exclusive, T *sums)
{
    __shared__ T words[2 * SATK_SCAN_TEXTBOOK_THREADS];
    const unsigned last = 2 * blockDim.x - 1;

    load_tile(in, count, words);
    sweep_up<T, OP>(words);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = words[last];
        words[last] = 0;
    }
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        __syncthreads();
        const unsigned at = (threadIdx.x + 1) * 2 * stride - 1;
        if (at <= last) {
            const T left = words[at - stride];
            words[at - stride] = words[at];
            words[at] = OP()(words[at], left);
        }
    }
    __syncthreads();
    for (unsigned t = threadIdx.x; t <= last; t += blockDim.x) {
        const uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + t;
        if (i < count)
            out[i] = exclusive ? words[t] : OP()(words[t], in[i]);
    }
}

/* Brent and Kung: after the same up-sweep the reverse tree adds a finished word to the middle of
 * the gap behind it. An inclusive scan, with 2n - 2 - log2 n additions. */
template <typename T, typename OP>
static __global__ void scan_brent_kung(const T *in, T *out, uint64_t count, int exclusive, T *sums)
{
    __shared__ T words[2 * SATK_SCAN_TEXTBOOK_THREADS];
    const unsigned last = 2 * blockDim.x - 1;

    load_tile(in, count, words);
    sweep_up<T, OP>(words);
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        const unsigned at = (threadIdx.x + 1) * 2 * stride - 1;
        if (at + stride <= last)
            words[at + stride] = OP()(words[at], words[at + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = words[last];
    for (unsigned t = threadIdx.x; t <= last; t += blockDim.x) {
        const uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + t;
        if (i < count)
            out[i] = !exclusive ? words[t] : t > 0 ? words[t - 1] : 0;
    }
}

#endif
