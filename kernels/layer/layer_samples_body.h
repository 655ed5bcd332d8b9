/* The samples of a tile, and the places of each slab in them, which are found before any slab is blurred. For
 * layer_tile.c. */
#ifndef SATK_LAYER_SAMPLES_H
#define SATK_LAYER_SAMPLES_H

#include "layer/layer_pass.h"

#include <string.h>

static inline int is_empty(satk_area a)
{
    return a.left >= a.right || a.top >= a.bottom;
}

static inline satk_area both(satk_area a, satk_area b)
{
    return (satk_area){a.left > b.left ? a.left : b.left, a.right < b.right ? a.right : b.right,
                       a.top > b.top ? a.top : b.top, a.bottom < b.bottom ? a.bottom : b.bottom};
}

static inline satk_area grown(satk_area a, int by)
{
    return (satk_area){a.left - by, a.right + by, a.top - by, a.bottom + by};
}

static inline const uint8_t *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* The position of pixels beside the picture: in no slab, and behind none. */
enum { NOWHERE = SATK_MAX_SLABS * SATK_SLAB };

/* The rows of pixels that windows of the tile reach: their places, and the samples of each
 * channel. A row of cells has `cell` rows of pixels, of which the last may be unused. A row of
 * their pixels begins with the first pixel of each cell, then has the second ones, and so on. */
typedef struct tile_samples {
    satk_grid grid;
    satk_area seen; /* squares of the grid */
    int left;       /* the grid's column that a row begins with */
    size_t columns; /* of the grid */
    size_t width;   /* pixels of a row */
    int channels;
    uint16_t *rows;
    satk_span *spans; /* by row of the grid, columns / SATK_LAYER_SPAN in each */
    satk_span
        idle; /* positions between these are in no slab of the pass, and their samples are unknown */
} tile_samples;

/* Returns the places of the first pixels of row y, from a column of the grid on. The next
 * pixels' places are `columns` behind them; the samples of channel c are c + 1 times `width`
 * behind. */
static inline uint16_t *samples_at(const tile_samples *t, int column, int y)
{
    const size_t row = t->width * (size_t)(t->channels + 1);

    return t->rows + row * (size_t)(y - t->seen.top * t->grid.cell) + (column - t->left);
}

static inline satk_span *span_at(const tile_samples *t, int column, int row)
{
    const size_t each = t->columns / SATK_LAYER_SPAN;

    return t->spans + each * (size_t)(row - t->seen.top) +
           (size_t)(column - t->left) / SATK_LAYER_SPAN;
}

static inline int is_idle(const tile_samples *t, satk_span span)
{
    return span.least >= t->idle.least && span.most <= t->idle.most;
}

SATK_FN satk_span span_of(const uint16_t *positions, int count)
{
    satk_span span = {UINT16_MAX, 0};

    for (int i = 0; i < count; i++) {
        span.least = positions[i] < span.least ? positions[i] : span.least;
        span.most = positions[i] > span.most ? positions[i] : span.most;
    }
    return span;
}

/* Clears the samples beside the picture. They belong to no slab and count as nothing, but they are read. */
static inline void clear_beside(const tile_samples *t, uint16_t *row)
{
    const size_t first = (size_t)(t->seen.left - t->left), last = (size_t)(t->seen.right - t->left);

    memset(row, 0, first * sizeof *row);
    memset(row + last, 0, (t->width - last) * sizeof *row);
}

static inline int position_at(const satk_layer *job, const uint8_t *map, int x)
{
    return job->position[satk_code(map, (size_t)x * (size_t)job->map.channels, job->map.bits)];
}

/* Adds what the coverage of pixel x of a row lacks to its position. */
static inline uint16_t covered_place(uint16_t position, const uint8_t *cover, int x)
{
    return (uint16_t)(position | satk_lack_of(cover[x]) << SATK_POSITION_BITS);
}

static inline uint16_t sample_at(const satk_layer *job, const uint8_t *src, int x, int c,
                                 int channels)
{
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    const uint8_t code = src[(size_t)x * (size_t)channels + (size_t)c];

    return (uint16_t)(job->tone.decode && c < colours ? job->tone.decode[code] : code);
}

/* Finds a row of pixels, a channel after the other: vectors of a pixel's few samples are slower. */
static void find_row(const satk_layer *job, const tile_samples *t, int y, int channels)
{
    const uint8_t *const src = row_of(&job->src, y), *const map = row_of(&job->map, y);
    uint16_t *const row = samples_at(t, t->left, y), *to = samples_at(t, 0, y);

    for (size_t i = 0; i < t->width; i++)
        row[i] = NOWHERE;
#pragma GCC unroll 8
    for (int x = t->seen.left; x < t->seen.right; x++)
        to[x] = (uint16_t)position_at(job, map, x);
    for (int x = t->left; x < t->left + (int)t->columns; x += SATK_LAYER_SPAN)
        *span_at(t, x, y) = span_of(samples_at(t, x, y), SATK_LAYER_SPAN);
    for (int x = t->seen.left; x < t->seen.right && job->cover.data; x++)
        to[x] = covered_place(to[x], row_of(&job->cover, y), x);
    for (int c = 0; c < channels; c++) {
        to += t->width;
        clear_beside(t, to + t->left);
#pragma GCC unroll 8
        for (int x = t->seen.left; x < t->seen.right; x++)
            to[x] = sample_at(job, src, x, c, channels);
    }
}

/* --- Samples of cells ------------------------------------------------------------------------- */

enum { SPAN_PIXELS = SATK_LAYER_SPAN * SATK_CELL }; /* of a row, in a span of cells */

/* Pixels of a span's row that follow each other in the picture, too: pixel i, lo <= i < hi, is pixel first + i there. */
typedef struct pixel_run {
    int first, lo, hi;
} pixel_run;

/* Returns a run of a span's pixels. behind: 0: the pixels up to the one that the middle cell lacks;
 * 1: those behind it. */
static inline pixel_run run_of(const satk_grid *g, int column, int behind)
{
    const int first = column * SATK_CELL - g->across.first - behind;
    const int lacking = (g->across.middle + 1 - column) * SATK_CELL - 1;
    const int lo = behind ? lacking + 1 : 0, hi = behind ? SPAN_PIXELS : lacking;
    const satk_range inside = {lo > 0 ? lo : 0, satk_smaller(hi, SPAN_PIXELS)};

    return (pixel_run){first, inside.lo > -first ? inside.lo : -first,
                       satk_smaller(inside.hi, g->width - first)};
}

static void find_positions(const satk_layer *job, const pixel_run *runs, int y, uint16_t *pixels)
{
    const uint8_t *const map = row_of(&job->map, y);

    for (int i = 0; i < SPAN_PIXELS; i++)
        pixels[i] = NOWHERE;
    for (int k = 0; k < 2; k++)
#pragma GCC unroll 8
        for (int i = runs[k].lo; i < runs[k].hi; i++)
            pixels[i] = (uint16_t)position_at(job, map, runs[k].first + i);
}

static void find_lacks(const satk_layer *job, const pixel_run *runs, int y, uint16_t *pixels)
{
    const uint8_t *const cover = row_of(&job->cover, y);

    for (int k = 0; k < 2; k++)
        for (int i = runs[k].lo; i < runs[k].hi; i++)
            pixels[i] = covered_place(pixels[i], cover, runs[k].first + i);
}

static void find_colours(const satk_layer *job, const pixel_run *runs, int y, int c, int channels,
                         uint16_t *pixels)
{
    const uint8_t *const src = row_of(&job->src, y);

    memset(pixels, 0, SPAN_PIXELS * sizeof *pixels);
    for (int k = 0; k < 2; k++)
#pragma GCC unroll 8
        for (int i = runs[k].lo; i < runs[k].hi; i++)
            pixels[i] = sample_at(job, src, runs[k].first + i, c, channels);
}

SATK_FN void put_pixels(const tile_samples *t, const uint16_t *pixels, uint16_t *to)
{
    for (int i = 0; i < SATK_CELL; i++)
        for (int j = 0; j < SATK_LAYER_SPAN; j++)
            to[(size_t)i * t->columns + (size_t)j] = pixels[j * SATK_CELL + i];
}

/* Finds a span of cells and returns its positions' range. Samples are found only where a slab of the pass is. */
static satk_span find_cells(const satk_layer *job, const tile_samples *t, int column, int row,
                            int channels)
{
    const pixel_run runs[2] = {run_of(&t->grid, column, 0), run_of(&t->grid, column, 1)};
    const int top = satk_row_begin(&t->grid, row), rows = satk_row_begin(&t->grid, row + 1) - top;
    uint16_t positions[SATK_CELL * SPAN_PIXELS], samples[SPAN_PIXELS];

    for (int y = 0; y < rows; y++)
        find_positions(job, runs, top + y, positions + y * SPAN_PIXELS);
    const satk_span span = span_of(positions, rows * SPAN_PIXELS);
    for (int y = 0; y < rows && !is_idle(t, span); y++) {
        uint16_t *const to = samples_at(t, column, row * SATK_CELL + y);
        if (job->cover.data)
            find_lacks(job, runs, top + y, positions + y * SPAN_PIXELS);
        put_pixels(t, positions + y * SPAN_PIXELS, to);
        for (int c = 0; c < channels; c++) {
            find_colours(job, runs, top + y, c, channels, samples);
            put_pixels(t, samples, to + (size_t)(c + 1) * t->width);
        }
    }
    return span;
}

static void find_row_of_cells(const satk_layer *job, const tile_samples *t, int row, int channels)
{
    for (int column = t->left; column < t->left + (int)t->columns; column += SATK_LAYER_SPAN)
        *span_at(t, column, row) = find_cells(job, t, column, row, channels);
}

/* --- Samples of a tile ------------------------------------------------------------------------ */

/* Returns the positions between the coarse slabs, which lie on both sides of the others. */
static inline satk_span idle_positions(const satk_pass *pass)
{
    const satk_span none = {UINT16_MAX, 0};
    const satk_groups g = pass->groups;

    if (pass->grid.cell == 1 || g.first >= g.last)
        return none;
    return (satk_span){(uint16_t)(g.first * SATK_SLAB), (uint16_t)((g.last - 1) * SATK_SLAB)};
}

/* Moves the rows of an earlier tile with the same columns to where this tile's rows begin. Returns
 * the first row that is missing. */
static inline int keep_rows(const tile_samples *t, const satk_held *held)
{
    const size_t row = t->width * (size_t)(t->channels + 1) * (size_t)t->grid.cell;
    const size_t spans = t->columns / SATK_LAYER_SPAN;
    const int top = t->seen.top, bottom = satk_smaller(held->bottom, t->seen.bottom);

    if (held->left != t->left || held->top > top || bottom <= top)
        return top;
    const size_t above = (size_t)(top - held->top), kept = (size_t)(bottom - top);
    memmove(t->rows, t->rows + above * row, kept * row * sizeof *t->rows);
    memmove(t->spans, t->spans + above * spans, kept * spans * sizeof *t->spans);
    return bottom;
}

/* Finds the samples that a tile's windows read. channels: 0 if only the places are wanted. */
static tile_samples find_samples(const satk_layer *job, const satk_pass *pass, satk_area tile,
                                 int channels, uint16_t *rows, satk_span *spans, satk_held *held)
{
    const satk_grid *const g = &pass->grid;
    const satk_area picture = {0, g->columns, 0, g->rows};
    const int reach = farthest_reach(job, pass);
    const int across = reach < g->columns ? reach : g->columns;
    const size_t columns = satk_layer_columns(job, pass);
    const tile_samples t = {.grid = *g,
                            .seen = both(grown(tile, reach), picture),
                            .left = tile.left - across - 1,
                            .columns = columns,
                            .width = columns * (size_t)g->cell,
                            .channels = channels,
                            .rows = rows,
                            .spans = spans,
                            .idle = idle_positions(pass)};

    for (int row = keep_rows(&t, held); row < t.seen.bottom; row++)
        if (g->cell == 1)
            find_row(job, &t, row, channels);
        else
            find_row_of_cells(job, &t, row, channels);
    *held = (satk_held){t.left, t.seen.top, t.seen.bottom};
    return t;
}

/* --- Where a slab is -------------------------------------------------------------------------- */

static void include(satk_area *a, satk_area more)
{
    *a = (satk_area){
        a->left < more.left ? a->left : more.left, a->right > more.right ? a->right : more.right,
        a->top < more.top ? a->top : more.top, a->bottom > more.bottom ? a->bottom : more.bottom};
}

/* Marks the slabs that a place lies between, or at. */
static inline void mark_place(uint16_t place, uint8_t *marks)
{
    const int position = satk_place_position(place);

    marks[position / SATK_SLAB] = 1;
    marks[(position + SATK_SLAB - 1) / SATK_SLAB] = 1;
}

static inline int are_between_same(satk_span span)
{
    return span.least / SATK_SLAB == span.most / SATK_SLAB &&
           (span.least + SATK_SLAB - 1) / SATK_SLAB == (span.most + SATK_SLAB - 1) / SATK_SLAB;
}

/* Marks the slabs of a span of squares. Where they differ, each pixel marks its own, without a branch. */
static void mark_span(const tile_samples *t, int column, int row, uint8_t *marks)
{
    const int cell = t->grid.cell, top = row * cell;
    const int bottom = top + (int)satk_rows_span(&t->grid, (satk_range){row, row + 1});
    const satk_span span = *span_at(t, column, row);

    if (is_idle(t, span) ||
        are_between_same(span)) { /* idle pixels only hide the slabs behind them */
        mark_place(span.least, marks);
        return;
    }
    for (int y = top; y < bottom; y++)
        for (int i = 0; i < cell; i++) {
            const uint16_t *const place = samples_at(t, column, y) + (size_t)i * t->columns;
            for (int x = 0; x < SATK_LAYER_SPAN; x++)
                mark_place(place[x], marks);
        }
}

static inline int block_row(const tile_samples *t, int y)
{
    return satk_smaller((y - t->seen.top) / SATK_BLOCK_ROWS, SATK_BLOCKS - 1);
}

static inline int block_column(const tile_samples *t, int x)
{
    return x > t->left ? satk_smaller((x - t->left) / SATK_LAYER_SPAN, SATK_BLOCKS - 1) : 0;
}

/* Returns the union of the rows of blocks within reach of the SATK_BLOCK_ROWS rows from y on. */
static inline uint64_t blocks_around(const tile_samples *t, const uint64_t *rows, int y, int reach)
{
    const satk_area seen = t->seen;
    const int top = y - reach > seen.top ? y - reach : seen.top;
    const int last = block_row(t, satk_smaller(y + SATK_BLOCK_ROWS - 1 + reach, seen.bottom - 1));
    uint64_t row = 0;

    for (int i = block_row(t, top); i <= last; i++)
        row |= rows[i];
    return row;
}

/* Returns 1 if a row of blocks has some in the columns first <= x <= last. */
static inline int has_blocks(const tile_samples *t, uint64_t row, int first, int last)
{
    const uint64_t beyond = (uint64_t)2 << block_column(t, last);

    return (row & (beyond - 1)) >> block_column(t, first) != 0;
}

static void find_slabs(int count, const tile_samples *t, satk_slab_blocks *blocks)
{
    const satk_area seen = t->seen;

    for (int k = 0; k < count; k++) {
        blocks[k].bounds = (satk_area){t->grid.columns, 0, t->grid.rows, 0};
        memset(blocks[k].own, 0, sizeof blocks[k].own);
    }
    for (int top = seen.top; top < seen.bottom; top += SATK_BLOCK_ROWS)
        for (int x = t->left; x < seen.right; x += SATK_LAYER_SPAN) {
            const satk_area block =
                both((satk_area){x, x + SATK_LAYER_SPAN, top, top + SATK_BLOCK_ROWS}, seen);
            uint8_t marks[SATK_MAX_SLABS + 1] = {0}; /* one more for NOWHERE */
            for (int y = block.top; y < block.bottom; y++)
                mark_span(t, x, y, marks);
            for (int k = 0; k < count; k++)
                if (marks[k]) {
                    include(&blocks[k].bounds, block);
                    blocks[k].own[block_row(t, top)] |= (uint64_t)1 << block_column(t, x);
                }
        }
    for (int k = count - 1; k >= 0; k--)
        for (int i = 0; i < SATK_BLOCKS; i++)
            blocks[k].front[i] = blocks[k].own[i] | (k + 1 < count ? blocks[k + 1].front[i] : 0);
}

/* Returns 1 if the tile's windows reach some of a slab's pixels. */
static int is_seen(const satk_layer *job, int k, const satk_slab_blocks *slab, satk_area tile)
{
    const satk_area bounds = slab->bounds;

    return !is_empty(bounds) && !is_empty(both(grown(bounds, satk_reach(&job->slabs[k])), tile));
}

/* --- A tile ----------------------------------------------------------------------------------- */

/* The least E over squares around a tile's pixels, of sizes below `known`: most tiles need few. */
typedef struct tile_farther {
    satk_farther squares;
    int known;
    uint8_t *memory;
} tile_farther;

/* A tile of a pass, its samples and slabs, and its memory. */
typedef struct tile_pass {
    const satk_layer *job;
    const satk_pass *pass;
    satk_area tile;
    tile_samples samples;
    tile_farther *farther;          /* NULL for cells, and if all slabs are cells' */
    const satk_slab_blocks *blocks; /* of each slab */
    void *lights;                   /* of the tile's squares */
    void *words;                    /* of a slab's table */
} tile_pass;

#endif
