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
    /* Sums within a strip's row, or a warp's rows: at most 2048 codes, so they fit 32 bits. */
    typedef typename std::conditional<PLAIN, uint32_t, T>::type sum;
    enum {
        channels = CHANNELS,
        bits = BITS,
        plain = PLAIN,
        bytes8 = PLAIN && BITS == 8,             /* dot products add bytes where they are */
        pixels = SATK_ONE_PASS_PIXELS(CHANNELS), /* of a lane, in a row */
        codes = pixels * CHANNELS,               /* and how many words they become */
        raw = codes * BITS / 32,                 /* and the registers that hold them packed */
        width = pixels * SATK_WARP,
        words = codes * SATK_WARP,
        pairs = words / 2, /* a thread stores two columns */
        threads = pairs > SATK_ONE_PASS_THREADS || SATK_ONE_PASS_THREADS % pairs != 0
                      ? pairs
                      : SATK_ONE_PASS_THREADS,
        groups = threads / pairs, /* how many threads share a column */
        warps = threads / SATK_WARP,
        fit = SATK_ONE_PASS_BYTES / (warps * words * (int)sizeof(T)),
        held = SATK_ONE_PASS_RAW / raw,
        most = fit < held ? fit : held,
        step = CHANNELS == 3 ? 2 : 1, /* so that a tile's row sums are whole loads */
        items = most < step ? step : most / step * step, /* rows of a warp */
        rows = items * warps,                            /* at most */
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
    if (x >= src.width || y >= src.height)
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

/* Bytes of a packed word, as a mask for dot products: those of the channel in word j, and of these the
 * ones up to code k. */
static __device__ __forceinline__ constexpr uint32_t satk_byte_mask(int channels, int channel,
                                                                    int j, int k)
{
    uint32_t mask = 0;
    for (int i = 4 * j; i < 4 * j + 4; i++)
        if (i % channels == channel && i <= k)
            mask |= 1u << i % 4 * 8;
    return mask;
}

/* The lane's row k, added up: total[channel]. */
template <typename TILE>
static __device__ __forceinline__ void satk_add_lane(const satk_packed<TILE> &tile, int k,
                                                     typename TILE::sum *total)
{
#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        total[c] = 0;
#pragma unroll
        for (int j = 0; j < TILE::raw; j++)
            total[c] =
                __dp4a(tile.raw[k][j], satk_byte_mask(TILE::channels, c, j, TILE::codes), total[c]);
    }
}

template <typename TILE, typename S>
static __device__ __forceinline__ void satk_add_lane(const S *sample, S *total)
{
#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        total[c] = 0;
#pragma unroll
        for (int i = c; i < TILE::codes; i += TILE::channels)
            total[c] += sample[i];
    }
}

/* Scans the lane's row k: words[] from start[channel] on. */
template <typename TILE>
static __device__ __forceinline__ void satk_scan_lane(const satk_packed<TILE> &tile, int k,
                                                      uint32_t *start, uint32_t *words)
{
#pragma unroll
    for (int j = 0; j < TILE::raw; j++) {
#pragma unroll
        for (int i = 4 * j; i < 4 * j + 4; i++)
            words[i] =
                __dp4a(tile.raw[k][j], satk_byte_mask(TILE::channels, i % TILE::channels, j, i),
                       start[i % TILE::channels]);
#pragma unroll
        for (int i = 4 * j; i < 4 * j + 4; i++)
            start[i % TILE::channels] = words[i];
    }
}

template <typename TILE, typename S, typename W>
static __device__ __forceinline__ void satk_scan_lane(const S *sample, W *start, W *words)
{
#pragma unroll
    for (int i = 0; i < TILE::codes; i++)
        words[i] = start[i % TILE::channels] += sample[i];
}

/* --- A tile's sums ---------------------------------------------------------------------------- */

/* A warp's rows on their way into sums: a lane's column sums, and the one row sum that it keeps, of
 * row lane / channels and channel lane % channels. */
template <typename TILE> struct satk_added {
    typename TILE::sum column[TILE::codes], row;
};

/* Bytes: two columns in a register. */
template <typename TILE>
static __device__ __forceinline__ void satk_add_columns(const satk_packed<TILE> &tile,
                                                        uint32_t *column)
{
    uint32_t even[TILE::raw] = {}, odd[TILE::raw] = {};

    static_assert(TILE::items <= 257, "their sums fit 16 bits");
#pragma unroll
    for (int k = 0; k < TILE::items; k++)
#pragma unroll
        for (int j = 0; j < TILE::raw; j++) {
            even[j] += tile.raw[k][j] & 0x00ff00ffu;
            odd[j] += tile.raw[k][j] >> 8 & 0x00ff00ffu;
        }
#pragma unroll
    for (int j = 0; j < TILE::raw; j++) {
        column[4 * j] = even[j] & 0xffffu;
        column[4 * j + 1] = odd[j] & 0xffffu;
        column[4 * j + 2] = even[j] >> 16;
        column[4 * j + 3] = odd[j] >> 16;
    }
}

template <typename TILE>
static __device__ __forceinline__ void satk_add_rows(const satk_packed<TILE> &tile,
                                                     const satk_tone &tone, satk_added<TILE> *to)
{
    typedef typename TILE::sum sum;
    const int lane = threadIdx.x % SATK_WARP;

    *to = {};
    if constexpr (TILE::bytes8)
        satk_add_columns(tile, to->column);
#pragma unroll
    for (int k = 0; k < TILE::items; k++) {
        sum total[TILE::channels];
        if constexpr (TILE::bytes8) {
            satk_add_lane(tile, k, total);
        } else {
            sum sample[TILE::codes];
            satk_unpack(tile, k, tone, sample);
            satk_add_lane<TILE>(sample, total);
#pragma unroll
            for (int i = 0; i < TILE::codes; i++)
                to->column[i] += sample[i];
        }
#pragma unroll
        for (int c = 0; c < TILE::channels; c++) {
            total[c] = satk_warp_total(total[c]);
            if (lane == k * TILE::channels + c)
                to->row = total[c];
        }
    }
}

/* What the others must know of a tile. row_sums[row][channel] receives what the warp's rows add up
 * to; `columns`, the warp's row in shared memory, the sums of its rows' columns, scanned. */
template <typename TILE>
static __device__ __forceinline__ void
satk_add_up(const satk_packed<TILE> &tile, const satk_tone &tone, typename TILE::word *row_sums,
            typename TILE::sum *columns)
{
    typedef typename TILE::sum sum;
    const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
    const int row = lane / TILE::channels * TILE::warps + warp;
    satk_added<TILE> added;
    sum start[TILE::channels], scanned[TILE::codes];

    satk_add_rows(tile, tone, &added);
    if (lane < TILE::items * TILE::channels)
        row_sums[row * TILE::channels + lane % TILE::channels] = added.row;
    satk_add_lane<TILE>(added.column, start);
#pragma unroll
    for (int c = 0; c < TILE::channels; c++)
        start[c] = satk_warp_scan(start[c]) - start[c];
    satk_scan_lane<TILE>(added.column, start, scanned);
    satk_put_words<TILE>(columns, scanned);
}

/* --- A tile's rows, scanned ------------------------------------------------------------------- */

/* Into shared memory, with what is left of them: left[row][channel]. */
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
        sum sample[TILE::codes], total[TILE::channels];
        word start[TILE::channels], scanned[TILE::codes];
        if constexpr (TILE::bytes8) {
            satk_add_lane(tile, k, total);
        } else {
            satk_unpack(tile, k, tone, sample);
            satk_add_lane<TILE>(sample, total);
        }
#pragma unroll
        for (int c = 0; c < TILE::channels; c++)
            start[c] = left[row * TILE::channels + c] + (satk_warp_scan(total[c]) - total[c]);
        if constexpr (TILE::bytes8 && sizeof(word) == 4)
            satk_scan_lane(tile, k, start, scanned);
        else if constexpr (TILE::bytes8) {
            satk_unpack(tile, k, tone, sample);
            satk_scan_lane<TILE>(sample, start, scanned);
        } else
            satk_scan_lane<TILE>(sample, start, scanned);
        satk_put_words<TILE>(words + row * TILE::words, scanned);
    }
}

#endif
