/* Packed samples of a baseline JPEG, followed code by code: what a decoder would stumble over is found in a
 * seventh of the time that libjpeg-turbo takes to decode them. */
#ifndef SATBLUR_APP_JPEG_SAMPLES_H
#define SATBLUR_APP_JPEG_SAMPLES_H

#include "base/blob.h"

enum { JPEG_LOOK = 12, JPEG_BLOCKS = 6 };

/* A Huffman table, made for looking up by the next bits. A step is 32 times how far a code moves on in its
 * block, plus the number of its bits and of those that follow it; 0: a longer code, or none. */
typedef struct jpeg_codes {
    uint16_t steps[1 << JPEG_LOOK];
    uint16_t
        leaps[1 << JPEG_LOOK]; /* of AC: as many codes as are whole there, to 16 coefficients */
    uint32_t ends[17];         /* of the codes of each length */
    uint32_t firsts[17];       /* of each length: the first one's symbol, less that code */
    const uint8_t *symbols;
    bool is_ac;
} jpeg_codes;

/* table: 16 counts and the symbols, as DHT has them, and sound (jpeg_order.c). */
void jpeg_codes_make(jpeg_codes *codes, const uint8_t *table, bool is_ac);

/* The blocks that follow each other again and again. A place in them is 256 times the block, plus 15, plus the
 * coefficient that is next in it: so a sixteenth of it tells which table is to be asked, of steps or of leaps. At
 * JPEG_LOST it knows no code. places[]: where a code leads that moves on so far, and 2^16 if it ends a block. */
enum { JPEG_PLACES = 256, JPEG_LOST = JPEG_BLOCKS * JPEG_PLACES };
typedef struct jpeg_unit {
    int blocks;
    const jpeg_codes *codes[JPEG_BLOCKS][2]; /* of DC and of AC */
    const uint16_t *tables[JPEG_LOST / 16 + 1];
    uint32_t places[JPEG_LOST];
} jpeg_unit;

/* codes stay the caller's; one pair for each block. */
void jpeg_unit_make(jpeg_unit *unit, int blocks, const jpeg_codes *codes[][2]);

/* Whether these are so many units and no more, to the last byte. packed: without the 0 that follows each FF in a file,
 * and with JPEG_MARGIN bytes of 0 behind it. */
enum { JPEG_MARGIN = 256 };
bool jpeg_samples_in_order(const jpeg_unit *unit, bytes packed, size_t units);

#endif
