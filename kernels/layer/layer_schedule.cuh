/* The slabs that concern a tile of the picture: sets of slabs, one bit each, by tile.
 *
 *   own     some pixel of the tile is in the slab
 *   laid    a pixel of the slab may be within reach of its windows around the tile's pixels; of other slabs
 *           A is 0 in every window, so they have no share here
 *   needed  the tile's part of the slab's table is read for some tile where the slab is laid
 *
 * Distances are counted in whole tiles: the last two sets are somewhat too large, never too small. */
#ifndef SATK_LAYER_SCHEDULE_CUH
#define SATK_LAYER_SCHEDULE_CUH

#include "layer/layer_cells.h"
#include "layer/layer_tune.cuh"
#include "common/scan.cuh"

struct __align__(16) satk_slab_set
{
    uint32_t word[SATK_MAX_SLABS / 32];
};

/* Square tiles of SATK_LAYER_SIDE pixels or cells that cover the picture. */
struct satk_tiling {
    int across, down;
};

/* Distances in tiles: those that a slab's windows reach, and those that its laid tiles read. */
struct satk_tile_reaches {
    int laid[SATK_MAX_SLABS], needed[SATK_MAX_SLABS];
};

static __device__ __forceinline__ bool satk_has_slab(const satk_slab_set *set, int slab)
{
    return set->word[slab / 32] >> slab % 32 & 1;
}

/* The slabs first <= k < last. */
static inline satk_slab_set satk_slabs_between(int first, int last)
{
    satk_slab_set set = {};

    for (int k = first; k < last; k++)
        set.word[k / 32] |= 1u << k % 32;
    return set;
}

/* Returns 1 if the sets have a slab in common. */
static __device__ __forceinline__ bool satk_has_any(const satk_slab_set &a, const satk_slab_set &b)
{
    uint32_t common = 0;

#pragma unroll
    for (int w = 0; w < SATK_MAX_SLABS / 32; w++)
        common |= a.word[w] & b.word[w];
    return common != 0;
}

/* Returns the words of a set of slabs. */
static __device__ __forceinline__ int satk_set_words(int slabs)
{
    return (slabs + 31) / 32;
}

/* --- Own -------------------------------------------------------------------------------------- */

/* Returns one word of the set of the slabs that a position is in. */
static __device__ __forceinline__ uint32_t satk_slab_bits(int position, int word)
{
    const int slab = position / SATK_SLAB, both = position % SATK_SLAB != 0;
    uint32_t bits = 0;

    if (slab / 32 == word)
        bits |= 1u << slab % 32;
    if (both && (slab + 1) / 32 == word)
        bits |= 1u << (slab + 1) % 32;
    return bits;
}

struct satk_or {
    __device__ __forceinline__ uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return a | b;
    }
};

static __device__ __forceinline__ uint32_t satk_warp_or(uint32_t bits)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(0xffffffffu, bits);
#else
    return satk_warp_reduce<uint32_t, satk_or>(bits);
#endif
}

/* Returns a pixel's place along the slabs; -1 beyond the picture. */
static __device__ __forceinline__ int satk_place_of(const satk_layer &job, int x, int y)
{
    return x < job.src.width && y < job.src.height ? satk_place_at(&job, x, y) : -1;
}

enum { SATK_OWN_PIXELS = SATK_LAYER_SIDE / SATK_LAYER_OWN_ROWS };

/* Stores E of a thread's pixels. Those that fill up a row show nothing. */
static __device__ __forceinline__ void satk_store_shown(const int *place, int y, int height,
                                                        size_t pitch, uint8_t *column)
{
#pragma unroll
    for (int i = 0; i < SATK_OWN_PIXELS; i++)
        if (y + i * SATK_LAYER_OWN_ROWS < height)
            column[(size_t)(y + i * SATK_LAYER_OWN_ROWS) * pitch] =
                place[i] < 0 ? UINT8_MAX : (uint8_t)satk_shown_from(place[i]);
}

/* Finds the slabs of tiles, and E of pixels. A block is a tile, and a thread has every SATK_LAYER_OWN_ROWS-th pixel of a
 * column. */
static __global__ void __launch_bounds__(SATK_LAYER_SIDE *SATK_LAYER_OWN_ROWS)
    satk_find_own(const __grid_constant__ satk_layer job, int across, satk_slab_set *own,
                  uint8_t *shown, size_t pitch)
{
    __shared__ uint32_t bits[SATK_MAX_SLABS / 32];
    const int x =
        (int)(blockIdx.x % (unsigned)across) * SATK_LAYER_SIDE + (int)threadIdx.x % SATK_LAYER_SIDE;
    const int y =
        (int)(blockIdx.x / (unsigned)across) * SATK_LAYER_SIDE + (int)threadIdx.x / SATK_LAYER_SIDE;
    int place[SATK_OWN_PIXELS];

#pragma unroll
    for (int i = 0; i < SATK_OWN_PIXELS; i++)
        place[i] = satk_place_of(job, x, y + i * SATK_LAYER_OWN_ROWS);
    if (shown && x < (int)pitch)
        satk_store_shown(place, y, job.src.height, pitch, shown + x);
    if (threadIdx.x < SATK_MAX_SLABS / 32)
        bits[threadIdx.x] = 0;
    __syncthreads();
    for (int w = 0; w < satk_set_words(job.count); w++) {
        uint32_t mine = 0;
#pragma unroll
        for (int i = 0; i < SATK_OWN_PIXELS; i++)
            mine |= place[i] >= 0 ? satk_slab_bits(satk_place_position(place[i]), w) : 0;
        const uint32_t warps = satk_warp_or(mine);
        if (threadIdx.x % SATK_WARP == 0 && warps != 0)
            atomicOr(&bits[w], warps);
    }
    __syncthreads();
    if (threadIdx.x < SATK_MAX_SLABS / 32)
        own[blockIdx.x].word[threadIdx.x] = bits[threadIdx.x];
}

/* Gathers the sets of tiles of cells from those of the tiles of pixels that they lie in. */
static __global__ void satk_gather_own(const satk_slab_set *of_pixels, satk_tiling pixels,
                                       const satk_grid grid, satk_tiling cells,
                                       satk_slab_set *of_cells)
{
    const unsigned tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile >= (unsigned)cells.across * cells.down)
        return;
    const int left = (int)(tile % cells.across) * SATK_LAYER_SIDE;
    const int top = (int)(tile / cells.across) * SATK_LAYER_SIDE;
    const int right = min(left + SATK_LAYER_SIDE, grid.columns);
    const int bottom = min(top + SATK_LAYER_SIDE, grid.rows);
    const int last_x = (satk_column_begin(&grid, right) - 1) / SATK_LAYER_SIDE;
    const int last_y = (satk_row_begin(&grid, bottom) - 1) / SATK_LAYER_SIDE;
    satk_slab_set set = {};

    for (int y = satk_row_begin(&grid, top) / SATK_LAYER_SIDE; y <= last_y; y++)
        for (int x = satk_column_begin(&grid, left) / SATK_LAYER_SIDE; x <= last_x; x++)
            for (int w = 0; w < SATK_MAX_SLABS / 32; w++)
                set.word[w] |= of_pixels[(size_t)y * pixels.across + x].word[w];
    of_cells[tile] = set;
}

/* --- Laid and needed -------------------------------------------------------------------------- */

/* Returns true if the slab is in a set of this line of tiles, at most `reach` from number `at`. */
static __device__ bool satk_is_near(const satk_slab_set *line, int at, int count, size_t step,
                                    int slab, int reach)
{
    for (int d = 0; d <= reach && (d <= at || at + d < count); d++)
        if ((d <= at && satk_has_slab(&line[(at - d) * step], slab)) ||
            (at + d < count && satk_has_slab(&line[(at + d) * step], slab)))
            return true;
    return false;
}

/* The sets of a tile: laid and needed. */
struct satk_set_pair {
    satk_slab_set *laid, *needed;
};

/* Spreads sets along the rows or the columns of tiles; the two steps make a square. A warp is a
 * tile, and a lane is a slab. Each tile has `parts` equal sets of laid slabs. */
static __global__ void satk_spread_sets(const __grid_constant__ satk_tile_reaches reaches,
                                        int slabs, satk_tiling t, int along_rows, int parts,
                                        satk_set_pair from, satk_set_pair to)
{
    const int lane = threadIdx.x % SATK_WARP;
    const unsigned tile = (blockIdx.x * blockDim.x + threadIdx.x) / SATK_WARP;
    if (tile >= (unsigned)t.across * t.down)
        return;
    const int x = (int)(tile % t.across), y = (int)(tile / t.across);
    const size_t first = along_rows ? (size_t)y * t.across : x, step = along_rows ? 1 : t.across;
    const int at = along_rows ? x : y, count = along_rows ? t.across : t.down;

    if (lane < SATK_MAX_SLABS / 32)
        to.needed[tile].word[lane] = 0;
    if (lane < parts * (SATK_MAX_SLABS / 32))
        to.laid[tile * parts].word[lane] = 0;
    __syncwarp();
    for (int w = 0; w < satk_set_words(slabs); w++) {
        const int slab = 32 * w + lane;
        const bool is_laid =
            satk_is_near(from.laid + first, at, count, step, slab, reaches.laid[slab]);
        const bool is_needed =
            satk_is_near(from.needed + first, at, count, step, slab, reaches.needed[slab]);
        const uint32_t laid_bits = __ballot_sync(0xffffffffu, is_laid);
        const uint32_t needed_bits = __ballot_sync(0xffffffffu, is_needed);
        if (lane < parts)
            to.laid[tile * parts + lane].word[w] = laid_bits;
        if (lane == 0)
            to.needed[tile].word[w] = needed_bits;
    }
}

#endif
