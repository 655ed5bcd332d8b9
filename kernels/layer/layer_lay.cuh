/* A pixel's way through the slabs of a batch, on the device: the windows' sums from the tables, and
 * the light that is laid of them. The numbers are those of layer_light.h. */
#ifndef SATK_LAYER_LAY_CUH
#define SATK_LAYER_LAY_CUH

#include "layer/layer_under.cuh"

/* --- Squares ---------------------------------------------------------------------------------- */

/* Lays a window's part, of which some is in the slab. */
template <typename T, typename COUNT, int CHANNELS, int BITS, bool INNER, typename WINDOW>
static __device__ __forceinline__ void lay_part(const satk_batch<T, COUNT> &b, int i,
                                                const WINDOW &found, const COUNT *counts,
                                                const satk_part &part, satk_light *light)
{
    constexpr int lanes = satk_colour_lanes(CHANNELS);
    T colours[lanes];

    if constexpr (satk_is_packed<T, COUNT>(CHANNELS)) {
        satk_u128 packed;
        sum_window<satk_u128, 1, INNER>((const satk_u128 *)b.colours[i], found, &packed);
        lay_under_packed(light, part, packed, counts[0]);
    } else if constexpr (sizeof(T) == 4) {
        sum_window<T, lanes, INNER>(b.colours[i], found, colours);
        if (BITS == 8 && !b.job.tone.weighted)
            lay_under_small<CHANNELS>(light, part, colours, counts[0]);
        else
            satk_lay_under_narrow(light, &part, colours, counts[0], CHANNELS);
    } else {
        sum_window<T, lanes, INNER>(b.colours[i], found, colours);
        const satk_divisor by = satk_divide_by(counts[0], 0);
        uint64_t sums[CHANNELS + 2];
        for (int k = 0; k < CHANNELS; k++)
            sums[k] = colours[k];
        sums[CHANNELS] = counts[0];
        sums[CHANNELS + 1] = counts[1];
        satk_lay_under(light, &part, sums, &by, CHANNELS);
    }
}

/* Lays one slab, from its aperture to its widest window, until no light is left for it. form: the square's, if windows
 * have one. */
template <typename T, typename COUNT, int CHANNELS, int BITS, int CELL, bool INNER, typename WINDOW>
static __device__ __forceinline__ void lay_slab(const satk_batch<T, COUNT> &b, int i,
                                                const satk_form_box *form, const ring &rows, int x,
                                                int y, satk_light *light)
{
    const satk_slab &slab = b.shape[i];
    satk_part part = {satk_light_before(light, b.slab[i]), 0};
    COUNT counts[2];
    WINDOW found;

    light->before = light->left;
    light->slab = b.slab[i];

#pragma unroll 1
    for (int window = 0; part.rest > 0; window++) { /* none is left behind the widest */
        if (CELL == 1 && window > 0 && light->moment < satk_least_moment(&b.squares, &slab, window))
            break;
        find_window<CELL, INNER>(slab.window[window], form, b.job.forms.count, b.grid, rows, x, y,
                                 &found);
        count_window<COUNT, CELL, INNER>(b.counts[i], &found, counts);
        part.by = satk_part_divisor(counts[1], found.area, window + 1 == slab.windows);
        if (counts[0] != 0)
            lay_part<T, COUNT, CHANNELS, BITS, INNER>(b, i, found, counts, part, light);
        part.rest = satk_part_rest(&part, counts[1]);
    }
    if (CELL == 1)
        satk_add_moment(&b.squares, &slab, light);
}

/* Returns true if the squares first <= i < end of an axis and the one before them are inside the
 * picture, and none lacks a pixel. */
template <int CELL>
static __device__ __forceinline__ bool are_whole(const satk_cut &cut, int first, int end,
                                                 int squares)
{
    if (CELL == 1)
        return first > 0 && end <= squares;
    return first > 0 && end < squares && (cut.middle < first || cut.middle >= end);
}

/* Returns true if the slab's windows around all squares of a tile are inside the picture, with the
 * row and column before them. Cells must be whole, too. */
template <int CELL>
static __device__ __forceinline__ bool is_inner(const satk_grid &grid, const satk_slab &slab,
                                                int left, int top)
{
    const int reach = satk_reach(&slab), beyond = SATK_LAYER_SIDE + reach;

    return are_whole<CELL>(grid.across, left - reach, left + beyond, grid.columns) &&
           are_whole<CELL>(grid.down, top - reach, top + beyond, grid.rows);
}

/* Stores `left` of the marks from *mark on that are not behind slab k. */
static __device__ __forceinline__ void store_left(const satk_layer &job, const satk_farther &f,
                                                  int k, int x, int y, const satk_light &light,
                                                  int *mark)
{
    for (; *mark < job.marks && job.mark[*mark] >= k; ++*mark)
        satk_store_left(&job, &f, *mark, x, y, &light);
}

/* Lays a tile's slabs as long as some light is left. *mark: the first that is not stored. Windows inside the picture are found by rows of the tables alone. */
template <typename T, typename COUNT, int CHANNELS, int BITS, int CELL, typename WINDOW>
static __device__ __forceinline__ void lay_slabs(const satk_batch<T, COUNT> &b, uint32_t slabs,
                                                 int left, int top, int x, int y, satk_light *light,
                                                 int *mark)
{
    const int shift = CELL > 1 ? 0 : top - top % b.ring;

    while (slabs && satk_is_open(light)) {
        const int i = satk_next_slab(&slabs);
        if (CELL == 1)
            store_left(b.job, b.squares, b.slab[i], x, y, *light, mark);
        if (CELL == 1)
            satk_look_farther(&b.squares, b.slab[i], x, y, light);
        if (!satk_is_open(light))
            return;
        const satk_form_box *const form =
            WINDOW::has_form ? satk_form_of(&b.job, &b.grid, b.shape[i].is_before, x, y) : nullptr;
        if (is_inner<CELL>(b.grid, b.shape[i], left, top))
            lay_slab<T, COUNT, CHANNELS, BITS, CELL, true, WINDOW>(b, i, form, {b.ring, 0}, x,
                                                                   y - shift, light);
        else
            lay_slab<T, COUNT, CHANNELS, BITS, CELL, false, WINDOW>(b, i, form, {b.ring, shift}, x,
                                                                    y, light);
    }
}

/* Divides sums by a part of 2^BITS, rounded half up. Mostly it is the whole, so a shift divides. is_large: means may have
 * 32 bits. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ void find_means(const uint64_t *sum, uint64_t part, bool is_large,
                                                  uint32_t *mean)
{
    if (part == 1u << BITS) {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            mean[c] = (uint32_t)((sum[c] + (1u << (BITS - 1))) >> BITS);
        return;
    }
    const satk_divider<uint64_t> by(part);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        mean[c] = is_large ? by.large_mean(sum[c]) : by.mean(sum[c]);
}

/* Does satk_light_codes(), whose quotients are samples of codes unless weights divide. */
template <int CHANNELS, int PIXEL, int BITS>
static __device__ __forceinline__ void light_codes(const satk_layer &job, const satk_light &light,
                                                   const uint8_t *src, int x, int y,
                                                   uint32_t *codes)
{
    constexpr int colours = PIXEL == 2 || PIXEL == 4 ? PIXEL - 1 : PIXEL;
    const uint32_t seen = ((1u << SATK_LIGHT_BITS) - light.left) << 8;

    if (job.tone.weighted || job.tone.half || seen == 0) {
        satk_light_codes(&job, &light, src, x, y, PIXEL, BITS, codes);
        return;
    }
    const uint32_t threshold = satk_layer_threshold(&job, x, y, BITS);
    uint64_t sum[CHANNELS];
    uint32_t mean[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sum[c] = light.sum[c] << (c < colours && threshold > 0 ? SATK_DITHER_BITS : 0);
    find_means<CHANNELS, SATK_LIGHT_BITS + 8>(sum, seen, threshold > 0, mean);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        if (c < colours && threshold > 0)
            codes[c] = satk_dithered(&job.tone, mean[c], threshold);
        else if (c < colours)
            codes[c] = satk_encoded(&job.tone, mean[c]);
        else
            codes[c] = mean[c];
    if (CHANNELS < PIXEL) /* opaque */
        codes[colours] = (1u << BITS) - 1;
}

/* Pixels of the rows of a tile that a block lays. */
enum { SATK_PART_PIXELS = SATK_LAYER_SIDE * SATK_LAYER_PART_ROWS };

/* The lights of tiles that several batches share, in planes: neighbours in the picture are
 * neighbours in memory. */
struct light_planes {
    uint64_t *sums; /* [channel][pixel] */
    uint32_t *left,
        *before; /* [pixel]; before: with 2^SATK_SLAB_SHIFT times one more than the last slab's number, and 2^SATK_MARK_SHIFT
                  * times that of the first mark that is not stored */
    uint32_t *moment; /* [pixel] */
    size_t pixels;
};

enum { SATK_SLAB_SHIFT = SATK_LIGHT_BITS + 1, SATK_MARK_SHIFT = SATK_SLAB_SHIFT + 9 };

template <int CHANNELS>
static __device__ __forceinline__ void save_light(const light_planes &planes, size_t at,
                                                  const satk_light &light, int mark)
{
    for (int c = 0; c < CHANNELS; c++)
        planes.sums[c * planes.pixels + at] = light.sum[c];
    planes.left[at] = light.left;
    planes.moment[at] = light.moment;
    planes.before[at] = light.before | (uint32_t)(light.slab + 1) << SATK_SLAB_SHIFT |
                        (uint32_t)mark << SATK_MARK_SHIFT;
}

template <int CHANNELS>
static __device__ __forceinline__ satk_light load_light(const light_planes &planes, size_t at,
                                                        int *mark)
{
    satk_light light = satk_no_light();

    for (int c = 0; c < CHANNELS; c++)
        light.sum[c] = planes.sums[c * planes.pixels + at];
    light.left = planes.left[at];
    light.moment = planes.moment[at];
    light.before = planes.before[at] & ((1u << SATK_SLAB_SHIFT) - 1);
    light.slab = (int)(planes.before[at] >> SATK_SLAB_SHIFT & 511) - 1;
    *mark = (int)(planes.before[at] >> SATK_MARK_SHIFT);
    return light;
}

/* A block is a part of a tile, and a thread is a square. */
struct square {
    unsigned tile;
    int left, top; /* of the tile */
    int x, y;
    bool inside; /* the picture */
    size_t at;
};

static __device__ __forceinline__ square find_square(const satk_grid &grid, satk_tiling tiles,
                                                     unsigned block)
{
    const unsigned tile = block / SATK_PARTS, part = block % SATK_PARTS;
    square s = {tile, (int)(tile % tiles.across) * SATK_LAYER_SIDE,
                (int)(tile / tiles.across) * SATK_LAYER_SIDE};

    s.x = s.left + (int)threadIdx.x % SATK_LAYER_SIDE;
    s.y = s.top + (int)(part * SATK_LAYER_PART_ROWS + threadIdx.x / SATK_LAYER_SIDE);
    s.inside = s.x < grid.columns && s.y < grid.rows;
    s.at = (size_t)s.y * grid.columns + s.x;
    return s;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Does satk_lay_cells(). Means of 8-bit samples without weights are below 2^20. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ void lay_cells(const satk_layer &job, const satk_cells &cells,
                                                 int x, int y, satk_light *light)
{
    if (BITS != 8 || job.tone.weighted) {
        satk_lay_cells(&cells, x, y, light, CHANNELS);
        return;
    }
    const satk_around around = satk_cells_around(&cells, x, y);
    const uint64_t seen = satk_sum_around(cells.seen, &around);
    if (seen == 0)
        return;
    const uint32_t share = satk_begin_cells(&cells, &around, seen, light);
    uint64_t sum[CHANNELS];
    uint32_t mean[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        sum[c] = satk_sum_around(satk_cell_plane(&cells, c), &around);
    find_means<CHANNELS, SATK_LIGHT_BITS + SATK_WEIGHT_BITS>(sum, seen, false, mean);
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        light->sum[c] += (uint64_t)share * (mean[c] << SATK_CELL_BITS);
    light->left -= share;
}

/* Stores a pixel from the light that all slabs have given it. mark: the first that is not stored. */
template <int CHANNELS, int PIXEL, int BITS>
static __device__ __forceinline__ void put_light(const satk_layer &job, const satk_cells &behind,
                                                 const satk_farther &squares, const square &s,
                                                 satk_light *light, int mark)
{
    uint32_t codes[4];

    store_left(job, squares, -1, s.x, s.y, *light, &mark);
    if (behind.colours)
        satk_look_farther(&squares, behind.next, s.x, s.y, light);
    if (behind.colours && satk_is_open(light))
        lay_cells<CHANNELS, BITS>(job, behind, s.x, s.y, light);
    light_codes<CHANNELS, PIXEL, BITS>(
        job, *light, (const uint8_t *)job.src.data + s.y * job.src.pitch, s.x, s.y, codes);
    satk_put_pixel((uint8_t *)job.dst.data + s.y * job.dst.pitch, s.x, PIXEL, BITS, codes);
}

template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS, typename WINDOW>
static __global__ void __launch_bounds__(SATK_PART_PIXELS,
                                         SATK_BLOCKS(SATK_LAYER_LAY_BLOCKS, SATK_PART_PIXELS))
    lay_batch(const __grid_constant__ satk_batch<T, COUNT> b, const light_planes planes)
{
    const unsigned block = b.first * SATK_PARTS + blockIdx.x;
    const satk_slab_set laid = b.laid[block];
    const square s = find_square(b.grid, b.tiles, block);
    const uint32_t slabs = satk_slabs_in(b, b.laid + block);

    if (slabs == 0)
        return;
    satk_light light = satk_no_light();
    int mark = 0;
    if (!s.inside)
        light.left = 0;
    else if (satk_has_any(laid, b.nearer))
        light = load_light<CHANNELS>(planes, s.at, &mark);
    else if (b.before.colours)
        lay_cells<CHANNELS, BITS>(b.job, b.before, s.x, s.y, &light);
    lay_slabs<T, COUNT, CHANNELS, BITS, 1, WINDOW>(b, slabs, s.left, s.top, s.x, s.y, &light,
                                                   &mark);

    const bool is_over = !satk_has_any(laid, b.farther);
    if (__syncthreads_or(satk_is_open(&light)) && !is_over) {
        if (s.inside)
            save_light<CHANNELS>(planes, s.at, light, mark);
        return;
    }
    if (threadIdx.x < SATK_MAX_SLABS / 32)
        b.laid[block].word[threadIdx.x] = 0; /* the batches to come have nothing to do here */
    if (s.inside)
        put_light<CHANNELS, PIXEL, BITS>(b.job, b.behind, b.squares, s, &light, mark);
}

/* Stores the pixels of tiles where no batch has anything to lay. A block is a tile, and does its parts one after another. */
template <int CHANNELS, int PIXEL, int BITS>
static __global__ void __launch_bounds__(SATK_PART_PIXELS)
    lay_nothing(const __grid_constant__ satk_layer job, const satk_grid grid, satk_tiling tiles,
                const satk_slab_set *laid, const satk_cells before, const satk_cells behind,
                const __grid_constant__ satk_farther squares)
{
    const unsigned first = blockIdx.x * SATK_PARTS;
    const satk_slab_set own = laid[first]; /* as those of the other parts */

    if (satk_has_any(own, own))
        return;
#pragma unroll 1
    for (unsigned part = first; part < first + SATK_PARTS; part++) {
        const square s = find_square(grid, tiles, part);
        satk_light light = satk_no_light();
        if (!s.inside)
            continue;
        if (before.colours)
            lay_cells<CHANNELS, BITS>(job, before, s.x, s.y, &light);
        put_light<CHANNELS, PIXEL, BITS>(job, behind, squares, s, &light, 0);
    }
}

/* --- Cells ------------------------------------------------------------------------------------ */

/* One of the two groups of coarse slabs: of a batch, the numbers first <= i < last. */
struct cell_group {
    satk_cells cells; /* where its lights go */
    int first, last;
    satk_slab_set nearer, farther; /* of the group: in earlier batches and in later ones */
    bool is_first;                 /* batch of the group */
};

template <int CHANNELS>
static __device__ __forceinline__ void put_cell(const satk_cells &cells, size_t at,
                                                const satk_light &light)
{
    for (int c = 0; c < CHANNELS; c++)
        satk_cell_plane(&cells, c)[at] = satk_cell_colour(light.sum[c]);
    cells.seen[at] = satk_cell_seen(light.left);
    if (cells.earlier)
        cells.earlier[at] = satk_cell_earlier(&light, cells.next);
}

template <typename T, typename COUNT, int CHANNELS, int BITS, typename WINDOW>
static __global__ void __launch_bounds__(SATK_PART_PIXELS,
                                         SATK_BLOCKS(SATK_LAYER_LAY_BLOCKS, SATK_PART_PIXELS))
    lay_cell_batch(const __grid_constant__ satk_batch<T, COUNT> b, const light_planes planes,
                   const __grid_constant__ cell_group g)
{
    const satk_slab_set laid = b.laid[blockIdx.x];
    const square s = find_square(b.grid, b.tiles, blockIdx.x);
    const uint32_t group = (1u << g.last) - (1u << g.first);
    const uint32_t slabs = satk_slabs_in(b, b.laid + blockIdx.x) & group;
    satk_light light = satk_no_light();
    int mark = 0;

    static_assert(SATK_LAYER_BATCH < 32, "a bit for each, and one more");
    if (!s.inside || (slabs == 0 && !g.is_first))
        return;
    if (satk_has_any(laid, g.nearer))
        light = load_light<CHANNELS>(planes, s.at, &mark);
    lay_slabs<T, COUNT, CHANNELS, BITS, SATK_CELL, WINDOW>(b, slabs, s.left, s.top, s.x, s.y,
                                                           &light, &mark);
    if (satk_has_any(laid, g.farther))
        save_light<CHANNELS>(planes, s.at, light, mark);
    else
        put_cell<CHANNELS>(g.cells, s.at, light);
}

#endif
