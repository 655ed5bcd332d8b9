/* Summed-area tables in one read of the picture and one write of the table.
 *
 * The picture is cut into strips of columns and chunks of rows; a tile is where the two meet, and a
 * block makes one of them (after Nehab et al., "GPU-efficient recursive filtering and summed-area
 * tables", 2011, and Merrill and Garland's look-back, 2016, in both directions). A word of the table is
 *
 *     the table's row above the tile, in its column     from the tile above
 *   + the sum left of the tile, up to this row          from the tile to the left
 *   + the sum in the tile
 *
 * The first two come by look-back: a tile publishes its own sums at once, and its prefixes as soon as they are
 * known, so no tile waits for a chain of tiles to end. The sums of rows travel first. Those of columns
 * then hold all that is to their left, and the corner between the two directions needs no word. */
#include "common/parts.h"
#include "common/launch.cuh"
#include "sat/sat_board.cuh"
#include "sat/sat_lookback.h"
#include "sat/sat_tile.cuh"

template <typename T> struct lookback_job {
    satk_plane src;
    satk_tone tone;
    T *table;
    size_t src_step, table_step; /* from picture to picture: bytes, words */
    int strips, chunks;          /* of a picture */
    uint32_t tiles;              /* of all pictures */
    bool wide, even;             /* the pictures' rows are 16-byte aligned, the tables' */
    bool single;                 /* one picture */
    satk_board<T> board;
};

/* --- Exchange --------------------------------------------------------------------------------- */

/* Finds the sum left of every part's row: of earlier strips by look-back, of parts within the tile. */
template <typename TILE>
static __device__ __forceinline__ void look_left(const lookback_job<typename TILE::word> &job,
                                                 uint32_t tile, int strip, uint32_t build,
                                                 satk_tile_memory<TILE> *memory)
{
    typedef typename TILE::word word;

    for (int at = threadIdx.x; at < TILE::sums; at += TILE::threads) {
        satk_tile_state<word> *const state = job.board.rows + (size_t)tile * TILE::sums + at;
        word own = 0, before = 0;
#pragma unroll
        for (int h = 0; h < TILE::across; h++)
            own += memory->row[h][at];
        satk_publish(state, satk_flag(build, strip ? SATK_SUM : SATK_PREFIX), own);
        satk_look_at<word, SATK_LOOKBACK_LOOKS, 1>(&state, TILE::sums, strip, build, &before);
        if (strip > 0)
            satk_publish(state, satk_flag(build, SATK_PREFIX), before + own);
#pragma unroll
        for (int h = 0; h < TILE::across; h++) {
            memory->left[h][at] = before;
            before += memory->row[h][at];
        }
    }
}

/* Adds up the sums left of all rows of a part. Called behind a barrier. */
template <typename TILE>
static __device__ __forceinline__ void add_left(const satk_part<TILE> &part,
                                                satk_tile_memory<TILE> *memory)
{
    typedef typename TILE::word word;
    const word *const left = memory->left[part.h] + part.v * TILE::rows * TILE::channels;

#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        word sum = 0;
        for (int row = part.lane; row < TILE::rows; row += SATK_WARP)
            sum += left[row * TILE::channels + c];
        sum = satk_warp_total(sum);
        if (part.lane == 0)
            memory->left_sum[part.h][part.v][c] = sum;
    }
}

/* Finds the table's row above the tile, by look-back. Called behind another barrier. */
template <typename TILE>
static __device__ __forceinline__ void look_up(const lookback_job<typename TILE::word> &job,
                                               uint32_t tile, int chunk, uint32_t build,
                                               satk_tile_memory<TILE> *memory)
{
    enum { CHAINS = (TILE::words + TILE::threads - 1) / TILE::threads };
    enum { LOOKS = SATK_LOOKBACK_LOOKS / CHAINS > 1 ? SATK_LOOKBACK_LOOKS / CHAINS : 1 };
    typedef typename TILE::word word;
    satk_tile_state<word> *state[CHAINS];
    word own[CHAINS], before[CHAINS];

#pragma unroll
    for (int i = 0; i < CHAINS; i++) {
        const int at = i * TILE::threads + threadIdx.x;
        state[i] = at < TILE::words ? job.board.tops + (size_t)tile * TILE::words + at : NULL;
        own[i] = 0;
        if (!state[i])
            continue;
#pragma unroll
        for (int v = 0; v < TILE::down; v++)
            own[i] += memory->column[v][at] +
                      memory->left_sum[at / TILE::row_words][v][at % TILE::channels];
        satk_publish(state[i], satk_flag(build, chunk ? SATK_SUM : SATK_PREFIX), own[i]);
    }
    satk_look_at<word, LOOKS, CHAINS>(state, (size_t)job.strips * TILE::words, chunk, build,
                                      before);
#pragma unroll
    for (int i = 0; i < CHAINS; i++) {
        if (!state[i])
            continue;
        if (chunk > 0)
            satk_publish(state[i], satk_flag(build, SATK_PREFIX), before[i] + own[i]);
        memory->top[i * TILE::threads + threadIdx.x] = before[i];
    }
}

/* --- Storing ---------------------------------------------------------------------------------- */

/* Stores a row of a part, `there` words from the lanes' registers. A lane stores its words itself
 * where they are 16 aligned bytes; otherwise they go through shared memory, so that neighbouring
 * lanes store neighbours. */
template <typename TILE>
static __device__ __forceinline__ void
store_row(const typename TILE::word *words, bool even, int there, const satk_part<TILE> &part,
          satk_tile_memory<TILE> *memory, typename TILE::word *out)
{
    typedef typename TILE::word word;
    enum { PER = 16 / sizeof(word), UNITS = TILE::codes / PER };

    if (TILE::staged == 0 && even) {
        uint4 v;
        memcpy(&v, words, sizeof v);
        if (part.lane * TILE::codes < there)
            __stcs((uint4 *)out + part.lane, v);
        return;
    }
    if constexpr (TILE::staged > 0) {
        word *const staged = memory->staged[part.warp];
        __syncwarp();
#pragma unroll
        for (int i = 0; i < UNITS; i++)
            memcpy(staged + part.lane * TILE::codes + i * PER, words + i * PER, 16);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < UNITS; i++) {
            const int unit = i * SATK_WARP + part.lane;
            if (even && unit * PER < there)
                __stcs((uint4 *)out + unit, ((const uint4 *)staged)[unit]);
        }
        if (!even)
            for (int i = part.lane; i < there; i += SATK_WARP)
                out[i] = staged[i];
    } else {
#pragma unroll
        for (int i = 0; i < TILE::codes; i++)
            if (part.lane * TILE::codes + i < there)
                out[part.lane * TILE::codes + i] = words[i];
    }
}

/* Stores the part's table: the sums above the part, and then row by row those that it adds. */
template <typename TILE>
static __device__ __forceinline__ void
store_part(const lookback_job<typename TILE::word> &job, const satk_part<TILE> &part,
           satk_tile_memory<TILE> *memory, typename TILE::word *table)
{
    typedef typename TILE::word word;
    const int pitch = job.src.width * TILE::channels, x = part.x * TILE::channels;
    const int first = part.h * TILE::row_words + part.lane * TILE::codes;
    const int there = min(pitch - x, (int)TILE::row_words);
    const int rows = there > 0 ? min(job.src.height - part.y, (int)TILE::rows) : 0;
    const word *left = memory->left[part.h] + part.v * TILE::rows * TILE::channels;
    word *out = table + (int64_t)part.y * pitch + x;
    word sum[TILE::codes];

#pragma unroll
    for (int i = 0; i < TILE::codes; i++) {
        sum[i] = memory->top[first + i];
        for (int v = 0; v < part.v; v++)
            sum[i] +=
                memory->column[v][first + i] + memory->left_sum[part.h][v][i % TILE::channels];
    }
#pragma unroll 4
    for (int row = 0; row < rows; row += TILE::group) {
        satk_lane<TILE> lanes[TILE::group];
        typename TILE::sum before[TILE::group][TILE::channels];
#pragma unroll
        for (int g = 0; g < TILE::group; g++)
            lanes[g].read(memory->codes[part.warp][row + g], job.tone);
        satk_scan_lanes<TILE>(lanes, before);
#pragma unroll
        for (int g = 0; g < TILE::group; g++) {
            word start[TILE::channels], words[TILE::codes];
#pragma unroll
            for (int c = 0; c < TILE::channels; c++)
                start[c] = left[(row + g) * TILE::channels + c] + before[g][c];
            lanes[g].scan(start, words);
#pragma unroll
            for (int i = 0; i < TILE::codes; i++)
                sum[i] += words[i];
            if (row + g < rows)
                store_row<TILE>(sum, job.even, there, part, memory, out);
            out += pitch;
        }
    }
}

/* --- Kernel ----------------------------------------------------------------------------------- */

template <typename TILE>
static __global__ void __launch_bounds__(TILE::threads, SATK_BLOCKS(TILE::blocks, TILE::threads))
    build_by_lookback(const __grid_constant__ lookback_job<typename TILE::word> job)
{
    extern __shared__ uint4 buffer[];
    __shared__ unsigned long long drawn;
    satk_tile_memory<TILE> *const memory = (satk_tile_memory<TILE> *)buffer;

    if (job.single) /* some block is about to load this tile, while tickets are drawn */
        satk_announce_part<TILE>(
            job.src, satk_part_of<TILE>(blockIdx.x % job.strips, blockIdx.x / job.strips));
    if (threadIdx.x == 0)
        drawn = satk_draw_ticket(job.board.ticket, job.tiles);
    __syncthreads();
    const uint32_t tile = (uint32_t)drawn, build = (uint32_t)(drawn >> 32) + 1;
    const int strip = tile % job.strips, chunk = tile / job.strips % job.chunks;
    const size_t picture = tile / ((uint32_t)job.strips * job.chunks);
    const satk_part<TILE> part = satk_part_of<TILE>(strip, chunk);
    satk_plane src = job.src;
    src.data = (uint8_t *)src.data + picture * job.src_step;

    satk_fetch_part<TILE>(src, job.wide, part, memory);
    __pipeline_wait_prior(0);
    __syncwarp();
    satk_add_part<TILE>(part, job.tone, memory);
    __syncthreads();
    look_left<TILE>(job, tile, strip, build, memory);
    __syncthreads();
    add_left<TILE>(part, memory);
    __syncthreads();
    look_up<TILE>(job, tile, chunk, build, memory);
    __syncthreads();
    store_part<TILE>(job, part, memory, job.table + picture * job.table_step);
}

/* --- Launch ----------------------------------------------------------------------------------- */

static int parts_of(int count, int each)
{
    return (count + each - 1) / each;
}

/* Divides a job into tiles. Returns the bytes of its board. */
template <typename TILE>
static size_t plan(const satk_sat *job, lookback_job<typename TILE::word> *l)
{
    typedef satk_tile_state<typename TILE::word> state;
    const satk_plane *const src = &job->src;
    uint8_t *const base = (uint8_t *)job->board;
    size_t bytes = 0;

    l->strips = parts_of(src->width, TILE::width);
    l->chunks = parts_of(src->height, TILE::height);
    l->tiles = (uint32_t)l->strips * (uint32_t)l->chunks * (uint32_t)satk_sat_pictures(job);
    l->board.ticket = (unsigned long long *)(base + satk_place(&bytes, 1, sizeof *l->board.ticket));
    l->board.rows =
        (state *)(base + satk_place(&bytes, (size_t)l->tiles * TILE::sums, sizeof(state)));
    l->board.tops =
        (state *)(base + satk_place(&bytes, (size_t)l->tiles * TILE::words, sizeof(state)));
    return bytes;
}

template <typename TILE> static int build(const satk_sat *job, cudaStream_t stream)
{
    typedef typename TILE::word word;
    const size_t row = (size_t)job->src.width * TILE::channels;
    lookback_job<word> launch = {};

    (void)plan<TILE>(job, &launch);
    launch.src = job->src;
    launch.tone = job->tone;
    launch.table = (word *)job->table;
    launch.src_step = job->src_step;
    launch.table_step = row * (size_t)job->src.height;
    launch.wide = ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch | job->src_step) % 16 == 0;
    launch.single = satk_sat_pictures(job) == 1;
    launch.even = row * sizeof(word) % 16 == 0;
    build_by_lookback<TILE>
        <<<launch.tiles, TILE::threads, sizeof(satk_tile_memory<TILE>), stream>>>(launch);
    return satk_launched(stream);
}

/* Returns true if the device has the shared memory for a block of the kernel, and allows its
 * use. */
template <typename TILE> static bool can_hold(void)
{
    if (cudaFuncSetAttribute(build_by_lookback<TILE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)sizeof(satk_tile_memory<TILE>)) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return cudaFuncSetAttribute(build_by_lookback<TILE>,
                                cudaFuncAttributePreferredSharedMemoryCarveout, 100) == cudaSuccess;
}

/* --- Choice of tile --------------------------------------------------------------------------- */

/* Returns true for large tiles. They publish fewer words a stored pixel, but a small picture has
 * too few of them for all multiprocessors. */
template <typename TILE> static bool is_large(const satk_sat *job)
{
    lookback_job<typename TILE::word> launch = {};
    int device, processors;

    if (job->tiles != SATK_TILES_BY_SIZE)
        return job->tiles == SATK_TILES_LARGE;
    (void)plan<TILE>(job, &launch);
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ==
               cudaSuccess &&
           launch.tiles >= SATK_LOOKBACK_WAVES * TILE::blocks * (unsigned)processors;
}

/* Launches a build. With a board pointer, it stores the board's bytes instead: enough for either
 * tile, so that fewer rows never need more. */
template <typename T, int CHANNELS, int BITS, bool PLAIN>
static int serve(const satk_sat *job, cudaStream_t stream, size_t *board)
{
    typedef satk_tile<T, CHANNELS, BITS, PLAIN, true> large;
    typedef satk_tile<T, CHANNELS, BITS, PLAIN, false> small;
    lookback_job<T> launch;

    if (board) {
        const size_t a = plan<small>(job, &launch), b = PLAIN ? plan<large>(job, &launch) : 0;
        *board = a > b ? a : b;
        return 0;
    }
    if constexpr (PLAIN)
        if (is_large<large>(job) && can_hold<large>())
            return build<large>(job, stream);
    return can_hold<small>() ? build<small>(job, stream) : (int)cudaErrorInvalidValue;
}

template <typename T, int CHANNELS, int BITS>
static int serve_tone(const satk_sat *job, cudaStream_t stream, size_t *board)
{
    return job->tone.decode || job->tone.weighted
               ? serve<T, CHANNELS, BITS, false>(job, stream, board)
               : serve<T, CHANNELS, BITS, true>(job, stream, board);
}

template <typename T, int BITS>
static int serve_channels(const satk_sat *job, cudaStream_t stream, size_t *board)
{
    switch (job->src.channels) {
    case 1: return serve_tone<T, 1, BITS>(job, stream, board);
    case 2: return serve_tone<T, 2, BITS>(job, stream, board);
    case 3: return serve_tone<T, 3, BITS>(job, stream, board);
    default: return serve_tone<T, 4, BITS>(job, stream, board);
    }
}

static int serve_word(const satk_sat *job, cudaStream_t stream, size_t *board)
{
    if (job->word == 32)
        return job->src.bits == 8 ? serve_channels<uint32_t, 8>(job, stream, board)
                                  : serve_channels<uint32_t, 16>(job, stream, board);
    return job->src.bits == 8 ? serve_channels<uint64_t, 8>(job, stream, board)
                              : serve_channels<uint64_t, 16>(job, stream, board);
}

size_t satk_sat_lookback_board(const satk_sat *job)
{
    size_t bytes = 0;

    (void)serve_word(job, NULL, &bytes);
    return bytes;
}

int satk_sat_lookback(const satk_sat *job, void *stream)
{
    return serve_word(job, (cudaStream_t)stream, NULL);
}
