/* The frames of a clip that are made: all, a part from --start on, one for --frame, or some for --frames. */
#ifndef SATBLUR_APP_VIDEO_RANGE_H
#define SATBLUR_APP_VIDEO_RANGE_H

#include "engine/options.h"

#include <stdint.h>

typedef struct video_range {
    clip_time from, length; /* length.at 0: until the end */
    uint64_t count;         /* of a sheet's frames; 0: no sheet */
    double first,
        step; /* of a sheet: the middle of its first frame's share, and the shares, in frames */
    uint64_t taken; /* frames until now */
    uint64_t begin; /* number of the first frame that was taken */
    double begin_seconds;
} video_range;

/* Sets the range that the options ask for. frames: of the clip, 0 for unknown; rate: frames a second. False: p has the line; a
 * sheet needs the number of frames. */
bool video_range_open(video_range *r, const options *o, uint64_t frames, double rate, problem *p);

/* Returns whether some frames are left out. */
bool video_range_is_part(const video_range *r);

/* Returns about the seconds of a part; 0: until the clip's end. */
double video_range_seconds(const video_range *r, uint64_t frames, double rate);

/* Returns about how many of the clip's frames are taken; 0: unknown. */
uint64_t video_range_frames(const video_range *r, uint64_t frames, double rate);

/* Returns what is done with the next frame: it is left out, taken, or behind the end. */
typedef enum range_place { RANGE_LEFT_OUT, RANGE_TAKEN, RANGE_BEHIND } range_place;
range_place video_range_next(video_range *r, uint64_t number, double seconds);

/* Refuses a clip that has ended without a frame of the range. */
bool video_range_end(const video_range *r, const options *o, uint64_t frames, problem *p);

#endif
