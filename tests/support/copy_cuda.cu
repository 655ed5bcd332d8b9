#include "support/copy.h"

#include <cuda_runtime.h>
#include <stdint.h>

static const int THREADS = 256;

/* Stores data that is written once and never read again. The hint helps on some devices, so both
 * ways are timed. */
template <bool STREAM> static __device__ __forceinline__ void store(uint4 *to, uint4 value)
{
    if (STREAM)
        __stcs(to, value);
    else
        *to = value;
}

static __device__ __forceinline__ uint4 widened(uint32_t four)
{
    return make_uint4(four & 255, four >> 8 & 255, four >> 16 & 255, four >> 24);
}

/* --- Widening --------------------------------------------------------------------------------- */

/* A thread reads 4 bytes and writes 16, ITEMS times, a block's width apart: all accesses of a warp
 * are neighbours, and all loads are under way before the first store. */
template <int ITEMS, bool STREAM>
static __global__ void widen_words(const uint32_t *in, uint4 *out, size_t words)
{
    const size_t first = (size_t)blockIdx.x * THREADS * ITEMS + threadIdx.x;
    uint32_t four[ITEMS];

#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (first + (size_t)i * THREADS < words)
            four[i] = __ldcs(in + first + (size_t)i * THREADS);
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (first + (size_t)i * THREADS < words)
            store<STREAM>(out + first + (size_t)i * THREADS, widened(four[i]));
}

/* Returns word `index` of the 32 x 16 bytes that a warp's lanes hold. */
static __device__ __forceinline__ uint32_t word_of_warp(uint4 v, int index)
{
    const int lane = index / 4;
    const uint32_t x = __shfl_sync(0xffffffffu, v.x, lane), y = __shfl_sync(0xffffffffu, v.y, lane);
    const uint32_t z = __shfl_sync(0xffffffffu, v.z, lane), w = __shfl_sync(0xffffffffu, v.w, lane);

    return index % 4 < 2 ? (index % 2 ? y : x) : (index % 2 ? w : z);
}

/* A thread reads 16 bytes; the warp exchanges words, so that its stores are neighbours too. */
template <int ITEMS, bool STREAM>
static __global__ void widen_vectors(const uint4 *in, uint4 *out, size_t vectors)
{
    const int lane = threadIdx.x % 32;
    const size_t first = (size_t)blockIdx.x * THREADS * ITEMS + threadIdx.x;
    uint4 sixteen[ITEMS];

#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const size_t at = first + (size_t)i * THREADS;
        sixteen[i] = at < vectors ? __ldcs(in + at) : make_uint4(0, 0, 0, 0);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const size_t warp = (first - lane + (size_t)i * THREADS) * 4;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            const uint32_t four = word_of_warp(sixteen[i], j * 32 + lane);
            if (warp + j * 32 + lane < vectors * 4)
                store<STREAM>(out + warp + j * 32 + lane, widened(four));
        }
    }
}

static unsigned blocks_of(size_t elements, int items)
{
    return (unsigned)((elements + (size_t)THREADS * items - 1) / ((size_t)THREADS * items));
}

template <int ITEMS, bool STREAM>
static void launch_words(const void *in, void *out, size_t bytes, cudaStream_t stream)
{
    widen_words<ITEMS, STREAM><<<blocks_of(bytes / 4, ITEMS), THREADS, 0, stream>>>(
        (const uint32_t *)in, (uint4 *)out, bytes / 4);
}

template <int ITEMS, bool STREAM>
static void launch_vectors(const void *in, void *out, size_t bytes, cudaStream_t stream)
{
    widen_vectors<ITEMS, STREAM><<<blocks_of(bytes / 16, ITEMS), THREADS, 0, stream>>>(
        (const uint4 *)in, (uint4 *)out, bytes / 16);
}

int copy_widen_cuda(const void *in, void *out, size_t bytes_in, int variant, void *stream)
{
    typedef void launcher(const void *in, void *out, size_t bytes, cudaStream_t stream);
    static launcher *const launchers[COPY_VARIANTS] = {
        launch_words<4, false>,   launch_words<4, true>,    launch_words<8, false>,
        launch_words<8, true>,    launch_vectors<1, false>, launch_vectors<1, true>,
        launch_vectors<2, false>, launch_vectors<2, true>,
    };

    launchers[variant](in, out, bytes_in, (cudaStream_t)stream);
    return (int)cudaGetLastError();
}

/* --- Any proportion --------------------------------------------------------------------------- */

static __device__ __forceinline__ uint4 mixed(uint4 a, uint4 b)
{
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}

/* A block reads its share of the input, ITEMS loads under way in every thread, and then writes its
 * share of the output; other blocks of the same multiprocessor read meanwhile. */
template <int ITEMS, bool STREAM>
static __global__ void traffic(const uint4 *in, size_t in_each, size_t in_all, uint4 *out,
                               size_t out_each, size_t out_all)
{
    const size_t begin = blockIdx.x * in_each, end = min(begin + in_each, in_all);
    const size_t out_begin = blockIdx.x * out_each, out_end = min(out_begin + out_each, out_all);
    uint4 sum = make_uint4(0, 0, 0, 0);

    for (size_t at = begin + threadIdx.x; at < end; at += (size_t)THREADS * ITEMS) {
        uint4 v[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            v[i] = at + (size_t)i * THREADS < end ? __ldcs(in + at + (size_t)i * THREADS) : sum;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            sum = mixed(sum, v[i]);
    }
    for (size_t at = out_begin + threadIdx.x; at < out_end; at += THREADS)
        store<STREAM>(out + at, sum);
    /* If hardly anything is written, the loads must still look needed. This is never true in
     * practice. */
    if (out_begin >= out_end && (sum.x & sum.y & sum.z & sum.w) == 0xffffffffu)
        out[0] = sum;
}

template <int ITEMS, bool STREAM>
static void launch_traffic(const void *in, size_t in_all, void *out, size_t out_all, size_t chunk,
                           cudaStream_t stream)
{
    const size_t blocks = (in_all + out_all + chunk - 1) / chunk;
    const size_t in_each = (in_all + blocks - 1) / blocks;
    const size_t out_each = (out_all + blocks - 1) / blocks;

    traffic<ITEMS, STREAM><<<(unsigned)blocks, THREADS, 0, stream>>>(
        (const uint4 *)in, in_each, in_all, (uint4 *)out, out_each, out_all);
}

int copy_traffic_cuda(const void *in, size_t bytes_in, void *out, size_t bytes_out, int variant,
                      void *stream)
{
    const size_t chunk = variant & 4 ? 4096 : 1024; /* of 16 bytes, read and written by a block */
    typedef void launcher(const void *in, size_t in_all, void *out, size_t out_all, size_t chunk,
                          cudaStream_t stream);
    static launcher *const launchers[4] = {launch_traffic<4, false>, launch_traffic<4, true>,
                                           launch_traffic<8, false>, launch_traffic<8, true>};

    launchers[variant & 3](in, bytes_in / 16, out, bytes_out / 16, chunk, (cudaStream_t)stream);
    return (int)cudaGetLastError();
}
