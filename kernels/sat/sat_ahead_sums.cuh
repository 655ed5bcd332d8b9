/* A segment's sums, which others need for their tiles of the table. See sat_ahead_cuda.cu. */
#ifndef SATK_SAT_AHEAD_SUMS_CUH
#define SATK_SAT_AHEAD_SUMS_CUH

#include "sat/sat_ahead.cuh"

/* --- Sums ------------------------------------------------------------------------------------- */

/* The part's row, two sums of 16 bits to a word: channels 0 and 2, 1 and 3. */
struct satk_ahead_memory {
    uint32_t row[SATK_SEGMENT_PARTS][SATK_AHEAD_ROWS][2];

    __device__ __forceinline__ uint32_t sum(int part, int y, int channel) const
    {
        return row[part][y][channel % 2] >> channel / 2 * 16 & 0xffffu;
    }
};

/* A thread's columns, in the same way. */
struct satk_ahead_columns {
    uint32_t even[4], odd[4];
};

/* Four pixels; 0 beyond the picture. */
template <bool REGULAR>
static __device__ __forceinline__ uint4 satk_read_four(const uint8_t *from, int there, bool words)
{
    if constexpr (REGULAR) {
        return there > 0 ? __ldcg((const uint4 *)from) : uint4{0, 0, 0, 0};
    } else {
        uint32_t pixel[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (i < there)
                pixel[i] = satk_pixel_at(from + 4 * i, words);
        return {pixel[0], pixel[1], pixel[2], pixel[3]};
    }
}

/* Half of the words go to the lane D beside this one, whose other half it gets: both have added up. */
template <int D> static __device__ __forceinline__ void satk_add_halves(uint32_t *words)
{
    const bool upper = threadIdx.x & D;

#pragma unroll
    for (int i = 0; i < D; i++) {
        const uint32_t sent = upper ? words[i] : words[i + D];
        const uint32_t kept = upper ? words[i + D] : words[i];
        words[i] = kept + __shfl_xor_sync(0xffffffffu, sent, D);
    }
}

/* Adds eight rows of four pixels to the columns, and puts the sums of the parts' rows into memory. */
static __device__ __forceinline__ void
satk_add_rows(const uint4 *rows, int first, satk_ahead_columns *columns, satk_ahead_memory *memory)
{
    uint32_t sums[16];
    const int lane = threadIdx.x % 16; /* of those that share a part */

#pragma unroll
    for (int r = 0; r < 8; r++) {
        const uint32_t pixels[] = {rows[r].x, rows[r].y, rows[r].z, rows[r].w};
        sums[2 * r] = sums[2 * r + 1] = 0;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const uint32_t even = pixels[i] & 0x00ff00ffu, odd = pixels[i] >> 8 & 0x00ff00ffu;
            columns->even[i] += even, sums[2 * r] += even;
            columns->odd[i] += odd, sums[2 * r + 1] += odd;
        }
    }
    satk_add_halves<8>(sums);
    satk_add_halves<4>(sums);
    satk_add_halves<2>(sums);
    satk_add_halves<1>(sums);
    memory->row[threadIdx.x / 16][first + lane / 2][lane % 2] = sums[0];
}

template <bool REGULAR>
static __device__ __forceinline__ satk_ahead_columns satk_add_segment(const satk_ahead_job &job,
                                                                      const satk_turn &turn,
                                                                      satk_ahead_memory *memory)
{
    const int x = turn.at * SATK_SEGMENT + 4 * threadIdx.x, there = job.src.width - x;
    const satk_ahead_band band = satk_band_of(job, turn.band);
    const uint8_t *from = satk_codes_at(job, band, x);
    satk_ahead_columns columns = {};

#pragma unroll 2
    for (int y = 0; y < SATK_AHEAD_ROWS; y += 8) {
        uint4 rows[8];
#pragma unroll
        for (int r = 0; r < 8; r++, from += job.src.pitch)
            rows[r] = satk_read_four<REGULAR>(from, y + r < band.rows ? there : 0, job.words);
        satk_add_rows(rows, y, &columns, memory);
    }
    return columns;
}

/* What the segment has left of its parts, row by row. Called by four threads for each row. */
static __device__ __forceinline__ void satk_publish_rows(const satk_ahead_board &board,
                                                         const satk_turn &turn, int thread,
                                                         const satk_ahead_memory &memory)
{
    const int y = thread / 4, channel = thread % 4;
    const size_t segment = (size_t)turn.band * board.segments + turn.at;
    uint32_t *const rows =
        (uint32_t *)(board.rows + segment * SATK_SEGMENT_PARTS * SATK_AHEAD_ROWS);
    uint32_t left = 0;

#pragma unroll
    for (int part = 0; part < SATK_SEGMENT_PARTS; part++) {
        __stcg(rows + part * SATK_AHEAD_ROWS * 4 + thread, left);
        left += memory.sum(part, y, channel);
    }
    __stcg((uint32_t *)(board.totals + segment * SATK_AHEAD_ROWS) + thread, left);
}

/* What the segment has left of its parts in whole. Called by a warp for each channel. */
static __device__ __forceinline__ void satk_publish_corners(const satk_ahead_board &board,
                                                            const satk_turn &turn, int channel,
                                                            const satk_ahead_memory &memory)
{
    const int lane = threadIdx.x % SATK_WARP, part = lane % SATK_SEGMENT_PARTS;
    uint32_t *const corners =
        (uint32_t *)(board.corners + satk_corner_at(board, turn.band, turn.at, 0));
    uint32_t sum = 0;

#pragma unroll
    for (int i = 0; i < SATK_AHEAD_ROWS;
         i++) /* each lane begins at a row, and so a bank, of its own */
        sum += memory.sum(part, (i + part) % SATK_AHEAD_ROWS, channel);
    const uint32_t scanned = satk_warp_sums(lane < SATK_SEGMENT_PARTS ? sum : 0);
    if (lane < SATK_SEGMENT_PARTS)
        __stcg(corners + part * 4 + channel, scanned - sum);
    if (lane == SATK_SEGMENT_PARTS - 1)
        __stcg(corners + SATK_SEGMENT_PARTS * 4 + channel, scanned);
}

static __device__ __forceinline__ void satk_publish_columns(const satk_ahead_board &board,
                                                            const satk_turn &turn,
                                                            const satk_ahead_columns &c)
{
    const int x = turn.at * SATK_SEGMENT + 4 * threadIdx.x;
    uint4 *const to = (uint4 *)(board.columns + (size_t)turn.band * board.width + x);

    if (x < board.width) {
        __stcg(to, {c.even[0], c.odd[0], c.even[1], c.odd[1]});
        __stcg(to + 1, {c.even[2], c.odd[2], c.even[3], c.odd[3]});
    }
}

/* --- Bases ------------------------------------------------------------------------------------ */

/* The thread's four columns, from the base before and the bands since. */
static __device__ __forceinline__ void satk_add_columns(const satk_ahead_board &board,
                                                        const satk_turn &turn, satk_ahead_columns c)
{
    const int x = turn.at * SATK_SEGMENT + 4 * threadIdx.x, base = satk_base_of(board, turn.band);
    const uint4 *const before = board.bases + (size_t)base * board.width + x;

    if (x >= board.width)
        return;
#pragma unroll
    for (int i = 1; i < SATK_AHEAD_BASES; i++) {
        const uint4 *const from =
            (const uint4 *)(board.columns + (size_t)(turn.band - i) * board.width + x);
        const uint4 a = __ldcg(from), b = __ldcg(from + 1);
        c.even[0] += a.x, c.odd[0] += a.y, c.even[1] += a.z, c.odd[1] += a.w;
        c.even[2] += b.x, c.odd[2] += b.y, c.even[3] += b.z, c.odd[3] += b.w;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        uint4 sum = satk_four_of(c.even[i], c.odd[i]);
        if (satk_has_base(board, turn.band))
            sum = satk_plus(sum, __ldcg(before + i));
        __stcg((uint4 *)before + board.width + i, sum);
    }
}

static __device__ __forceinline__ void satk_add_corners(const satk_ahead_board &board,
                                                        const satk_turn &turn)
{
    const size_t at = satk_corner_at(board, turn.band, turn.at, threadIdx.x);
    const size_t base = satk_corner_at(board, satk_base_of(board, turn.band), turn.at, threadIdx.x);
    const size_t band = satk_corner_at(board, 1, 0, 0);
    uint4 sum = {0, 0, 0, 0};

    if (threadIdx.x > SATK_SEGMENT_PARTS)
        return;
    if (satk_has_base(board, turn.band))
        sum = __ldcg(board.ends + base);
    for (int i = 0; i < SATK_AHEAD_BASES; i++)
        sum = satk_plus(sum, __ldcg(board.corners + at - i * band));
    __stcg(board.ends + base + band, sum);
}

/* The last band before the next base makes it. */
static __device__ __forceinline__ void satk_make_base(const satk_ahead_board &board,
                                                      const satk_turn &turn,
                                                      const satk_ahead_columns &columns)
{
    const int base = satk_base_of(board, turn.band), i = threadIdx.x;

    if (satk_above_base(board, turn.band) < SATK_AHEAD_BASES - 1 ||
        turn.band % board.bands == board.bands - 1)
        return;
    if (i > 0 && i < SATK_AHEAD_BASES)
        satk_await(board.summed + (size_t)(turn.band - i) * board.segments + turn.at, turn.build);
    if (i == SATK_AHEAD_BASES && satk_has_base(board, turn.band))
        satk_await(board.based + (size_t)base * board.segments + turn.at, turn.build);
    __syncthreads();
    satk_add_columns(board, turn, columns);
    satk_add_corners(board, turn);
    satk_raise(board.based + (size_t)(base + 1) * board.segments + turn.at, turn.build);
}

template <bool REGULAR>
static __device__ __forceinline__ void satk_make_sums(const satk_ahead_job &job,
                                                      const satk_turn &turn)
{
    __shared__ satk_ahead_memory memory;
    const satk_ahead_board &board = job.board;
    const int half = SATK_AHEAD_THREADS / 2;
    const satk_ahead_columns columns = satk_add_segment<REGULAR>(job, turn, &memory);

    static_assert(half == 4 * SATK_AHEAD_ROWS && half == 4 * SATK_WARP, "each has one to publish");
    satk_publish_columns(board, turn, columns);
    __syncthreads();
    if ((int)threadIdx.x < half)
        satk_publish_rows(board, turn, threadIdx.x, memory);
    else
        satk_publish_corners(board, turn, (threadIdx.x - half) / SATK_WARP, memory);
    satk_raise(board.summed + (size_t)turn.band * board.segments + turn.at, turn.build);
    satk_make_base(board, turn, columns);
}

#endif
