#ifndef SATBLUR_APP_HAND_OVER_H
#define SATBLUR_APP_HAND_OVER_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>

/* Makes what a program gets of a picture on the host: upright RGB with 8 bits, at most so many pixels on the longer side, in
 * memory for pixels_free(). False: p has a sentence. */
bool hand_over_make(const satb_image *image, int orientation, int most, satb_image *out,
                    problem *p);

/* Writes it as a PNG, into a new file for the user alone. False: p has a sentence. */
bool hand_over_write(const satb_image *image, const char *path, problem *p);

#endif
