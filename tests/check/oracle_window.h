/* The sums of layers over one window. */
#ifndef ORACLE_WINDOW_H
#define ORACLE_WINDOW_H

#include "check/oracle.h"

__extension__ typedef unsigned __int128 u128;

/* Of membership, of the part that is not hidden, of membership times samples. */
typedef struct oracle_sums {
    u128 in, seen, samples[4], area;
} oracle_sums;

/* Sums around a pixel or, cell by cell, around the cell x, y. */
oracle_sums oracle_over_stack(const oracle_layer *layer, int slab, const oracle_stack *stack, int x,
                              int y);

/* Returns the coverage of a pixel in sixteenths. */
int oracle_cover_of(const oracle_layer *layer, int x, int y);

/* Returns the place of a pixel's centre on an axis of n pixels, in half pixels from the beginning of a whole first cell; centres
 * of whole cells are 8 apart. */
int oracle_centre_of(int pixel, int n);

#endif
