/* Tables of wide 8-bit RGBA pictures: the sums that tiles need are made ahead of them, so that a tile hardly waits.
 *
 * A table of u32 has four times the picture's bytes, so whatever a block does between its loads and its stores,
 * as look-back does, leaves the memory idle. Here blocks take turns (sat_ahead.cuh): some add up rows and columns
 * of a band (after Nehab et al., "GPU-efficient recursive filtering and summed-area tables", 2011), and others,
 * some bands behind them, read the same codes again, from the L2 cache, and write the table. A warp of those knows
 * all that is above and to the left of its part before it begins, and walks down its rows: no barrier, no
 * exchange. Every block waits only for turns that were drawn before its own. */
#include "common/launch.cuh"
#include "sat/sat_ahead_sums.cuh"
#include "sat/sat_builders.h"

/* --- Table ------------------------------------------------------------------------------------ */

/* A warp's part. */
struct ahead_part {
    int segment, at; /* at: of the segment's */
    int x, there;    /* the lane's first pixel, and how many from there on the picture has */
};

static __device__ __forceinline__ ahead_part part_of(const satk_ahead_job &job,
                                                     const satk_turn &turn)
{
    const int part = turn.at * SATK_AHEAD_WARPS + threadIdx.x / SATK_WARP;
    const int x = part * SATK_AHEAD_PART + threadIdx.x % SATK_WARP;

    return {part / SATK_SEGMENT_PARTS, part % SATK_SEGMENT_PARTS, x, job.src.width - x};
}

/* Waits for all that the tile needs: of its segment and of those to its left. Has a barrier. */
static __device__ __forceinline__ void await_sums(const satk_ahead_board &board,
                                                  const satk_turn &turn)
{
    const int segments = turn.at * SATK_AHEAD_TILE / SATK_SEGMENT + 1;
    const int bands = satk_above_base(board, turn.band) + 1, each = bands + 1;

    for (int i = threadIdx.x; i < segments * each; i += SATK_AHEAD_THREADS) {
        const int segment = i / each, band = i % each;
        if (band < bands)
            satk_await(board.summed + (size_t)(turn.band - band) * board.segments + segment,
                       turn.build);
        else if (satk_has_base(board, turn.band))
            satk_await(board.based + (size_t)satk_base_of(board, turn.band) * board.segments +
                           segment,
                       turn.build);
    }
    __syncthreads();
}

/* What is left of the part in the lane's row. */
static __device__ __forceinline__ uint4 left_of(const satk_ahead_board &board, int band,
                                                const ahead_part &part)
{
    const int lane = threadIdx.x % SATK_WARP;
    const size_t first = (size_t)band * board.segments;
    uint4 left =
        __ldcg(board.rows +
               ((first + part.segment) * SATK_SEGMENT_PARTS + part.at) * SATK_AHEAD_ROWS + lane);

    for (int at = 0; at < part.segment; at += 4) {
        uint4 total[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            total[i] = at + i < part.segment
                           ? __ldcg(board.totals + (first + at + i) * SATK_AHEAD_ROWS + lane)
                           : uint4{0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < 4; i++)
            left = satk_plus(left, total[i]);
    }
    return left;
}

/* What is above the part and left of it: a lane for each segment. */
static __device__ __forceinline__ uint4 corner_of(const satk_ahead_board &board, int band,
                                                  const ahead_part &part)
{
    const int lane = threadIdx.x % SATK_WARP, between = satk_above_base(board, band);
    uint4 sum = {0, 0, 0, 0};

    for (int segment = lane; segment <= part.segment; segment += SATK_WARP) {
        const int at = segment < part.segment ? SATK_SEGMENT_PARTS : part.at;
        if (satk_has_base(board, band))
            sum = satk_plus(
                sum,
                __ldcg(board.ends + satk_corner_at(board, satk_base_of(board, band), segment, at)));
#pragma unroll 4
        for (int i = 1; i <= between; i++)
            sum = satk_plus(sum,
                            __ldcg(board.corners + satk_corner_at(board, band - i, segment, at)));
    }
    return {satk_warp_total(sum.x), satk_warp_total(sum.y), satk_warp_total(sum.z),
            satk_warp_total(sum.w)};
}

/* The sums of column x above the band. */
static __device__ __forceinline__ uint4 column_above(const satk_ahead_board &board, int band, int x)
{
    const int between = satk_above_base(board, band);
    uint4 base = {0, 0, 0, 0};
    uint2 since[SATK_AHEAD_BASES];
    uint32_t even = 0, odd = 0;

    if (satk_has_base(board, band))
        base = __ldcg(board.bases + (size_t)satk_base_of(board, band) * board.width + x);
#pragma unroll
    for (int i = 1; i < SATK_AHEAD_BASES; i++)
        since[i] = i <= between ? __ldcg(board.columns + (size_t)(band - i) * board.width + x)
                                : uint2{0, 0};
#pragma unroll
    for (int i = 1; i < SATK_AHEAD_BASES; i++)
        even += since[i].x, odd += since[i].y;
    return satk_plus(base, satk_four_of(even, odd));
}

static __device__ __forceinline__ uint4 last_lane(uint4 v)
{
    return {
        __shfl_sync(0xffffffffu, v.x, SATK_WARP - 1), __shfl_sync(0xffffffffu, v.y, SATK_WARP - 1),
        __shfl_sync(0xffffffffu, v.z, SATK_WARP - 1), __shfl_sync(0xffffffffu, v.w, SATK_WARP - 1)};
}

/* The lane's two pixels of the table's row above the band. */
static __device__ __forceinline__ void find_above(const satk_ahead_board &board, int band,
                                                  const ahead_part &part, uint4 *above)
{
    uint4 before = corner_of(board, band, part);

#pragma unroll
    for (int i = 0; i < 2; i++) {
        uint4 column = {0, 0, 0, 0};
        if (part.there > i * SATK_WARP)
            column = column_above(board, band, part.x + i * SATK_WARP);
        above[i] = satk_plus({satk_warp_sums(column.x), satk_warp_sums(column.y),
                              satk_warp_sums(column.z), satk_warp_sums(column.w)},
                             before);
        before = last_lane(above[i]);
    }
}

/* A row of the table, which it replaces, from the one above, the codes, and what is left of the part. */
static __device__ __forceinline__ void next_row(uint4 *words, const uint32_t *codes, uint4 left)
{
    uint32_t before_even = 0, before_odd = 0;

#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint32_t even = satk_warp_sums(codes[i] & 0x00ff00ffu) + before_even;
        const uint32_t odd = satk_warp_sums(codes[i] >> 8 & 0x00ff00ffu) + before_odd;
        words[i] = satk_plus(satk_plus(words[i], left), satk_four_of(even, odd));
        if (i == 0) {
            before_even = __shfl_sync(0xffffffffu, even, SATK_WARP - 1);
            before_odd = __shfl_sync(0xffffffffu, odd, SATK_WARP - 1);
        }
    }
}

/* So many rows of a part, two pixels to a lane; 0 beyond the picture. WHOLE: all are in it. These codes will not be
 * read again. */
template <bool REGULAR, bool WHOLE>
static __device__ __forceinline__ void read_rows(const satk_ahead_job &job, const uint8_t *from,
                                                 int there, int rows, uint32_t (*codes)[2])
{
#pragma unroll
    for (int r = 0; r < SATK_AHEAD_LOADS; r++, from += job.src.pitch)
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint8_t *const pixel = from + i * SATK_WARP * 4;
            codes[r][i] = 0;
            if (r < rows && (WHOLE || there > i * SATK_WARP))
                codes[r][i] =
                    REGULAR ? __ldcs((const uint32_t *)pixel) : satk_pixel_at(pixel, job.words);
        }
}

/* words: the row above; codes: the first rows. */
template <bool REGULAR, bool WHOLE>
static __device__ __forceinline__ void
walk(const satk_ahead_job &job, const satk_ahead_band &band, const ahead_part &part,
     const uint4 *left, uint4 (&words)[2], uint32_t (&codes)[SATK_AHEAD_LOADS][2])
{
    const int rows = WHOLE ? SATK_AHEAD_ROWS : band.rows;
    const uint8_t *from = satk_codes_at(job, band, part.x);
    uint4 *out =
        job.table + band.picture * job.table_step + (int64_t)band.y * job.src.width + part.x;

#pragma unroll 1
    for (int y = 0; y < rows; y += SATK_AHEAD_LOADS) {
        uint32_t now[SATK_AHEAD_LOADS][2];
#pragma unroll
        for (int r = 0; r < SATK_AHEAD_LOADS; r++)
            now[r][0] = codes[r][0], now[r][1] = codes[r][1];
        from += SATK_AHEAD_LOADS * job.src.pitch;
        read_rows<REGULAR, WHOLE>(job, from, part.there, rows - y - SATK_AHEAD_LOADS, codes);
#pragma unroll
        for (int r = 0; r < SATK_AHEAD_LOADS; r++, out += job.src.width) {
            next_row(words, now[r], left[y + r]);
#pragma unroll
            for (int i = 0; i < 2; i++)
                if (WHOLE || (y + r < rows && part.there > i * SATK_WARP))
                    __stcs(out + i * SATK_WARP, words[i]);
        }
    }
}

/* Loads begin before the sums are awaited. */
template <bool REGULAR>
static __device__ __forceinline__ void make_tile(const satk_ahead_job &job, const satk_turn &turn)
{
    __shared__ uint4 left[SATK_AHEAD_WARPS][SATK_AHEAD_ROWS];
    const int lane = threadIdx.x % SATK_WARP, warp = threadIdx.x / SATK_WARP;
    const satk_ahead_band band = satk_band_of(job, turn.band);
    const ahead_part part = part_of(job, turn);
    uint32_t codes[SATK_AHEAD_LOADS][2];
    uint4 words[2];

    read_rows<REGULAR, false>(job, satk_codes_at(job, band, part.x), part.there, band.rows, codes);
    await_sums(job.board, turn);
    if (part.x - lane >= job.src.width)
        return;
    left[warp][lane] = left_of(job.board, turn.band, part);
    find_above(job.board, turn.band, part, words);
    __syncwarp();
    if (band.rows == SATK_AHEAD_ROWS && part.x - lane + SATK_AHEAD_PART <= job.src.width)
        walk<REGULAR, true>(job, band, part, left[warp], words, codes);
    else
        walk<REGULAR, false>(job, band, part, left[warp], words, codes);
}

/* --- Launch ----------------------------------------------------------------------------------- */

template <bool REGULAR>
static __global__ void __launch_bounds__(SATK_AHEAD_THREADS,
                                         SATK_BLOCKS(SATK_AHEAD_BLOCKS, SATK_AHEAD_THREADS))
    build_ahead(const __grid_constant__ satk_ahead_job job)
{
    const satk_turn turn = satk_draw_turn(job.board, job.lead);

    if (turn.sums)
        satk_make_sums<REGULAR>(job, turn);
    else
        make_tile<REGULAR>(job, turn);
}

static size_t plan(const satk_sat *job, satk_ahead_board *board)
{
    return satk_lay_out_ahead(board, job->src.width, job->src.height, satk_sat_pictures(job),
                              job->board);
}

/* Rows of whole threads' loads. */
static bool is_regular(const satk_sat *job)
{
    const size_t bytes = (size_t)job->src.width * 4;

    return ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch | job->src_step | bytes) % 16 == 0;
}

/* Bands by which sums run ahead: most of the turns that are taken at a time. */
static int lead_of(const satk_ahead_board *board)
{
    int device, processors, lead;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        processors = 1;
    lead =
        satk_ceil(SATK_AHEAD_LEAD(processors * SATK_AHEAD_BLOCKS), board->segments + board->tiles);
    return lead < board->all ? lead : board->all;
}

/* Flags are enough for any table of RGBA that fits into a GPU's memory. */
bool satk_can_ahead(const satk_sat *job)
{
    satk_ahead_board board = {};
    const bool rgba = job->src.channels == 4 && job->src.bits == 8 && job->word == 32;

    if (!rgba || job->tone.decode || job->tone.weighted || job->src.width > SATK_AHEAD_WIDEST)
        return false;
    (void)plan(job, &board);
    return (size_t)board.all * (size_t)board.segments <= SATK_AHEAD_FLAGS;
}

size_t satk_ahead_board_size(const satk_sat *job)
{
    satk_ahead_board board = {};

    return plan(job, &board);
}

int satk_ahead(const satk_sat *job, void *on)
{
    const cudaStream_t stream = (cudaStream_t)on;
    satk_ahead_job launch = {};

    (void)plan(job, &launch.board);
    launch.src = job->src;
    launch.table = (uint4 *)job->table;
    launch.src_step = job->src_step;
    launch.table_step = (size_t)job->src.width * (size_t)job->src.height;
    launch.lead = lead_of(&launch.board);
    launch.words = ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch | job->src_step) % 4 == 0;
    const unsigned turns =
        (unsigned)launch.board.all * (unsigned)(launch.board.segments + launch.board.tiles);
    if (is_regular(job))
        build_ahead<true><<<turns, SATK_AHEAD_THREADS, 0, stream>>>(launch);
    else
        build_ahead<false><<<turns, SATK_AHEAD_THREADS, 0, stream>>>(launch);
    return satk_launched(stream);
}
