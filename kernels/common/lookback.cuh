/* Decoupled look-back: tiles of a single-pass scan publish their sums and prefixes to later tiles.
 * D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
 *
 * Every tile has a state in memory, all zero before the launch. A tile publishes its own sum (SATK_SUM)
 * at once, and its inclusive prefix (SATK_PREFIX) as soon as the prefix is known. A state's word carries
 * 32 bits of the value together with the flag: it is read and written whole, and no fence is needed. A
 * 64-bit value has two words; they belong together when their flags are equal.
 *
 * A state publishes its own words alone. A reader of other memory of an earlier tile needs a fence.
 *
 * A tile may wait only for tiles that run or have run: satk_draw_tile() numbers tiles in the order in
 * which blocks start. */
#ifndef SATK_LOOKBACK_CUH
#define SATK_LOOKBACK_CUH

#include "common/scan.cuh"

enum : uint32_t { SATK_SUM = 1, SATK_PREFIX = 2 }; /* 0: nothing yet */

template <typename T> struct satk_tile_state {
    unsigned long long word[sizeof(T) / 4]; /* flag << 32 | 32 bits of the value */
};

template <typename T>
static __device__ __forceinline__ void satk_publish(satk_tile_state<T> *state, uint32_t flag,
                                                    T value)
{
    volatile unsigned long long *const words = state->word;
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) / 4); i++)
        words[i] = (unsigned long long)flag << 32 | (uint32_t)(value >> (32 * i) % (8 * sizeof(T)));
}

/* Returns the flag and the value, once both words belong to one of the two publications; 0: none
 * yet. */
template <typename T>
static __device__ __forceinline__ uint32_t satk_peek(const satk_tile_state<T> *state, T *value)
{
    const volatile unsigned long long *const words = state->word;
    unsigned long long w = words[0];
    uint32_t flag = (uint32_t)(w >> 32);

    *value = (T)(uint32_t)w;
    if constexpr (sizeof(T) == 8) {
        w = words[1];
        *value |= (T)(uint32_t)w << 32;
        flag = (uint32_t)(w >> 32) == flag ? flag : 0;
    }
    return flag;
}

/* Returns the result over all tiles before this one, in all lanes; the operator must commute. One
 * whole warp calls it: its lanes look at 32 states at a time, lane 0 at the nearest. */
template <typename T, typename OP = satk_add>
static __device__ __forceinline__ T satk_look_back(const satk_tile_state<T> *states, int64_t tile)
{
    const int lane = threadIdx.x % SATK_WARP;
    T before = 0;

    for (int64_t first = tile - 1; first >= 0; first -= SATK_WARP) {
        const int64_t at = first - lane;
        T value = 0;
        uint32_t flag = at < 0 ? SATK_PREFIX : 0; /* before the first tile: a prefix of nothing */
        unsigned prefixes;

        do { /* until all states up to the nearest prefix are there */
            if (flag == 0)
                flag = satk_peek(states + at, &value);
            prefixes = __ballot_sync(0xffffffffu, flag == SATK_PREFIX);
            const unsigned missing = __ballot_sync(0xffffffffu, flag == 0);
            if (missing == 0 || (prefixes && __ffs((int)prefixes) < __ffs((int)missing)))
                break;
            __nanosleep(SATK_LOOK_BACK_NAP);
        } while (true);
        const int nearest = prefixes ? __ffs((int)prefixes) - 1 : SATK_WARP;
        before = OP()(satk_warp_reduce<T, OP>(lane <= nearest ? value : (T)0), before);
        if (prefixes)
            break;
    }
    return before;
}

/* Draws the block's tile: tiles are numbered in the order in which blocks ask. The counter is
 * zero before the launch. All threads call it; it has a barrier, and needs another before the
 * next call. */
static __device__ __forceinline__ uint64_t satk_draw_tile(unsigned long long *counter)
{
    __shared__ unsigned long long drawn;

    if (threadIdx.x == 0)
        drawn = atomicAdd(counter, 1ull);
    __syncthreads();
    return drawn;
}

#endif
