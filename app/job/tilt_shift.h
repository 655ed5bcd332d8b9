/* The map of --tilt-shift, for which no file is needed: a sharp band across the picture. */
#ifndef SATBLUR_APP_TILT_SHIFT_H
#define SATBLUR_APP_TILT_SHIFT_H

#include "job/job.h"

/* Makes a map of that size, gray and 16 bits, in map->data for pixels_free(). PLANE_FOCUS is the band; 1 or 65535 is the
 * farther border on its side. False: memory ran out, and p has a sentence. */
bool tilt_shift_map(const tilt_shift *tilt, int width, int height, satb_image *map, problem *p);

/* Makes the request's map, for the picture as it is displayed. False: p has the line. */
bool tilt_shift_make(picture_job *j, problem *p);

#endif
