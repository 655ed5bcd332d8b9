/* Plans of batches of slabs: host code for layer_batch.cuh. It divides the memory, and chooses the slabs of a batch and
 * the rows of tiles that its tables have at a time.
 *
 * A batch is laid part after part, from the top, where the tables of its whole picture would take too much: a part is some
 * rows of tiles. The rows that its windows reach are kept in a ring, and each part adds the next ones where those were
 * that no window reaches any more. So every row of a table is made once. The sums of tiles are those of the whole picture:
 * they are small. */
#ifndef SATK_LAYER_PLAN_CUH
#define SATK_LAYER_PLAN_CUH

#include "layer/layer_lay.cuh"
#include "layer/layer_words.cuh"

static inline size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
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

/* Return the bytes of one slab in a batch: the sums of its rows or of its columns, the sums left of its tiles, and the
 * planes of its table for some rows. */
static size_t sums_bytes(const satk_layer *job, const satk_grid &grid, words w)
{
    return tiles_of(grid) * (size_t)(summed(job) + 2) * SATK_LAYER_SIDE * word_bytes(w);
}

static size_t left_bytes(const satk_layer *job, const satk_grid &grid, words w)
{
    return rounded(tiles_of(grid) * (size_t)(summed(job) + 2) * word_bytes(w));
}

static size_t colour_bytes(const satk_layer *job, const satk_grid &grid, int rows, words w)
{
    const size_t square = w == WORDS_MIXED && summed(job) == 3
                              ? sizeof(satk_u128)
                              : (size_t)satk_colour_lanes(summed(job)) * word_bytes(w);
    return rounded((size_t)grid.columns * (size_t)rows * square);
}

static size_t counts_bytes(const satk_grid &grid, int rows, words w)
{
    return rounded((size_t)grid.columns * (size_t)rows * 2 * count_bytes(w));
}

static size_t slab_bytes(const satk_layer *job, const satk_grid &grid, int rows, words w)
{
    return 2 * sums_bytes(job, grid, w) + left_bytes(job, grid, w) +
           colour_bytes(job, grid, rows, w) + counts_bytes(grid, rows, w);
}

/* Returns the bytes of the light of all squares, which several batches share. */
static inline size_t lights_bytes(const satk_layer *job, const satk_grid &grid)
{
    return rounded(satk_squares_of(grid) *
                   ((size_t)summed(job) * sizeof(uint64_t) + 3 * sizeof(uint32_t)));
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

/* Returns the bytes of the squares. */
static inline size_t satk_farther_bytes(const satk_farther *f)
{
    return f->plane * (size_t)f->sizes;
}

/* --- Work ------------------------------------------------------------------------------------- */

/* All coarse slabs of a job, or all others. */
struct work {
    const satk_layer *job;
    satk_grid grid;
    satk_groups groups;
    satk_cells before, behind; /* colours NULL: no slab is in this group */
    satk_farther farther;      /* of pixels */
    tile_sets sets;
    light_planes lights;
    uint8_t *tables;
    int margin;   /* rows of tiles beyond a part that windows reach */
    size_t bytes; /* that the tables of a batch may take, unless one slab needs more */
    int batches;
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

/* --- Parts ------------------------------------------------------------------------------------ */

/* Returns the rows of tiles beyond a part that windows reach. */
static inline int margin_of(const work *w)
{
    int reach = 0;

    for (int k = 0; k < w->job->count; k++)
        if (is_of_work(w, k) && satk_reach(&w->job->slabs[k]) > reach)
            reach = satk_reach(&w->job->slabs[k]);
    return (reach + SATK_LAYER_SIDE) / SATK_LAYER_SIDE;
}

/* Returns the rows of the ring for parts of so many rows of tiles. */
static int ring_rows(const work *w, int part)
{
    const uint64_t tiles = (uint64_t)part + 2 * (uint64_t)w->margin;

    return (int)smaller(tiles * SATK_LAYER_SIDE, (size_t)w->grid.rows);
}

/* Returns the most rows of tiles that a part of a batch may have: 0 if there is no memory for one, and all of them for
 * cells, which are few. */
static int part_of(const work *w, words kind, int count)
{
    const int down = tiling_of(w->grid).down;
    const size_t sums = slab_bytes(w->job, w->grid, 0, kind), each = w->bytes / (size_t)count;
    const size_t row = slab_bytes(w->job, w->grid, SATK_LAYER_SIDE, kind) - sums;

    if (slab_bytes(w->job, w->grid, w->grid.rows, kind) <= each)
        return down;
    if (w->grid.cell > 1 || sums >= each)
        return 0;
    const size_t tiles = (each - sums) / row, beyond = 2 * (size_t)w->margin;
    return tiles > beyond ? (int)smaller(tiles - beyond, (size_t)down) : 0;
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The next batch: slabs down to first in use, with words of one kind. */
struct plan {
    words kind;
    int count, slab[SATK_LAYER_BATCH];
    int part; /* rows of tiles that are laid at a time */
    int ring; /* rows of squares that its tables have */
};

/* Returns how many slabs below slab `below` have words of the same kind, *kind, one after the other. */
static int count_alike(const work *w, int below, words *kind)
{
    int count = 0;

    for (int k = below - 1; k >= 0; k--) {
        if (!is_of_work(w, k))
            continue;
        if (count > 0 && words_of(w, k) != *kind)
            break;
        *kind = words_of(w, k);
        count++;
    }
    return count;
}

/* Returns the most of `count` slabs that are worth a batch: whose parts are not too small. */
static int most_of(const work *w, words kind, int count)
{
    const int down = tiling_of(w->grid).down;
    const int least = down < SATK_LAYER_LEAST_PART ? down : SATK_LAYER_LEAST_PART;
    int most = count < SATK_LAYER_BATCH ? count : SATK_LAYER_BATCH;

    while (most > 1 && part_of(w, kind, most) < least)
        most--;
    return most;
}

static int divided(int number, int by)
{
    return (number + by - 1) / by;
}

/* Plans the batch below slab `below`. Batches of one kind are equal, and so are the parts of one. Returns its slabs; 0:
 * there is none. */
static int next_batch(const work *w, int below, plan *p)
{
    const int down = tiling_of(w->grid).down, alike = count_alike(w, below, &p->kind);

    p->count = 0;
    if (alike == 0)
        return 0;
    const int count = divided(alike, divided(alike, most_of(w, p->kind, alike)));
    for (int k = below - 1; p->count < count; k--)
        if (is_of_work(w, k))
            p->slab[p->count++] = k;
    const int most = part_of(w, p->kind, count), least = w->grid.cell > 1 ? down : 1;
    p->part = divided(down, divided(down, most > least ? most : least));
    p->ring = ring_rows(w, p->part);
    return p->count;
}

static inline size_t plan_bytes(const work *w, const plan *p)
{
    return (size_t)p->count * slab_bytes(w->job, w->grid, p->ring, p->kind);
}

/* Returns the bytes of the tables: at least those of every batch. It never falls as rows grow: as long as all slabs of a
 * kind do not fit at once, it is what batches may take. */
static inline size_t tables_bytes(const work *w)
{
    size_t whole = 0, most = w->bytes;
    words kind = WORDS_NARROW;
    plan p;

    for (int below = w->job->count; next_batch(w, below, &p); below = p.slab[p.count - 1]) {
        const int alike = count_alike(w, below, &kind);
        const size_t at_once = smaller((size_t)alike, SATK_LAYER_BATCH);
        whole = larger(whole, at_once * slab_bytes(w->job, w->grid, w->grid.rows, kind));
        most = larger(most, plan_bytes(w, &p));
    }
    return smaller(whole, most);
}

/* Returns the bytes of tables, squares and lights that pay, as far as the job allows. */
static inline size_t most_bytes(const satk_layer *job)
{
    const size_t pixels = (size_t)job->src.width * (size_t)job->src.height;
    const size_t pay = larger(SATK_LAYER_BYTES, pixels * SATK_LAYER_PIXEL_BYTES);

    return job->most ? smaller(job->most, pay) : pay;
}

/* Prepares the plans. Tables have what is left beside the squares, and beside the lights if there are several batches. */
static inline void prepare_plans(work *w)
{
    const size_t most = most_bytes(w->job);
    const size_t limit = most - smaller(most, satk_farther_bytes(&w->farther));
    plan p;

    w->margin = margin_of(w);
    w->bytes = limit;
    w->batches = 0;
    for (int below = w->job->count; next_batch(w, below, &p); below = p.slab[p.count - 1])
        w->batches++;
    if (w->batches > 1)
        w->bytes = limit - smaller(limit, lights_bytes(w->job, w->grid));
}

#endif
