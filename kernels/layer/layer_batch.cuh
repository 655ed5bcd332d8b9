/* Batches of slabs: host code for layer_cuda.cu and layer_coarse_cuda.cu. It makes the tables of a batch. */
#ifndef SATK_LAYER_BATCH_CUH
#define SATK_LAYER_BATCH_CUH

#include "common/launch.cuh"
#include "layer/layer_plan.cuh"

/* --- Sets ------------------------------------------------------------------------------------- */

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
    b.squares = w->farther;
    b.summed = summed(job);
    b.count = p->count;
    b.ring = p->ring;
    b.nearer = satk_slabs_between(p->slab[0] + 1, SATK_MAX_SLABS);
    b.farther = satk_slabs_between(0, p->slab[p->count - 1]);
    for (int i = 0; i < p->count; i++) {
        b.slab[i] = p->slab[i];
        b.shape[i] = job->slabs[p->slab[i]];
    }
    for (int i = 0; i < p->count; i++)
        b.colours[i] = (T *)at, at += colour_bytes(job, w->grid, p->ring, p->kind);
    for (int i = 0; i < p->count; i++)
        b.counts[i] = (COUNT *)at, at += counts_bytes(w->grid, p->ring, p->kind);
    b.rows = (T *)at, at += p->count * sums_bytes(job, w->grid, p->kind);
    b.columns = (T *)at, at += p->count * sums_bytes(job, w->grid, p->kind);
    b.left = (T *)at;
    return b;
}

/* Makes the sums of all tiles. */
template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS, int CELL>
static int make_sums(const satk_batch<T, COUNT> &b, cudaStream_t stream)
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
    return satk_launched(stream);
}

/* Makes the tables in the rows of tiles first <= i < last. */
template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS, int CELL>
static int make_tables(satk_batch<T, COUNT> *b, int first, int last, cudaStream_t stream)
{
    if (first >= last)
        return 0;
    b->first = (unsigned)first * (unsigned)b->tiles.across;
    satk_fill_tiles<T, COUNT, CHANNELS, PIXEL, BITS, CELL>
        <<<(unsigned)(last - first) * (unsigned)b->tiles.across, SATK_LAYER_SIDE * SATK_RUNS, 0,
           stream>>>(*b);
    return satk_launched(stream);
}

/* --- Both passes ------------------------------------------------------------------------------ */

/* Coarse slabs, into before and behind: layer_coarse_cuda.cu. of_pixels: tiles' own slabs. A cudaError_t. */
int satk_layer_cells(const work *w, const satk_slab_set *of_pixels, satk_tiling pixels);

#endif
