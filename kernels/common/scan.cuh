/* Scans and reductions of a warp and of a block, for tables, scans and counts. */
#ifndef SATK_SCAN_CUH
#define SATK_SCAN_CUH

#include "common/tune.cuh"

#include <stdint.h>

/* Operators of scan.h. 0 is the identity of both. */
struct satk_add {
    template <typename T> __device__ __forceinline__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

struct satk_max {
    template <typename T> __device__ __forceinline__ T operator()(T a, T b) const
    {
        return a > b ? a : b;
    }
};

/* Scans across a warp, in registers (Hillis and Steele, 1986): after step d a lane holds the result
 * of its 2d nearest. */
template <typename T, typename OP = satk_add>
static __device__ __forceinline__ T satk_warp_scan(T value)
{
    const int lane = threadIdx.x % SATK_WARP;
#pragma unroll
    for (int d = 1; d < SATK_WARP; d *= 2) {
        const T left = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d)
            value = OP()(left, value);
    }
    return value;
}

/* Returns the result of all lanes, in all lanes. */
template <typename T, typename OP = satk_add>
static __device__ __forceinline__ T satk_warp_reduce(T value)
{
#pragma unroll
    for (int d = SATK_WARP / 2; d > 0; d /= 2)
        value = OP()(value, __shfl_xor_sync(0xffffffffu, value, d));
    return value;
}

/* Returns the warp's sum, by one instruction where there is one. */
template <typename S> static __device__ __forceinline__ S satk_warp_total(S value)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(S) == 4)
        return __reduce_add_sync(0xffffffffu, value);
    else
#endif
        return satk_warp_reduce(value);
}

/* Returns the result over the warps before this one. totals: each warp's result, in shared memory,
 * behind a barrier. There are few warps: a loop over them costs less than a scan. */
template <typename T, typename OP = satk_add>
static __device__ __forceinline__ T satk_warps_before(const T *totals)
{
    const int warp = threadIdx.x / SATK_WARP;
    T sum = 0;

    for (int w = 0; w < warp; w++)
        sum = OP()(sum, totals[w]);
    return sum;
}

#endif
