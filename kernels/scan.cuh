/* Inclusive scans of a warp and of a block: the parts that the summed-area table is made of. */
#ifndef SATK_SCAN_CUH
#define SATK_SCAN_CUH

#include "tune.cuh"

/* Hillis and Steele (1986) across a warp, in registers: after step d a lane holds the sum of its 2d
 * nearest. */
template <typename T> static __device__ __forceinline__ T satk_warp_scan(T value)
{
    const int lane = threadIdx.x % SATK_WARP;
#pragma unroll
    for (int d = 1; d < SATK_WARP; d *= 2) {
        const T left = __shfl_up_sync(0xffffffffu, value, d);
        if (lane >= d)
            value += left;
    }
    return value;
}

/* What the warps before this one add up to. totals: each warp's sum, in shared memory, behind a
 * barrier. There are so few that adding them up costs less than a scan would. */
template <typename T> static __device__ __forceinline__ T satk_warps_before(const T *totals)
{
    const int warp = threadIdx.x / SATK_WARP;
    T sum = 0;

    for (int w = 0; w < warp; w++)
        sum += totals[w];
    return sum;
}

#endif
