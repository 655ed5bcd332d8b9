/* The focus of a clip's frames, and their strength, in their order.
 *
 * Keys are eased from one to the next. A focus that is found in each frame (auto, or the depth at a pixel) is smoothed: the
 * median of five measurements draws it with a time constant of 0.4 s, at most 0.8 of the disparity's range a second. The last
 * 0.02 of the range have a time constant of 2 s, so that a subject that turns does not pump. A cut begins anew. Frames are measured eight times a second, and all of them where the focus follows a place. */
#ifndef SATBLUR_APP_FOCUS_PATH_H
#define SATBLUR_APP_FOCUS_PATH_H

#include "engine/engine_pool.h"
#include "engine/options.h"
#include "video/track.h"
#include "video/turn.h"

enum {
    FOCUS_QUARTERS = 4,
    FOCUS_BINS = 64,
    FOCUS_NEAR =
        2, /* bins on each side that are one brightness to a cut, as exposure changes in a shot */
    FOCUS_MEDIAN = 5
};

/* What is seen in one frame. */
typedef struct focus_look {
    uint64_t number;
    double seconds;
    uint32_t histogram[FOCUS_QUARTERS][FOCUS_BINS]; /* of brightness, in each quarter */
    uint32_t pixels;
    bool has_focus;
    double focus;
} focus_look;

typedef struct focus_path {
    const options *o;
    double rate;
    turn order, place;   /* of the frames' focus, and of the place that is followed before */
    track track;         /* in turn */
    focus_look followed; /* the last frame whose place was found, or lost */
    uint64_t every;      /* frames from one measurement to the next */
    focus_look last;
    double recent[FOCUS_MEDIAN]; /* measurements of this shot, the newest last */
    int measured;
    double focus;
    bool has_focus;
} focus_path;

/* first: the number of the first frame. */
void focus_path_open(focus_path *f, const options *o, double rate, uint64_t first);
void focus_path_close(focus_path *f);

/* Lets no frame wait any more. */
void focus_path_stop(focus_path *f);

/* Notes where the place that the focus follows was lost. */
void focus_path_tell(const focus_path *f);

/* Returns whether a frame's focus depends on the frames before it. */
bool focus_path_has_memory(const focus_path *f);

/* Sets the focus and the strength of a frame in its request. Waits for the frames before it. Points of keys are in the picture
 * as displayed. False: p has the line, or (p's text is "") the work was stopped. */
bool focus_path_set(focus_path *f, engine_pool *pool, engine_request *q, uint64_t number,
                    double seconds, int orientation, problem *p);

/* Counts the brightness of every fourth pixel in every fourth row. For tests, as all below. */
void focus_look_count(focus_look *look, const satb_image *image);

/* Returns whether the pixels have another brightness than in the frame before, quarter by quarter. */
bool focus_look_is_cut(const focus_look *a, const focus_look *b);

/* Moves the focus on by a look, and returns it. */
double focus_path_step(focus_path *f, const focus_look *look);

#endif
