/* The five filters of PNG (W3C PNG, clause 9): a row is stored as its differences from the pixels to the left and above.
 * They work on bytes, not samples: bpp is the number of bytes per pixel, 1 to 8. */
#ifndef SATBLUR_APP_PNG_FILTER_H
#define SATBLUR_APP_PNG_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH, FILTER_COUNT };

/* Undoes the filter of a row of size bytes. packed holds it behind the number of its filter; above is the row over it, or
 * zeros. The three do not overlap. False: the number is no filter's. */
bool filter_undo(const uint8_t *packed, const uint8_t *above, uint8_t *row, size_t size, int bpp);

/* Filters a row of size bytes into out. bpp bytes of zeros lie before row and above. */
void filter_apply(int filter, const uint8_t *row, const uint8_t *above, uint8_t *out, size_t size,
                  int bpp);

/* Returns the sum of the bytes' magnitudes, as signed numbers: the usual guess at how well a filtered row packs (W3C PNG,
 * 12.7). */
uint64_t filter_cost(const uint8_t *filtered, size_t size);

#endif
