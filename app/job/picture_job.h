/* One picture from file to file, in steps, so that several pictures can be in different steps at a time. */
#ifndef SATBLUR_APP_PICTURE_JOB_H
#define SATBLUR_APP_PICTURE_JOB_H

#include "job/job.h"

/* Decodes the options' input, map and matte. gpu: the device of the engine that picture_job_work() will get, so that pixels may
 * stay there; NO_GPU: not known. picture_job_free() must follow, after false, too. */
bool picture_job_read(picture_job *j, const options *o, const codec *format, int gpu, problem *p);

/* Does the same for a job whose options, pictures and format are set. Its output may be another's, who takes request.dst:
 * then its format is NULL. */
bool picture_job_settle(picture_job *j, problem *p);

bool picture_job_work(picture_job *j, engine *e, problem *p);

/* Encodes the picture and the figures into temporary files. Frees all pixels. */
bool picture_job_write(picture_job *j, problem *p);

/* Gives the picture its name. This waits for the disk, and hardly needs a processor. */
bool picture_job_commit(picture_job *j, problem *p);

void picture_job_free(picture_job *j);

#endif
