/* --grain and --dither. Layers dither by themselves, and get their grain afterwards. For other blurs the picture is blurred in
 * 16 bits, and then rounded to 8. */
#ifndef SATBLUR_APP_DITHER_STEP_H
#define SATBLUR_APP_DITHER_STEP_H

#include "job/job.h"

/* Returns whether the options need a step of the host's for a picture of 8 bits. */
bool dither_step_is_asked(const options *o);

/* Returns whether the job is blurred in 16 bits for it. */
bool dither_step_is_deep(const picture_job *j);

/* Returns whether it needs the radius of each pixel, in request.coc. */
bool dither_step_needs_radii(const picture_job *j);

/* Gives the blur a copy of the picture in 16 bits if that is needed, and measures the grain. The pictures come to the host. False: p has
 * the line. */
bool dither_step_begin(picture_job *j, problem *p);

/* Rounds the result to 8 bits, with grain. False: p has the line. */
bool dither_step_end(picture_job *j, problem *p);

#endif
