/* Frames of a clip, whatever it is: a video, numbered files, an array of depth maps, or one picture that stays. */
#ifndef SATBLUR_APP_CLIP_H
#define SATBLUR_APP_CLIP_H

#include "base/message.h"
#include "codec/codec.h"
#include "codec/maps/npy_series.h"
#include "engine/options.h"
#include "video/numbered.h"
#include "video/video_in.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum clip_kind {
    CLIP_NONE,
    CLIP_VIDEO,
    CLIP_HALF, /* of the frames of another clip, a video */
    CLIP_NUMBERED,
    CLIP_ARRAY,
    CLIP_STILL
} clip_kind;

typedef struct clip {
    clip_kind kind;
    const char *name;
    bool is_map;        /* a depth map or a matte */
    clip_part part;     /* of its frames, for clip_frame_cut() */
    double rate;        /* frames a second */
    uint64_t count, at; /* frames in all, 0 for unknown; the next one's number */
    bool is_exact;      /* the count is known, and no estimate */
    video_in *video;
    numbered files;
    char *pattern;   /* of the files, where the name is a folder's; NULL: it is the name */
    long long there; /* number of the last file that was not missing */
    npy_series *array;
} clip;

typedef struct clip_map clip_map; /* an NPY file in memory, which frames share */

typedef struct clip_frame {
    uint64_t number;    /* from 0 on */
    double seconds;     /* from the first frame on */
    video_frame *video; /* NULL: a file, or a map */
    clip_map *map;      /* of an array; NULL: none */
    char path[4096];    /* of the frame's file, or of the clip's only one */
} clip_frame;

/* Opens what the options name for the role, if anything. settings: how its pictures are read. False: p has the line. */
bool clip_open(clip *c, source_role role, const options *o, const decode_settings *settings,
               problem *p);
void clip_close(clip *c);

/* Takes the next frame, for clip_frame_free(). VIDEO_END: there is none. A still has frames without end. */
video_status clip_next(clip *c, clip_frame *f, problem *p);

/* Leaves the clip's part of a frame. False: p has the line. */
bool clip_frame_cut(const clip *c, clip_frame *f, problem *p);

/* Copies a frame; its pixels are shared. */
bool clip_frame_share(clip_frame *to, const clip_frame *from, problem *p);
void clip_frame_free(clip_frame *f);

/* Reads the frame's pixels. Any thread. False: p has the line. */
bool clip_frame_load(const clip *c, const clip_frame *f, const decode_settings *settings,
                     picture *pic, problem *p);

#endif
