/* Sizes in bytes, checked against overflow. */
#ifndef SATB_SIZE_H
#define SATB_SIZE_H

#include <satblur.h>

#define SATB_MAX_SIDE   (1 << 24)
#define SATB_MAX_PIXELS ((uint64_t)1 << 31)

/* Returns the larger of width and height. */
int satb_longer_side(const satb_image *image);

/* Sets *product to a * b; returns 0 if that does not fit. */
int satb_multiply(size_t a, size_t b, size_t *product);

/* Returns the bytes of a row's samples, without padding. The image is valid. */
size_t satb_row_bytes(const satb_image *image);

/* Sets *bytes to those of the image's table of words of 32 or 64 bits; returns 0 if that does not fit. */
int satb_table_bytes(const satb_image *image, int word, size_t *bytes);

#endif
