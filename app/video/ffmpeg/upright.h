/* Frames that are turned, for containers that cannot say how a player is to turn them. */
#ifndef SATBLUR_APP_UPRIGHT_H
#define SATBLUR_APP_UPRIGHT_H

#include "video/ffmpeg/libav.h"

/* Returns EXIF's number of the turn that frames of a clip get in that container; 1: none. */
int upright_turn(const video_in *from, const video_container *to);

/* Turns a frame of a working format. Where blocks of chroma have unequal sides, each pixel gets its own chroma first. False: p
 * has a sentence. */
bool upright_frame(AVFrame **frame, int orientation, problem *p);

#endif
