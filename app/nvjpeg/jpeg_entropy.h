/* Follows the entropy-coded data of a baseline JPEG code by code (ITU-T T.81, F.2.2) without making samples of it. */
#ifndef SATBLUR_APP_JPEG_ENTROPY_H
#define SATBLUR_APP_JPEG_ENTROPY_H

#include "base/blob.h"

enum { JPEG_LOOK = 12 /* bits */, JPEG_BLOCKS = 6 };

/* A Huffman table, made for a look-up by the next JPEG_LOOK bits. An entry is 32 times the coefficients that the codes
 * there move on in their block, plus the number of their bits, those that follow a code included. 0: a longer code, or
 * none. */
typedef struct jpeg_huffman {
    uint16_t steps[1 << JPEG_LOOK]; /* one code */
    uint16_t
        leaps[1 << JPEG_LOOK]; /* of AC: as many codes as are whole there, up to 16 coefficients */
    uint32_t ends[17];         /* of each length: the code behind its last */
    uint32_t firsts[17];       /* of each length: its first code's symbol, less that code */
    const uint8_t *symbols;
    bool is_ac;
} jpeg_huffman;

/* table: 16 counts and the symbols, as DHT has them. They stay the caller's. The counts are those of a prefix code,
 * and the symbols those of 8-bit samples. */
void jpeg_huffman_make(jpeg_huffman *h, const uint8_t *table, bool is_ac);

/* The blocks that follow each other again and again, with their tables. */
typedef struct jpeg_unit {
    int blocks;
    const jpeg_huffman *dc[JPEG_BLOCKS], *ac[JPEG_BLOCKS];
} jpeg_unit;

/* Whether the data holds that many units and no more, to the last byte. data: without the 0 that follows each FF in a
 * file, and with JPEG_MARGIN bytes of 0 behind it, which exceed the longest block. */
enum { JPEG_MARGIN = 256 };
bool jpeg_entropy_is_whole(const jpeg_unit *unit, bytes data, size_t units);

#endif
