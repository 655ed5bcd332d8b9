/* Material for the checks of arrays: their contents, and the lengths that are worth a case. */
#ifndef SATB_ARRAY_SAMPLE_H
#define SATB_ARRAY_SAMPLE_H

#include "check/check.h"

typedef enum array_fill {
    ARRAY_RANDOM,
    ARRAY_EQUAL,
    ARRAY_SORTED,
    ARRAY_REVERSED,
    ARRAY_FEW,     /* seven distinct words */
    ARRAY_HIGH,    /* only the highest byte differs */
    ARRAY_LOW,     /* only the lowest byte differs */
    ARRAY_EXTREME, /* 0, 1, the largest two words: a tile's padding sorts behind them */
    ARRAY_FILLS
} array_fill;

const char *array_fill_name(array_fill f);

/* Returns count words of 32 or 64 bits that just fill the block, `skew` words off a 64-byte
 * boundary. */
block array_input(uint64_t count, int word, int skew, array_fill f, uint64_t *random);

uint64_t array_word(const void *words, uint64_t i, int word);

typedef struct array_size {
    uint64_t count;
    int quick; /* 1: also in quick mode */
    const char *reason;
} array_size;

/* Lengths around every tile. A primitive adds those around its own tiles. */
extern const array_size array_sizes[];
extern const int array_sizes_count;

/* Returns the layout that names a word of an array. */
layout array_layout(const block *b, size_t element);

#endif
