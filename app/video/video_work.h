/* What is shared while a clip is in work. video.c opens and closes it; video_frames.c makes the frames. */
#ifndef SATBLUR_APP_VIDEO_WORK_H
#define SATBLUR_APP_VIDEO_WORK_H

#include "batch/batch_manifest.h"
#include "batch/batch_report.h"
#include "batch/progress.h"
#include "codec/codec.h"
#include "engine/engine_pool.h"
#include "engine/source.h"
#include "job/shared.h"
#include "video/companion.h"
#include "video/focus_path.h"
#include "video/turn.h"
#include "video/video_out.h"
#include "video/video_range.h"
#include "video/video_sheet.h"
#include "video/video_times.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum video_target { TO_VIDEO, TO_FILES, TO_PICTURE, TO_SHEET } video_target;

typedef struct video_work {
    const options *o; /* own */
    options own;      /* as given, with the range of all maps */
    clip input;
    companion of[SOURCES]; /* INPUT has none */
    decode_settings settings[SOURCES];
    shared_pictures shared; /* of all frames */
    video_target target;
    video_range range;
    const codec *format; /* of pictures; NULL: a video, or one frame without OUTPUT */
    batch_report report;
    video_out *out;
    engine_pool pool;
    int workers, threads; /* threads of each worker */
    focus_path focus;
    turn write, maps;    /* maps: a program gets the frames in order */
    uint64_t begin, end; /* the shard's frames, from begin on and before end */
    manifest done;       /* the list of numbered outputs; its signature is the next frame's */

    atomic_ullong kept;   /* frames whose output was there */
    pthread_mutex_t lock; /* of all below */
    bool is_over, failed;
    problem failure;
    uint64_t read;        /* frames */
    bool has_ended_early; /* frames were left behind the range */
    video_sheet sheet;
    video_times times;
    progress progress;
} video_work;

/* Returns whether a program makes a map or a matte of each frame. */
static inline bool video_makes_maps(const video_work *w)
{
    return source_may_be_made(w->o, SOURCE_MAP) || source_may_be_made(w->o, SOURCE_MATTE);
}

/* Returns the number in the name of OUTPUT's first frame. */
static inline long long video_first_number(const video_work *w)
{
    return w->input.kind == CLIP_NUMBERED ? w->input.files.first : 1;
}

/* Makes all frames of the shard, several at a time. False: p has the first line of those that failed. */
bool video_make_frames(video_work *w, problem *p);

#endif
