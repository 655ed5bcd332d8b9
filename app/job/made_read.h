/* The map and the matte that a program makes of a picture. */
#ifndef SATBLUR_APP_MADE_READ_H
#define SATBLUR_APP_MADE_READ_H

#include "job/job.h"
#include "program/program.h"

/* Has them made where the options want it and the job has none, aligned with the stored pixels, and takes what the program
 * says of them into j's own options, where the user has given nothing else. j->input is read. The step is passed
 * once, whether programs make both, one or none. False: p has the line, and the step may not be passed. */
bool made_read(picture_job *j, const program_step *step, problem *p);

#endif
