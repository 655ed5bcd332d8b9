/* A batch of slabs, and step 2 of their tables (layer_table.cuh): scans over the sums of tiles. */
#ifndef SATK_LAYER_SCAN_CUH
#define SATK_LAYER_SCAN_CUH

#include "layer/layer_schedule.cuh"
#include "common/scan.cuh"

/* Parts that tiles are laid in. */
enum { SATK_PARTS = SATK_LAYER_SIDE / SATK_LAYER_PART_ROWS };

/* Words of a table's pixel in its plane of colours, unless they are packed. The other plane has two
 * COUNTs: the sums of m and of b. */
static constexpr __host__ __device__ int satk_colour_lanes(int channels)
{
    return channels == 3 ? 4 : channels;
}

/* Three colours that take 64 bits each while they are summed, but less than 2^42 over any window, are a number
 * of 128 bits in the table, half of three words padded to four: red + 2^42 green + 2^84 blue. Differences of
 * these numbers, modulo 2^128, are those of the sums. */
enum { SATK_PACKED_BITS = 42 };

template <typename T, typename COUNT>
static constexpr __host__ __device__ bool satk_is_packed(int channels)
{
    return channels == 3 && sizeof(T) == 8 && sizeof(COUNT) == 4;
}

static __device__ __forceinline__ satk_u128 satk_pack(const uint64_t *sums)
{
    return sums[0] + ((satk_u128)sums[1] << SATK_PACKED_BITS) +
           ((satk_u128)sums[2] << 2 * SATK_PACKED_BITS);
}

static __device__ __forceinline__ void satk_unpack(satk_u128 packed, uint64_t *sums)
{
    const uint64_t mask = ((uint64_t)1 << SATK_PACKED_BITS) - 1;

    sums[0] = (uint64_t)packed & mask;
    sums[1] = (uint64_t)(packed >> SATK_PACKED_BITS) & mask;
    sums[2] = (uint64_t)(packed >> 2 * SATK_PACKED_BITS) & mask;
}

/* Some slabs, nearest first, and their memory. [slab] is a number within the batch. */
template <typename T, typename COUNT> struct satk_batch {
    satk_layer job;
    satk_grid grid;
    satk_tiling tiles;                 /* of the grid */
    int summed;                        /* channels */
    int count, slab[SATK_LAYER_BATCH]; /* the numbers in the job */
    satk_slab shape[SATK_LAYER_BATCH];
    satk_slab_set *own, *needed;   /* [tile] */
    satk_slab_set *laid;           /* [tile][part] */
    satk_slab_set nearer, farther; /* numbers above these, and below */
    satk_cells before, behind;     /* of pixels: the coarse light before and behind them */
    satk_farther squares;          /* of pixels */

    T *rows, *columns; /* [slab][tile][channels + 2][SATK_LAYER_SIDE]; where needed */
    T *left; /* [slab][tile][channels + 2]: the sum of the row of tiles, left of the tile */
    T *colours
        [SATK_LAYER_BATCH]; /* [slab], [square][colour lanes] or satk_u128 [square]; where needed */
    COUNT *counts[SATK_LAYER_BATCH]; /* [slab], [square][2] */
    int ring; /* rows of a table: the picture's, or whole rows of tiles; row y has row y % ring */
    unsigned first; /* tile of a launch: all tiles are filled, and laid, in parts */
};

/* Returns the batch's slabs that are in a set, a bit each. Whole warps call it. */
template <typename BATCH>
static __device__ __forceinline__ uint32_t satk_slabs_in(const BATCH &b, const satk_slab_set *set)
{
    const int lane = threadIdx.x % SATK_WARP;

    static_assert(SATK_LAYER_BATCH <= SATK_WARP, "a lane looks for each");
    return __ballot_sync(0xffffffffu, lane < b.count && satk_has_slab(set, b.slab[lane]));
}

/* Removes the nearest slab from `slabs`, which has at least one, and returns its number. */
static __device__ __forceinline__ int satk_next_slab(uint32_t *slabs)
{
    const int i = __ffs((int)*slabs) - 1;

    *slabs &= *slabs - 1;
    return i;
}

template <typename BATCH> static __device__ __forceinline__ size_t satk_tile_count(const BATCH &b)
{
    return (size_t)b.tiles.across * b.tiles.down;
}

static __host__ __device__ __forceinline__ size_t satk_squares_of(const satk_grid &grid)
{
    return (size_t)grid.columns * grid.rows;
}

/* --- 2: scans over tiles ---------------------------------------------------------------------- */

/* The tiles of a line that a warp goes through. */
struct satk_segment {
    int first, last;
};

static __device__ __forceinline__ satk_segment satk_find_segment(int count)
{
    const int warps = blockDim.x / SATK_WARP, warp = threadIdx.x / SATK_WARP;
    const int each = (count + warps - 1) / warps;
    const satk_segment s = {min(warp * each, count), min((warp + 1) * each, count)};
    return s;
}

/* Returns the sums over the warps before this one, in each lane's fields. own: the warp's. The
 * whole block calls it. */
template <typename T, int FIELDS>
static __device__ __forceinline__ void satk_sum_before(const T *own, T *before)
{
    __shared__ T sums[FIELDS][SATK_LAYER_SCAN_WARPS][SATK_WARP];
    const int lane = threadIdx.x % SATK_WARP, warp = threadIdx.x / SATK_WARP;

#pragma unroll
    for (int f = 0; f < FIELDS; f++)
        sums[f][warp][lane] = own[f];
    __syncthreads();
#pragma unroll
    for (int f = 0; f < FIELDS; f++) {
        before[f] = 0;
        for (int w = 0; w < warp; w++)
            before[f] += sums[f][w][lane];
    }
}

/* Returns true if the slab needs some tile of the line. The whole block calls it. */
static __device__ __forceinline__ bool satk_any_needed(const satk_slab_set *line, int count,
                                                       size_t step, int slab)
{
    int any = 0;

    for (int i = (int)threadIdx.x; i < count; i += (int)blockDim.x)
        any |= satk_has_slab(&line[i * step], slab);
    return __syncthreads_or(any);
}

/* A block is a row of tiles of a slab, and a lane is a row of squares. */
template <typename T, typename COUNT, int CHANNELS>
static __global__ void __launch_bounds__(SATK_LAYER_SCAN_WARPS *SATK_WARP)
    satk_scan_rows(const __grid_constant__ satk_batch<T, COUNT> b)
{
    constexpr int fields = CHANNELS + 2, side = SATK_LAYER_SIDE;
    const int lane = threadIdx.x % SATK_WARP, across = b.tiles.across;
    const int i = (int)(blockIdx.x / b.tiles.down), slab = b.slab[i];
    const size_t tile = (size_t)(blockIdx.x % b.tiles.down) * across;
    const satk_slab_set *const needed = b.needed + tile;
    T *const rows = b.rows + (i * satk_tile_count(b) + tile) * fields * side + lane;
    T *const left = b.left + (i * satk_tile_count(b) + tile) * fields;
    const satk_segment segment = satk_find_segment(across);
    T sum[fields] = {}, before[fields] = {}, down[fields] = {};
    bool is_new = true; /* the sums of rows down to each */

    if (satk_any_needed(needed, across, 1, slab)) {
        for (int x = segment.first; x < segment.last; x++) {
            const bool is_needed = satk_has_slab(&needed[x], slab);
#pragma unroll
            for (int f = 0; f < fields; f++)
                sum[f] += is_needed ? rows[((size_t)x * fields + f) * side] : 0;
        }
        satk_sum_before<T, fields>(sum, before);
    }
    for (int x = segment.first; x < segment.last; x++) {
        const bool is_needed = satk_has_slab(&needed[x], slab);
#pragma unroll
        for (int f = 0; f < fields && is_new; f++)
            down[f] = satk_warp_scan(before[f]);
#pragma unroll
        for (int f = 0; f < fields; f++) {
            T *const row = &rows[((size_t)x * fields + f) * side];
            if (lane == SATK_WARP - 1)
                left[x * fields + f] = down[f];
            if (is_needed) {
                before[f] += *row;
                *row = down[f];
            }
        }
        is_new = is_needed;
    }
}

/* A block is a column of tiles of a slab, and a lane is a column of squares. */
template <typename T, typename COUNT, int CHANNELS>
static __global__ void __launch_bounds__(SATK_LAYER_SCAN_WARPS *SATK_WARP)
    satk_scan_columns(const __grid_constant__ satk_batch<T, COUNT> b)
{
    constexpr int fields = CHANNELS + 2, side = SATK_LAYER_SIDE;
    const int lane = threadIdx.x % SATK_WARP, across = b.tiles.across;
    const int i = (int)(blockIdx.x / across), slab = b.slab[i];
    const size_t tile = blockIdx.x % across;
    const satk_slab_set *const needed = b.needed + tile;
    T *const columns = b.columns + (i * satk_tile_count(b) + tile) * fields * side + lane;
    const T *const left = b.left + (i * satk_tile_count(b) + tile) * fields;
    const satk_segment segment = satk_find_segment(b.tiles.down);
    T sum[fields] = {}, before[fields];

    if (!satk_any_needed(needed, b.tiles.down, across, slab))
        return;
    for (int y = segment.first; y < segment.last; y++) {
        const size_t at = (size_t)y * across * fields;
        const bool is_needed = satk_has_slab(&needed[(size_t)y * across], slab);
#pragma unroll
        for (int f = 0; f < fields; f++)
            sum[f] += left[at + f] + (is_needed ? columns[(at + f) * side] : 0);
    }
    satk_sum_before<T, fields>(sum, before);
    for (int y = segment.first; y < segment.last; y++) {
        const size_t at = (size_t)y * across * fields;
        const bool is_needed = satk_has_slab(&needed[(size_t)y * across], slab);
#pragma unroll
        for (int f = 0; f < fields; f++) {
            const T above = before[f];
            before[f] += left[at + f];
            if (is_needed) {
                before[f] += columns[(at + f) * side];
                columns[(at + f) * side] = above;
            }
        }
    }
}

#endif
