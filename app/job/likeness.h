/* Views of pictures on the host, and whether two pictures show the same. */
#ifndef SATBLUR_APP_LIKENESS_H
#define SATBLUR_APP_LIKENESS_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>

/* Makes a view of the image on the host, for view_close(). Rows of an image on a GPU are copied. False: p has the line,
 * which begins with the name. */
bool view_open(const satb_image *image, satb_image *view, const char *name, problem *p);

void view_close(const satb_image *image, satb_image *view);

enum { LIKENESS_SIDE = 32 }; /* least width and height of pictures that are compared */

/* Returns whether cells of both, on the host, have the same colours (or grays), and these are not all alike. b is compared
 * as EXIF's orientation turns it; 1: as it is stored. */
bool likeness_find(const satb_image *a, const satb_image *b, int orientation, bool gray);

#endif
