/* IEEE 754's half precision, which compilers of C17 need not have, as the samples of pictures of high dynamic range. */
#ifndef SATBLUR_APP_HALF_H
#define SATBLUR_APP_HALF_H

#include <satblur.h>

#include <stddef.h>
#include <stdint.h>

enum { HALF_ONE = 0x3c00, HALF_LARGEST = 0x7bff, HALF_INFINITY = 0x7c00 };

/* Returns the number exactly. */
float half_to_float(uint16_t bits);

/* Returns the nearest half; of two as near, the one with an even last bit. Numbers beyond 65504 become 65504. Infinities and
 * NaN stay what they are. */
uint16_t half_of(float number);

/* Multiplies colours by the alpha behind them, and rounds. */
void half_multiply_alpha(uint16_t *row, size_t pixels, int channels);

/* Counts samples that a blur takes for others. */
typedef struct half_odd {
    uint64_t low;  /* negative or NaN: they blur as 0 */
    uint64_t high; /* beyond 4096: they blur as 4096 */
} half_odd;

/* Counts them in a dense picture of the host's. */
half_odd half_count_odd(const satb_image *image);

#endif
