/* Summed-area tables in one read of the picture and one write of the table.
 *
 * A block makes a tile of the table (after Nehab et al., "GPU-efficient recursive filtering and summed-area
 * tables", 2011). A word is
 *
 *     the table's row above the tile, in its column
 *   + what is left of the tile, from its first row on
 *   + what is in the tile
 *
 * and what is not in the tile comes from the sums that all tiles publish (sat_board.cuh). */
#include "array.h"
#include "launch.cuh"
#include "sat_onepass.h"
#include "sat_tile.cuh"

template <typename T> struct one_pass {
    satk_plane src;
    satk_tone tone;
    T *table;
    size_t src_step, table_step; /* from picture to picture: bytes, words */
    bool wide, even;             /* the pictures' rows are 16-byte aligned, the tables' */
    bool single;                 /* one picture */
    satk_board board;
};

/* --- Exchange --------------------------------------------------------------------------------- */

/* The tile's sums of rows, and its last row. */
template <typename TILE>
static __device__ __forceinline__ void tell(const satk_board &board, const satk_spot &spot,
                                            const satk_tile_memory<TILE> *memory)
{
    typedef typename TILE::word word;
    typedef satk_units<TILE> units;

    for (int k = threadIdx.x; k < units::row; k += TILE::threads) {
        word words[units::pack] = {};
#pragma unroll
        for (int j = 0; j < units::pack; j++)
#pragma unroll
            for (int h = 0; h < TILE::across; h++)
                words[j] += memory->row[h][k * units::pack + j];
        satk_tell(board.rows + (size_t)spot.tile * units::row + k,
                  satk_pack<TILE>(words, spot.build));
    }
    for (int k = threadIdx.x; k < units::top; k += TILE::threads) {
        word words[units::pack] = {};
#pragma unroll
        for (int j = 0; j < units::pack; j++) {
            const int at = k * units::pack + j;
#pragma unroll
            for (int v = 0; v < TILE::down; v++) {
                words[j] += memory->column[v][at];
                for (int next = at / TILE::row_words; next > 0; next--)
                    words[j] += memory->column[v][next * TILE::row_words - TILE::channels +
                                                  at % TILE::channels];
            }
        }
        satk_tell(board.tops + (size_t)spot.tile * units::top + k,
                  satk_pack<TILE>(words, spot.build));
    }
}

/* What is left of the part's rows: of the tile, and within it; and of all of them together. */
template <typename TILE>
static __device__ __forceinline__ void add_left(const satk_part<TILE> &part,
                                                satk_tile_memory<TILE> *memory)
{
    typedef typename TILE::word word;

#pragma unroll
    for (int c = 0; c < TILE::channels; c++) {
        word all = 0;
        for (int row = part.lane; row < TILE::rows; row += SATK_WARP) {
            const int at = (part.v * TILE::rows + row) * TILE::channels + c;
            word left = *memory->heard.left_at(at);
            for (int h = 0; h < part.h; h++)
                left += memory->row[h][at];
            memory->left[part.h][at] = left;
            all += left;
        }
        all = satk_warp_total(all);
        if (part.lane == 0)
            memory->left_sum[part.h][part.v][c] = all;
    }
}

/* The table's row below the tile, for the next band. */
template <typename TILE>
static __device__ __forceinline__ void tell_base(const satk_board &board, const satk_spot &spot,
                                                 satk_tile_memory<TILE> *memory)
{
    typedef typename TILE::word word;
    typedef satk_units<TILE> units;
    uint4 *const base = board.bases + ((size_t)spot.band * board.strips + spot.strip) * units::base;

    if (spot.level < board.levels - 1 || spot.chunk == board.chunks - 1)
        return;
    for (int k = threadIdx.x; k < units::base; k += TILE::threads) {
        word words[units::wide];
#pragma unroll
        for (int j = 0; j < units::wide; j++) {
            const int at = k * units::wide + j, c = at % TILE::channels;
            words[j] = *memory->heard.top_at(at) + memory->heard.corner[c];
#pragma unroll
            for (int v = 0; v < TILE::down; v++)
                words[j] += memory->column[v][at] + memory->left_sum[at / TILE::row_words][v][c];
        }
        satk_tell(base + k, satk_unit_of(words, spot.build));
    }
}

/* --- Storing ---------------------------------------------------------------------------------- */

/* A row of a part, from the lanes' words to the table: `there` of them. A lane's words are stored from
 * its registers where they are 16 aligned bytes; otherwise through shared memory, so that neighbouring
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

/* The sums above the part, and then row by row those that it adds. */
template <typename TILE>
static __device__ __forceinline__ void
store_part(const one_pass<typename TILE::word> &job, const satk_part<TILE> &part,
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
        sum[i] = *memory->heard.top_at(first + i) + memory->heard.corner[i % TILE::channels];
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
    build_in_one_pass(const __grid_constant__ one_pass<typename TILE::word> job)
{
    extern __shared__ uint4 buffer[];
    satk_tile_memory<TILE> *const memory = (satk_tile_memory<TILE> *)buffer;

    if (job.single) /* some block is about to load this tile, while tickets are drawn */
        satk_announce_part<TILE>(job.src, satk_part_of<TILE>(blockIdx.x % job.board.strips,
                                                             blockIdx.x / job.board.strips));
    memory->heard.clear();
    const satk_spot spot = satk_draw_tile_of(job.board);
    const satk_part<TILE> part = satk_part_of<TILE>(spot.strip, spot.chunk);
    satk_plane src = job.src;
    src.data = (uint8_t *)src.data + spot.picture * job.src_step;

    satk_fetch_part<TILE>(src, job.wide, part, memory);
    __pipeline_wait_prior(0);
    __syncwarp();
    satk_add_part<TILE>(part, job.tone, memory);
    __syncthreads();
    tell<TILE>(job.board, spot, memory);
    satk_listen<TILE>(job.board, spot, &memory->heard);
    __syncthreads();
    add_left<TILE>(part, memory);
    __syncthreads();
    tell_base<TILE>(job.board, spot, memory);
    store_part<TILE>(job, part, memory, job.table + spot.picture * job.table_step);
}

/* --- Launch ----------------------------------------------------------------------------------- */

template <typename TILE>
static size_t plan(const satk_sat *job, one_pass<typename TILE::word> *launch)
{
    return satk_lay_out<TILE>(&launch->board, job->src.width, job->src.height,
                              satk_sat_pictures(job), job->board);
}

template <typename TILE> static int build(const satk_sat *job, cudaStream_t stream)
{
    typedef typename TILE::word word;
    const size_t row = (size_t)job->src.width * TILE::channels;
    one_pass<word> launch = {};

    (void)plan<TILE>(job, &launch);
    launch.src = job->src;
    launch.tone = job->tone;
    launch.table = (word *)job->table;
    launch.src_step = job->src_step;
    launch.table_step = row * (size_t)job->src.height;
    launch.wide = ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch | job->src_step) % 16 == 0;
    launch.single = satk_sat_pictures(job) == 1;
    launch.even = row * sizeof(word) % 16 == 0;
    build_in_one_pass<TILE>
        <<<launch.board.tiles, TILE::threads, sizeof(satk_tile_memory<TILE>), stream>>>(launch);
    return satk_launched(stream);
}

/* Whether the device has the shared memory for a block of the kernel; allows it to be used. */
template <typename TILE> static bool can_hold(void)
{
    if (cudaFuncSetAttribute(build_in_one_pass<TILE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)sizeof(satk_tile_memory<TILE>)) != cudaSuccess) {
        (void)cudaGetLastError();
        return false;
    }
    return cudaFuncSetAttribute(build_in_one_pass<TILE>,
                                cudaFuncAttributePreferredSharedMemoryCarveout, 100) == cudaSuccess;
}

/* --- Which tile ------------------------------------------------------------------------------- */

/* Large tiles tell each other less for what they store, but a small picture has too few of them for all
 * multiprocessors. */
template <typename TILE> static bool is_large(const satk_sat *job)
{
    one_pass<typename TILE::word> launch = {};
    int device, processors;

    if (job->tiles != SATK_TILES_BY_SIZE)
        return job->tiles == SATK_TILES_LARGE;
    (void)plan<TILE>(job, &launch);
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ==
               cudaSuccess &&
           launch.board.tiles >= SATK_TABLE_WAVES * TILE::blocks * (unsigned)processors;
}

/* What is asked for: the bytes of the board, or (board NULL) a launch. */
template <typename T, int CHANNELS, int BITS, bool PLAIN>
static int serve(const satk_sat *job, cudaStream_t stream, size_t *board)
{
    typedef satk_tile<T, CHANNELS, BITS, PLAIN, true> large;
    typedef satk_tile<T, CHANNELS, BITS, PLAIN, false> small;
    one_pass<T> launch;

    if constexpr (PLAIN)
        if (is_large<large>(job) && can_hold<large>()) {
            if (board)
                *board = plan<large>(job, &launch);
            return board ? 0 : build<large>(job, stream);
        }
    if (board)
        *board = plan<small>(job, &launch);
    return board ? 0 : can_hold<small>() ? build<small>(job, stream) : (int)cudaErrorInvalidValue;
}

template <typename T, int CHANNELS, int BITS>
static int serve_tone(const satk_sat *job, cudaStream_t stream, size_t *board)
{
    if (job->tone.decode || job->tone.weighted)
        return serve<T, CHANNELS, BITS, false>(job, stream, board);
    if constexpr (sizeof(T) == 4 && CHANNELS == 1 && BITS == 8)
        return board ? (*board = satk_gray_board(job), 0) : satk_gray(job, stream);
    else
        return serve<T, CHANNELS, BITS, true>(job, stream, board);
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

size_t satk_one_pass_board(const satk_sat *job)
{
    size_t bytes = 0;

    (void)serve_word(job, NULL, &bytes);
    return bytes;
}

int satk_one_pass(const satk_sat *job, void *stream)
{
    return serve_word(job, (cudaStream_t)stream, NULL);
}
