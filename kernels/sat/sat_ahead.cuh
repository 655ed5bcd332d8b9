/* What the blocks of a table with sums ahead tell each other, and who does what. See sat_ahead_cuda.cu.
 *
 * The picture is cut into bands of rows, a band into segments, of which sums are made, and into parts, of which
 * a warp makes the table. What a warp needs lies on the board:
 *
 *     columns  of each band, the sums of its columns: four of 16 bits
 *     bases    of every so many-th band, the sums of columns of all rows above it
 *     rows     of each part, what its segment has left of it, row by row
 *     totals   of each segment, what its rows come to
 *     corners  of each part, what its segment has left of it in the band; and of the segment, in whole
 *     ends     the same of all rows above, where bases are
 *
 * The board outlives the build and need not be cleared: only before its first use is it zero. Flags are the number
 * of the build, and no build of another picture puts anything else where they are. */
#ifndef SATK_SAT_AHEAD_CUH
#define SATK_SAT_AHEAD_CUH

#include "common/parts.h"
#include "common/plane.h"
#include "sat/sat_board.cuh"
#include "common/words.cuh"

enum {
    SATK_AHEAD_THREADS = SATK_AHEAD_WARPS * SATK_WARP,
    SATK_AHEAD_ROWS = SATK_WARP,           /* of a band: a lane each */
    SATK_AHEAD_PART = 2 * SATK_WARP,       /* pixels: a lane has two of a row */
    SATK_SEGMENT = 4 * SATK_AHEAD_THREADS, /* pixels: a thread has four of a row */
    SATK_SEGMENT_PARTS = SATK_SEGMENT / SATK_AHEAD_PART,
    SATK_AHEAD_TILE = SATK_AHEAD_WARPS * SATK_AHEAD_PART,
};
static_assert(SATK_AHEAD_PART * 255 < 1 << 16, "a part's row adds up in 16 bits");
static_assert(SATK_AHEAD_BASES * SATK_AHEAD_ROWS * 255 < 1 << 16, "and a column from base to base");
static_assert(SATK_SEGMENT % SATK_AHEAD_TILE == 0, "a block's parts are of one segment");

struct satk_ahead_board {
    unsigned long long *ticket; /* builds so far << 32 | turns drawn */
    uint32_t *summed; /* [band][segment]: the number of the build that has published its sums */
    uint32_t *based;  /* [base][segment]: and the base above */
    uint2 *columns;   /* [band][x] */
    uint4 *bases;     /* [base][x] */
    uint4 *rows;      /* [band][segment][part][row] */
    uint4 *totals;    /* [band][segment][row] */
    uint4 *corners, *ends; /* [band or base][segment][part, and one more] */
    int width;             /* in fours */
    int bands, stretches;  /* of a picture; stretches: from base to base */
    int all;               /* bands of all pictures */
    int segments, tiles;   /* of a band */
};

/* What a block does: a segment's sums, or a tile of the table. Bands are numbered through all pictures. */
struct satk_turn {
    bool sums;
    int band, at;
    uint32_t build;
};

/* Sums run `lead` bands ahead of tables. Called by all threads; has a barrier. */
static __device__ __forceinline__ satk_turn satk_draw_turn(const satk_ahead_board &board, int lead)
{
    __shared__ unsigned long long drawn;
    const int each = board.segments + board.tiles, first = lead * board.segments;
    const int both = (board.all - lead) * each;

    if (threadIdx.x == 0)
        drawn = satk_draw_ticket(board.ticket, (uint32_t)board.all * (uint32_t)each);
    __syncthreads();
    const int number = (int)(uint32_t)drawn, then = number - first, last = then - both;
    const uint32_t build = (uint32_t)(drawn >> 32) + 1;

    if (number < first)
        return {true, number / board.segments, number % board.segments, build};
    if (last >= 0)
        return {false, board.all - lead + last / board.tiles, last % board.tiles, build};
    if (then % each < board.segments)
        return {true, lead + then / each, then % each, build};
    return {false, then / each, then % each - board.segments, build};
}

/* --- Flags ------------------------------------------------------------------------------------ */

/* What all threads of the block have written is there for whoever has seen the flag. Called by all threads; has
 * a barrier. */
static __device__ __forceinline__ void satk_raise(uint32_t *flag, uint32_t build)
{
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    __threadfence();
#ifdef __NVCC__
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(build) : "memory");
#else
    __atomic_store_n(flag, build, __ATOMIC_RELEASE);
#endif
}

static __device__ __forceinline__ uint32_t satk_flag_at(const uint32_t *flag)
{
    uint32_t value;
#ifdef __NVCC__
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
#else
    value = __atomic_load_n(flag, __ATOMIC_ACQUIRE);
#endif
    return value;
}

/* Before a barrier, behind which the others may read what the flag stands for, past the L1 cache. */
static __device__ __forceinline__ void satk_await(const uint32_t *flag, uint32_t build)
{
    while (satk_flag_at(flag) != build)
        __nanosleep(SATK_LOOK_BACK_NAP);
}

/* --- Places ----------------------------------------------------------------------------------- */

/* A band's, and its part among the segment's; the last one stands for the segment. */
static __device__ __forceinline__ size_t satk_corner_at(const satk_ahead_board &board, int band,
                                                        int segment, int part)
{
    return ((size_t)band * board.segments + segment) * (SATK_SEGMENT_PARTS + 1) + part;
}

/* The base that a band stands on; 0 of a picture: nothing is above. */
static __device__ __forceinline__ int satk_base_of(const satk_ahead_board &board, int band)
{
    return band / board.bands * board.stretches + band % board.bands / SATK_AHEAD_BASES;
}

/* How many bands lie between a band and the base. */
static __device__ __forceinline__ int satk_above_base(const satk_ahead_board &board, int band)
{
    return band % board.bands % SATK_AHEAD_BASES;
}

/* Whether anything lies above the base. */
static __device__ __forceinline__ bool satk_has_base(const satk_ahead_board &board, int band)
{
    return band % board.bands >= SATK_AHEAD_BASES;
}

/* --- Codes and sums -------------------------------------------------------------------------- */

struct satk_ahead_job {
    satk_plane src;
    uint4 *table;
    size_t src_step, table_step; /* from picture to picture: bytes, pixels */
    int lead;
    bool words; /* pixels are 4-byte aligned */
    satk_ahead_board board;
};

/* Where a band lies: its picture, its first row there and how many it has. */
struct satk_ahead_band {
    size_t picture;
    int y, rows;
};

static __device__ __forceinline__ satk_ahead_band satk_band_of(const satk_ahead_job &job, int band)
{
    const int y = band % job.board.bands * SATK_AHEAD_ROWS, left = job.src.height - y;

    return {(size_t)(band / job.board.bands), y, left < SATK_AHEAD_ROWS ? left : SATK_AHEAD_ROWS};
}

static __device__ __forceinline__ const uint8_t *satk_codes_at(const satk_ahead_job &job,
                                                               const satk_ahead_band &band, int x)
{
    return (const uint8_t *)job.src.data + band.picture * job.src_step +
           (int64_t)band.y * job.src.pitch + (int64_t)x * 4;
}

static __device__ __forceinline__ uint32_t satk_pixel_at(const uint8_t *from, bool words)
{
    return words ? *(const uint32_t *)from
                 : from[0] | from[1] << 8 | from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Two words of 16-bit sums: channels 0 and 2, 1 and 3. */
static __device__ __forceinline__ uint4 satk_four_of(uint32_t even, uint32_t odd)
{
    return {even & 0xffffu, odd & 0xffffu, even >> 16, odd >> 16};
}

/* --- Host ------------------------------------------------------------------------------------- */

static int satk_ceil(int a, int b)
{
    return (a + b - 1) / b;
}

/* Divides pictures, the board at `memory` among them; its bytes. Flags have a place of their own, as large for
 * every picture. */
static size_t satk_lay_out_ahead(satk_ahead_board *board, int width, int height, int pictures,
                                 void *memory)
{
    uint8_t *const base = (uint8_t *)memory;
    size_t bytes = 0;

    board->width = satk_ceil(width, 4) * 4;
    board->bands = satk_ceil(height, SATK_AHEAD_ROWS);
    board->stretches = satk_ceil(board->bands, SATK_AHEAD_BASES);
    board->all = board->bands * pictures;
    board->segments = satk_ceil(width, SATK_SEGMENT);
    board->tiles = satk_ceil(width, SATK_AHEAD_TILE);
    const size_t sums = (size_t)board->all * (size_t)board->segments;
    const size_t stands = (size_t)board->stretches * (size_t)pictures;
    const size_t corners = (size_t)board->segments * (SATK_SEGMENT_PARTS + 1);
    board->ticket = (unsigned long long *)(base + satk_place(&bytes, 1, sizeof *board->ticket));
    board->summed = (uint32_t *)(base + satk_place(&bytes, SATK_AHEAD_FLAGS, 4));
    board->based = (uint32_t *)(base + satk_place(&bytes, SATK_AHEAD_FLAGS, 4));
    board->columns = (uint2 *)(base + satk_place(&bytes, (size_t)board->all * board->width, 8));
    board->bases = (uint4 *)(base + satk_place(&bytes, stands * board->width, 16));
    board->rows =
        (uint4 *)(base + satk_place(&bytes, sums * SATK_SEGMENT_PARTS * SATK_AHEAD_ROWS, 16));
    board->totals = (uint4 *)(base + satk_place(&bytes, sums * SATK_AHEAD_ROWS, 16));
    board->corners = (uint4 *)(base + satk_place(&bytes, (size_t)board->all * corners, 16));
    board->ends = (uint4 *)(base + satk_place(&bytes, stands * corners, 16));
    return bytes;
}

#endif
