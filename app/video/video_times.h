/* The times of all frames, for --timings: the means of their stages. */
#ifndef SATBLUR_APP_VIDEO_TIMES_H
#define SATBLUR_APP_VIDEO_TIMES_H

#include "job/job.h"

typedef struct video_times {
    uint64_t frames;
    engine_request last; /* the last frame's, with sums; its pictures are gone */
    stage_times sums;
} video_times;

void video_times_add(video_times *t, const picture_job *j);

/* Prints the means as the times of a picture are. */
void video_times_print(const video_times *t, const options *o);

#endif
