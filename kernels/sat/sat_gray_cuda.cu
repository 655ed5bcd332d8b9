/* Tables of 8-bit gray pictures in one pass: as sat_lookback_cuda.cu, with the codes in registers (sat_gray.cuh).
 *
 * A tile first publishes the sums of its columns and rows, as other tiles wait for them. While their sums
 * are under way it scans its lanes. A small picture is one wave: all its tiles run at the same time, so
 * no tickets are drawn and its tiles are one band. */
#include "common/launch.cuh"
#include "sat/sat_gray.cuh"
#include "sat/sat_builders.h"

struct gray_job {
    satk_plane src;
    uint32_t *table;
    size_t src_step, table_step; /* from picture to picture: bytes, words */
    satk_band_board board;
};

/* Loads the lane's codes of all rows; 0 beyond the picture. */
template <typename TILE, bool REGULAR>
static __device__ __forceinline__ void read_codes(const gray_job &job, const satk_gray_part &part,
                                                  size_t picture, uint32_t *codes)
{
    const int there = job.src.width - part.x, rows = job.src.height - part.y;
    const uint8_t *from = (const uint8_t *)job.src.data + picture * job.src_step +
                          (int64_t)part.y * job.src.pitch + part.x;

#pragma unroll
    for (int r = 0; r < TILE::rows; r++, from += job.src.pitch) {
        codes[r] = 0;
        if (REGULAR && r < rows && there > 0)
            codes[r] = __ldcs((const uint32_t *)from);
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (!REGULAR && r < rows && i < there)
                codes[r] |= (uint32_t)from[i] << 8 * i;
    }
}

/* --- Exchange --------------------------------------------------------------------------------- */

/* Sends the last row and the last column of the tile's own table. */
template <typename TILE>
static __device__ __forceinline__ void
send_edges(const satk_band_board &board, const satk_spot &spot, const satk_gray_part &part,
           uint4 columns, const satk_gray_memory<TILE> *memory)
{
    typedef satk_units<TILE> units;

    if (part.v == TILE::down - 1) {
#pragma unroll
        for (int v = 0; v < TILE::down - 1; v++)
            columns = satk_plus(columns, memory->column[v][part.h][part.lane]);
        columns = satk_plus(satk_scanned(columns), satk_gray_corner(memory, part.h, TILE::down));
        satk_send(board.tops + (size_t)spot.tile * units::top + part.h * SATK_WARP + part.lane,
                  satk_pack(columns, spot.build));
    }
    if (threadIdx.x < units::row) {
        const int parts = threadIdx.x / (TILE::rows / 4); /* above */
        uint4 sum = {0, 0, 0, 0};
#pragma unroll
        for (int h = 0; h < TILE::across; h++)
            sum = satk_plus(sum, memory->row[h][threadIdx.x]);
        sum = satk_plus(sum, satk_gray_corner(memory, TILE::across, parts));
        satk_send(board.rows + (size_t)spot.tile * units::row + threadIdx.x,
                  satk_pack(sum, spot.build));
    }
}

/* Returns the sum left of the part in its row r, within the tile and before it. */
template <typename TILE>
static __device__ __forceinline__ uint32_t left_of(const satk_gray_part &part,
                                                   const satk_gray_memory<TILE> *memory, int r)
{
    const int at = part.v * TILE::rows + r;
    uint32_t left = memory->received.left_of(at);

#pragma unroll
    for (int h = 0; h < TILE::across - 1; h++)
        left += h < part.h ? memory->row_at(h, at) : 0;
    return left;
}

/* Sends the table's row below the tile to the next band. above: the part. */
template <typename TILE>
static __device__ __forceinline__ void
send_base(const satk_band_board &board, const satk_spot &spot, const satk_gray_part &part,
          uint4 columns, uint4 above, const satk_gray_memory<TILE> *memory)
{
    uint4 *const base = board.bases +
                        ((size_t)spot.band * board.strips + spot.strip) * satk_units<TILE>::base +
                        2 * (part.h * SATK_WARP + part.lane);

    if (part.v < TILE::down - 1 || spot.level < board.levels - 1 || spot.chunk == board.chunks - 1)
        return;
    const uint4 row =
        satk_plus(satk_plus(satk_scanned(columns), above), left_of(part, memory, TILE::rows - 1));
    satk_send(base, {row.x, row.y, 0, spot.build});
    satk_send(base + 1, {row.z, row.w, 0, spot.build});
}

/* --- The part's table ------------------------------------------------------------------------- */

/* Stores four words of a row, or fewer at the picture's end: `there` pixels. */
template <bool REGULAR>
static __device__ __forceinline__ void store(uint32_t *out, uint4 v, int there)
{
    const uint32_t words[] = {v.x, v.y, v.z, v.w};

    if (REGULAR && there > 0)
        __stcs((uint4 *)out, v);
#pragma unroll
    for (int i = 0; i < 4; i++)
        if (!REGULAR && i < there)
            out[i] = words[i];
}

/* --- Kernel ----------------------------------------------------------------------------------- */

/* together: all tiles run at the same time. regular: rows of pictures and tables are lanes' loads and stores. */
template <typename TILE, bool TOGETHER, bool REGULAR>
static __global__ void __launch_bounds__(TILE::threads, SATK_BLOCKS(TILE::blocks, TILE::threads))
    build_gray(const __grid_constant__ gray_job job)
{
    __shared__ satk_gray_memory<TILE> memory;
    satk_spot spot = TOGETHER ? satk_own_spot() : satk_draw_spot(job.board);
    const satk_gray_part part = satk_gray_part_of<TILE>(spot);
    uint32_t codes[TILE::rows], before[TILE::rows / 2];

    read_codes<TILE, REGULAR>(job, part, spot.picture, codes);
    if (TOGETHER)
        satk_read_build(job.board, &memory.build);
    memory.received.clear();
    const uint4 columns = satk_add_gray<TILE>(part, codes, &memory, before);
    __syncthreads();
    if (TOGETHER)
        spot.build = memory.build;
    send_edges<TILE>(job.board, spot, part, columns, &memory);

    uint4 above = {0, 0, 0, 0};
    for (int v = 0; v < part.v; v++)
        above = satk_plus(above, memory.column[v][part.h][part.lane]);
    above = satk_plus(satk_scanned(above), satk_gray_corner(&memory, part.h, part.v));
#pragma unroll
    for (int i = 0; i < TILE::rows / 2; i++)
        before[i] = satk_warp_scan(before[i]) - before[i];

    satk_receive_all<TILE>(job.board, spot, &memory.received);
    __syncthreads();
    above = satk_plus(above, memory.received.above(part.h * SATK_WARP + part.lane));
    if (TOGETHER)
        satk_end_build(job.board, spot);
    else
        send_base<TILE>(job.board, spot, part, columns, above, &memory);

    satk_gray_walk walk = {above, 0};
    uint32_t *out =
        job.table + spot.picture * job.table_step + (int64_t)part.y * job.src.width + part.x;
#pragma unroll
    for (int r = 0; r < TILE::rows; r++, out += job.src.width) {
        const uint4 words =
            satk_plus(walk.next(codes[r], satk_half(before, r)), left_of<TILE>(part, &memory, r));
        if (r < job.src.height - part.y)
            store<REGULAR>(out, words, job.src.width - part.x);
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

/* Tiles of one small picture, all of which run at the same time; of many small pictures; of large
 * ones. */
typedef satk_gray_tile<1, 8, SATK_GRAY_SMALL_ROWS, 2> gray_small;
typedef satk_gray_tile<1, 8, SATK_GRAY_ROWS, SATK_GRAY_BLOCKS> gray_medium;
typedef satk_gray_tile<2, 4, SATK_GRAY_LARGE_ROWS, 2> gray_large;

template <typename TILE> static size_t plan(const satk_sat *job, satk_band_board *board)
{
    return satk_lay_out<TILE>(board, job->src.width, job->src.height, satk_sat_pictures(job),
                              job->board);
}

/* Returns true if rows have whole lanes, 4-byte aligned in the picture, and so 16-byte aligned in
 * the table. */
static bool is_regular(const satk_sat *job)
{
    return ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch | job->src_step |
            (size_t)job->src.width) %
               4 ==
           0;
}

/* Returns true if the device runs all tiles of a picture at the same time. */
template <typename TILE> static bool is_one_wave(const satk_sat *job)
{
    satk_sat one = *job;
    satk_band_board board = {};
    int device, processors;

    one.pictures = 1;
    (void)plan<TILE>(&one, &board);
    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ==
               cudaSuccess &&
           board.tiles <= (uint32_t)TILE::blocks * (unsigned)processors;
}

/* Launches one band of tiles. A cooperative launch has all blocks run at the same time, or
 * fails. */
template <typename TILE> static bool launch_together(gray_job launch, cudaStream_t stream)
{
    cudaLaunchAttribute together = {};
    cudaLaunchConfig_t config = {};

    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    config.gridDim = dim3((unsigned)launch.board.strips, (unsigned)launch.board.chunks);
    config.blockDim = dim3(TILE::threads);
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    launch.board.levels = launch.board.chunks;
    if (cudaLaunchKernelEx(&config, build_gray<TILE, true, true>, launch) == cudaSuccess)
        return true;
    (void)cudaGetLastError();
    return false;
}

template <typename TILE>
static int launch(const gray_job &launch, bool regular, cudaStream_t stream)
{
    if (regular)
        build_gray<TILE, false, true><<<launch.board.tiles, TILE::threads, 0, stream>>>(launch);
    else
        build_gray<TILE, false, false><<<launch.board.tiles, TILE::threads, 0, stream>>>(launch);
    return satk_launched(stream);
}

template <typename TILE> static gray_job job_of(const satk_sat *job)
{
    gray_job launch = {};

    (void)plan<TILE>(job, &launch.board);
    launch.src = job->src;
    launch.table = (uint32_t *)job->table;
    launch.src_step = job->src_step;
    launch.table_step = (size_t)job->src.width * (size_t)job->src.height;
    return launch;
}

size_t satk_sat_gray_board(const satk_sat *job)
{
    satk_band_board board = {};
    const size_t a = plan<gray_small>(job, &board), b = plan<gray_medium>(job, &board);
    const size_t c = plan<gray_large>(job, &board), most = a > b ? a : b;

    return most > c ? most : c;
}

int satk_sat_gray(const satk_sat *job, void *on)
{
    const cudaStream_t stream = (cudaStream_t)on;
    const bool regular = is_regular(job), may = regular && satk_sat_pictures(job) == 1;
    const bool small = job->tiles == SATK_TILES_SMALL;

    if (may && job->tiles != SATK_TILES_LARGE && is_one_wave<gray_small>(job) &&
        launch_together<gray_small>(job_of<gray_small>(job), stream))
        return satk_launched(stream);
    if (may && !small && is_one_wave<gray_large>(job) &&
        launch_together<gray_large>(job_of<gray_large>(job), stream))
        return satk_launched(stream);
    if (small || (job->tiles == SATK_TILES_BY_SIZE && is_one_wave<gray_large>(job)))
        return launch<gray_medium>(job_of<gray_medium>(job), regular, stream);
    return launch<gray_large>(job_of<gray_large>(job), regular, stream);
}
