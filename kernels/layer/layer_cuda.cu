/* Batches of slabs, nearest first: the tables of all slabs of a batch where they are needed, then
 * every tile of the picture lays them in turn, with its light in registers. Few batches concern a tile:
 * it begins its light in the first of them, and stores its pixels in the last or once all light is used
 * up. Coarse slabs have been laid by cell before: a tile begins with the near ones and ends with the far
 * ones. Nothing waits for the host: it knows the slabs in use, but not where they are. */
#include "layer/layer_batch.cuh"
#include "layer/layer_squares.cuh"

/* --- Memory ----------------------------------------------------------------------------------- */

/* Returns the bytes of the light that a group of coarse slabs gives all cells. */
static size_t cells_bytes(const satk_layer *job, const satk_grid &grid, bool is_before)
{
    const int planes = summed(job) + 1 + is_before;

    return rounded(satk_squares_of(grid) * (size_t)planes * sizeof(uint64_t));
}

/* next: the group's slab next to the others. */
static satk_cells make_cells(const satk_layer *job, const satk_grid &grid, int next, bool is_before,
                             void *memory)
{
    satk_cells cells = {};

    cells.columns = grid.columns, cells.rows = grid.rows;
    cells.across = grid.across, cells.down = grid.down;
    cells.colours = (uint64_t *)memory;
    cells.seen = satk_cell_plane(&cells, summed(job));
    cells.earlier = is_before ? satk_cell_plane(&cells, summed(job) + 1) : NULL;
    cells.next = next;
    return cells;
}

/* Both passes of a job, and the bytes of its scratch memory. */
struct passes {
    work coarse, fine;
    bool is_coarse; /* some slab is */
    size_t bytes;
};

static bool is_used(const satk_layer *job, int first, int last)
{
    for (int k = first; k < last; k++)
        if (job->slabs[k].used)
            return true;
    return false;
}

/* Adds the coarse slabs' parts of the scratch memory. The other slabs use the memory of their
 * tables and lights later. */
static void add_coarse(passes *p, uint8_t *scratch)
{
    const satk_layer *const job = p->fine.job;
    work *const w = &p->coarse;

    *w = p->fine;
    w->grid = satk_grid_of(job, 1);
    w->sets = divide_sets(w->grid, scratch + p->bytes);
    p->bytes += sets_bytes(w->grid);
    if (is_used(job, w->groups.last, job->count)) {
        w->before = make_cells(job, w->grid, w->groups.last, true, scratch + p->bytes);
        w->before.moment =
            (uint32_t)satk_widest_moment(job, w->groups.last, job->count, satk_moment_unit(job));
        p->bytes += cells_bytes(job, w->grid, true);
    }
    if (is_used(job, 0, w->groups.first)) {
        w->behind = make_cells(job, w->grid, w->groups.first - 1, false, scratch + p->bytes);
        p->bytes += cells_bytes(job, w->grid, false);
    }
    p->fine.before = w->before;
    p->fine.behind = w->behind;
}

/* Places the lights that several batches share. */
static void place_lights(work *w, uint8_t *lights)
{
    w->lights.pixels = satk_squares_of(w->grid);
    w->lights.sums = (uint64_t *)lights;
    w->lights.left = (uint32_t *)(w->lights.sums + (size_t)summed(w->job) * w->lights.pixels);
    w->lights.before = w->lights.left + w->lights.pixels;
    w->lights.moment = w->lights.before + w->lights.pixels;
}

/* Places the lights and the tables of a pass. Returns their bytes. */
static size_t place_tables(work *w, uint8_t *memory)
{
    prepare_plans(w);
    const size_t lights = w->batches > 1 ? lights_bytes(w->job, w->grid) : 0;

    place_lights(w, memory);
    w->tables = memory + lights;
    return lights + tables_bytes(w);
}

static passes divide_scratch(const satk_layer *job, cudaStream_t stream)
{
    uint8_t *const scratch = (uint8_t *)job->scratch;
    passes p = {};

    p.fine.job = job;
    p.fine.grid = satk_grid_of(job, 0);
    p.fine.groups = satk_group_slabs(job);
    p.fine.stream = stream;
    p.fine.sets = divide_sets(p.fine.grid, scratch);
    p.bytes = sets_bytes(p.fine.grid);
    p.fine.farther = satk_place_farther(job, scratch + p.bytes);
    p.bytes += satk_farther_bytes(&p.fine.farther);
    p.is_coarse =
        is_used(job, 0, p.fine.groups.first) || is_used(job, p.fine.groups.last, job->count);
    if (p.is_coarse)
        add_coarse(&p, scratch);
    const size_t fine = place_tables(&p.fine, scratch + p.bytes);
    const size_t coarse = p.is_coarse ? place_tables(&p.coarse, scratch + p.bytes) : 0;
    p.bytes += larger(fine, coarse);
    return p;
}

size_t satk_layer_scratch_cuda(const satk_layer *job)
{
    satk_layer placeless = *job;

    placeless.scratch = NULL;
    return divide_scratch(&placeless, NULL).bytes;
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Finds the slabs of tiles, and the squares of pixels. */
static int find_own(const work *w)
{
    uint8_t *const shown = w->farther.sizes > 0 ? (uint8_t *)w->farther.least : NULL;
    const unsigned pixels = SATK_LAYER_SIDE * SATK_LAYER_OWN_ROWS;

    satk_find_own<<<(unsigned)tiles_of(w->grid), pixels, 0, w->stream>>>(
        *w->job, tiling_of(w->grid).across, w->sets.own, shown, w->farther.pitch);
    const int error = satk_launched(w->stream);
    return error ? error : satk_find_all_squares(w->job, &w->farther, w->stream);
}

/* Lays the rows of tiles first <= i < last. */
template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS>
static int lay_part(const work *w, satk_batch<T, COUNT> *b, int first, int last)
{
    const unsigned across = (unsigned)b->tiles.across;
    const unsigned parts = (unsigned)(last - first) * across * SATK_PARTS;

    b->first = (unsigned)first * across;
    if (w->job->forms.count > 0)
        lay_batch<T, COUNT, CHANNELS, PIXEL, BITS, boxes>
            <<<parts, SATK_PART_PIXELS, 0, w->stream>>>(*b, w->lights);
    else
        lay_batch<T, COUNT, CHANNELS, PIXEL, BITS, corners>
            <<<parts, SATK_PART_PIXELS, 0, w->stream>>>(*b, w->lights);
    return satk_launched(w->stream);
}

/* Lays a batch part after part. A part's tables take the place of those that the one before was the last to read. */
template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS>
static int run_batch(const work *w, const plan *p)
{
    satk_batch<T, COUNT> b = make_batch<T, COUNT>(w, p);
    const int down = b.tiles.down;
    int error = make_sums<T, COUNT, CHANNELS, PIXEL, BITS, 1>(b, w->stream);

    for (int first = 0, made = 0; first < down && !error; first += p->part) {
        const int last = first + p->part < down ? first + p->part : down;
        const int wanted = w->margin < down - last ? last + w->margin : down;
        error = make_tables<T, COUNT, CHANNELS, PIXEL, BITS, 1>(&b, made, wanted, w->stream);
        if (!error)
            error = lay_part<T, COUNT, CHANNELS, PIXEL, BITS>(w, &b, first, last);
        made = wanted;
    }
    return error;
}

/* Stores the tiles that only have coarse slabs. */
template <int CHANNELS, int PIXEL, int BITS> static int run_nothing(const work *w)
{
    const unsigned tiles = (unsigned)tiles_of(w->grid);

    lay_nothing<CHANNELS, PIXEL, BITS><<<tiles, SATK_PART_PIXELS, 0, w->stream>>>(
        *w->job, w->grid, tiling_of(w->grid), w->sets.laid, w->before, w->behind, w->farther);
    return satk_launched(w->stream);
}

template <int CHANNELS, int PIXEL, int BITS> static int blur(const work *w, bool is_coarse)
{
    int error = is_coarse ? run_nothing<CHANNELS, PIXEL, BITS>(w) : 0;
    plan p;

    for (int below = w->job->count; !error && next_batch(w, below, &p); below = p.slab[p.count - 1])
        switch (p.kind) {
        case WORDS_NARROW:
            error = run_batch<uint32_t, uint32_t, CHANNELS, PIXEL, BITS>(w, &p);
            break;
        case WORDS_MIXED:
            error = run_batch<uint64_t, uint32_t, CHANNELS, PIXEL, BITS>(w, &p);
            break;
        default: error = run_batch<uint64_t, uint64_t, CHANNELS, PIXEL, BITS>(w, &p); break;
        }
    return error;
}

template <int BITS> static int blur_channels(const work *w, bool is_coarse)
{
    const bool all = summed(w->job) == w->job->src.channels;

    switch (w->job->src.channels) {
    case 1: return blur<1, 1, BITS>(w, is_coarse);
    case 2: return all ? blur<2, 2, BITS>(w, is_coarse) : blur<1, 2, BITS>(w, is_coarse);
    case 3: return blur<3, 3, BITS>(w, is_coarse);
    default: return all ? blur<4, 4, BITS>(w, is_coarse) : blur<3, 4, BITS>(w, is_coarse);
    }
}

int satk_layer_cuda(const satk_layer *job, void *stream)
{
    const passes p = divide_scratch(job, (cudaStream_t)stream);

    int error = find_own(&p.fine);
    if (!error && p.is_coarse)
        error = satk_layer_cells(&p.coarse, p.fine.sets.own, tiling_of(p.fine.grid));
    if (!error)
        error = spread_sets(&p.fine);
    if (error)
        return error;
    return job->src.bits == 8 ? blur_channels<8>(&p.fine, p.is_coarse)
                              : blur_channels<16>(&p.fine, p.is_coarse);
}
