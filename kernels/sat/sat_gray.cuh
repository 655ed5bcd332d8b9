/* A tile of an 8-bit gray picture, with the codes in registers: its size, and its sums. See sat_gray_cuda.cu.
 *
 * The block's warps stand side by side and above each other, `across` and `down`. Each has a part of the
 * tile, 128 pixels wide and `rows` rows high: a lane has four pixels of a row in a register. */
#ifndef SATK_SAT_GRAY_CUH
#define SATK_SAT_GRAY_CUH

#include "sat/sat_band.cuh"

template <int ACROSS, int DOWN, int TALL, int BLOCKS> struct satk_gray_tile {
    enum {
        across = ACROSS, /* warps */
        down = DOWN,
        rows = TALL, /* of a warp's part */
        threads = across * down * SATK_WARP,
        part_width = 4 * SATK_WARP,
        width = across * part_width,
        height = down * rows,
        blocks = BLOCKS,
        at_once = blocks <= 2 /* there are registers for it */
    };
    static_assert(rows % 4 == 0 && rows <= 257, "rows in fours; columns add up in 16 bits");
    static_assert(width * height * 255 < 1 << 24, "what a unit of four words holds");
};

template <typename TILE> struct satk_gray_memory {
    satk_received<TILE> received;
    uint4 column[TILE::down][TILE::across][SATK_WARP]; /* a part's column sums */
    uint4 row[TILE::across][TILE::height / 4];         /* and its rows', added up down the part */
    uint32_t build;                                    /* see satk_read_build() */

    __device__ __forceinline__ uint32_t row_at(int h, int at) const
    {
        return ((const uint32_t *)row[h])[at];
    }
};

/* A warp's part of the tile, and the lane's first pixel in the picture. */
struct satk_gray_part {
    int lane, h, v, x, y;
};

template <typename TILE>
static __device__ __forceinline__ satk_gray_part satk_gray_part_of(const satk_spot &spot)
{
    const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
    const int h = warp % TILE::across, v = warp / TILE::across;

    return {lane, h, v, spot.strip * TILE::width + h * TILE::part_width + lane * 4,
            spot.chunk * TILE::height + v * TILE::rows};
}

/* --- The part's sums -------------------------------------------------------------------------- */

/* Scans four words along the part. */
static __device__ __forceinline__ uint4 satk_scanned(uint4 v)
{
    v.y += v.x, v.z += v.y, v.w += v.z;
    return satk_plus(v, satk_warp_scan(v.w) - v.w);
}

/* Puts the part's sums into memory. Returns the lane's columns; totals: the lane's rows, two of 16
 * bits to a word. */
template <typename TILE>
static __device__ __forceinline__ uint4 satk_add_gray(const satk_gray_part &part,
                                                      const uint32_t *codes,
                                                      satk_gray_memory<TILE> *memory,
                                                      uint32_t *totals)
{
    uint32_t even = 0, odd = 0, all = 0;
    uint4 *const row = memory->row[part.h] + part.v * (TILE::rows / 4);

#pragma unroll
    for (int r = 0; r < TILE::rows; r++) {
        even += codes[r] & 0x00ff00ffu;
        odd += codes[r] >> 8 & 0x00ff00ffu;
    }
    const uint4 columns = {even & 0xffffu, odd & 0xffffu, even >> 16, odd >> 16};
    memory->column[part.v][part.h][part.lane] = columns;
#pragma unroll
    for (int r = 0; r < TILE::rows; r += 4) {
        uint32_t down[4];
#pragma unroll
        for (int i = 0; i < 4; i += 2) {
            const uint32_t two = __dp4a(codes[r + i], 0x01010101u, 0u) |
                                 __dp4a(codes[r + i + 1], 0x01010101u, 0u) << 16;
            const uint32_t sum = satk_warp_total(two);
            totals[(r + i) / 2] = two;
            down[i] = all += sum & 0xffffu;
            down[i + 1] = all += sum >> 16;
        }
        if (part.lane == 0)
            row[r / 4] = {down[0], down[1], down[2], down[3]};
    }
    return columns;
}

/* Returns the sum of all parts to the left of the part, among the first `parts` from above. */
template <typename TILE>
static __device__ __forceinline__ uint32_t satk_gray_corner(const satk_gray_memory<TILE> *memory,
                                                            int h, int parts)
{
    uint32_t sum = 0;

    for (int left = 0; left < h; left++)
        for (int i = 0; i < parts; i++)
            sum += memory->row_at(left, (i + 1) * TILE::rows - 1);
    return sum;
}

/* --- The part's table, row by row ------------------------------------------------------------- */

/* The sums down the lane's columns, and those of the rows of the lanes before it. */
struct satk_gray_walk {
    uint4 columns;
    uint32_t before;

    __device__ __forceinline__ uint4 next(uint32_t code, uint32_t row_before)
    {
        before += row_before;
        columns.x = __dp4a(code, 0x00000001u, columns.x);
        columns.y = __dp4a(code, 0x00000101u, columns.y);
        columns.z = __dp4a(code, 0x00010101u, columns.z);
        columns.w = __dp4a(code, 0x01010101u, columns.w);
        return satk_plus(columns, before);
    }
};

static __device__ __forceinline__ uint32_t satk_half(const uint32_t *pairs, int r)
{
    return r % 2 ? pairs[r / 2] >> 16 : pairs[r / 2] & 0xffffu;
}

#endif
