/* Coarse slabs: the tables of a batch, in cells, and then what each of the two groups gives a cell. */
#include "layer_batch.cuh"

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

/* 1: no slab of the group is nearer than `slab`, and in use. */
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
    if (w->job->smooth)
        lay_cell_batch<uint64_t, uint64_t, CHANNELS, BITS, heap>
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
        const satk_batch<uint64_t, uint64_t> b = make_batch<uint64_t, uint64_t>(w, &p);
        error = sum_cells<CHANNELS, PIXEL, BITS>(w, b);
        if (!error)
            error = make_tables<uint64_t, uint64_t, CHANNELS, PIXEL, BITS, SATK_CELL>(b, w->stream);
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

    satk_gather_own<<<blocks, SATK_ARRAY_THREADS, 0, w->stream>>>(of_pixels, pixels,
                                                                  tiling_of(w->grid), w->sets.own);
    int error = satk_launched(w->stream);
    if (!error)
        error = spread_sets(w);
    if (error)
        return error;
    return w->job->src.bits == 8 ? lay_channels<8>(w) : lay_channels<16>(w);
}
