/* The quality of an encoder, and the options that the user gives it. */
#ifndef SATBLUR_APP_ENCODER_OPTIONS_H
#define SATBLUR_APP_ENCODER_OPTIONS_H

#include "video/ffmpeg/libav.h"

/* Opens an encoder that is described, for frames like f, with its quality and options. False: p has the line. */
bool encoder_options_open(const video_way *way, AVCodecContext *c, const AVFrame *f, problem *p);

#endif
