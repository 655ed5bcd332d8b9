/* One picture from file to file, in steps, so that several pictures can be in different steps at a time. */
#ifndef SATBLUR_APP_PICTURE_JOB_H
#define SATBLUR_APP_PICTURE_JOB_H

#include "job/job.h"

/* Begins a job, for picture_job_free(). format: of the output; NULL: the input's, or there is none. Before the pictures are
 * read j->gpu may be set, to the GPU of the engine that picture_job_work() will get, so that pixels may stay there; and
 * j->shared. */
void picture_job_begin(picture_job *j, const options *o, const codec *format);

/* Decodes the pictures that the options name. */
bool picture_job_read(picture_job *j, problem *p);

/* Does the same where j->pictures are set. The job's output may be another's, who takes request.dst: then the format is
 * NULL. */
bool picture_job_settle(picture_job *j, problem *p);

bool picture_job_work(picture_job *j, engine *e, problem *p);

/* Encodes the picture and the figures into temporary files. Frees all pixels. */
bool picture_job_write(picture_job *j, problem *p);

/* Gives the picture its name. This waits for the disk, and hardly needs a processor. */
bool picture_job_commit(picture_job *j, problem *p);

void picture_job_free(picture_job *j);

#endif
