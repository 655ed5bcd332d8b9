/* The rows of a slab's table that a row of the picture reads. They are built in vectors, each channel in a plane of its
 * own. For layer_vector_body.h. */
#ifndef SATK_LAYER_RING_H
#define SATK_LAYER_RING_H

#include "common/lanes.h"
#include "layer/layer_farther_body.h"

/* Functions that return vectors are inlined: no caller of other instructions sees them. */
#pragma GCC diagnostic ignored "-Wpsabi"

/* Prefixes of the samples, of m and of b: each has a plane, a row of words. m and b share words where no window has more of
 * either than half a word holds, which saves a plane. */
typedef struct ring {
    uint8_t *words;      /* a row of zeros, then `count` places that the rows take in turn */
    size_t plane, pitch; /* bytes of a row of words, and of all */
    int is_shared;   /* 1: m is the lower half of a word, b the upper one; so it is with 64 bits */
    int left;        /* their first column */
    int top, bottom; /* the rows of the grid that are summed: zeros above */
    int count;
    int since; /* a row in the first place, at most one turn before all rows that are read */
} ring;

enum { SHARED = 16, PART = 32 }; /* bits of a half of a word of 32 bits, and of 64 */

/* Returns 1 if m and b share words. The compiler knows that words of 64 bits always do. */
SATK_FN int is_shared(const ring *r, int word)
{
    return word == 64 || r->is_shared;
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

/* Stores row[] = above[] + sums, of LANES / 2 words. */
SATK_FN void put_wide(wide_lanes sums, int half, const uint8_t *above, uint8_t *row)
{
    wide_lanes v;

    memcpy(&v, above + (size_t)half * sizeof v, sizeof v);
    v += sums;
    memcpy(row + (size_t)half * sizeof v, &v, sizeof v);
}

/* Stores row[] = above[] + v + the carry, which then grows by total. */
SATK_FN void put_row(lanes v, lanes total, carried *carry, const uint8_t *above, uint8_t *row,
                     int word)
{
    if (word == 32) {
        v += carry->narrow + lanes_at((const uint32_t *)(const void *)above);
        memcpy(row, &v, sizeof v);
        carry->narrow += total;
        return;
    }
    for (int half = 0; half < 2; half++)
        put_wide(widened(v, half) + carry->wide, half, above, row);
    carry->wide += widened(total, 0);
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

/* Sums m times the samples of each plane, m and b over squares of `cell` pixels a side and `rows` rows; the first square is
 * at `samples`. */
SATK_FN void sum_squares(const tile_samples *t, const uint16_t *samples, int rows, int slab,
                         lanes *v, int planes, int cell)
{
    for (int i = 0; i < planes + 2; i++)
        v[i] = (lanes){0};
    for (int y = 0; y < rows; y++, samples += t->pitch)
        for (int i = 0; i < cell; i++) {
            const uint16_t *const pixel = samples + (size_t)i * t->columns;
            lanes in, behind;
            weigh(lanes_from(pixel, 16), slab, &in, &behind);
            for (int p = 0; p < planes; p++)
                v[p] += lanes_from(pixel + (size_t)(p + 1) * t->width, 16) * in;
            v[planes] += in;
            v[planes + 1] += behind;
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
    scanner scan, wide; /* of one channel in 32 bits, and in 64 */
    lanes ramp, whole;  /* the scan of b where all squares are behind the slab, and its last word */
    int slab, rows;     /* of pixels */
} row_builder;

/* Stores a scan of b, or of b and m if they share words: in 32 bits, as none of LANES squares has more than 13. */
SATK_FN void put_last(lanes v, lanes total, carried *carry, const uint8_t *above, uint8_t *row,
                      int word)
{
    const lanes low = lanes_of((1u << SHARED) - 1);

    if (word == 32) {
        put_row(v, total, carry, above, row, word);
        return;
    }
    for (int half = 0; half < 2; half++)
        put_wide((widened(v & low, half) | widened(v >> SHARED, half) << PART) + carry->wide, half,
                 above, row);
    carry->wide += widened(total & low, 0) | widened(total >> SHARED, 0) << PART;
}

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
    put_last(at == BEHIND ? b->ramp : none, at == BEHIND ? b->whole : none, &carry[channels + 1],
             above + last * plane, row + last * plane, word);
}

/* Stores the scan of a channel's sums. samples: one plane of sums, or with 16 bits a sample those of the lower halves and
 * of the upper ones. */
SATK_FN void put_sums(const row_builder *b, const lanes *samples, carried *carry,
                      const uint8_t *above, uint8_t *row, int bits, int word)
{
    lanes total = {0};

    if (bits == 8) {
        const lanes sums = scan_lanes(&b->scan, samples[0], &total, 1);
        put_row(sums, total, carry, above, row, word);
        return;
    }
    for (int half = 0; half < 2; half++) {
        const wide_lanes v = widened(samples[0], half) + (widened(samples[1], half) << 16);
        put_wide(scan_wide(&b->wide, v, &carry->wide), half, above, row);
    }
}

SATK_FN void put_squares(const row_builder *b, const uint16_t *samples, carried *carry,
                         const uint8_t *above, uint8_t *row, int channels, int bits, int word,
                         int cell)
{
    const size_t plane = b->ring.plane, last = last_plane(&b->ring, channels, word);
    const int each = sample_planes(bits), m = channels * each;
    lanes v[10], total = {0};

    sum_squares(&b->samples, samples, b->rows, b->slab, v, m, cell);
    if (is_shared(&b->ring, word))
        v[m + 1] = v[m] | v[m + 1] << SHARED;
    else
        put_sums(b, &v[m], &carry[channels], above + (size_t)channels * plane,
                 row + (size_t)channels * plane, 8, word);
    for (size_t c = 0; c < (size_t)channels; c++)
        put_sums(b, &v[c * (size_t)each], &carry[c], above + c * plane, row + c * plane, bits,
                 word);
    const lanes scan = scan_lanes(&b->scan, v[m + 1], &total, 1);
    put_last(scan, total, &carry[channels + 1], above + last * plane, row + last * plane, word);
}

SATK_FN row_builder make_builder(const ring *r, const tile_samples *t, int slab, int y, int cell)
{
    const int rows = (int)satk_rows_span(&t->grid, (satk_range){y, y + 1});
    row_builder b = {.ring = *r,
                     .samples = *t,
                     .scan = make_scanner(1),
                     .wide = make_scanner(2),
                     .slab = slab,
                     .rows = rows};

    for (uint32_t i = 0; i < LANES; i++)
        b.ramp[i] = ((i + 1) * (uint32_t)(rows * cell) * SATK_SLAB) << (r->is_shared ? SHARED : 0);
    b.whole = lanes_of(b.ramp[LANES - 1]);
    return b;
}

SATK_FN void build_row(const ring *r, const tile_samples *t, int slab, int y, int channels,
                       int bits, int word, int cell)
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
            put_squares(&b, samples, carry, above, row, channels, bits, word, cell);
        else
            put_place(&b, at, carry, above, row, channels, word);
    }
}

/* Builds row y of the grid. There is a function for each number of channels, kind and size of squares, so that these are
 * constants in it. */
typedef void build_step(const ring *r, const tile_samples *t, int slab, int y);
#define BUILD_STEP(channels, bits, word, cell)                                                     \
    static void build_##channels##_##bits##_##word##_##cell(const ring *r, const tile_samples *t,  \
                                                            int slab, int y)                       \
    {                                                                                              \
        build_row(r, t, slab, y, channels, bits, word, cell);                                      \
    }
#define BUILD_STEPS(bits, word, cell)                                                              \
    BUILD_STEP(1, bits, word, cell)                                                                \
    BUILD_STEP(2, bits, word, cell)                                                                \
    BUILD_STEP(3, bits, word, cell) BUILD_STEP(4, bits, word, cell)
BUILD_STEPS(8, 32, 1)
BUILD_STEPS(8, 64, 1)
BUILD_STEPS(16, 64, 1)
BUILD_STEPS(8, 32, 4)
BUILD_STEPS(8, 64, 4)
BUILD_STEPS(16, 64, 4)
_Static_assert(SATK_CELL == 4, "BUILD_STEPS() are made for cells of 4");

static build_step *build_step_of(int channels, int kind, int cell)
{
#define NAMES(bits, word, cell)                                                                    \
    {                                                                                              \
        build_1_##bits##_##word##_##cell, build_2_##bits##_##word##_##cell,                        \
            build_3_##bits##_##word##_##cell, build_4_##bits##_##word##_##cell                     \
    }
    static build_step *const steps[2][SATK_KINDS][4] = {
        {NAMES(8, 32, 1), NAMES(8, 64, 1), NAMES(16, 64, 1)},
        {NAMES(8, 32, 4), NAMES(8, 64, 4), NAMES(16, 64, 4)}};
#undef NAMES

    return steps[cell > 1][kind][channels - 1];
}

#endif
