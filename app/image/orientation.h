/* The eight ways in which a picture can be stored turned or mirrored, numbered as EXIF does: what must
 * be done to the stored pixels for the picture to be upright. */
#ifndef SATBLUR_APP_TURN_H
#define SATBLUR_APP_TURN_H

#include <satblur.h>

#include <stdbool.h>

/* Makes the stored, dense picture upright; its data is replaced by other memory. False: there is not
 * enough of it, and nothing changed. */
bool orientation_apply(satb_image *image, int orientation);

/* The orientation that undoes another: turns the upright picture into the stored one. */
int orientation_inverse(int orientation);

/* Whether width and height change places. */
bool orientation_swaps(int orientation);

/* Where a point of the upright picture of that size lies in the stored one. */
void orientation_point_to_stored(int orientation, int width, int height, int *x, int *y);

#endif
