/* The rows of a slab's table that a row of the picture reads, in vectors, each channel on its own. For
 * layer_vector.h. */
#ifndef SATK_LAYER_RING_H
#define SATK_LAYER_RING_H

#include "lanes.h"
#include "layer_samples.h"

/* Functions that return vectors are inlined: no caller of other instructions sees them. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint32_t half_lanes __attribute__((vector_size(2 * LANES)));

/* Prefixes of the samples, of m and of b: a row of words of each. */
typedef struct ring {
    uint8_t
        *words; /* a row of zeros, and `count` others, in which each row has its place in turn */
    size_t plane, pitch; /* bytes of a row of words, and of all */
    int left;            /* their first column */
    int top, bottom;     /* the rows of the grid that are summed: zeros above */
    int count;
} ring;

static inline uint8_t *ring_row(const ring *r, int y)
{
    const int last = y < r->bottom ? y : r->bottom - 1;

    return y < r->top ? r->words : r->words + (size_t)(1 + (last - r->top) % r->count) * r->pitch;
}

/* What a row sums so far, in every lane. */
typedef struct carried {
    lanes narrow;
    wide_lanes wide;
} carried;

/* row[] = above[] + the scan of v, whose sums have less than 32 bits, on top of what is carried. */
SATK_FN void put_sums(const scanner *scan, lanes v, carried *carry, const uint8_t *above,
                      uint8_t *row, int word)
{
    lanes total = {0};
    half_lanes halves[2];

    if (word == 32) {
        v = scan_lanes(scan, v, &carry->narrow, 1) +
            lanes_at((const uint32_t *)(const void *)above);
        memcpy(row, &v, sizeof v);
        return;
    }
    v = scan_lanes(scan, v, &total, 1);
    memcpy(halves, &v, sizeof v);
    for (size_t i = 0; i < 2; i++) {
        wide_lanes sums;
        memcpy(&sums, above + i * sizeof sums, sizeof sums);
        sums += __builtin_convertvector(halves[i], wide_lanes) + carry->wide;
        memcpy(row + i * sizeof sums, &sums, sizeof sums);
    }
    memcpy(halves, &total, sizeof total);
    carry->wide += __builtin_convertvector(halves[0], wide_lanes);
}

/* n where it is positive, otherwise 0. */
SATK_FN lanes positive(lanes n)
{
    typedef int32_t signed_lanes __attribute__((vector_size(sizeof(lanes))));

    return n & (lanes)((signed_lanes)n > 0);
}

/* m and b of positions. */
SATK_FN void weigh(lanes position, int slab, lanes *in, lanes *behind)
{
    const lanes off = position - (uint32_t)slab * SATK_SLAB;

    *behind = positive(SATK_SLAB - positive(off));
    *in = positive(*behind - positive(-off));
}

/* Sums of m times each channel's samples, of m and of b of squares of `cell` pixels a side, the first at
 * `samples` in the first of `rows` rows of pixels. */
SATK_FN void sum_squares(const tile_samples *t, const uint16_t *samples, int rows, int slab,
                         lanes *v, int channels, int cell)
{
    for (int c = 0; c < channels + 2; c++)
        v[c] = (lanes){0};
    for (int y = 0; y < rows; y++, samples += t->width * (size_t)(channels + 1))
        for (int i = 0; i < cell; i++) {
            const uint16_t *const pixel = samples + (size_t)i * t->columns;
            lanes in, behind;
            weigh(lanes_from(pixel, 16), slab, &in, &behind);
            for (int c = 0; c < channels; c++)
                v[c] += lanes_from(pixel + (size_t)(c + 1) * t->width, 16) * in;
            v[channels] += in;
            v[channels + 1] += behind;
        }
}

/* The same of cells of which the positions are known to be all behind the slab, or all before it. 0: they
 * are not. The cells may be of two spans. */
SATK_FN int sum_spans(const satk_span *first, const satk_span *last, int pixels, int slab, lanes *v,
                      int channels)
{
    const int below = (slab - 1) * SATK_SLAB, above = (slab + 1) * SATK_SLAB;
    const int is_behind = first->most <= below && last->most <= below;

    if (!is_behind && (first->least < above || last->least < above))
        return 0;
    for (int c = 0; c <= channels; c++)
        v[c] = (lanes){0};
    v[channels + 1] = (lanes){0} + (is_behind ? (uint32_t)pixels * SATK_SLAB : 0);
    return 1;
}

SATK_FN void build_row_of(const ring *r, const tile_samples *t, int slab, int y, int channels,
                          int word, int cell)
{
    const scanner scan = make_scanner(1);
    const int below = t->grid.height - y * cell, rows = cell < below ? cell : below;
    const uint16_t *samples = samples_at(t, r->left, y * cell);
    const uint8_t *above = ring_row(r, y - 1);
    uint8_t *row = ring_row(r, y);
    const uint8_t *const end = row + r->plane;
    const size_t step = (size_t)LANES * (size_t)word / 8;
    carried carry[6] = {0};

    for (int x = r->left; row < end; row += step, above += step, samples += LANES, x += LANES) {
        lanes v[6];
        if (cell == 1)
            sum_squares(t, samples, 1, slab, v, channels, 1);
        else if (!sum_spans(span_at(t, x, y), span_at(t, x + LANES - 1, y), rows * cell, slab, v,
                            channels))
            sum_squares(t, samples, rows, slab, v, channels, cell);
        for (int c = 0; c < channels + 2; c++)
            put_sums(&scan, v[c], &carry[c], above + (size_t)c * r->plane,
                     row + (size_t)c * r->plane, word);
    }
}

/* Row y of the grid. */
SATK_FN void build_row(const ring *r, const tile_samples *t, int slab, int y, int channels,
                       int word)
{
    if (t->grid.cell == 1)
        build_row_of(r, t, slab, y, channels, word, 1);
    else
        build_row_of(r, t, slab, y, channels, word, SATK_CELL);
}

#endif
