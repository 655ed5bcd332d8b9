/* Four words of a table at a time. */
#ifndef SATK_WORDS_CUH
#define SATK_WORDS_CUH

#include <cuda_runtime.h>
#include <stdint.h>

static __device__ __forceinline__ uint4 satk_plus(uint4 a, uint4 b)
{
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

static __device__ __forceinline__ uint4 satk_plus(uint4 a, uint32_t b)
{
    return satk_plus(a, uint4{b, b, b, b});
}

#endif
