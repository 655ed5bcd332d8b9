/* Files that a clip must not overwrite. */
#ifndef SATBLUR_APP_VIDEO_FILES_H
#define SATBLUR_APP_VIDEO_FILES_H

#include "video/video_work.h"

/* Refuses an OUTPUT that is read, be it all of it or one of its frames: a frame of it may be needed after another has been
 * written. It creates nothing. False: p has the line. */
bool video_check_files(const video_work *w, problem *p);

#endif
