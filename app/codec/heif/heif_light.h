/* Matrices of colours in HEIF, by their codes of ITU-T H.273. */
#ifndef SATBLUR_APP_HEIF_LIGHT_H
#define SATBLUR_APP_HEIF_LIGHT_H

#include <stdbool.h>

/* Returns whether the library makes the right RGB of that matrix: of the others it knows the formula of no range, or not all. */
bool heif_knows_matrix(int matrix, int bits, bool is_full);

/* Returns the name of a matrix that it does not know. */
const char *heif_matrix_name(int matrix);

#endif
