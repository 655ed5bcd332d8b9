/* The depth map that --keep-depth stores in the output. */
#ifndef SATBLUR_APP_KEEP_STEP_H
#define SATBLUR_APP_KEEP_STEP_H

#include "job/job.h"

/* Copies the request's map, which is aligned with the stored picture, to j->kept. False: p has the line. */
bool keep_step_take(picture_job *j, problem *p);

/* Says in the output's metadata, which are fitted to its format, what the map means. False: they have no place for a map that the
 * command line asks for, and p has the line. */
bool keep_step_describe(picture_job *j, problem *p);

/* Moves j->kept into the metadata, turned as the output is. False: p has the line. */
bool keep_step_write(picture_job *j, problem *p);

#endif
