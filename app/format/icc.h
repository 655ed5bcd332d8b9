/* ICC profiles (ICC.1): the primaries of those that have a matrix. Every byte may be anything. */
#ifndef SATBLUR_APP_ICC_H
#define SATBLUR_APP_ICC_H

#include "base/blob.h"

/* Fills the matrix that makes linear light of sRGB's primaries of the profile's. False: the profile has no primaries, or they are
 * sRGB's. */
bool icc_to_srgb(bytes profile, double matrix[3][3]);

#endif
