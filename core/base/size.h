/* Bytes of what is allocated for pictures from outside, checked against overflow. */
#ifndef SATB_SIZE_H
#define SATB_SIZE_H

#include <satblur.h>

#define SATB_MAX_SIDE   (1 << 24)
#define SATB_MAX_PIXELS ((uint64_t)1 << 31)

/* *product = a * b; 0 when it does not fit. */
int satb_multiply(size_t a, size_t b, size_t *product);

/* Bytes of one row's samples, without padding. The image is valid. */
size_t satb_row_bytes(const satb_image *image);

/* *bytes = of a table of this image with words of 32 or 64 bits; 0 when it does not fit. */
int satb_table_bytes(const satb_image *image, int word, size_t *bytes);

#endif
