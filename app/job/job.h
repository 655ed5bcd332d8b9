/* One picture's way from file to file: all that is known of it. */
#ifndef SATBLUR_APP_JOB_H
#define SATBLUR_APP_JOB_H

#include "base/output.h"
#include "codec/codec.h"
#include "embedded/embedded.h"
#include "engine/engine.h"
#include "figure/focus_view.h"
#include "image/grain.h"
#include "job/report.h"
#include "job/shared.h"

typedef struct picture_job {
    const options *o;
    options own;              /* o points to it if the photo's own map has changed the options */
    char *own_names[SOURCES]; /* in messages, of pictures within the photo; NULL: none */
    const char *made_by;      /* the program that made the map; NULL: none has */
    embedded_meaning own_meaning;             /* of the codes of the photo's own map */
    embedded_meaning kept_means;              /* of the codes of `kept`, before they were turned */
    const codec *format;                      /* of the output; NULL: none */
    const shared_pictures *shared;            /* NULL: none */
    SOURCE_MEMBERS(picture, pictures, input); /* their pixels move to the request */
    bool lent[SOURCES];     /* the pixels or numbers are those of `shared`, and must not change */
    int gpu;                /* for all the work, or NO_GPU */
    bool stays;             /* the picture has been on that GPU since decoding */
    metadata meta;          /* of the output */
    int orientation;        /* EXIF's, that the output's pixels are rotated by; 1: none */
    focus_view view;        /* with --focus-view */
    grain grain;            /* with --grain */
    gain_map gain;          /* of the output; image.data NULL: none */
    satb_image kept;        /* of --keep-depth, until it is in meta; data NULL: none */
    uint64_t number;        /* of the frame, which its dither depends on */
    bool is_frame;          /* of a clip */
    output out;             /* begun by picture_job_write() */
    engine_request request; /* its images' shapes stay until the end */
    stage_times times;
    double start;
} picture_job;

#endif
