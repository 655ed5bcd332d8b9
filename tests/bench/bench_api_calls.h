/* The rows of satbench --api: one call of the library each. */
#ifndef SATB_BENCH_API_CALLS_H
#define SATB_BENCH_API_CALLS_H

#include "bench/bench_api_images.h"

typedef struct api_run api_run;

typedef struct api_call {
    const char *name;
    satb_status (*run)(api_run *);
    api_image map, matte; /* API_NONE: without */
    int bits;             /* of the picture; 0: 8 */
    int half;             /* 1: its samples are half floats */
    int cutout;           /* 1: RGBA has the subject as alpha */
    int gamma;            /* of boxes: 1: codes as they are */
    double radius;        /* in pixels; of depth of field, 0: 2% of the width */
    double focus;         /* of depth of field; 0: the middle of the scene */
    satb_focus focus_mode;
    double highlights;
    int on_host; /* 1: all images are in pageable host memory */
    int queued; /* calls on a stream of the caller's, one after another; 0: one on the context's own */
} api_call;

/* A call on a picture of 3 or 4 channels. */
struct api_run {
    const api_call *call;
    api_images *images;
    satb_context *context;
    int channels, set;
    satb_dof_report report; /* of the last call of depth of field */
};

extern const api_call api_calls[]; /* the first one is the measure of the others */
extern const int api_calls_count;

/* Returns 1 if the last run did what the row's name says: holes were found where the map has some, say. */
int api_did_as_named(const api_run *run);

#endif
