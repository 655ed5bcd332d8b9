/* The way from a blurred picture of 16 bits to one of 8: with dither, so that smooth gradients have no bands. And the grain
 * that the blur took away, which goes there, or to a picture of 8 bits. Integers alone make it, so that the bits depend on no device and no thread. */
#ifndef SATBLUR_APP_DITHER_H
#define SATBLUR_APP_DITHER_H

#include "image/grain.h"

#include <stdint.h>

typedef struct dither_settings {
    uint64_t seed;             /* of the grain: the frame's number */
    const grain *grain;        /* NULL: none */
    const satb_image *coc;     /* radii as satb_coc() draws them; NULL: those below everywhere */
    double full_radius;        /* pixels: the radius of the extreme codes of coc */
    double radius_x, radius_y; /* pixels */
    int threads;
} dither_settings;

/* Makes a dense picture of 16 bits of one of 8, on the host: each code is multiplied by 257. */
void dither_deepen(const satb_image *src, const satb_image *deep);

/* Rounds a dense picture of 16 bits to one of 8. A sample v becomes (v + t) / 257 by a threshold t of its pixel: they are
 * spread evenly from 2 to 254 in each 8 x 8 pixels. So the mean there is v / 257, within 1/128, and what has the value of a
 * code keeps it. Alpha is rounded. Samples of 8 bits are multiplied by 257 and, with grain, rounded. Grain goes where
 * the radius is not 0. out may be the picture if that has 8 bits. False: memory ran out, and p has a sentence. */
bool dither_pixels(const satb_image *from, const satb_image *out, const dither_settings *s,
                   problem *p);

#endif
