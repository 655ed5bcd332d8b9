/* Pictures that stay on a GPU from decoding to encoding. */
#ifndef SATBLUR_APP_STAY_H
#define SATBLUR_APP_STAY_H

#include "job/job.h"

/* Returns whether the picture may stay on the job's GPU, as far as is known. Before it is read, the options decide. */
bool stay_is_possible(const picture_job *j);

/* Lets the picture stay if that is possible. Otherwise all pictures come to the host, as the work may get an engine of
 * another GPU. False: p has the line. */
bool stay_settle(picture_job *j, problem *p);

/* Ends the stay: all pictures come to the host. False: p has the line. */
bool stay_end(picture_job *j, problem *p);

#endif
