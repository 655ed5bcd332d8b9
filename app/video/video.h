/* Clips: videos, and pictures in numbered files. Every frame is a picture job, and several are worked on at a time. */
#ifndef SATBLUR_APP_VIDEO_H
#define SATBLUR_APP_VIDEO_H

#include "base/message.h"
#include "engine/options.h"

#include <stdbool.h>

/* Returns whether INPUT or OUTPUT is a clip: by the name's ending, a number like %05d, or --format. */
bool video_is_wanted(const options *o);

/* Refuses options that would do nothing with files of these kinds. */
bool video_check(const options *o, problem *p);

/* Blurs all frames. A video is whole or not at all; numbered files are one by one. The first signal ends the clip after the
 * frames that were begun. False: p has the line. */
bool video_run(const options *o, problem *p);

#endif
