/* Lays a tile square by square, by the definition. This serves weights, and windows that are too large for
 * layer_vector_body.h. For layer_tile.c. */
#ifndef SATK_LAYER_SQUARE_H
#define SATK_LAYER_SQUARE_H

#include "layer/layer_farther_body.h"

/* --- One slab --------------------------------------------------------------------------------- */

/* Sums the squares of an area of the grid. */
SATK_FN void build_table(const tile_pass *p, int slab, satk_area a, int channels, int bits,
                         int word)
{
    const satk_grid g = p->pass->grid;
    const int many = satk_layer_lanes(channels);
    const size_t row_words = (size_t)(a.right - a.left) * (size_t)many;
    uint32_t *row32 = p->words;
    uint64_t *row64 = p->words;

    for (int y = a.top; y < a.bottom; y++, row32 += row_words, row64 += row_words) {
        uint64_t sum[8] = {0};
        for (int x = a.left; x < a.right; x++) {
            const size_t at = (size_t)(x - a.left) * (size_t)many;
            uint64_t sample[8];
            satk_square_samples(p->job, &g, x, y, slab, channels, bits, sample);
            for (int l = 0; l < many; l++)
                sum[l] += sample[l];
            for (int l = 0; l < many; l++)
                if (word == 32)
                    row32[at + (size_t)l] =
                        (uint32_t)sum[l] + (y > a.top ? (row32 - row_words)[at + (size_t)l] : 0);
                else
                    row64[at + (size_t)l] =
                        sum[l] + (y > a.top ? (row64 - row_words)[at + (size_t)l] : 0);
        }
    }
}

/* The squares first <= x < last of a tile's row, which see a slab. row: their lights, from square 0
 * on. */
typedef struct seen_row {
    int slab;
    const satk_layer_table *table;
    const satk_farther *farther; /* NULL for cells */
    int y, first, last;
    satk_light *row;
} seen_row;

SATK_FN void lay_squares(const satk_layer *job, const seen_row *r, int channels, int word)
{
    const satk_grid grid =
        *r->table->grid; /* in registers: a light's store may change the others */
    satk_layer_table table = *r->table;
    satk_light *const row = r->row;
    const int y = r->y, last = r->last;

    table.grid = &grid;
    for (int x = r->first; x < last; x++) {
        if (r->farther)
            satk_look_farther(r->farther, r->slab, x, y, &row[x]);
        if (satk_is_open(&row[x]))
            satk_lay_square(job, &table, r->farther, r->slab, x, y, &row[x], channels, word);
    }
}

/* Returns all squares of a tile of pixels. */
static const satk_farther *squares_of(const tile_pass *p)
{
    need_squares(p, p->farther->squares.sizes - 1);
    return &p->farther->squares;
}

/* Returns the lights of a tile's row y, of the grid's column 0. */
static satk_light *light_row(const tile_pass *p, int y)
{
    const satk_area tile = p->tile;
    satk_light *const lights = p->lights;

    return lights + (ptrdiff_t)(y - tile.top) * (tile.right - tile.left) - tile.left;
}

SATK_FN void store_codes(const tile_pass *p, int channels, int bits)
{
    const satk_layer *const job = p->job;

    for (int y = p->tile.top; y < p->tile.bottom; y++) {
        uint8_t *const dst = (uint8_t *)job->dst.data + y * job->dst.pitch;
        const satk_light *const row = light_row(p, y);
        for (int x = p->tile.left; x < p->tile.right; x++) {
            uint32_t codes[4];
            satk_light_codes(job, &row[x], row_of(&job->src, y), x, y, channels, bits, codes);
            satk_put_pixel(dst, x, channels, bits, codes);
        }
    }
}

/* --- Steps: one function per kind of picture and table, each with constant channels, bits and word --------------- */

typedef void table_step(const tile_pass *p, int slab, satk_area a);
typedef void squares_step(const satk_layer *job, const seen_row *r);
typedef void codes_step(const tile_pass *p);

#define TABLE_STEP(channels, bits, word)                                                           \
    static void table_##channels##_##bits##_##word(const tile_pass *p, int slab, satk_area a)      \
    {                                                                                              \
        build_table(p, slab, a, channels, bits, word);                                             \
    }
#define SQUARES_STEP(channels, word)                                                               \
    static void squares_##channels##_##word(const satk_layer *job, const seen_row *r)              \
    {                                                                                              \
        lay_squares(job, r, channels, word);                                                       \
    }
#define CODES_STEP(channels, bits)                                                                 \
    static void codes_##channels##_##bits(const tile_pass *p)                                      \
    {                                                                                              \
        store_codes(p, channels, bits);                                                            \
    }
#define STEPS(channels)                                                                            \
    TABLE_STEP(channels, 8, 32)                                                                    \
    TABLE_STEP(channels, 8, 64)                                                                    \
    TABLE_STEP(channels, 16, 32)                                                                   \
    TABLE_STEP(channels, 16, 64)                                                                   \
    SQUARES_STEP(channels, 32)                                                                     \
    SQUARES_STEP(channels, 64) CODES_STEP(channels, 8) CODES_STEP(channels, 16)
STEPS(1)
STEPS(2)
STEPS(3)
STEPS(4)

typedef struct square_steps {
    table_step *table[2][2]; /* by bits and word */
    squares_step *squares[2];
    codes_step *codes[2];
} square_steps;

#define NAMES(channels)                                                                            \
    {                                                                                              \
        {{table_##channels##_8_32, table_##channels##_8_64},                                       \
         {table_##channels##_16_32, table_##channels##_16_64}},                                    \
            {squares_##channels##_32, squares_##channels##_64},                                    \
        {                                                                                          \
            codes_##channels##_8, codes_##channels##_16                                            \
        }                                                                                          \
    }
static const square_steps square_steps_of[4] = {NAMES(1), NAMES(2), NAMES(3), NAMES(4)};
#undef NAMES

/* --- All of a tile ---------------------------------------------------------------------------- */

static void clear_squares(const tile_pass *p)
{
    const size_t width = (size_t)(p->tile.right - p->tile.left);
    const size_t squares = width * (size_t)(p->tile.bottom - p->tile.top);
    satk_light *const lights = p->lights;

    for (size_t i = 0; i < squares; i++)
        lights[i] = satk_no_light();
}

static void lay_slab_by_squares(const tile_pass *p, int k)
{
    const satk_layer *const job = p->job;
    const satk_grid *const g = &p->pass->grid;
    const square_steps *const steps = &square_steps_of[job->src.channels - 1];
    const int is_wide = job->word == 64, reach = satk_reach(&job->slabs[k]);
    const satk_area seen = both(grown(p->blocks[k].bounds, reach), p->tile);
    const satk_area read = both(grown(seen, reach), (satk_area){0, g->columns, 0, g->rows});
    const satk_layer_table table = {g, p->words, read.left, read.right, read.top};

    steps->table[job->src.bits == 16][is_wide](p, k, read);
    for (int y = seen.top; y < seen.bottom; y++)
        steps->squares[is_wide](job, &(seen_row){.slab = k,
                                                 .table = &table,
                                                 .farther = p->farther ? squares_of(p) : NULL,
                                                 .y = y,
                                                 .first = seen.left,
                                                 .last = seen.right,
                                                 .row = light_row(p, y)});
}

static void store_left_by_squares(const tile_pass *p, int mark)
{
    static const satk_farther none = {.sizes = 0};
    const satk_farther *const f = p->farther ? squares_of(p) : &none;

    for (int y = p->tile.top; y < p->tile.bottom; y++)
        for (int x = p->tile.left; x < p->tile.right; x++)
            satk_store_left(p->job, f, mark, x, y, light_row(p, y) + x);
}

static void lay_cells_by_squares(const tile_pass *p, const satk_cells *cells)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        for (int x = p->tile.left; x < p->tile.right; x++) {
            satk_light *const light = light_row(p, y) + x;
            if (p->farther)
                satk_look_farther(squares_of(p), cells->next, x, y, light);
            if (satk_is_open(light))
                satk_lay_cells(cells, x, y, light, p->job->src.channels);
        }
}

static void store_cells_by_squares(const tile_pass *p, const satk_cells *cells)
{
    for (int y = p->tile.top; y < p->tile.bottom; y++)
        for (int x = p->tile.left; x < p->tile.right; x++) {
            const satk_light *const light = light_row(p, y) + x;
            const size_t at = (size_t)y * (size_t)cells->columns + (size_t)x;
            for (int c = 0; c < p->job->src.channels; c++)
                satk_cell_plane(cells, c)[at] = satk_cell_colour(light->sum[c]);
            cells->seen[at] = satk_cell_seen(light->left);
            if (cells->earlier)
                cells->earlier[at] = satk_cell_earlier(light, cells->next);
        }
}

static void store_codes_by_squares(const tile_pass *p)
{
    square_steps_of[p->job->src.channels - 1].codes[p->job->src.bits == 16](p);
}

#endif
