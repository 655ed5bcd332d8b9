/* A bit for each sample of a map, in rows of words. For the CPU. */
#ifndef SATK_BIT_ROWS_H
#define SATK_BIT_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct satk_bit_rows {
    int width, height;
    size_t words;   /* of a row: two more than hold its bits */
    uint64_t *bits; /* height * words; the owner's */
} satk_bit_rows;

/* Returns rows of that size without memory, and the bytes that they need. */
satk_bit_rows satk_bit_rows_of(int width, int height);
size_t satk_bit_rows_bytes(const satk_bit_rows *rows);

/* Returns a row of bits: sample x has bit x % 64 of word x / 64, and words -1 and [words - 2] are 0. */
static inline uint64_t *satk_bit_row(const satk_bit_rows *rows, int y)
{
    return rows->bits + (size_t)y * rows->words + 1;
}

static inline int satk_has_bit(const satk_bit_rows *rows, int x, int y)
{
    return (int)(satk_bit_row(rows, y)[x / 64] >> x % 64 & 1);
}

/* Sets out, a row's words, to the samples of row y within `reach`, below 64, of those with a bit. */
void satk_bits_around(const satk_bit_rows *rows, int y, int reach, uint64_t *out);

#endif
