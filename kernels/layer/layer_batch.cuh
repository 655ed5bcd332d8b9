/* Batches of slabs: host code for layer_cuda.cu and layer_coarse_cuda.cu. It divides the memory, chooses the
 * slabs of the next batch, and makes their tables. */
#ifndef SATK_LAYER_BATCH_CUH
#define SATK_LAYER_BATCH_CUH

#include "common/launch.cuh"
#include "layer/layer_lay.cuh"
#include "layer/layer_words.cuh"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static satk_tiling tiling_of(const satk_grid &grid)
{
    const satk_tiling t = {(grid.columns + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE,
                           (grid.rows + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE};
    return t;
}

static size_t tiles_of(const satk_grid &grid)
{
    const satk_tiling t = tiling_of(grid);
    return (size_t)t.across * (size_t)t.down;
}

/* Every part of the scratch memory begins at a multiple of 16. */
static size_t rounded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Return the bytes of one slab in a batch: the sums of its rows and of its columns, the sums left of its
 * tiles, and the planes of its table. */
static size_t sums_bytes(const satk_layer *job, const satk_grid &grid, words w)
{
    return tiles_of(grid) * (size_t)(summed(job) + 2) * SATK_LAYER_SIDE * word_bytes(w);
}

static size_t left_bytes(const satk_layer *job, const satk_grid &grid, words w)
{
    return rounded(tiles_of(grid) * (size_t)(summed(job) + 2) * word_bytes(w));
}

static size_t colour_bytes(const satk_layer *job, const satk_grid &grid, words w)
{
    const size_t square = w == WORDS_MIXED && summed(job) == 3
                              ? sizeof(satk_u128)
                              : (size_t)satk_colour_lanes(summed(job)) * word_bytes(w);
    return rounded(satk_squares_of(grid) * square);
}

static size_t counts_bytes(const satk_grid &grid, words w)
{
    return rounded(satk_squares_of(grid) * 2 * count_bytes(w));
}

static size_t slab_bytes(const satk_layer *job, const satk_grid &grid, words w)
{
    return 2 * sums_bytes(job, grid, w) + left_bytes(job, grid, w) + colour_bytes(job, grid, w) +
           counts_bytes(grid, w);
}

/* Sets of slabs by tile: own, needed, the two that are half spread, and laid by part. */
enum { SET_ARRAYS = 4 + SATK_PARTS };

struct tile_sets {
    satk_slab_set *own, *needed, *laid_on_the_way, *needed_on_the_way, *laid;
};

static inline size_t sets_bytes(const satk_grid &grid)
{
    return SET_ARRAYS * tiles_of(grid) * sizeof(satk_slab_set);
}

static inline tile_sets divide_sets(const satk_grid &grid, void *memory)
{
    satk_slab_set *const sets = (satk_slab_set *)memory;
    const size_t tiles = tiles_of(grid);
    const tile_sets s = {sets, sets + tiles, sets + 2 * tiles, sets + 3 * tiles, sets + 4 * tiles};
    return s;
}

/* --- Work ------------------------------------------------------------------------------------- */

/* All coarse slabs of a job, or all others. */
struct work {
    const satk_layer *job;
    satk_grid grid;
    satk_groups groups;
    satk_cells before, behind; /* colours NULL: no slab is in this group */
    tile_sets sets;
    light_planes lights;
    uint8_t *tables;
    cudaStream_t stream;
};

static bool is_of_work(const work *w, int k)
{
    const bool coarse = k < w->groups.first || k >= w->groups.last;
    return w->job->slabs[k].used && coarse == (w->grid.cell > 1);
}

/* Returns the words of the table of slab k. Cells are few, so longer words cost little. */
static words words_of(const work *w, int k)
{
    return w->grid.cell > 1 ? WORDS_WIDE : words_for(w->job, &w->job->slabs[k]);
}

/* The most bytes that any batch may take. With fewer rows a slab is smaller and a batch may have one more; this
 * bound never falls as rows grow. */
static inline size_t tables_bytes(const work *w)
{
    size_t slab = 0, count = 0;

    for (int k = 0; k < w->job->count; k++) {
        if (!is_of_work(w, k))
            continue;
        const size_t bytes = slab_bytes(w->job, w->grid, words_of(w, k));
        slab = bytes > slab ? bytes : slab;
        count += count < SATK_LAYER_BATCH;
    }
    return (size_t)smaller(count * slab, SATK_LAYER_BYTES + slab);
}

/* Finds distances in tiles. A square is at least 32 (d - 1) + 1 from those d tiles away; a prefix
 * may be one square beyond the window. */
static satk_tile_reaches reaches_of(const work *w)
{
    satk_tile_reaches r;

    for (int k = 0; k < SATK_MAX_SLABS; k++) {
        r.laid[k] = r.needed[k] = -1;
        if (k >= w->job->count || !is_of_work(w, k))
            continue;
        const int reach = satk_reach(&w->job->slabs[k]);
        r.laid[k] = (reach + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE;
        r.needed[k] = r.laid[k] + (reach + SATK_LAYER_SIDE) / SATK_LAYER_SIDE;
    }
    return r;
}

/* From each tile's own slabs to those that are laid and needed there. */
static int spread_sets(const work *w)
{
    const satk_tiling t = tiling_of(w->grid);
    const satk_tile_reaches reaches = reaches_of(w);
    const unsigned tiles = (unsigned)tiles_of(w->grid), each = SATK_ARRAY_THREADS / SATK_WARP;
    const unsigned blocks = (tiles + each - 1) / each;
    const tile_sets &s = w->sets;
    const satk_set_pair own = {s.own, s.own}, to = {s.laid, s.needed};
    const satk_set_pair on_the_way = {s.laid_on_the_way, s.needed_on_the_way};

    satk_spread_sets<<<blocks, SATK_ARRAY_THREADS, 0, w->stream>>>(reaches, w->job->count, t, 1, 1,
                                                                   own, on_the_way);
    const int error = satk_launched(w->stream);
    if (error)
        return error;
    satk_spread_sets<<<blocks, SATK_ARRAY_THREADS, 0, w->stream>>>(reaches, w->job->count, t, 0,
                                                                   SATK_PARTS, on_the_way, to);
    return satk_launched(w->stream);
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The next batch: slabs down to first in use, with words of one kind. */
struct plan {
    words kind;
    int count, slab[SATK_LAYER_BATCH];
};

/* 0: there is none below slab `below`. */
static int next_batch(const work *w, int below, plan *p)
{
    size_t most = SATK_LAYER_BATCH;

    p->count = 0;
    for (int k = below - 1; k >= 0 && (size_t)p->count < most; k--) {
        if (!is_of_work(w, k))
            continue;
        const words kind = words_of(w, k);
        if (p->count == 0) {
            p->kind = kind;
            most = smaller(most, SATK_LAYER_BYTES / slab_bytes(w->job, w->grid, kind) + 1);
        }
        if (kind != p->kind)
            break;
        p->slab[p->count++] = k;
    }
    return p->count;
}

template <typename T, typename COUNT>
static satk_batch<T, COUNT> make_batch(const work *w, const plan *p)
{
    const satk_layer *const job = w->job;
    satk_batch<T, COUNT> b = {};
    uint8_t *at = w->tables;

    b.job = *job;
    b.grid = w->grid;
    b.tiles = tiling_of(w->grid);
    b.own = w->sets.own, b.needed = w->sets.needed, b.laid = w->sets.laid;
    b.before = w->before, b.behind = w->behind;
    b.summed = summed(job);
    b.count = p->count;
    b.nearer = satk_slabs_between(p->slab[0] + 1, SATK_MAX_SLABS);
    b.farther = satk_slabs_between(0, p->slab[p->count - 1]);
    for (int i = 0; i < p->count; i++) {
        b.slab[i] = p->slab[i];
        b.shape[i] = job->slabs[p->slab[i]];
    }
    for (int i = 0; i < p->count; i++)
        b.colours[i] = (T *)at, at += colour_bytes(job, w->grid, p->kind);
    for (int i = 0; i < p->count; i++)
        b.counts[i] = (COUNT *)at, at += counts_bytes(w->grid, p->kind);
    b.rows = (T *)at, at += p->count * sums_bytes(job, w->grid, p->kind);
    b.columns = (T *)at, at += p->count * sums_bytes(job, w->grid, p->kind);
    b.left = (T *)at;
    return b;
}

template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS, int CELL>
static int make_tables(const satk_batch<T, COUNT> &b, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)(b.tiles.across * b.tiles.down);
    const unsigned threads = SATK_LAYER_SIDE * SATK_RUNS;
    const unsigned lines = SATK_LAYER_SCAN_WARPS * SATK_WARP, count = (unsigned)b.count;

    satk_sum_tiles<T, COUNT, CHANNELS, PIXEL, BITS, CELL><<<tiles, threads, 0, stream>>>(b);
    int error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_rows<T, COUNT, CHANNELS><<<count *(unsigned)b.tiles.down, lines, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_columns<T, COUNT, CHANNELS><<<count *(unsigned)b.tiles.across, lines, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_fill_tiles<T, COUNT, CHANNELS, PIXEL, BITS, CELL><<<tiles, threads, 0, stream>>>(b);
    return satk_launched(stream);
}

/* --- Both passes ------------------------------------------------------------------------------ */

/* Coarse slabs, into before and behind: layer_coarse_cuda.cu. of_pixels: tiles' own slabs. A cudaError_t. */
int satk_layer_cells(const work *w, const satk_slab_set *of_pixels, satk_tiling pixels);

#endif
