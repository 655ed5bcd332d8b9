/* Frames out of a video file or a pipe, by FFmpeg's libraries. Without them nothing can be opened. */
#ifndef SATBLUR_APP_VIDEO_IN_H
#define SATBLUR_APP_VIDEO_IN_H

#include "base/message.h"
#include "codec/codec.h"
#include "video/video_about.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns the names and the versions of FFmpeg's libraries; NULL: they are not built in. */
const char *video_library(void);

/* Opens a file, or standard input (path_stdin). False: p has the line. */
bool video_in_open(video_in **out, const char *path, const video_in_settings *settings, problem *p);
const video_about *video_in_about(const video_in *v);
void video_in_close(video_in **v);

/* Decodes the next frame, for video_frame_free(). */
typedef enum video_status { VIDEO_FRAME, VIDEO_END, VIDEO_FAILED } video_status;
video_status video_in_next(video_in *v, video_frame **frame, problem *p);

/* Takes the sound beside a frame back, as the frame itself is not written. False: p has the line. */
bool video_in_return(video_in *v, video_frame *frame, problem *p);

/* Returns how many frames were damaged and concealed. */
uint64_t video_in_damaged(const video_in *v);

/* Returns about how many frames are missing after the last one, by the times that the file says; 0: none, or unknown. */
uint64_t video_in_missing(const video_in *v);

/* Returns whether the input ended inside a frame. Only Y4M, which has no index and no times, tells. */
bool video_in_is_cut(const video_in *v);

/* --- A frame ---------------------------------------------------------------------------------- */

/* Returns the time from the clip's first frame on. */
double video_frame_seconds(const video_frame *frame);

/* Makes a picture of the frame: RGB or gray, 8 or 16 bits. as_map: gray codes from black to white, of a frame without
 * colours. Any thread. False: p has a sentence without the file's name. */
bool video_frame_picture(const video_frame *frame, bool as_map, picture *pic, problem *p);

/* Gives the frame the colours of `after`, which was made of the picture `before`. Any thread. False: as above. */
bool video_frame_store(video_frame *frame, const satb_image *before, const satb_image *after,
                       problem *p);

/* Makes a frame of a picture, whose number counts from 0, at that rate. NULL: p has a sentence. */
video_frame *video_frame_make(const satb_image *image, uint64_t number, double rate, problem *p);

/* Leaves a part of the frame, for its picture and for video_frame_store(). False: p has a sentence. */
bool video_frame_cut(video_frame *frame, const clip_part *part, problem *p);

/* Returns the same frame once more. NULL: memory ran out. */
video_frame *video_frame_share(const video_frame *frame);
void video_frame_free(video_frame **frame);

#endif
