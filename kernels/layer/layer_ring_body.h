/* The rows of a slab's table that a row of the picture reads. They are built in vectors, each channel in a plane of its
 * own. For layer_vector_body.h. */
#ifndef SATK_LAYER_RING_H
#define SATK_LAYER_RING_H

#include "common/lanes.h"
#include "layer/layer_farther_body.h"

/* Functions that return vectors are inlined: no caller of other instructions sees them. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef uint32_t half_lanes __attribute__((vector_size(2 * LANES)));

/* Prefixes of the samples, of m and of b: each has a plane, a row of words. m and b share words where no window holds 2^16
 * of either, which saves a plane. */
typedef struct ring {
    uint8_t *words;      /* a row of zeros, then `count` places that the rows take in turn */
    size_t plane, pitch; /* bytes of a row of words, and of all */
    int is_shared;       /* 1: m is the lower half of a word, b the upper one */
    int left;            /* their first column */
    int top, bottom;     /* the rows of the grid that are summed: zeros above */
    int count;
    int since; /* a row in the first place, at most one turn before all rows that are read */
} ring;

enum { SHARED = 16 }; /* bits of a half */

/* Returns 1 if m and b share words. The compiler knows that words of 64 bits are never shared. */
SATK_FN int is_shared(const ring *r, int word)
{
    return word == 32 && r->is_shared;
}

/* Returns the number of b's plane. */
SATK_FN size_t last_plane(const ring *r, int channels, int word)
{
    return (size_t)channels + !is_shared(r, word);
}

static inline uint8_t *ring_row(const ring *r, int y)
{
    const int at = (y < r->bottom ? y : r->bottom - 1) - r->since;
    const int place = at < r->count ? at : at - r->count; /* without a division, which is slow */

    return y < r->top ? r->words : r->words + (size_t)(1 + place) * r->pitch;
}

/* The sum of a row so far, in every lane. */
typedef struct carried {
    lanes narrow;
    wide_lanes wide;
} carried;

/* Stores row[] = above[] + v + the carry, which then grows by total. */
SATK_FN void put_row(lanes v, lanes total, carried *carry, const uint8_t *above, uint8_t *row,
                     int word)
{
    half_lanes halves[2];

    if (word == 32) {
        v += carry->narrow + lanes_at((const uint32_t *)(const void *)above);
        memcpy(row, &v, sizeof v);
        carry->narrow += total;
        return;
    }
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

/* Returns n where it is positive, otherwise 0. */
SATK_FN lanes positive(lanes n)
{
    typedef int32_t signed_lanes __attribute__((vector_size(sizeof(lanes))));

    return n & (lanes)((signed_lanes)n > 0);
}

/* Does satk_covered() for a coverage of whole - lack. */
SATK_FN lanes covered(lanes m, lanes lack)
{
    return (m * (SATK_SLAB - lack) + SATK_SLAB / 2) / SATK_SLAB;
}

/* Finds m and b of places. */
SATK_FN void weigh(lanes place, int slab, lanes *in, lanes *behind)
{
    const lanes lack = place >> SATK_POSITION_BITS;
    const lanes off = (place & (SATK_POSITIONS - 1)) - (uint32_t)slab * SATK_SLAB;
    const lanes full = positive(SATK_SLAB - positive(off));

    *behind = SATK_SLAB & (lanes)(full > 0);
    *in = positive(full - positive(-off));
    if (any_bit(lack))
        *in = covered(*in, lack);
}

/* Sums m times each channel's samples, m and b over squares of `cell` pixels a side and `rows` rows; the first square is
 * at `samples`. */
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

/* Where the squares of a span lie: all before the slab, all behind it, or neither. */
typedef enum place { BEFORE, BEHIND, MIXED } place;

static inline place place_of(satk_span span, int slab)
{
    if (span.least >= (slab + 1) * SATK_SLAB)
        return BEFORE;
    return span.most <= (slab - 1) * SATK_SLAB ? BEHIND : MIXED;
}

/* The constants of a row of the table. The stores of a row may change any other memory, as far as the compiler knows, so
 * these are copies. */
typedef struct row_builder {
    ring ring;
    tile_samples samples;
    scanner scan;
    lanes ramp, whole; /* the scan of b where all squares are behind the slab, and its last word */
    int slab, rows;    /* of pixels */
} row_builder;

/* Stores LANES squares that lie all before or all behind the slab. */
SATK_FN void put_place(const row_builder *b, place at, carried *carry, const uint8_t *above,
                       uint8_t *row, int channels, int word)
{
    const size_t plane = b->ring.plane, last = last_plane(&b->ring, channels, word);
    const lanes none = {0};

    for (size_t c = 0; c < (size_t)channels; c++)
        put_row(none, none, &carry[c], above + c * plane, row + c * plane, word);
    if (!is_shared(&b->ring, word))
        put_row(none, none, &carry[channels], above + (size_t)channels * plane,
                row + (size_t)channels * plane, word);
    put_row(at == BEHIND ? b->ramp : none, at == BEHIND ? b->whole : none, &carry[channels + 1],
            above + last * plane, row + last * plane, word);
}

SATK_FN void put_sums(const row_builder *b, lanes v, carried *carry, const uint8_t *above,
                      uint8_t *row, int word)
{
    lanes total = {0};
    const lanes sums = scan_lanes(&b->scan, v, &total, 1);

    put_row(sums, total, carry, above, row, word);
}

SATK_FN void put_squares(const row_builder *b, const uint16_t *samples, carried *carry,
                         const uint8_t *above, uint8_t *row, int channels, int word, int cell)
{
    const size_t plane = b->ring.plane, last = last_plane(&b->ring, channels, word);
    lanes v[6];

    sum_squares(&b->samples, samples, b->rows, b->slab, v, channels, cell);
    if (is_shared(&b->ring, word))
        v[channels + 1] = v[channels] | v[channels + 1] << SHARED;
    else
        put_sums(b, v[channels], &carry[channels], above + (size_t)channels * plane,
                 row + (size_t)channels * plane, word);
    for (size_t c = 0; c < (size_t)channels; c++)
        put_sums(b, v[c], &carry[c], above + c * plane, row + c * plane, word);
    put_sums(b, v[channels + 1], &carry[channels + 1], above + last * plane, row + last * plane,
             word);
}

SATK_FN row_builder make_builder(const ring *r, const tile_samples *t, int slab, int y, int cell)
{
    const int rows = (int)satk_rows_span(&t->grid, (satk_range){y, y + 1});
    row_builder b = {
        .ring = *r, .samples = *t, .scan = make_scanner(1), .slab = slab, .rows = rows};

    for (uint32_t i = 0; i < LANES; i++)
        b.ramp[i] = ((i + 1) * (uint32_t)(rows * cell) * SATK_SLAB) << (r->is_shared ? SHARED : 0);
    b.whole = lanes_of(b.ramp[LANES - 1]);
    return b;
}

SATK_FN void build_row(const ring *r, const tile_samples *t, int slab, int y, int channels,
                       int word, int cell)
{
    const row_builder b = make_builder(r, t, slab, y, cell);
    const uint16_t *samples = samples_at(&b.samples, b.ring.left, y * cell);
    const uint8_t *above = ring_row(&b.ring, y - 1);
    uint8_t *row = ring_row(&b.ring, y);
    const uint8_t *const end = row + b.ring.plane;
    const size_t step = (size_t)LANES * (size_t)word / 8;
    carried carry[6] = {0};

    for (int x = b.ring.left; row < end; row += step, above += step, samples += LANES, x += LANES) {
        const place at = place_of(*span_at(&b.samples, x, y), slab);
        if (at == MIXED)
            put_squares(&b, samples, carry, above, row, channels, word, cell);
        else
            put_place(&b, at, carry, above, row, channels, word);
    }
}

/* Builds row y of the grid. There is a function for each number of channels, word and size of squares, so that these are
 * constants in it. */
typedef void build_step(const ring *r, const tile_samples *t, int slab, int y);
#define BUILD_STEP(channels, word, cell)                                                           \
    static void build_##channels##_##word##_##cell(const ring *r, const tile_samples *t, int slab, \
                                                   int y)                                          \
    {                                                                                              \
        build_row(r, t, slab, y, channels, word, cell);                                            \
    }
#define BUILD_STEPS(word, cell)                                                                    \
    BUILD_STEP(1, word, cell)                                                                      \
    BUILD_STEP(2, word, cell) BUILD_STEP(3, word, cell) BUILD_STEP(4, word, cell)
BUILD_STEPS(32, 1)
BUILD_STEPS(64, 1)
BUILD_STEPS(32, 4)
BUILD_STEPS(64, 4)
_Static_assert(SATK_CELL == 4, "BUILD_STEPS() are made for cells of 4");

static build_step *build_step_of(int channels, int word, int cell)
{
#define NAMES(word, cell)                                                                          \
    {                                                                                              \
        build_1_##word##_##cell, build_2_##word##_##cell, build_3_##word##_##cell,                 \
            build_4_##word##_##cell                                                                \
    }
    static build_step *const steps[2][2][4] = {{NAMES(32, 1), NAMES(64, 1)},
                                               {NAMES(32, 4), NAMES(64, 4)}};
#undef NAMES

    return steps[cell > 1][word == 64][channels - 1];
}

#endif
