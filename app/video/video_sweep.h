/* What runs that were killed have left. */
#ifndef SATBLUR_APP_VIDEO_SWEEP_H
#define SATBLUR_APP_VIDEO_SWEEP_H

#include "video/video_work.h"

/* Removes the temporaries of OUTPUT, a video, but for those that a process has locked. */
void video_sweep(const options *o);

/* Removes those of the shard's frames in the folder, unless another run writes there. The run's own list is locked. */
void video_sweep_frames(const video_work *w, const char *folder);

#endif
