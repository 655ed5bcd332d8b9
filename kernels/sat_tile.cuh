/* A tile of a picture for the one-pass table: how a block takes it in, adds it up and scans its rows.
 *
 * A tile is as wide as a warp's 32 lanes with `pixels` neighbouring pixels each. Its rows go round
 * the block's warps: warp w has rows w, w + warps, ... Between the loads and the sums the codes stay
 * packed as they came, so that the next tile may wait in registers. */
#ifndef SATK_SAT_TILE_CUH
#define SATK_SAT_TILE_CUH

#include "scan.cuh"
#include "tone.h"

#include <type_traits>

/* Sizes of a tile of T words. plain: the samples are the codes. */
template <typename T, int CHANNELS, int BITS, bool PLAIN> struct satk_tile {
    typedef T word;
    /* Sums within a strip's row, or a warp's rows: at most 1024 codes, so they fit 32 bits. */
    typedef typename std::conditional<PLAIN, uint32_t, T>::type sum;
    enum {
        channels = CHANNELS,
        bits = BITS,
        plain = PLAIN,
        pixels = SATK_ONE_PASS_PIXELS(CHANNELS), /* of a lane, in a row */
        codes = pixels * CHANNELS,               /* and how many words they become */
        raw = codes * BITS / 32,                 /* and the registers that hold them packed */
        width = pixels * SATK_WARP,
        words = codes * SATK_WARP,
        threads = words > SATK_ONE_PASS_THREADS || SATK_ONE_PASS_THREADS % words != 0
                      ? words
                      : SATK_ONE_PASS_THREADS,
        groups = threads / words, /* how many threads share a column */
        warps = threads / SATK_WARP,
        fit = SATK_ONE_PASS_BYTES / (warps * words * (int)sizeof(T)),
        items = fit < 1                     ? 1
                : fit > SATK_ONE_PASS_ITEMS ? SATK_ONE_PASS_ITEMS
                                            : fit, /* rows of a warp */
        rows = items * warps,                      /* at most */
        bytes = rows * words * (int)sizeof(T)
    };
    static_assert(groups == 1 || groups == 2, "a column is walked down, and up");
    static_assert(items * CHANNELS <= SATK_WARP, "a lane keeps one row sum");
    static_assert(rows * CHANNELS <= threads, "a thread keeps one row's left side");
};

/* A warp's rows, packed. */
template <typename TILE> struct satk_packed {
    uint32_t raw[TILE::items][TILE::raw];
};

/* --- Loading ---------------------------------------------------------------------------------- */

template <int WORDS>
static __device__ __forceinline__ void satk_load_wide(const uint8_t *from, uint32_t *raw)
{
    if constexpr (WORDS % 4 == 0) {
#pragma unroll
        for (int i = 0; i < WORDS / 4; i++) {
            const uint4 v = ((const uint4 *)from)[i];
            memcpy(raw + 4 * i, &v, sizeof v);
        }
    } else if constexpr (WORDS % 2 == 0) {
#pragma unroll
        for (int i = 0; i < WORDS / 2; i++) {
            const uint2 v = ((const uint2 *)from)[i];
            memcpy(raw + 2 * i, &v, sizeof v);
        }
    } else {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            raw[i] = ((const uint32_t *)from)[i];
    }
}

/* The calling lane's pixels from x on, of `rows` rows from y on; 0 beyond the picture. wide: the
 * picture's rows are 16-byte aligned. */
template <typename TILE>
static __device__ __forceinline__ void satk_load_tile(const satk_plane &src, bool wide, int x,
                                                      int y, int rows, satk_packed<TILE> *tile)
{
    const int warp = threadIdx.x / SATK_WARP, inside = min(rows, src.height - y);
    const uint8_t *const at =
        (const uint8_t *)src.data + (size_t)x * TILE::channels * (TILE::bits / 8);

    memset(tile, 0, sizeof *tile);
    if (x >= src.width)
        return;
    if (wide && x + TILE::pixels <= src.width) {
#pragma unroll
        for (int k = 0; k < TILE::items; k++) {
            const int row = k * TILE::warps + warp;
            if (row < inside)
                satk_load_wide<TILE::raw>(at + (y + row) * src.pitch, tile->raw[k]);
        }
        return;
    }
    const int codes = (src.width - x) * TILE::channels;
#pragma unroll
    for (int k = 0; k < TILE::items; k++) {
        const int row = k * TILE::warps + warp;
#pragma unroll
        for (int i = 0; i < TILE::codes; i++)
            if (row < inside && i < codes)
                tile->raw[k][i * TILE::bits / 32] |=
                    satk_code(at + (y + row) * src.pitch, i, TILE::bits) << i * TILE::bits % 32;
    }
}

/* The samples of the lane's row k. */
template <typename TILE>
static __device__ __forceinline__ void satk_unpack(const satk_packed<TILE> &tile, int k,
                                                   const satk_tone &tone,
                                                   typename TILE::sum *samples)
{
#pragma unroll
    for (int i = 0; i < TILE::pixels; i++) {
        uint32_t codes[4];
        uint64_t tuned[4];
#pragma unroll
        for (int c = 0; c < TILE::channels; c++) {
            const int at = (i * TILE::channels + c) * TILE::bits;
            codes[c] = tile.raw[k][at / 32] >> at % 32 & ((1u << TILE::bits) - 1);
        }
        if (!TILE::plain)
            satk_tone_samples(&tone, codes, TILE::channels, tuned);
#pragma unroll
        for (int c = 0; c < TILE::channels; c++)
            samples[i * TILE::channels + c] = TILE::plain ? codes[c] : (typename TILE::sum)tuned[c];
    }
}

/* --- Shared memory ---------------------------------------------------------------------------- */

/* Rows of a tile in shared memory are swizzled in units of 16 bytes: the lanes of a warp store their
 * units at a stride of `units`, which without it would meet in few banks. */
template <typename TILE, typename E> static __device__ __forceinline__ int satk_swizzled(int unit)
{
    constexpr int units = TILE::codes * (int)sizeof(E) / 16, mask = (units & -units) - 1;
    return unit ^ (unit >> 3 & mask);
}

/* Where a row keeps its word `at`. */
template <typename TILE, typename E> static __device__ __forceinline__ int satk_place_of(int at)
{
    constexpr int per = 16 / (int)sizeof(E);
    return satk_swizzled<TILE, E>(at / per) * per + at % per;
}

/* The lane's words into a row. */
template <typename TILE, typename E>
static __device__ __forceinline__ void satk_put_words(E *row, const E *words)
{
    constexpr int per = 16 / (int)sizeof(E), units = TILE::codes / per;
    const int lane = threadIdx.x % SATK_WARP;
#pragma unroll
    for (int i = 0; i < units; i++) {
        uint4 v;
        memcpy(&v, words + i * per, sizeof v);
        ((uint4 *)row)[satk_swizzled<TILE, E>(lane * units + i)] = v;
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

template <typename S> static __device__ __forceinline__ S satk_warp_total(S value)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(S) == 4)
        return __reduce_add_sync(0xffffffffu, value);
    else
#endif
        return satk_warp_reduce(value);
}

/* Scans the lane's words, pixel by pixel; before[channel]: what the lanes to its left add up to. */
template <typename TILE, typename S>
static __device__ __forceinline__ void satk_scan_words(S *words, S *before)
{
#pragma unroll
    for (int i = TILE::channels; i < TILE::codes; i++)
        words[i] += words[i - TILE::channels];
#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        const S own = words[TILE::codes - TILE::channels + c];
        before[c] = satk_warp_scan(own) - own;
    }
}

/* What the others must know of a tile. row_sums[row][channel] receives what the warp's rows add up
 * to; `columns`, the warp's row in shared memory, the sums of its rows' columns, scanned. */
template <typename TILE>
static __device__ __forceinline__ void
satk_add_up(const satk_packed<TILE> &tile, const satk_tone &tone, int rows,
            typename TILE::word *row_sums, typename TILE::sum *columns)
{
    typedef typename TILE::sum sum;
    const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
    sum column[TILE::codes] = {}, before[TILE::channels], kept = 0;

#pragma unroll
    for (int k = 0; k < TILE::items; k++) {
        sum sample[TILE::codes];
        satk_unpack(tile, k, tone, sample);
#pragma unroll
        for (int c = 0; c < TILE::channels; c++) {
            sum total = 0;
#pragma unroll
            for (int i = c; i < TILE::codes; i += TILE::channels)
                total += sample[i];
            total = satk_warp_total(total);
            if (lane == k * TILE::channels + c)
                kept = total;
        }
#pragma unroll
        for (int i = 0; i < TILE::codes; i++)
            column[i] += sample[i];
    }
    const int row = lane / TILE::channels * TILE::warps + warp;
    if (lane < TILE::items * TILE::channels && row < rows)
        row_sums[row * TILE::channels + lane % TILE::channels] = kept;

    satk_scan_words<TILE>(column, before);
#pragma unroll
    for (int i = 0; i < TILE::codes; i++)
        column[i] += before[i % TILE::channels];
    satk_put_words<TILE>(columns, column);
}

/* Scans the warp's rows into shared memory, with what is left of them: left[row][channel]. */
template <typename TILE>
static __device__ __forceinline__ void
satk_scan_rows(const satk_packed<TILE> &tile, const satk_tone &tone,
               const typename TILE::word *left, typename TILE::word *words)
{
    typedef typename TILE::sum sum;
    typedef typename TILE::word word;
    const int warp = threadIdx.x / SATK_WARP;

#pragma unroll
    for (int k = 0; k < TILE::items; k++) {
        const int row = k * TILE::warps + warp;
        sum sample[TILE::codes], before[TILE::channels];
        word start[TILE::channels], scanned[TILE::codes];
        satk_unpack(tile, k, tone, sample);
        satk_scan_words<TILE>(sample, before);
#pragma unroll
        for (int c = 0; c < TILE::channels; c++)
            start[c] = left[row * TILE::channels + c] + before[c];
#pragma unroll
        for (int i = 0; i < TILE::codes; i++)
            scanned[i] = start[i % TILE::channels] + sample[i];
        satk_put_words<TILE>(words + row * TILE::words, scanned);
    }
}

#endif
