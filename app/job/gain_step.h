/* Pictures with a gain map: their light is blurred, too. */
#ifndef SATBLUR_APP_GAIN_STEP_H
#define SATBLUR_APP_GAIN_STEP_H

#include "job/job.h"

/* Returns what is made of a gain map in INPUT: the output's format and the options decide. */
gain_use gain_step_use(const picture_job *j);

/* After the work on a picture with a map: does the same work on its light, and makes j->gain of both results. False: p has the
 * line. */
bool gain_step_run(picture_job *j, engine *e, problem *p);

#endif
