/* --dither and --grain: the picture is blurred in 16 bits, and rounded to 8 afterwards. */
#ifndef SATBLUR_APP_DITHER_STEP_H
#define SATBLUR_APP_DITHER_STEP_H

#include "job/job.h"

/* Returns whether the job's blur is dithered: the options ask for it, and the picture has 8 bits. */
bool dither_step_has(const picture_job *j);

/* Returns whether that needs the radius of each pixel, in request.coc. */
bool dither_step_needs_radii(const picture_job *j);

/* Gives the blur a copy of the picture in 16 bits, and measures the grain. The pictures come to the host. False: p has
 * the line. */
bool dither_step_begin(picture_job *j, problem *p);

/* Rounds the result to 8 bits. False: p has the line. */
bool dither_step_end(picture_job *j, problem *p);

#endif
