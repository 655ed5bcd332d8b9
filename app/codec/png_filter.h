/* The five filters of PNG (W3C PNG, clause 9): a row is kept as its differences to what is left of
 * and above it. Bytes, not samples: bpp is the bytes per pixel, 1 to 8. */
#ifndef SATBLUR_APP_PNG_FILTER_H
#define SATBLUR_APP_PNG_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH, FILTER_COUNT };

/* Undoes the filters of count rows of size bytes. packed has them one behind the other, each behind
 * the number of its filter; above is the row over the first (zeros where there is none). False where
 * a number is no filter's. The three do not overlap. */
bool filter_undo(const uint8_t *packed, const uint8_t *above, uint8_t *rows, size_t size, int bpp,
                 int count);

/* Filters a row into out, size bytes. Before row and above bpp bytes of zeros can be read. */
void filter_apply(int filter, const uint8_t *row, const uint8_t *above, uint8_t *out, size_t size,
                  int bpp);

/* The sum of the bytes' magnitudes taken as signed: the usual guess at how well a filtered row packs
 * (W3C PNG, 12.7). */
uint64_t filter_cost(const uint8_t *filtered, size_t size);

#endif
