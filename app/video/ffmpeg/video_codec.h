/* The codec of a video: the one that is named, the input's own, or the container's usual one. */
#ifndef SATBLUR_APP_VIDEO_CODEC_H
#define SATBLUR_APP_VIDEO_CODEC_H

#include "video/ffmpeg/libav.h"

/* Returns the encoder to use, and notes a clip that becomes another codec. NULL: p has the line. */
const AVCodec *video_codec_find(const video_way *way, problem *p);

#endif
