/* Frames into a video file or a pipe, by FFmpeg's libraries. A file is whole or not at all. */
#ifndef SATBLUR_APP_VIDEO_OUT_H
#define SATBLUR_APP_VIDEO_OUT_H

#include "base/message.h"
#include "video/video_in.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct video_out video_out;

/* Prints the encoders that this build has for each word of --video-codec. Without FFmpeg's libraries it prints nothing. */
void video_codec_list(FILE *to);

/* Opens the file, or standard output. Other streams, metadata and chapters are those of `from`; NULL: none. False: p has the
 * line. */
bool video_out_open(video_out **out, const char *path, video_in *from,
                    const video_out_settings *settings, problem *p);

/* Leaves out a frame of the clip before the first one that is written, and keeps the sound beside it. False: p has the line. */
bool video_out_leave(video_out *v, video_frame *frame, problem *p);

/* Encodes the next frame. False: p has the line. */
bool video_out_write(video_out *v, video_frame *frame, problem *p);

/* Ends the file and gives it its name. False: p has the line, and nothing is left. */
bool video_out_commit(video_out **v, problem *p);

/* Removes what was written. */
void video_out_abort(video_out **v);

#endif
