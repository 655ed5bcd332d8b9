/* The messages of a one-pass table's tiles: units of 16 bytes, written and read whole, so that no fence is
 * needed. They hold up to four words, and in their last 32 bits the number of the build that wrote them. */
#ifndef SATK_SAT_UNIT_CUH
#define SATK_SAT_UNIT_CUH

#include <cuda_runtime.h>
#include <stdint.h>

/* Words of up to 32 or 64 bits, two or one to a unit. */
template <typename T>
static __device__ __forceinline__ uint4 satk_unit_of(const T *words, uint32_t build)
{
    if constexpr (sizeof(T) == 4)
        return {words[0], words[1], 0, build};
    else
        return {(uint32_t)words[0], (uint32_t)(words[0] >> 32), 0, build};
}

template <typename T> static __device__ __forceinline__ void satk_words_of(uint4 unit, T *words)
{
    words[0] = unit.x;
    if constexpr (sizeof(T) == 4)
        words[1] = unit.y;
    else
        words[0] |= (T)unit.y << 32;
}

/* Sums of a tile. Those of bytes take 24 bits, and four of them a unit. */
template <typename TILE>
static __device__ __forceinline__ uint4 satk_pack(const typename TILE::word *words, uint32_t build)
{
    if constexpr (TILE::bytes8) {
        const uint32_t d = (uint32_t)words[3];
        return {(uint32_t)words[0] | d << 24, (uint32_t)words[1] | (d << 16 & 0xff000000u),
                (uint32_t)words[2] | (d << 8 & 0xff000000u), build};
    } else {
        return satk_unit_of(words, build);
    }
}

template <typename TILE>
static __device__ __forceinline__ void satk_unpack(uint4 unit, typename TILE::word *words)
{
    if constexpr (TILE::bytes8) {
        words[0] = unit.x & 0xffffffu;
        words[1] = unit.y & 0xffffffu;
        words[2] = unit.z & 0xffffffu;
        words[3] = unit.x >> 24 | unit.y >> 24 << 8 | unit.z >> 24 << 16;
    } else {
        satk_words_of(unit, words);
    }
}

/* One access each (PTX ISA, "Memory Consistency Model": 16 bytes of type b128 are not torn). */
static __device__ __forceinline__ void satk_tell(uint4 *to, uint4 unit)
{
#ifdef __NVCC__
    const unsigned long long low = (unsigned long long)unit.y << 32 | unit.x;
    const unsigned long long high = (unsigned long long)unit.w << 32 | unit.z;
    asm volatile(
        "{ .reg .b128 unit; mov.b128 unit, {%1, %2}; st.relaxed.gpu.global.b128 [%0], unit; }" ::
            "l"(to),
        "l"(low), "l"(high)
        : "memory");
#else
    to->x = unit.x, to->y = unit.y, to->z = unit.z;
    __atomic_store_n(&to->w, unit.w, __ATOMIC_RELEASE);
#endif
}

static __device__ __forceinline__ uint4 satk_hear(const uint4 *from)
{
#ifdef __NVCC__
    unsigned long long low, high;
    asm volatile(
        "{ .reg .b128 unit; ld.relaxed.gpu.global.b128 unit, [%2]; mov.b128 {%0, %1}, unit; }"
        : "=l"(low), "=l"(high)
        : "l"(from)
        : "memory");
    return {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
#else
    const uint32_t build = __atomic_load_n(&from->w, __ATOMIC_ACQUIRE);
    return {from->x, from->y, from->z, build};
#endif
}

/* The unit of this build, which may not have come yet. */
static __device__ __forceinline__ uint4 satk_wait(const uint4 *from, uint4 unit, uint32_t build)
{
    while (unit.w != build)
        unit = satk_hear(from);
    return unit;
}

#endif
