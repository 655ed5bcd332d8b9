/* A tile of a scan in the registers of a block: how it is read, scanned and written. */
#ifndef SATK_SCAN_TILE_CUH
#define SATK_SCAN_TILE_CUH

#include "array/array_tune.cuh"
#include "common/scan.cuh"

/* A block's tile: each warp has SATK_SCAN_LOADS runs of 32 loads of 16 bytes. */
template <typename T> struct tile_words {
    enum { PER_LOAD = 16 / sizeof(T), WARPS = SATK_SCAN_THREADS / SATK_WARP };
    enum { RUN = SATK_WARP * PER_LOAD, SIZE = WARPS * SATK_SCAN_LOADS * RUN };
    T word[SATK_SCAN_LOADS][PER_LOAD];

    static __device__ __forceinline__ uint64_t first_of(uint64_t tile, int load)
    {
        const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
        return tile * SIZE + (warp * SATK_SCAN_LOADS + load) * RUN + lane * PER_LOAD;
    }
};

/* wide: whole tiles of 16-byte aligned arrays move 16 bytes at a time, past the caches' other
 * contents. */
template <typename T>
static __device__ __forceinline__ void read_tile(const T *in, uint64_t count, uint64_t tile,
                                                 bool wide, tile_words<T> *t)
{
    if (wide) {
#pragma unroll
        for (int k = 0; k < SATK_SCAN_LOADS; k++) {
            const uint4 v = __ldcs((const uint4 *)(in + tile_words<T>::first_of(tile, k)));
            memcpy(t->word[k], &v, sizeof v);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++) {
        const uint64_t at = tile_words<T>::first_of(tile, k);
#pragma unroll
        for (int i = 0; i < tile_words<T>::PER_LOAD; i++)
            t->word[k][i] = at + i < count ? in[at + i] : 0;
    }
}

/* A lane's words of one load become their scan, beginning with `before`. */
template <typename T, typename OP>
static __device__ __forceinline__ void scan_load(T *word, T before, int exclusive)
{
#pragma unroll
    for (int i = 0; i < tile_words<T>::PER_LOAD; i++) {
        const T next = OP()(before, word[i]);
        word[i] = exclusive ? before : next;
        before = next;
    }
}

/* Scans the loaded words in place, within the warp; `warps` receives each warp's sum. */
template <typename T, typename OP>
static __device__ __forceinline__ void scan_warps(tile_words<T> *t, int exclusive, T *warps)
{
    const int lane = threadIdx.x % SATK_WARP;
    T carry = 0;

#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++) {
        T sum = t->word[k][0];
#pragma unroll
        for (int i = 1; i < tile_words<T>::PER_LOAD; i++)
            sum = OP()(sum, t->word[k][i]);
        sum = satk_warp_scan<T, OP>(sum);
        const T left = __shfl_up_sync(0xffffffffu, sum, 1);
        scan_load<T, OP>(t->word[k], lane > 0 ? OP()(carry, left) : carry, exclusive);
        carry = OP()(carry, __shfl_sync(0xffffffffu, sum, SATK_WARP - 1));
    }
    if (lane == 0)
        warps[threadIdx.x / SATK_WARP] = carry;
    __syncthreads();
}

/* Writes the scanned words. before: the result of all words before the warp's first. */
template <typename T, typename OP>
static __device__ __forceinline__ void write_tile(tile_words<T> *t, T before, T *out,
                                                  uint64_t count, uint64_t tile, bool wide)
{
#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++)
#pragma unroll
        for (int i = 0; i < tile_words<T>::PER_LOAD; i++)
            t->word[k][i] = OP()(before, t->word[k][i]);
    if (wide) {
#pragma unroll
        for (int k = 0; k < SATK_SCAN_LOADS; k++) {
            uint4 v;
            memcpy(&v, t->word[k], sizeof v);
            __stcs((uint4 *)(out + tile_words<T>::first_of(tile, k)), v);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++) {
        const uint64_t at = tile_words<T>::first_of(tile, k);
#pragma unroll
        for (int i = 0; i < tile_words<T>::PER_LOAD; i++)
            if (at + i < count)
                out[at + i] = t->word[k][i];
    }
}

template <typename T>
static __device__ __forceinline__ bool is_wide(const T *in, const T *out, uint64_t count,
                                               uint64_t tile)
{
    return ((uintptr_t)in | (uintptr_t)out) % 16 == 0 && (tile + 1) * tile_words<T>::SIZE <= count;
}

#endif
