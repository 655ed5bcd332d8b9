/* The order in which B. E. Bayer's pattern of 8 x 8 pixels (1973) lights them up: neighbours are far apart. */
#ifndef SATB_BAYER_H
#define SATB_BAYER_H

/* Returns the place of pixel x, y in the order, from 0 to 63: bits of x + y, exclusive, and of y alternate, the lowest first. */
static inline unsigned satb_bayer(unsigned x, unsigned y)
{
    const unsigned a = x ^ y;

    return (a & 1) << 5 | (y & 1) << 4 | (a & 2) << 2 | (y & 2) << 1 | (a & 4) >> 1 | (y & 4) >> 2;
}

#endif
