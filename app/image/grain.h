/* The grain of a picture: film's, or a sensor's noise. */
#ifndef SATBLUR_APP_GRAIN_H
#define SATBLUR_APP_GRAIN_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>

enum { GRAIN_BINS = 8 }; /* of a sample's code, 32 codes each */

typedef struct grain {
    double sigma[3][GRAIN_BINS]; /* by channel and code: standard deviation in codes of 8 bits */
    double mean;                 /* of sigma over the picture; 0: there is no grain */
    double common;               /* the part of the variance that all channels share, 0 .. 1 */
    double neighbours;           /* correlation of pixels side by side, 0 .. 0.4 */
} grain;

/* Measures the grain of a picture of 8 bits on the host, in its flattest blocks. Grain below a quarter of a code counts
 * as none. is_jpeg: the picture's codes were rounded twice. False: memory ran out, and p has a sentence. */
bool grain_measure(const satb_image *src, bool is_jpeg, grain *g, problem *p);

/* Gives the grain one strength everywhere. */
void grain_set(grain *g, double sigma);

#endif
