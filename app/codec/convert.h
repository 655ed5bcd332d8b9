/* Conversion of pixels to the channels and bits that a format holds. */
#ifndef SATBLUR_APP_CONVERT_H
#define SATBLUR_APP_CONVERT_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>

/* Returns the channels to write, of a set where bit n stands for n channels: the same, or with colour added, or without
 * alpha. 0: colour would be lost. */
int convert_channels(unsigned set, int channels);

/* Allocates fit->data, for pixels_free(), and fills the dense picture fit, which has at least the colour of the image.
 * False: p has a sentence. */
bool convert_pixels(const satb_image *image, satb_image *fit, problem *p);

#endif
