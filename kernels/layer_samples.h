/* What is known of a tile before any of its slabs is blurred: the samples that are read from it, and where in them
 * each slab is. For layer_tile.c. */
#ifndef SATK_LAYER_SAMPLES_H
#define SATK_LAYER_SAMPLES_H

#include "layer_tile.h"

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

/* The position of what is beside the picture: in no slab, and behind none. */
enum { NOWHERE = SATK_MAX_SLABS * SATK_SLAB };

/* By row of the picture that windows of the tile reach: the positions, and the samples of each channel; of the
 * pixels of cells first all that are their cell's first in the row, then the second ones and so on. */
typedef struct tile_samples {
    satk_grid grid;
    satk_area seen; /* of the grid */
    int left;       /* column of the grid that a row begins with */
    size_t columns; /* of the grid */
    size_t width;   /* pixels of a row */
    int channels;
    uint16_t *rows;
    satk_span *spans; /* by row of the grid, columns / SATK_LAYER_SPAN in each */
} tile_samples;

/* The positions of the first pixels of row y of the picture, from a column of the grid on; the next pixels' are
 * `columns` behind them, the samples of channel c are c + 1 times `width` behind. */
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

/* Of squares whose positions are known, in these rows of pixels. */
SATK_FN satk_span find_span(const tile_samples *t, int column, int top, int bottom, int cell)
{
    satk_span span = {UINT16_MAX, 0};

    for (int y = top; y < bottom; y++)
        for (int i = 0; i < cell; i++) {
            const uint16_t *const p = samples_at(t, column, y) + (size_t)i * t->columns;
            for (int j = 0; j < SATK_LAYER_SPAN; j++) {
                span.least = p[j] < span.least ? p[j] : span.least;
                span.most = p[j] > span.most ? p[j] : span.most;
            }
        }
    return span;
}

/* What is beside the picture belongs to no slab, and counts as nothing whatever it is; but it is read. */
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

SATK_FN uint16_t sample_at(const satk_layer *job, const uint8_t *src, int x, int c, int channels)
{
    const int colours = satk_has_alpha(channels) ? channels - 1 : channels;
    const uint8_t code = src[(size_t)x * (size_t)channels + (size_t)c];

    return (uint16_t)(job->tone.decode && c < colours ? job->tone.decode[code] : code);
}

/* Plain loads and stores, a channel after the other: vectors of a pixel's few samples take three times as long. */
SATK_FN void find_row(const satk_layer *job, const tile_samples *t, int y, int channels)
{
    const uint8_t *const src = row_of(&job->src, y), *const map = row_of(&job->map, y);
    uint16_t *const row = samples_at(t, t->left, y), *to = samples_at(t, 0, y);

    for (size_t i = 0; i < t->width; i++)
        row[i] = NOWHERE;
    for (int x = t->seen.left; x < t->seen.right; x++)
        to[x] = (uint16_t)position_at(job, map, x);
    for (int x = t->left; x < t->left + (int)t->columns; x += SATK_LAYER_SPAN)
        *span_at(t, x, y) = find_span(t, x, y, y + 1, 1);
    for (int c = 0; c < channels; c++) {
        to += t->width;
        clear_beside(t, to + t->left);
        for (int x = t->seen.left; x < t->seen.right; x++)
            to[x] = sample_at(job, src, x, c, channels);
    }
}

/* --- Samples of cells ------------------------------------------------------------------------- */

static inline int at_most(int n, int most)
{
    return n < most ? n : most;
}

/* The positions of the pixels in row y of the picture. */
static inline void find_positions(const satk_layer *job, const tile_samples *t, int y)
{
    const uint8_t *const map = row_of(&job->map, y);
    const int last = at_most(t->seen.right * SATK_CELL, t->grid.width);
    uint16_t *const row = samples_at(t, t->left, y), *const to = samples_at(t, 0, y);

    for (size_t i = 0; i < t->width; i++)
        row[i] = NOWHERE;
    for (int x = t->seen.left * SATK_CELL; x < last; x++)
        to[(size_t)(x % SATK_CELL) * t->columns + (size_t)(x / SATK_CELL)] =
            (uint16_t)position_at(job, map, x);
}

/* The samples of a span of cells; 0 beside the picture. */
SATK_FN void find_colours(const satk_layer *job, const tile_samples *t, int column, int y,
                          int channels)
{
    const uint8_t *const src = row_of(&job->src, y);
    const int first = column * SATK_CELL, wide = SATK_LAYER_SPAN * SATK_CELL;
    uint16_t *to = samples_at(t, column, y);

    for (int c = 0; c < channels; c++) {
        to += t->width;
        for (int i = 0; i < wide; i++) {
            const int x = first + i, inside = x >= 0 && x < t->grid.width;
            to[(size_t)(i % SATK_CELL) * t->columns + (size_t)(i / SATK_CELL)] =
                inside ? sample_at(job, src, x, c, channels) : 0;
        }
    }
}

/* A row of cells. Samples are wanted only of spans with something of a coarse slab. */
SATK_FN void find_cells(const satk_layer *job, const satk_pass *pass, const tile_samples *t,
                        int row, int channels)
{
    const int top = row * SATK_CELL, bottom = at_most(top + SATK_CELL, t->grid.height);
    const int right = t->left + (int)t->columns;

    for (int y = top; y < bottom; y++)
        find_positions(job, t, y);
    for (int column = t->left; column < right; column += SATK_LAYER_SPAN) {
        const satk_span span = find_span(t, column, top, bottom, SATK_CELL);
        *span_at(t, column, row) = span;
        if (span.least < pass->groups.first * SATK_SLAB ||
            span.most > (pass->groups.last - 1) * SATK_SLAB)
            for (int y = top; y < bottom; y++)
                find_colours(job, t, column, y, channels);
    }
}

/* --- Samples of a tile ------------------------------------------------------------------------ */

/* channels: 0 where positions are all that is wanted. */
SATK_FN tile_samples find_samples(const satk_layer *job, const satk_pass *pass, satk_area tile,
                                  int channels, uint16_t *rows, satk_span *spans)
{
    const satk_grid *const g = &pass->grid;
    const satk_area picture = {0, g->columns, 0, g->rows};
    const int reach = farthest_reach(job, pass) > 0 ? farthest_reach(job, pass) : 0;
    const int across = reach < g->columns ? reach : g->columns;
    const size_t columns = satk_layer_columns(job, pass);
    const tile_samples t = {.grid = *g,
                            .seen = both(grown(tile, reach), picture),
                            .left = tile.left - across - 1,
                            .columns = columns,
                            .width = columns * (size_t)g->cell,
                            .channels = channels,
                            .rows = rows,
                            .spans = spans};

    for (int row = t.seen.top; row < t.seen.bottom; row++)
        if (g->cell == 1)
            find_row(job, &t, row, channels);
        else
            find_cells(job, pass, &t, row, channels);
    return t;
}

/* --- Where a slab is -------------------------------------------------------------------------- */

enum { BLOCK_ROWS = 8 }; /* of squares whose slabs are found together, a span of each */

static void include(satk_area *a, satk_area more)
{
    *a = (satk_area){
        a->left < more.left ? a->left : more.left, a->right > more.right ? a->right : more.right,
        a->top < more.top ? a->top : more.top, a->bottom > more.bottom ? a->bottom : more.bottom};
}

/* The slabs that a position lies between, or at. */
static inline void mark_position(uint16_t position, uint8_t *marks)
{
    marks[position / SATK_SLAB] = 1;
    marks[(position + SATK_SLAB - 1) / SATK_SLAB] = 1;
}

static inline int are_between_same(satk_span span)
{
    return span.least / SATK_SLAB == span.most / SATK_SLAB &&
           (span.least + SATK_SLAB - 1) / SATK_SLAB == (span.most + SATK_SLAB - 1) / SATK_SLAB;
}

/* Marks the slabs of a span of squares: where they differ, by pixel, without a branch. */
static void mark_span(const tile_samples *t, int column, int row, uint8_t *marks)
{
    const int cell = t->grid.cell, bottom = at_most((row + 1) * cell, t->grid.height);
    const satk_span span = *span_at(t, column, row);

    if (are_between_same(span)) {
        mark_position(span.least, marks);
        return;
    }
    for (int y = row * cell; y < bottom; y++)
        for (int i = 0; i < cell; i++) {
            const uint16_t *const position = samples_at(t, column, y) + (size_t)i * t->columns;
            for (int x = 0; x < SATK_LAYER_SPAN; x++)
                mark_position(position[x], marks);
        }
}

/* The bounds of each slab's squares within what is seen, in whole blocks. */
static void find_slabs(int count, const tile_samples *t, satk_area *bounds)
{
    const satk_area seen = t->seen;

    for (int k = 0; k < count; k++)
        bounds[k] = (satk_area){t->grid.columns, 0, t->grid.rows, 0};
    for (int top = seen.top; top < seen.bottom; top += BLOCK_ROWS)
        for (int x = t->left; x < seen.right; x += SATK_LAYER_SPAN) {
            const satk_area block =
                both((satk_area){x, x + SATK_LAYER_SPAN, top, top + BLOCK_ROWS}, seen);
            uint8_t marks[SATK_MAX_SLABS + 1] = {0}; /* beside the picture there is one more */
            for (int y = block.top; y < block.bottom; y++)
                mark_span(t, x, y, marks);
            for (int k = 0; k < count; k++)
                if (marks[k])
                    include(&bounds[k], block);
        }
}

/* 1: some of a slab's pixels are seen from the tile. */
static int is_seen(const satk_layer *job, int k, satk_area bounds, satk_area tile)
{
    return !is_empty(bounds) && !is_empty(both(grown(bounds, satk_reach(&job->slabs[k])), tile));
}

#endif
