/* Pixels of table words between registers and memory, in accesses as wide as their alignment
 * allows. A table is 16-byte aligned and dense, so a pixel of 8 or 16 bytes is aligned to its own
 * size. */
#ifndef SATK_TILE_CUH
#define SATK_TILE_CUH

#include <stdint.h>

template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_store_pixel(T *to, const T *value)
{
    if constexpr (sizeof(T) * CHANNELS % 16 == 0) {
        constexpr int per = 16 / sizeof(T);
#pragma unroll
        for (int i = 0; i < CHANNELS / per; i++) {
            uint4 wide;
            memcpy(&wide, value + i * per, 16);
            ((uint4 *)to)[i] = wide;
        }
    } else if constexpr (sizeof(T) * CHANNELS == 8) {
        uint2 wide;
        memcpy(&wide, value, 8);
        *(uint2 *)to = wide;
    } else {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            to[c] = value[c];
    }
}

template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_load_pixel(const T *from, T *value)
{
    if constexpr (sizeof(T) * CHANNELS % 16 == 0) {
        constexpr int per = 16 / sizeof(T);
#pragma unroll
        for (int i = 0; i < CHANNELS / per; i++) {
            const uint4 wide = __ldg((const uint4 *)from + i);
            memcpy(value + i * per, &wide, 16);
        }
    } else if constexpr (sizeof(T) * CHANNELS == 8) {
        const uint2 wide = __ldg((const uint2 *)from);
        memcpy(value, &wide, 8);
    } else {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            value[c] = from[c];
    }
}

#endif
