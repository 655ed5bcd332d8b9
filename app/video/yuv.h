/* Luma and chroma to RGB and back, in integers: the rule is the same on every machine.
 *
 * Source: ITU-R BT.601-7, BT.709-6 and BT.2020-2. With Y', Cb and Cr of `bits` bits:
 *   limited range  Y' from 16 to 235 and chroma from 16 to 240, times 2^(bits - 8)
 *   full range     all codes; chroma is 0 at 2^(bits - 1)
 * RGB has 8 bits if bits is 8 and there is no table of light, otherwise 16. Coefficients are rounded to 2^-13 of a code, and
 * samples half up.
 *
 * Each pixel takes the chroma sample of its block. On the way back a block's chroma is the mean of its pixels', and samples
 * whose pixels were not changed stay as they are: what is in focus keeps its bits. */
#ifndef SATBLUR_APP_YUV_H
#define SATBLUR_APP_YUV_H

#include "image/light_table.h"

#include <satblur.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Three planes: luma, Cb, Cr. Samples of more than 8 bits have 16, in native order. */
typedef struct yuv_image {
    uint8_t *planes[3];
    ptrdiff_t strides[3]; /* bytes */
    int width, height;    /* of luma */
    int bits;             /* 8 to 16 */
    int shift_x, shift_y; /* binary logarithms of a block's width and height: 0 or 1 */
} yuv_image;

typedef struct yuv_colour {
    double kr, kb;            /* the weights of red and blue in luma */
    bool full;                /* range */
    const light_table *light; /* RGB is light in half floats; NULL: codes */
} yuv_colour;

/* Returns the colours of a matrix by ITU-T H.273's number, without light; BT.601's weights of one that has none of its own.
 * 2, unspecified: those of HD or SD, by the size. */
yuv_colour yuv_colour_of(int matrix, bool full, int width, int height);

/* Fills a dense RGB image of src's size, of 8 or 16 bits as said above. */
void yuv_to_rgb(const yuv_image *src, yuv_colour colour, const satb_image *rgb);

/* Fills a gray image of src's size by luma, of the full or the limited range: 8 bits if src has 8, otherwise all 16 of the scale.
 * Returns false if memory ran out. */
bool yuv_to_gray(const yuv_image *src, bool full, const satb_image *gray);

/* Changes yuv, which `before` was made of, to the colours of `after`. before NULL: yuv had no pixels, and all are made. */
void yuv_of_rgb(const yuv_image *yuv, yuv_colour colour, const satb_image *before,
                const satb_image *after);

#endif
