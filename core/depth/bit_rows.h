/* A bit for each sample of a map, in rows of words. */
#ifndef SATB_BIT_ROWS_H
#define SATB_BIT_ROWS_H

#include "base/memory.h"

#include <stdint.h>

typedef struct satb_bit_rows {
    int width, height;
    size_t words;   /* of a row: two more than hold its bits */
    uint64_t *bits; /* height * words; the owner gives them back (satb_give()) */
} satb_bit_rows;

/* Makes rows of bits that are 0. bits NULL: memory ran out. */
satb_bit_rows satb_make_bits(satb_spares *spares, int width, int height);

/* Returns a row of bits: sample x has bit x % 64 of word x / 64, and words -1 and [words - 2] are 0. */
static inline uint64_t *satb_bit_row(const satb_bit_rows *rows, int y)
{
    return rows->bits + (size_t)y * rows->words + 1;
}

static inline int satb_has_bit(const satb_bit_rows *rows, int x, int y)
{
    return (int)(satb_bit_row(rows, y)[x / 64] >> x % 64 & 1);
}

/* Sets out, a row's words, to the samples of row y within `reach`, below 64, of those with a bit. */
void satb_bits_around(const satb_bit_rows *rows, int y, int reach, uint64_t *out);

#endif
