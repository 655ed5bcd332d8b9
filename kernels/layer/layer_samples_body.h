/* The samples of a tile, which are found before any slab is blurred. For layer_tile.c. */
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

/* The rows of pixels that windows of the tile reach: their places, and each channel's samples; of codes of 16 bits a plane of
 * the lower halves, then one of the upper ones. A row of cells has `cell` rows of pixels, of which the last may be unused. A
 * row of their pixels begins with the first pixel of each cell, then has the second ones, and so on. */
typedef struct tile_samples {
    satk_grid grid;
    satk_area seen; /* squares of the grid */
    int left;       /* the grid's column that a row begins with */
    size_t columns; /* of the grid */
    size_t width;   /* pixels of a row */
    size_t pitch;   /* of a row, with its planes */
    uint16_t *rows;
    satk_span *spans; /* by row of the grid, columns / SATK_LAYER_SPAN in each */
    satk_span
        idle; /* positions between these are in no slab of the pass, and their samples are unknown */
} tile_samples;

/* Returns the places of the first pixels of row y, from a column of the grid on. The next
 * pixels' places are `columns` behind them; the samples of plane i are i + 1 times `width`
 * behind. */
static inline uint16_t *samples_at(const tile_samples *t, int column, int y)
{
    return t->rows + t->pitch * (size_t)(y - t->seen.top * t->grid.cell) + (column - t->left);
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

/* A channel of the picture. */
typedef struct channel {
    const uint32_t *decode; /* NULL: the samples are the codes */
    size_t first, step;
    int bits;
} channel;

static inline channel channel_of(const satk_layer *job, int c)
{
    const int channels = job->src.channels;
    const int is_alpha = satk_has_alpha(channels) && c == channels - 1 && !job->tone.half;

    return (channel){is_alpha ? NULL : job->tone.decode, (size_t)c, (size_t)channels,
                     job->src.bits};
}

SATK_FN uint32_t sample_at(const channel *c, const uint8_t *src, int x, int bits)
{
    const uint32_t code = satk_code(src, (size_t)x * c->step + c->first, bits);

    return c->decode ? c->decode[code] : code;
}

/* Pixels that follow each other: pixel i, lo <= i < hi, of a span is pixel first + i of the picture. */
typedef struct pixel_run {
    int first, lo, hi;
} pixel_run;

/* Finds the samples of a run. The upper halves are `apart` behind the lower ones. */
static inline void find_run(const channel *of, const uint8_t *src, pixel_run run, uint16_t *to,
                            size_t apart)
{
    const channel c = *of; /* a sample's store may change the other */

    if (c.bits == 8) {
#pragma GCC unroll 8
        for (int i = run.lo; i < run.hi; i++)
            to[i] = (uint16_t)sample_at(&c, src, run.first + i, 8);
        return;
    }
#pragma GCC unroll 8
    for (int i = run.lo; i < run.hi; i++) {
        const uint32_t sample = sample_at(&c, src, run.first + i, 16);
        to[i] = (uint16_t)sample;
        (to + apart)[i] = (uint16_t)(sample >> 16);
    }
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
        const channel from = channel_of(job, c);
        uint16_t *const first = to + t->width;
        for (int i = 0; i < sample_planes(from.bits); i++)
            clear_beside(t, (to += t->width) + t->left);
        find_run(&from, src, (pixel_run){0, t->seen.left, t->seen.right}, first, t->width);
    }
}

/* --- Samples of cells ------------------------------------------------------------------------- */

enum { SPAN_PIXELS = SATK_LAYER_SPAN * SATK_CELL }; /* of a row, in a span of cells */

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

SATK_FN void put_pixels(const tile_samples *t, const uint16_t *pixels, uint16_t *to)
{
    for (int i = 0; i < SATK_CELL; i++)
        for (int j = 0; j < SATK_LAYER_SPAN; j++)
            to[(size_t)i * t->columns + (size_t)j] = pixels[j * SATK_CELL + i];
}

/* Finds the samples of a channel of a span's row. */
static void put_channel(const satk_layer *job, const tile_samples *t, int c, const pixel_run *runs,
                        int y, uint16_t *to)
{
    const channel from = channel_of(job, c);
    const int planes = sample_planes(from.bits);
    uint16_t samples[2 * SPAN_PIXELS] = {0};

    for (int k = 0; k < 2; k++)
        find_run(&from, row_of(&job->src, y), runs[k], samples, SPAN_PIXELS);
    for (int i = 0; i < planes; i++)
        put_pixels(t, samples + i * SPAN_PIXELS, to + (size_t)(c * planes + i + 1) * t->width);
}

/* Finds a span of cells and returns its positions' range. Samples are found only where a slab of the pass is. */
static satk_span find_cells(const satk_layer *job, const tile_samples *t, int column, int row,
                            int channels)
{
    const pixel_run runs[2] = {run_of(&t->grid, column, 0), run_of(&t->grid, column, 1)};
    const int top = satk_row_begin(&t->grid, row), rows = satk_row_begin(&t->grid, row + 1) - top;
    uint16_t positions[SATK_CELL * SPAN_PIXELS];

    for (int y = 0; y < rows; y++)
        find_positions(job, runs, top + y, positions + y * SPAN_PIXELS);
    const satk_span span = span_of(positions, rows * SPAN_PIXELS);
    for (int y = 0; y < rows && !is_idle(t, span); y++) {
        uint16_t *const to = samples_at(t, column, row * SATK_CELL + y);
        if (job->cover.data)
            find_lacks(job, runs, top + y, positions + y * SPAN_PIXELS);
        put_pixels(t, positions + y * SPAN_PIXELS, to);
        for (int c = 0; c < channels; c++)
            put_channel(job, t, c, runs, top + y, to);
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
    const size_t row = t->pitch * (size_t)t->grid.cell;
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
                            .pitch = columns * (size_t)g->cell *
                                     (size_t)(channels * sample_planes(job->src.bits) + 1),
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
