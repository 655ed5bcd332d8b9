/* The least E over squares around a tile's pixels. For layer_tile.c. */
#ifndef SATK_LAYER_FARTHER_BODY_H
#define SATK_LAYER_FARTHER_BODY_H

#include "layer/layer_samples_body.h"

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
