/* Material for the checks of arrays: what fills them, and which lengths are worth a case. */
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
    ARRAY_EXTREME, /* 0, 1, and the largest two words: what pads a tile must not come before them */
    ARRAY_FILLS
} array_fill;

const char *array_fill_name(array_fill f);

/* count words of 32 or 64 bits, `skew` words off a 64-byte boundary, that just fill the block. */
block array_input(uint64_t count, int word, int skew, array_fill f, uint64_t *random);

uint64_t array_word(const void *words, uint64_t i, int word);

typedef struct array_size {
    uint64_t count;
    int quick; /* 1: also in quick mode */
    const char *reason;
} array_size;

/* Lengths that hold for every tile. Those around a primitive's own tiles it adds itself. */
extern const array_size array_sizes[];
extern const int array_sizes_count;

/* How to name a word of an array. */
layout array_layout(const block *b, size_t element);

#endif
