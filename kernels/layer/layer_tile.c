/* Slab by slab: a table of the part of the picture that the tile's windows reach, then the tile's
 * squares, in vectors or one by one. */
#include "layer/layer_tile.h"

#include "layer/layer_square_body.h"
#include "layer/layer_vector_body.h"

/* The steps of a tile. */
typedef struct tile_steps {
    void (*clear)(const tile_pass *p); /* no light */
    void (*lay_slab)(const tile_pass *p, int k);
    void (*store_left)(const tile_pass *p, int mark);
    void (*lay_cells)(const tile_pass *p, const satk_cells *cells); /* of a group of coarse slabs */
    void (*store_cells)(const tile_pass *p, const satk_cells *cells);
    void (*store_codes)(const tile_pass *p);
} tile_steps;

static const tile_steps by_squares = {
    .clear = clear_squares,
    .lay_slab = lay_slab_by_squares,
    .store_left = store_left_by_squares,
    .lay_cells = lay_cells_by_squares,
    .store_cells = store_cells_by_squares,
    .store_codes = store_codes_by_squares,
};

static const tile_steps in_vectors = {
    .clear = clear_in_vectors,
    .lay_slab = lay_slab_in_vectors,
    .store_left = store_left_in_vectors,
    .lay_cells = lay_cells_in_vectors,
    .store_cells = store_cells_in_vectors,
    .store_codes = store_codes_in_vectors,
};

/* Lays the slabs first <= k < last. */
static void lay_slabs(const tile_pass *p, const tile_steps *steps, int first, int last)
{
    for (int k = last - 1; k >= first; k--)
        if (is_seen(p->job, k, &p->blocks[k], p->tile))
            steps->lay_slab(p, k);
}

/* Lays the slabs first <= k < last of pixels, and stores what is left at marks. */
static void lay_pixels(const tile_pass *p, const tile_steps *steps, int first, int last)
{
    const satk_layer *const job = p->job;
    const int marks = job->marks;
    int end = last;

    for (int i = 0; i < marks; i++) {
        lay_slabs(p, steps, job->mark[i] + 1, end);
        steps->store_left(p, i);
        end = job->mark[i] + 1;
    }
    lay_slabs(p, steps, first, end);
}

/* Lays the coarse slabs first <= k < last into `cells`. */
static void lay_group(const tile_pass *p, const tile_steps *steps, int first, int last,
                      const satk_cells *cells)
{
    if (!cells->colours)
        return;
    steps->clear(p);
    lay_slabs(p, steps, first, last);
    steps->store_cells(p, cells);
}

static void blur_tile(const tile_pass *p, const tile_steps *steps)
{
    const satk_pass *const pass = p->pass;
    const satk_groups g = pass->groups;

    if (pass->grid.cell > 1) {
        lay_group(p, steps, g.last, p->job->count, &pass->before);
        lay_group(p, steps, 0, g.first, &pass->behind);
        return;
    }
    steps->clear(p);
    if (pass->before.colours)
        steps->lay_cells(p, &pass->before);
    lay_pixels(p, steps, g.first, g.last);
    if (pass->behind.colours)
        steps->lay_cells(p, &pass->behind);
    steps->store_codes(p);
}

void SATK_LEVELED(satk_layer_tile)(const satk_layer *job, const satk_pass *pass, satk_area tile,
                                   void *scratch, const satk_layer_sizes *sizes, satk_held *held)
{
    const int is_vector = is_vector_job(job, pass);
    uint8_t *const samples = (uint8_t *)scratch + sizes->lights;
    uint8_t *const spans = samples + sizes->samples, *const farther = spans + sizes->spans;
    uint8_t *const blocks = farther + sizes->farther;
    satk_slab_blocks *const slabs = (satk_slab_blocks *)(void *)blocks;
    tile_farther squares;
    tile_pass p = {.job = job,
                   .pass = pass,
                   .tile = tile,
                   .samples = find_samples(job, pass, tile, is_vector ? job->src.channels : 0,
                                           (void *)samples, (void *)spans, held),
                   .blocks = slabs,
                   .lights = scratch,
                   .words = blocks + sizes->blocks};

    if (pass->grid.cell == 1 && pass->farther.sizes > 0) {
        squares = begin_squares(&pass->farther, &p.samples, farther);
        p.farther = &squares;
    }
    find_slabs(job->count, &p.samples, slabs);
    blur_tile(&p, is_vector ? &in_vectors : &by_squares);
}
