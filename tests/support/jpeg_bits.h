/* Reads the entropy-coded data of a JPEG bit by bit (ITU-T T.81, F.2.2), to compare the program's reader with. */
#ifndef SATB_TESTS_JPEG_BITS_H
#define SATB_TESTS_JPEG_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct reader {
    const uint8_t *data; /* without the 0 behind each FF */
    size_t bit, end;     /* the next one; behind the last, they are 0 */
} reader;

static inline uint32_t next_bits(reader *r, int count)
{
    uint32_t value = 0;
    for (; count > 0; count--, r->bit++)
        value = 2 * value + (r->bit < r->end ? r->data[r->bit / 8] >> (7 - r->bit % 8) & 1 : 0);
    return value;
}

/* Returns the next symbol, or -1 for an invalid code. table: 16 counts, and the symbols, as in
 * DHT. */
static inline int next_symbol(reader *r, const uint8_t *table)
{
    uint32_t code = 0, first = 0, before = 0;
    for (int i = 0; i < 16; i++) {
        code = 2 * code + next_bits(r, 1);
        first *= 2;
        if (code - first < table[i])
            return table[16 + before + code - first];
        first += table[i];
        before += table[i];
    }
    return -1;
}

/* Reads a block. Returns false if it is not whole. */
static inline bool read_block(reader *r, const uint8_t *dc, const uint8_t *ac)
{
    int symbol = next_symbol(r, dc);
    if (symbol < 0)
        return false;
    next_bits(r, symbol);
    for (int at = 1; at < 64;) {
        symbol = next_symbol(r, ac);
        if (symbol == 0)
            break;
        at += (symbol >> 4) + 1;
        if (symbol < 0 || at > 64)
            return false;
        next_bits(r, symbol & 15);
    }
    return r->bit <= r->end;
}

#endif
