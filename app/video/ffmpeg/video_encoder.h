/* The encoder of a video: how good, with what options, and in what pixel format. */
#ifndef SATBLUR_APP_VIDEO_ENCODER_H
#define SATBLUR_APP_VIDEO_ENCODER_H

#include "video/ffmpeg/libav.h"

/* Ends an encoder at any time, and frees it. has_frames: it has been sent some. */
void video_encoder_close(AVCodecContext **c, bool has_frames);

/* Returns the clip's frames a second. */
AVRational video_encoder_rate(const video_way *way);

/* Opens it for frames like f, which it counts: a frame is a tick of its time base. *out is for avcodec_free_context(), after
 * false, too; p has the line then. */
bool video_encoder_open(AVCodecContext **out, const AVCodec *encoder, const video_way *way,
                        const AVFrame *f, problem *p);

#endif
