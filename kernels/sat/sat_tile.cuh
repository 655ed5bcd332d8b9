/* A tile of a picture for the one-pass table: its size, how a block takes it in, and its sums.
 *
 * The block's warps stand side by side and above each other, `across` and `down`. Each has a part of
 * the tile: 32 lanes with `pixels` neighbouring pixels, and `rows` rows. The codes stay in shared
 * memory as they came, where only their own warp reads them: once for the sums, once for the table. */
#ifndef SATK_SAT_TILE_CUH
#define SATK_SAT_TILE_CUH

#include "common/scan.cuh"
#include "common/tone.h"
#include "sat/sat_tune.cuh"

#include <cuda_pipeline_primitives.h>
#include <type_traits>

/* Sizes of a tile of T words. plain: the samples are the codes; large: of a large picture. */
template <typename T, int CHANNELS, int BITS, bool PLAIN, bool LARGE> struct satk_tile {
    typedef T word;
    /* Sums of a tile's row, or of all that a part has of columns: at most 2^13 codes of 16 bits. */
    typedef typename std::conditional<PLAIN, uint32_t, T>::type sum;
    enum {
        channels = CHANNELS,
        bits = BITS,
        plain = PLAIN,
        bytes8 = PLAIN && BITS == 8, /* dot products add bytes where they are */
        pixels = SATK_LOOKBACK_PIXELS(CHANNELS, (int)sizeof(T)), /* of a lane */
        codes = pixels * CHANNELS, /* and how many words they become */
        lane_bytes = codes * BITS / 8,
        raw = (lane_bytes + 3) / 4, /* registers that hold them packed */
        across =
            LARGE ? SATK_LOOKBACK_ACROSS(CHANNELS, (int)sizeof(T)) : SATK_LOOKBACK_SMALL_ACROSS,
        down = LARGE ? SATK_LOOKBACK_DOWN(CHANNELS, (int)sizeof(T)) : SATK_LOOKBACK_SMALL_DOWN,
        warps = across * down,
        threads = warps * SATK_WARP,
        row_words = codes * SATK_WARP, /* of a warp's part */
        row_bytes = lane_bytes * SATK_WARP,
        staged = codes * (int)sizeof(T) == 16 ? 0 : row_words, /* see store_row() */
        words = across * row_words,
        group = CHANNELS % 2 + 1, /* rows that are scanned together: an even number of sums */
        memory = LARGE ? SATK_LOOKBACK_MEMORY : SATK_LOOKBACK_SMALL_MEMORY,
        fixed = words * (int)sizeof(T) + down * words * (int)sizeof(sum) +
                warps * (staged + CHANNELS) * (int)sizeof(T) + 64,
        each = warps * (row_bytes + CHANNELS * (int)(sizeof(T) + sizeof(sum))),
        fit = (memory - fixed) / each,
        most = LARGE ? SATK_LOOKBACK_ROWS(CHANNELS) : SATK_LOOKBACK_SMALL_ROWS,
        rows = (fit < most ? fit : most) / 2 * 2, /* of a warp's part */
        width = across * SATK_WARP * pixels,      /* of the tile, in pixels */
        height = down * rows,
        sums = height * CHANNELS, /* of rows */
        blocks = LARGE || CHANNELS == 3 ? 2 : SATK_LOOKBACK_SMALL_BLOCKS
    };
    static_assert(rows >= 2 && row_bytes % 16 == 0, "whole loads");
    static_assert(rows <= 257, "byte columns add up in 16 bits");
    static_assert(pixels * 255 * SATK_WARP < 1 << 16, "byte rows do");
};

/* A block's codes and sums, in shared memory. */
template <typename TILE> struct satk_tile_memory {
    typedef typename TILE::word word;
    typedef typename TILE::sum sum;
    alignas(16) uint8_t codes[TILE::warps][TILE::rows][TILE::row_bytes];
    alignas(16) word staged[TILE::warps][TILE::staged + 4 * (TILE::staged == 0)];
    word top[TILE::words];                                   /* the table's row above the tile */
    word left[TILE::across][TILE::sums];                     /* all that is left of a part's row */
    word left_sum[TILE::across][TILE::down][TILE::channels]; /* of a part's rows, added up */
    sum column[TILE::down][TILE::words]; /* a part's column sums, scanned along the part */
    sum row[TILE::across][TILE::sums];   /* a part's row sums */
};

/* A warp's part of the tile, and that part's first pixel in the picture. */
template <typename TILE> struct satk_part {
    int warp, lane, h, v; /* number h from the left and v from above */
    int x, y;
};

template <typename TILE>
static __device__ __forceinline__ satk_part<TILE> satk_part_of(int strip, int chunk)
{
    const int warp = threadIdx.x / SATK_WARP, h = warp % TILE::across, v = warp / TILE::across;

    return {warp,
            (int)threadIdx.x % SATK_WARP,
            h,
            v,
            strip * TILE::width + h * SATK_WARP * TILE::pixels,
            chunk * TILE::height + v * TILE::rows};
}

/* --- Taking it in ----------------------------------------------------------------------------- */

/* Begins to load the warp's part into the L2 cache. */
template <typename TILE>
static __device__ __forceinline__ void satk_announce_part(const satk_plane &src,
                                                          const satk_part<TILE> &part)
{
#ifdef __NVCC__
    enum { LINE = 128, LINES = (TILE::row_bytes + LINE - 1) / LINE };
    const int pixel = TILE::channels * (TILE::bits / 8);
    const int there = (src.width - part.x) * pixel, rows = src.height - part.y;
    const uint8_t *const from =
        (const uint8_t *)src.data + (int64_t)part.y * src.pitch + (int64_t)part.x * pixel;

    for (int i = part.lane; i < TILE::rows * LINES; i += SATK_WARP) {
        const int row = i / LINES, at = i % LINES * LINE;
        if (row < rows && at < there)
            asm volatile("prefetch.global.L2 [%0];" ::"l"(from + row * src.pitch + at));
    }
#else
    (void)src;
    (void)part;
#endif
}

/* Copies 16 bytes of a row; bytes beyond the `there` that it has become 0. */
static __device__ __forceinline__ void satk_fetch_unit(uint4 *to, const uint8_t *from, int there)
{
    if (there >= 16) {
        __pipeline_memcpy_async(to, from, 16);
        return;
    }
    *to = {0, 0, 0, 0};
    for (int i = 0; i < there; i++)
        ((uint8_t *)to)[i] = from[i];
}

/* Begins to load the warp's part; 0 beyond the picture. wide: the picture's rows are 16-byte aligned. */
template <typename TILE>
static __device__ __forceinline__ void satk_fetch_part(const satk_plane &src, bool wide,
                                                       const satk_part<TILE> &part,
                                                       satk_tile_memory<TILE> *memory)
{
    enum { UNITS = TILE::row_bytes / 16 };
    uint8_t(*const codes)[TILE::row_bytes] = memory->codes[part.warp];
    const int pixel = TILE::channels * (TILE::bits / 8);
    const int there = min((src.width - part.x) * pixel, (int)TILE::row_bytes);
    const int rows = src.height - part.y;
    const uint8_t *const from =
        (const uint8_t *)src.data + (int64_t)part.y * src.pitch + (int64_t)part.x * pixel;

    if (wide) {
#pragma unroll 8
        for (int i = part.lane; i < TILE::rows * UNITS; i += SATK_WARP) {
            const int row = i / UNITS, at = i % UNITS * 16;
            satk_fetch_unit((uint4 *)(codes[row] + at), from + row * src.pitch + at,
                            row < rows ? there - at : 0);
        }
    } else {
        for (int row = 0; row < TILE::rows; row++)
            for (int i = part.lane; i < TILE::row_bytes; i += SATK_WARP)
                codes[row][i] = row < rows && i < there ? from[row * src.pitch + i] : 0;
    }
    __pipeline_commit();
}

/* Loads the lane's codes of a row, packed. */
template <typename TILE>
static __device__ __forceinline__ void satk_read_lane(const uint8_t *row, uint32_t *raw)
{
    const uint8_t *const at = row + threadIdx.x % SATK_WARP * TILE::lane_bytes;

    if constexpr (TILE::lane_bytes % 4 == 0) {
#pragma unroll
        for (int j = 0; j < TILE::raw; j++)
            raw[j] = ((const uint32_t *)at)[j];
    } else {
#pragma unroll
        for (int j = 0; j < TILE::raw; j++) {
            raw[j] = ((const uint16_t *)at)[2 * j];
            if (4 * j + 2 < TILE::lane_bytes)
                raw[j] |= (uint32_t)((const uint16_t *)at)[2 * j + 1] << 16;
        }
    }
}

/* Unpacks the samples of packed codes. */
template <typename TILE>
static __device__ __forceinline__ void satk_unpack(const uint32_t *raw, const satk_tone &tone,
                                                   typename TILE::sum *samples)
{
#pragma unroll
    for (int i = 0; i < TILE::pixels; i++) {
        uint32_t codes[4];
        uint64_t tuned[4];
#pragma unroll
        for (int c = 0; c < TILE::channels; c++) {
            const int at = (i * TILE::channels + c) * TILE::bits;
            codes[c] = raw[at / 32] >> at % 32 & ((1u << TILE::bits) - 1);
        }
        if (!TILE::plain)
            satk_tone_samples(&tone, codes, TILE::channels, tuned);
#pragma unroll
        for (int c = 0; c < TILE::channels; c++)
            samples[i * TILE::channels + c] = TILE::plain ? codes[c] : (typename TILE::sum)tuned[c];
    }
}

/* --- Sums of a lane's pixels ------------------------------------------------------------------ */

/* Returns bytes of a packed word, as a mask for dot products: those of the channel in word j, up to
 * code k. */
static __device__ __forceinline__ constexpr uint32_t satk_byte_mask(int channels, int channel,
                                                                    int j, int k)
{
    uint32_t mask = 0;
    for (int i = 4 * j; i < 4 * j + 4; i++)
        if (i % channels == channel && i <= k)
            mask |= 1u << i % 4 * 8;
    return mask;
}

/* A lane's pixels of a row, on their way from codes to the table's words. */
template <typename TILE> struct satk_lane {
    typedef typename TILE::sum sum;
    uint32_t raw[TILE::raw];
    sum sample[TILE::bytes8 ? 1 : TILE::codes]; /* bytes are added up where they are */

    __device__ __forceinline__ void read(const uint8_t *row, const satk_tone &tone)
    {
        satk_read_lane<TILE>(row, raw);
        if constexpr (!TILE::bytes8)
            satk_unpack<TILE>(raw, tone, sample);
    }

    __device__ __forceinline__ sum total(int channel) const
    {
        sum all = 0;
        if constexpr (TILE::bytes8) {
#pragma unroll
            for (int j = 0; j < TILE::raw; j++)
                all = __dp4a(raw[j], satk_byte_mask(TILE::channels, channel, j, TILE::codes), all);
        } else {
#pragma unroll
            for (int i = 0; i < TILE::codes; i++)
                all += i % TILE::channels == channel ? sample[i] : 0;
        }
        return all;
    }

    /* Scans the pixels: words[] from start[channel] on. */
    template <typename W> __device__ __forceinline__ void scan(const W *start, W *words) const
    {
#pragma unroll
        for (int i = 0; i < TILE::codes; i++) {
            const W before = i < TILE::channels ? start[i] : words[i - TILE::channels];
            if constexpr (TILE::bytes8 && sizeof(W) == 4) {
                const int first =
                    i / 4 * 4; /* the dot product sees the channel's bytes from here on */
                const int last =
                    first - 1 -
                    ((first - 1 - i) % TILE::channels + TILE::channels) % TILE::channels;
                const W from = last < 0 ? start[i % TILE::channels] : words[last];
                words[i] = __dp4a(
                    raw[i / 4], satk_byte_mask(TILE::channels, i % TILE::channels, i / 4, i), from);
            } else if constexpr (TILE::bytes8) {
                words[i] = before + (raw[i / 4] >> i % 4 * 8 & 255);
            } else {
                words[i] = before + sample[i];
            }
        }
    }
};

/* --- Sums of a part --------------------------------------------------------------------------- */

/* Column sums of a lane, as its rows come. Bytes: two columns in a register. */
template <typename TILE> struct satk_columns {
    typedef typename TILE::sum sum;
    uint32_t even[TILE::raw] = {}, odd[TILE::raw] = {};
    sum all[TILE::bytes8 ? 1 : TILE::codes] = {};

    __device__ __forceinline__ void add(const satk_lane<TILE> &lane)
    {
        if constexpr (TILE::bytes8) {
#pragma unroll
            for (int j = 0; j < TILE::raw; j++) {
                even[j] += lane.raw[j] & 0x00ff00ffu;
                odd[j] += lane.raw[j] >> 8 & 0x00ff00ffu;
            }
        } else {
#pragma unroll
            for (int i = 0; i < TILE::codes; i++)
                all[i] += lane.sample[i];
        }
    }

    __device__ __forceinline__ sum get(int i) const
    {
        if constexpr (TILE::bytes8)
            return (i % 2 ? odd[i / 4] : even[i / 4]) >> i % 4 / 2 * 16 & 0xffffu;
        else
            return all[i];
    }
};

/* Stores the totals of `group` rows, each channel's across the warp, as row sums. */
template <typename TILE>
static __device__ __forceinline__ void satk_add_rows(const satk_lane<TILE> *lanes,
                                                     typename TILE::sum *row_sums)
{
    enum { COUNT = TILE::group * TILE::channels };
    const bool first = threadIdx.x % SATK_WARP == 0;

#pragma unroll
    for (int i = 0; i < COUNT; i += 1 + TILE::bytes8) {
        const typename TILE::sum a = lanes[i / TILE::channels].total(i % TILE::channels);
        if constexpr (TILE::bytes8) { /* two of 16 bits at once */
            const int next = i + 1;
            const uint32_t b = lanes[next / TILE::channels].total(next % TILE::channels);
            const uint32_t both = satk_warp_total(a | b << 16);
            if (first)
                row_sums[i] = both & 0xffffu, row_sums[next] = both >> 16;
        } else {
            const typename TILE::sum all = satk_warp_total(a);
            if (first)
                row_sums[i] = all;
        }
    }
}

/* Finds the row sums of the warp's part, and its column sums, scanned. */
template <typename TILE>
static __device__ __forceinline__ void
satk_add_part(const satk_part<TILE> &part, const satk_tone &tone, satk_tile_memory<TILE> *memory)
{
    typedef typename TILE::sum sum;
    sum *const row_sums = memory->row[part.h] + part.v * TILE::rows * TILE::channels;
    sum *const column = memory->column[part.v] + part.h * TILE::row_words + part.lane * TILE::codes;
    satk_columns<TILE> columns;
    sum last[TILE::channels];

#pragma unroll 4
    for (int row = 0; row < TILE::rows; row += TILE::group) {
        satk_lane<TILE> lanes[TILE::group];
#pragma unroll
        for (int g = 0; g < TILE::group; g++) {
            lanes[g].read(memory->codes[part.warp][row + g], tone);
            columns.add(lanes[g]);
        }
        satk_add_rows<TILE>(lanes, row_sums + row * TILE::channels);
    }
#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        sum total = 0;
#pragma unroll
        for (int i = c; i < TILE::codes; i += TILE::channels)
            total += columns.get(i);
        last[c] = satk_warp_scan(total) - total;
    }
#pragma unroll
    for (int i = 0; i < TILE::codes; i++)
        column[i] = last[i % TILE::channels] += columns.get(i);
}

/* --- A part's rows, scanned ------------------------------------------------------------------- */

/* Finds the sums of the lanes before this one, of `group` rows. */
template <typename TILE>
static __device__ __forceinline__ void satk_scan_lanes(const satk_lane<TILE> *lanes,
                                                       typename TILE::sum (*before)[TILE::channels])
{
    enum { COUNT = TILE::group * TILE::channels };

#pragma unroll
    for (int i = 0; i < COUNT; i += 1 + TILE::bytes8) {
        const typename TILE::sum a = lanes[i / TILE::channels].total(i % TILE::channels);
        if constexpr (TILE::bytes8) { /* two of 16 bits at once */
            const int next = i + 1;
            const uint32_t both = a | lanes[next / TILE::channels].total(next % TILE::channels)
                                          << 16;
            const uint32_t scanned = satk_warp_scan(both) - both;
            before[i / TILE::channels][i % TILE::channels] = scanned & 0xffffu;
            before[next / TILE::channels][next % TILE::channels] = scanned >> 16;
        } else {
            before[i / TILE::channels][i % TILE::channels] = satk_warp_scan(a) - a;
        }
    }
}

#endif
