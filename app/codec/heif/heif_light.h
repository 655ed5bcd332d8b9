/* Colours of high dynamic range in HEIF, by their codes of ITU-T H.273. */
#ifndef SATBLUR_APP_HEIF_LIGHT_H
#define SATBLUR_APP_HEIF_LIGHT_H

#include "base/message.h"

#include <satblur.h>

#include <curves.h>
#include <stdbool.h>

/* Returns whether the library makes the right RGB of that matrix: of the others it knows the formula of no range, or not all. */
bool heif_knows_matrix(int matrix, int bits, bool is_full);

/* Returns the name of a matrix that it does not know. */
const char *heif_matrix_name(int matrix);

/* Makes half floats in linear light of a dense image's codes: 1 is diffuse white, which is 203 cd/m2 for PQ and the code 0.75 for HLG
 * (ITU-R BT.2408). Primaries of BT.2020 and Display P3 become sRGB's, so colours beyond those have negative samples. Colours are
 * multiplied by alpha. False: p has a sentence, and the image is as it was. */
bool heif_make_light(satb_image *image, const satb_curve *curve, int primaries, problem *p);

#endif
