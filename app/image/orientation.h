/* The eight orientations of EXIF, 1 to 8: each names the turn or mirroring that makes the stored pixels upright. */
#ifndef SATBLUR_APP_ORIENTATION_H
#define SATBLUR_APP_ORIENTATION_H

#include <satblur.h>

#include <stdbool.h>

/* Makes the stored, dense picture upright, in other memory of pixels_allocate(). False: memory ran out, and nothing has
 * changed. */
bool orientation_apply(satb_image *image, int orientation);

/* Copies a picture to one of the upright size, with rows of any stride. Both have pixels of the same bytes. */
void orientation_copy(const satb_image *from, const satb_image *to, int orientation);

/* Returns the orientation that turns the upright picture into the stored one. */
int orientation_inverse(int orientation);

/* Returns whether width and height change places. */
bool orientation_swaps(int orientation);

/* Moves a point of the upright picture, which has that size, to its place in the stored picture. */
void orientation_point_to_stored(int orientation, int width, int height, int *x, int *y);

#endif
