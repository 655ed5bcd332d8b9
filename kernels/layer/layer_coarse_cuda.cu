/* Coarse slabs: the sums of cells, the tables of a batch, in cells, and the light that each of the two groups
 * gives a cell. */
#include "layer/layer_batch.cuh"

/* --- Sums of cells ---------------------------------------------------------------------------- */

/* A cell's pixels in the picture: the first at x, y, then their columns and rows. */
struct satk_cell {
    int x, y, across, down;
};

static __device__ __forceinline__ satk_cell satk_find_cell(const satk_grid &grid, int column,
                                                           int row)
{
    const int x = satk_column_begin(&grid, column), y = satk_row_begin(&grid, row);

    return {x, y, satk_column_begin(&grid, column + 1) - x, satk_row_begin(&grid, row + 1) - y};
}

/* Returns the place of pixel p of SATK_CELL x SATK_CELL. A pixel that the cell lacks lies in
 * front of all slabs. */
static __device__ __forceinline__ int satk_place_or_none(const satk_layer &job,
                                                         const satk_cell &cell, int p)
{
    const int x = p % SATK_CELL, y = p / SATK_CELL;

    return x < cell.across && y < cell.down ? satk_place_at(&job, cell.x + x, cell.y + y)
                                            : SATK_SLAB * (SATK_MAX_SLABS + 1);
}

/* Adds up m times the samples of a cell's pixels. */
template <typename T, int CHANNELS, int PIXEL, int BITS>
static __device__ __forceinline__ void satk_sum_samples(const satk_layer &job,
                                                        const satk_cell &cell, int slab, T *sums)
{
#pragma unroll 1
    for (int p = 0; p < SATK_CELL * SATK_CELL; p++) {
        const uint32_t in = (uint32_t)satk_in_slab(satk_place_or_none(job, cell, p), slab);
        uint64_t samples[4];
        if (in == 0)
            continue;
        satk_samples(&job.tone,
                     (const uint8_t *)job.src.data + (cell.y + p / SATK_CELL) * job.src.pitch,
                     cell.x + p % SATK_CELL, PIXEL, BITS, samples);
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            sums[c] += (T)samples[c] * in;
    }
}

/* Stores the sums of each cell, for each slab, where its table will be. A block is
 * SATK_LAYER_OWN_ROWS rows of a tile, and a thread is a cell. */
template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS>
static __global__ void __launch_bounds__(SATK_LAYER_SIDE *SATK_LAYER_OWN_ROWS)
    satk_sum_cells(const __grid_constant__ satk_batch<T, COUNT> b)
{
    constexpr int parts = SATK_LAYER_SIDE / SATK_LAYER_OWN_ROWS,
                  lanes = satk_colour_lanes(CHANNELS);
    const unsigned tile = blockIdx.x / parts;
    const int row = (int)(blockIdx.x % parts) * SATK_LAYER_OWN_ROWS + threadIdx.x / SATK_LAYER_SIDE;
    const int x = (int)(tile % b.tiles.across) * SATK_LAYER_SIDE + threadIdx.x % SATK_LAYER_SIDE;
    const int y = (int)(tile / b.tiles.across) * SATK_LAYER_SIDE + row;
    const size_t at = (size_t)y * b.grid.columns + x;
    const uint32_t own = satk_slabs_in(b, b.own + tile);
    uint32_t needed = satk_slabs_in(b, b.needed + tile);
    int place[SATK_CELL * SATK_CELL];

    if (x >= b.grid.columns || y >= b.grid.rows)
        return;
    const satk_cell cell = satk_find_cell(b.grid, x, y);
#pragma unroll
    for (int p = 0; p < SATK_CELL * SATK_CELL; p++)
        place[p] = satk_place_or_none(b.job, cell, p);
    while (needed) {
        const int i = satk_next_slab(&needed);
        COUNT counts[2] = {0, 0};
        T sums[lanes] = {};
#pragma unroll
        for (int p = 0; p < SATK_CELL * SATK_CELL; p++) {
            counts[0] += (COUNT)satk_in_slab(place[p], b.slab[i]);
            counts[1] += (COUNT)satk_is_not_before(place[p], b.slab[i]);
        }
        satk_store_pixel<COUNT, 2>(b.counts[i] + at * 2, counts);
        if (!(own >> i & 1))
            continue;
        if (counts[0] != 0)
            satk_sum_samples<T, CHANNELS, PIXEL, BITS>(b.job, cell, b.slab[i], sums);
        satk_store_pixel<T, lanes>(b.colours[i] + at * lanes, sums);
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

/* The slabs of a batch that belong to the group first <= k < last. */
static cell_group find_group(const plan *p, int first, int last, const satk_cells &cells)
{
    cell_group g = {};

    g.cells = cells;
    while (g.first < p->count && p->slab[g.first] >= last)
        g.first++;
    g.last = g.first;
    while (g.last < p->count && p->slab[g.last] >= first)
        g.last++;
    if (g.first == g.last)
        return g;
    g.nearer = satk_slabs_between(p->slab[g.first] + 1, last);
    g.farther = satk_slabs_between(first, p->slab[g.last - 1]);
    return g;
}

/* Returns true if no used slab of the group is nearer than `slab`. */
static bool is_nearest(const satk_layer *job, int slab, int last)
{
    for (int k = slab + 1; k < last; k++)
        if (job->slabs[k].used)
            return false;
    return true;
}

template <int CHANNELS, int BITS>
static int lay_group(const work *w, const satk_batch<uint64_t, uint64_t> &b, const plan *p,
                     int first, int last, const satk_cells &cells)
{
    const unsigned parts = (unsigned)tiles_of(w->grid) * SATK_PARTS;
    cell_group g = find_group(p, first, last, cells);

    if (g.first == g.last)
        return 0;
    g.is_first = is_nearest(w->job, p->slab[g.first], last);
    if (w->job->forms.count > 0)
        lay_cell_batch<uint64_t, uint64_t, CHANNELS, BITS, boxes>
            <<<parts, SATK_PART_PIXELS, 0, w->stream>>>(b, w->lights, g);
    else
        lay_cell_batch<uint64_t, uint64_t, CHANNELS, BITS, corners>
            <<<parts, SATK_PART_PIXELS, 0, w->stream>>>(b, w->lights, g);
    return satk_launched(w->stream);
}

template <int CHANNELS, int PIXEL, int BITS>
static int sum_cells(const work *w, const satk_batch<uint64_t, uint64_t> &b)
{
    const unsigned parts = SATK_LAYER_SIDE / SATK_LAYER_OWN_ROWS;

    satk_sum_cells<uint64_t, uint64_t, CHANNELS, PIXEL, BITS>
        <<<(unsigned)tiles_of(w->grid) * parts, SATK_LAYER_SIDE * SATK_LAYER_OWN_ROWS, 0,
           w->stream>>>(b);
    return satk_launched(w->stream);
}

template <int CHANNELS, int PIXEL, int BITS> static int lay(const work *w)
{
    int error = 0;
    plan p;

    for (int below = w->job->count; !error && next_batch(w, below, &p);
         below = p.slab[p.count - 1]) {
        satk_batch<uint64_t, uint64_t> b = make_batch<uint64_t, uint64_t>(w, &p);
        error = sum_cells<CHANNELS, PIXEL, BITS>(w, b);
        if (!error)
            error = make_sums<uint64_t, uint64_t, CHANNELS, PIXEL, BITS, SATK_CELL>(b, w->stream);
        if (!error)
            error = make_tables<uint64_t, uint64_t, CHANNELS, PIXEL, BITS, SATK_CELL>(
                &b, 0, b.tiles.down, w->stream);
        if (!error)
            error = lay_group<CHANNELS, BITS>(w, b, &p, w->groups.last, w->job->count, w->before);
        if (!error)
            error = lay_group<CHANNELS, BITS>(w, b, &p, 0, w->groups.first, w->behind);
    }
    return error;
}

template <int BITS> static int lay_channels(const work *w)
{
    const bool all = summed(w->job) == w->job->src.channels;

    switch (w->job->src.channels) {
    case 1: return lay<1, 1, BITS>(w);
    case 2: return all ? lay<2, 2, BITS>(w) : lay<1, 2, BITS>(w);
    case 3: return lay<3, 3, BITS>(w);
    default: return all ? lay<4, 4, BITS>(w) : lay<3, 4, BITS>(w);
    }
}

int satk_layer_cells(const work *w, const satk_slab_set *of_pixels, satk_tiling pixels)
{
    const unsigned tiles = (unsigned)tiles_of(w->grid);
    const unsigned blocks = (tiles + SATK_ARRAY_THREADS - 1) / SATK_ARRAY_THREADS;

    satk_gather_own<<<blocks, SATK_ARRAY_THREADS, 0, w->stream>>>(of_pixels, pixels, w->grid,
                                                                  tiling_of(w->grid), w->sets.own);
    int error = satk_launched(w->stream);
    if (!error)
        error = spread_sets(w);
    if (error)
        return error;
    return w->job->src.bits == 8 ? lay_channels<8>(w) : lay_channels<16>(w);
}
