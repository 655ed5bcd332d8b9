/* The depth map that --keep-depth stores in the output. */
#ifndef SATBLUR_APP_KEEP_STEP_H
#define SATBLUR_APP_KEEP_STEP_H

#include "job/job.h"

/* Refuses a format that holds no map, once it is known. False: p has the line. */
bool keep_step_accept(const picture_job *j, problem *p);

/* Copies the request's map, which is aligned with the stored picture, to j->kept. False: p has the line. */
bool keep_step_take(picture_job *j, problem *p);

/* Moves j->kept into the metadata of the output, which are fitted to its format. False: p has the line. */
bool keep_step_write(picture_job *j, problem *p);

#endif
