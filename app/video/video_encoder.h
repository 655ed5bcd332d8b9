/* The encoder of a video: which one, how good, and in which pixel format. */
#ifndef SATBLUR_APP_VIDEO_ENCODER_H
#define SATBLUR_APP_VIDEO_ENCODER_H

#include "video/libav.h"

typedef struct encoder_request {
    const char *name; /* of the file, for messages */
    const AVOutputFormat *format;
    const video_in *from; /* NULL: frames of pictures */
    const video_out_settings *settings;
} encoder_request;

/* Opens an encoder for frames like f. *out is for avcodec_free_context(), after false, too; p has the line then. */
bool video_encoder_open(AVCodecContext **out, const encoder_request *request, const AVFrame *f,
                        problem *p);

#endif
