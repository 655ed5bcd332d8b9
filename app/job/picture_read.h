/* Reads the picture, map and matte of a job, and makes its request. */
#ifndef SATBLUR_APP_PICTURE_READ_H
#define SATBLUR_APP_PICTURE_READ_H

#include "job/job.h"

/* Reads the files, aligns them with each other, and refuses what cannot be. False: p has the line. */
bool picture_read(picture_job *j, problem *p);

/* Does the same for pictures that are already in the job: input, map and matte. */
bool picture_read_loaded(picture_job *j, problem *p);

/* Returns words for the orientation of a picture, or of a video. */
typedef struct turn_words {
    char text[48];
} turn_words;
turn_words picture_read_turn(const picture *pic);

#endif
