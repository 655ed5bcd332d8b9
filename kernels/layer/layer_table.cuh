/* The tables of several slabs at once, each only where it is needed.
 *
 * A slab's table is summed over a picture that is 0 outside the tiles where the slab is needed: a
 * window that does not leave these tiles has the sums that it would have in the whole table, and the
 * tiles in between cost nothing. Three steps; every picture's pixel is read twice and every table's
 * written once. The sums of cells are made before (layer_coarse_cuda.cu), and the table overwrites them.
 *   1. satk_sum_tiles   a tile's row sums, and the prefixes of its column sums
 *   2. satk_scan_rows   row sums to the sums left of the tile, down to each of its rows; then
 *      satk_scan_columns  to the sums above the tile, left of and in each of its columns
 *   3. satk_fill_tiles  a tile's own prefixes with both added
 * as in A. Kasagi, K. Nakano, Y. Ito, "Parallel algorithms for the summed area table on the
 * asynchronous hierarchical memory machine", 2014. */
#ifndef SATK_LAYER_TABLE_CUH
#define SATK_LAYER_TABLE_CUH

#include "layer/layer_scan.cuh"
#include "common/tile.cuh"

/* --- A tile's own rows ------------------------------------------------------------------------ */

/* Runs of a tile's row, one for each lane; strips of its columns have the same length. */
enum { SATK_RUNS = SATK_LAYER_SIDE / SATK_LAYER_RUN };

/* A thread's neighbouring pixels in one row of a tile: loaded once for all slabs. */
template <typename T, int CHANNELS> struct satk_run {
    T sample[SATK_LAYER_RUN][CHANNELS];
    int place[SATK_LAYER_RUN]; /* beyond the picture: farther in front than any */
};

/* The exchange between the threads of a tile's block: prefixes of the tile's rows; then sums of strips of
 * rows. Counts, of m and 2^16 of b, are at most 2^15 each, even of cells. */
template <typename T, int CHANNELS> struct satk_tile_sums {
    T colours[CHANNELS][SATK_LAYER_SIDE][SATK_LAYER_SIDE];
    uint32_t counts[SATK_LAYER_SIDE][SATK_LAYER_SIDE];
    T strip_colours[CHANNELS][SATK_RUNS][SATK_LAYER_SIDE];
    uint32_t strip_counts[SATK_RUNS][SATK_LAYER_SIDE];
};

/* The word for the sums of a tile's own colours. 8-bit pictures without weights need 32 bits, as 16
 * times 14 bits of 1024 pixels are 28. */
template <typename T, typename COUNT, int CHANNELS, int BITS> struct satk_tile_word {
    typedef T type;
};
template <> struct satk_tile_word<uint64_t, uint32_t, 3, 8> {
    typedef uint32_t type;
};

/* The place of a thread's run in its tile, and its column with a strip of rows. */
struct satk_run_place {
    int x, y, column, strip;
};

static __device__ __forceinline__ satk_run_place satk_find_run(void)
{
    const int t = (int)threadIdx.x;
    const satk_run_place place = {t % SATK_RUNS * SATK_LAYER_RUN, t / SATK_RUNS,
                                  t % SATK_LAYER_SIDE, t / SATK_LAYER_SIDE};
    return place;
}

/* PIXEL: channels of the picture, of which the first CHANNELS are summed. */
template <typename T, int CHANNELS, int PIXEL, int BITS>
static __device__ __forceinline__ satk_run<T, CHANNELS> satk_load_run(const satk_layer &job, int x,
                                                                      int y)
{
    satk_run<T, CHANNELS> run;
#pragma unroll
    for (int i = 0; i < SATK_LAYER_RUN; i++) {
        uint64_t samples[4] = {0, 0, 0, 0};
        run.place[i] = SATK_SLAB * (SATK_MAX_SLABS + 1);
        if (x + i < job.src.width && y < job.src.height) {
            satk_samples(&job.tone, (const uint8_t *)job.src.data + y * job.src.pitch, x + i, PIXEL,
                         BITS, samples);
            run.place[i] = satk_place_at(&job, x + i, y);
        }
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            run.sample[i][c] = (T)samples[c];
    }
    return run;
}

/* A thread's neighbouring cells in one row of a tile. satk_sum_cells() has stored their sums. */
struct satk_cell_run {
    size_t at;  /* the first */
    int inside; /* squares from there on in the picture */
};

/* Adds all values before it in its row of the tile to each value. Whole warps call it. */
template <typename T> static __device__ __forceinline__ void satk_scan_run(T *value)
{
    const int lane = threadIdx.x % SATK_RUNS;
#pragma unroll
    for (int i = 1; i < SATK_LAYER_RUN; i++)
        value[i] += value[i - 1];
    const T own = value[SATK_LAYER_RUN - 1];
    T sum = own;
#pragma unroll
    for (int d = 1; d < SATK_RUNS; d *= 2) {
        const T left = __shfl_up_sync(0xffffffffu, sum, d, SATK_RUNS);
        if (lane >= d)
            sum += left;
    }
#pragma unroll
    for (int i = 0; i < SATK_LAYER_RUN; i++)
        value[i] += sum - own;
}

/* Finds m and 2^16 b of a thread's squares, for slab i of the batch. */
template <typename T, typename COUNT, typename WORD, int CHANNELS>
static __device__ __forceinline__ void satk_count_run(const satk_batch<T, COUNT> &b, int i,
                                                      const satk_run<WORD, CHANNELS> &run,
                                                      uint32_t *in, uint32_t *counts)
{
#pragma unroll
    for (int j = 0; j < SATK_LAYER_RUN; j++) {
        in[j] = (uint32_t)satk_in_slab(run.place[j], b.slab[i]);
        counts[j] = in[j] | (uint32_t)satk_is_not_before(run.place[j], b.slab[i]) << 16;
    }
}

template <typename T, typename COUNT>
static __device__ __forceinline__ void satk_count_run(const satk_batch<T, COUNT> &b, int i,
                                                      const satk_cell_run &run, uint32_t *in,
                                                      uint32_t *counts)
{
#pragma unroll
    for (int j = 0; j < SATK_LAYER_RUN; j++) {
        COUNT pair[2] = {0, 0};
        if (j < run.inside)
            satk_load_pixel<COUNT, 2>(b.counts[i] + (run.at + j) * 2, pair);
        in[j] = (uint32_t)pair[0];
        counts[j] = in[j] | (uint32_t)pair[1] << 16;
    }
}

template <typename T, typename COUNT, typename WORD, int CHANNELS>
static __device__ __forceinline__ void satk_sample_run(const satk_batch<T, COUNT> &, int,
                                                       const satk_run<WORD, CHANNELS> &run, int c,
                                                       const uint32_t *in, WORD *value)
{
#pragma unroll
    for (int j = 0; j < SATK_LAYER_RUN; j++)
        value[j] = run.sample[j][c] * in[j];
}

template <typename T, typename COUNT, typename WORD>
static __device__ __forceinline__ void satk_sample_run(const satk_batch<T, COUNT> &b, int i,
                                                       const satk_cell_run &run, int c,
                                                       const uint32_t *, WORD *value)
{
    const int lanes = satk_colour_lanes(b.summed);
#pragma unroll
    for (int j = 0; j < SATK_LAYER_RUN; j++)
        value[j] = j < run.inside ? (WORD)b.colours[i][(run.at + j) * lanes + c] : 0;
}

/* Stores the prefixes of a slab's rows in shared memory. coloured: some pixel of the tile is in the
 * slab. */
template <typename T, typename COUNT, typename WORD, int CHANNELS, typename RUN>
static __device__ __forceinline__ void satk_scan_runs(const satk_batch<T, COUNT> &b, int i,
                                                      const RUN &run, bool coloured,
                                                      satk_tile_sums<WORD, CHANNELS> *shared)
{
    const satk_run_place place = satk_find_run();
    uint32_t in[SATK_LAYER_RUN], counts[SATK_LAYER_RUN];

    satk_count_run(b, i, run, in, counts);
    satk_scan_run(counts);
#pragma unroll
    for (int j = 0; j < SATK_LAYER_RUN; j++)
        shared->counts[place.y][place.x + j] = counts[j];
    if (!coloured)
        return;
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        WORD value[SATK_LAYER_RUN];
        satk_sample_run(b, i, run, c, in, value);
        satk_scan_run(value);
#pragma unroll
        for (int j = 0; j < SATK_LAYER_RUN; j++)
            shared->colours[c][place.y][place.x + j] = value[j];
    }
}

/* Returns the thread's run of a tile whose first square is at left, top. Its squares are pixels, or
 * cells if CELL is more than 1. */
template <typename WORD, int CHANNELS, int PIXEL, int BITS, int CELL, typename BATCH>
static __device__ __forceinline__ auto satk_begin_run(const BATCH &b, int left, int top)
{
    const satk_run_place place = satk_find_run();
    const int x = left + place.x, y = top + place.y;

    if constexpr (CELL == 1)
        return satk_load_run<WORD, CHANNELS, PIXEL, BITS>(b.job, x, y);
    else
        return satk_cell_run{(size_t)y * b.grid.columns + x,
                             y < b.grid.rows ? b.grid.columns - x : 0};
}

/* Adds up each strip of the thread's column. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ void satk_sum_strips(bool coloured,
                                                       satk_tile_sums<T, CHANNELS> *shared)
{
    const satk_run_place place = satk_find_run();
    const int first = place.strip * SATK_LAYER_RUN, x = place.column;
    uint32_t counts = 0;
#pragma unroll
    for (int i = 0; i < SATK_LAYER_RUN; i++)
        counts += shared->counts[first + i][x];
    shared->strip_counts[place.strip][x] = counts;
#pragma unroll
    for (int c = 0; c < CHANNELS && coloured; c++) {
        T sum = 0;
#pragma unroll
        for (int i = 0; i < SATK_LAYER_RUN; i++)
            sum += shared->colours[c][first + i][x];
        shared->strip_colours[c][place.strip][x] = sum;
    }
}

/* Returns a field of a place in shared memory: one of the channels, or of the two counts behind
 * them. */
template <typename T, int CHANNELS>
static __device__ __forceinline__ T satk_row_field(const satk_tile_sums<T, CHANNELS> &s,
                                                   bool coloured, int field, int y, int x)
{
    if (field < CHANNELS)
        return coloured ? s.colours[field][y][x] : 0;
    return field == CHANNELS ? s.counts[y][x] & 0xffff : s.counts[y][x] >> 16;
}

template <typename T, int CHANNELS>
static __device__ __forceinline__ T satk_strip_field(const satk_tile_sums<T, CHANNELS> &s,
                                                     bool coloured, int field, int strip, int x)
{
    if (field < CHANNELS)
        return coloured ? s.strip_colours[field][strip][x] : 0;
    return field == CHANNELS ? s.strip_counts[strip][x] & 0xffff : s.strip_counts[strip][x] >> 16;
}

/* --- 1: sums of tiles ------------------------------------------------------------------------- */

template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS, int CELL>
static __global__ void __launch_bounds__(SATK_LAYER_SIDE *SATK_RUNS)
    satk_sum_tiles(const __grid_constant__ satk_batch<T, COUNT> b)
{
    typedef typename satk_tile_word<T, COUNT, CHANNELS, BITS>::type word;
    __shared__ satk_tile_sums<word, CHANNELS> shared;
    constexpr int fields = CHANNELS + 2, side = SATK_LAYER_SIDE;
    const unsigned tile = blockIdx.x;
    const satk_run_place place = satk_find_run();
    const int left = (int)(tile % b.tiles.across) * side, top = (int)(tile / b.tiles.across) * side;
    const uint32_t own = satk_slabs_in(b, b.own + tile);
    uint32_t needed = satk_slabs_in(b, b.needed + tile);
    if (needed == 0)
        return;
    const auto run = satk_begin_run<word, CHANNELS, PIXEL, BITS, CELL>(b, left, top);

    while (needed) {
        const int i = satk_next_slab(&needed);
        const bool coloured = own >> i & 1;
        const size_t at = (i * satk_tile_count(b) + tile) * fields * side;
        satk_scan_runs(b, i, run, coloured, &shared);
        __syncthreads();
        satk_sum_strips(coloured, &shared);
        if (place.strip < fields) /* a warp has a field, a lane a row of it */
            b.rows[at + place.strip * side + place.column] =
                satk_row_field(shared, coloured, place.strip, place.column, side - 1);
        __syncthreads();
        if (place.strip < fields) {
            T sum = 0;
            for (int s = 0; s < SATK_RUNS; s++)
                sum += satk_strip_field(shared, coloured, place.strip, s, place.column);
            b.columns[at + place.strip * side + place.column] = sum;
        }
    }
}

/* --- 3: tables -------------------------------------------------------------------------------- */

template <typename T, typename COUNT, int CHANNELS>
static __device__ __forceinline__ void satk_store_colours(T *plane, size_t square, const T *colours)
{
    constexpr int lanes = satk_colour_lanes(CHANNELS);

    if constexpr (satk_is_packed<T, COUNT>(CHANNELS)) {
        const satk_u128 packed = satk_pack(colours);
        satk_store_pixel<satk_u128, 1>((satk_u128 *)plane + square, &packed);
    } else {
        satk_store_pixel<T, lanes>(plane + square * lanes, colours);
    }
}

/* Stores the thread's strip of a slab's table. */
template <typename T, typename COUNT, typename WORD, int CHANNELS>
static __device__ __forceinline__ void satk_fill_strip(const satk_batch<T, COUNT> &b, int i,
                                                       unsigned tile, bool coloured,
                                                       const satk_tile_sums<WORD, CHANNELS> &shared)
{
    constexpr int fields = CHANNELS + 2, side = SATK_LAYER_SIDE;
    const satk_run_place place = satk_find_run();
    const size_t at = (i * satk_tile_count(b) + tile) * fields * side;
    const int x = place.column, first = place.strip * SATK_LAYER_RUN;
    const int left = (int)(tile % b.tiles.across) * side, top = (int)(tile / b.tiles.across) * side;
    const int rows = min(b.grid.rows - top - first, SATK_LAYER_RUN); /* in the picture */
    size_t square = (size_t)((unsigned)top % (unsigned)b.ring + first) * b.grid.columns + left + x;
    T sum[fields];

#pragma unroll
    for (int f = 0; f < fields; f++) {
        sum[f] = b.columns[at + f * side + x];
        for (int s = 0; s < place.strip; s++)
            sum[f] += satk_strip_field(shared, coloured, f, s, x);
    }
#pragma unroll
    for (int r = 0; r < SATK_LAYER_RUN; r++, square += b.grid.columns) {
        T colours[satk_colour_lanes(CHANNELS)] = {};
        COUNT counts[2];
#pragma unroll
        for (int f = 0; f < fields; f++) {
            sum[f] += satk_row_field(shared, coloured, f, first + r, x);
            const T whole = sum[f] + b.rows[at + f * side + first + r];
            if (f < CHANNELS)
                colours[f] = whole;
            else
                counts[f - CHANNELS] = (COUNT)whole;
        }
        if (r >= rows || left + x >= b.grid.columns)
            continue;
        satk_store_colours<T, COUNT, CHANNELS>(b.colours[i], square, colours);
        satk_store_pixel<COUNT, 2>(b.counts[i] + square * 2, counts);
    }
}

template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS, int CELL>
static __global__ void __launch_bounds__(SATK_LAYER_SIDE *SATK_RUNS)
    satk_fill_tiles(const __grid_constant__ satk_batch<T, COUNT> b)
{
    typedef typename satk_tile_word<T, COUNT, CHANNELS, BITS>::type word;
    __shared__ satk_tile_sums<word, CHANNELS> shared;
    const unsigned tile = b.first + blockIdx.x;
    const satk_run_place place = satk_find_run();
    const int left = (int)(tile % b.tiles.across) * SATK_LAYER_SIDE;
    const int top = (int)(tile / b.tiles.across) * SATK_LAYER_SIDE;
    const uint32_t own = satk_slabs_in(b, b.own + tile);
    uint32_t needed = satk_slabs_in(b, b.needed + tile);
    if (needed == 0)
        return;
    const auto run = satk_begin_run<word, CHANNELS, PIXEL, BITS, CELL>(b, left, top);

    while (needed) {
        const int i = satk_next_slab(&needed);
        const bool coloured = own >> i & 1;
        satk_scan_runs(b, i, run, coloured, &shared);
        __syncthreads();
        satk_sum_strips(coloured, &shared);
        __syncthreads();
        satk_fill_strip(b, i, tile, coloured, shared);
        __syncthreads();
    }
}

#endif
