/* The pattern of dither: that of a picture as it is displayed. */
#ifndef SATB_PATTERN_H
#define SATB_PATTERN_H

#include "common/tone.h"

#include <satblur.h>

/* Returns the thresholds of a picture of that size and EXIF orientation, 1 .. 8, whose first column is the plane's column
 * `margin`. In all of the 8 x 8 pixels they are the odd numbers below 128, once each, and neighbours are far apart (B. E. Bayer,
 * "An optimum method for two-level rendition of continuous-tone pictures", ICC 1973). */
satk_pattern satb_make_pattern(const satb_image *src, int orientation, int margin);

#endif
