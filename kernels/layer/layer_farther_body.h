/* What lies around a tile's pixels: the blocks that have some of each slab, and the least E over squares. For
 * layer_tile.c. */
#ifndef SATK_LAYER_FARTHER_BODY_H
#define SATK_LAYER_FARTHER_BODY_H

#include "layer/layer_samples_body.h"

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

/* --- Squares ---------------------------------------------------------------------------------- */

static inline uint8_t least_of(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* Finds E of the pixels of a row. Those beside the picture show nothing. */
static inline void find_shown(const tile_samples *t, int y, uint8_t *row)
{
    const uint16_t *const places = samples_at(t, t->left, y);

    for (size_t i = 0; i < t->columns; i++)
        row[i] = (uint8_t)satk_shown_from(places[i]);
}

/* Finds the least of four squares, `apart` columns to each side in the rows above and below. */
static inline void find_four(const uint8_t *above, const uint8_t *below, size_t apart, size_t count,
                             uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = least_of(least_of(above[i], above[i + 2 * apart]),
                          least_of(below[i], below[i + 2 * apart]));
}

/* Does the same with what lies between them: squares of one pixel leave gaps. */
static inline void find_nine(const uint8_t *above, const uint8_t *row, const uint8_t *below,
                             size_t count, uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t left = least_of(least_of(above[i], row[i]), below[i]);
        const uint8_t middle = least_of(least_of(above[i + 1], row[i + 1]), below[i + 1]);
        const uint8_t right = least_of(least_of(above[i + 2], row[i + 2]), below[i + 2]);
        out[i] = least_of(least_of(left, middle), right);
    }
}

/* Finds the squares of a size from those of the size before, of which four cover one from its corners. Around a tile they
 * are needed as far as larger squares read them. */
static void find_squares(const tile_farther *found, const tile_samples *t, satk_area tile, int size)
{
    const satk_farther *const f = &found->squares;
    const int across = tile.left - t->left - 1; /* columns beside the tile */
    const int half = satk_square_half(f, size), before = satk_square_half(f, size - 1);
    const int wide = satk_smaller(half, across), apart = wide - satk_smaller(before, across);
    const satk_area rows = both(grown(tile, f->farthest - half), t->seen);
    const size_t count = t->columns - 2 * (size_t)wide - 1;
    const uint8_t *const from = found->memory + (size_t)(size - 1) * f->plane + 1 + wide - apart;
    uint8_t *to = found->memory + (size_t)size * f->plane + 1 + wide;

    to += (size_t)(rows.top - f->top) * f->pitch;
    for (int y = rows.top; y < rows.bottom; y++, to += f->pitch) {
        const int first = satk_larger(y - (half - before), t->seen.top) - f->top;
        const int last = satk_smaller(y + (half - before), t->seen.bottom - 1) - f->top;
        const uint8_t *const above = from + (size_t)first * f->pitch;
        const uint8_t *const below = from + (size_t)last * f->pitch;
        if (size == 1)
            find_nine(above, from + (size_t)(y - f->top) * f->pitch, below, count, to);
        else
            find_four(above, below, (size_t)apart, count, to);
    }
}

/* Finds the squares up to a size, unless they are. */
static inline void need_squares(const tile_pass *p, int size)
{
    for (; p->farther->known <= size; p->farther->known++)
        find_squares(p->farther, &p->samples, p->tile, p->farther->known);
}

/* Begins with squares of one pixel. */
static tile_farther begin_squares(const satk_farther *sizes, const tile_samples *t, uint8_t *memory)
{
    tile_farther found = {.squares = *sizes, .known = 1, .memory = memory};
    satk_farther *const f = &found.squares;

    f->least = memory;
    f->left = t->left, f->top = t->seen.top;
    f->pitch = t->columns;
    f->plane = f->pitch * (size_t)(t->seen.bottom - t->seen.top);
    for (int y = f->top; y < t->seen.bottom; y++)
        find_shown(t, y, memory + (size_t)(y - f->top) * f->pitch);
    return found;
}

#endif
