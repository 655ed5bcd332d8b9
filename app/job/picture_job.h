/* One picture from file to file, in steps, so that several pictures can be in different steps at a time. */
#ifndef SATBLUR_APP_PICTURE_JOB_H
#define SATBLUR_APP_PICTURE_JOB_H

#include "engine/options.h"
#include "codec/codec.h"
#include "engine/engine.h"
#include "base/output.h"
#include "job/report.h"

typedef struct picture_job {
    const options *o;
    const codec *format;    /* of the output; NULL: none */
    picture input, map;     /* their pixels move to the request in picture_job_read() */
    int gpu;                /* for all the work, or NO_GPU */
    bool stays;             /* the picture has been on that GPU since decoding */
    metadata meta;          /* of the output */
    int orientation;        /* EXIF's, that the output's pixels are rotated by; 1: none */
    output out;             /* begun by picture_job_write() */
    engine_request request; /* its images' shapes stay until the end */
    stage_times times;
    double start;
} picture_job;

/* Decodes the options' input and map. gpu: the device of the engine that picture_job_work() will get, so that pixels may
 * stay there; NO_GPU: not known. picture_job_free() must follow, after false, too. */
enum { NO_GPU = -1 };
bool picture_job_read(picture_job *j, const options *o, const codec *format, int gpu, problem *p);

bool picture_job_work(picture_job *j, engine *e, problem *p);

/* Encodes the picture and the figures into temporary files. Frees all pixels. */
bool picture_job_write(picture_job *j, problem *p);

/* Gives the picture its name. This waits for the disk, and hardly needs a processor. */
bool picture_job_commit(picture_job *j, problem *p);

void picture_job_free(picture_job *j);

#endif
