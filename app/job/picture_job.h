/* One picture from file to file, in steps, so that many can be in different steps at a time. */
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
    picture input, map;     /* whose pixels are the job's from picture_job_read() on */
    int gpu;                /* that all work is done on, or NO_GPU */
    bool stays;             /* and where the picture stays from decoding to encoding, so far */
    metadata meta;          /* of the output */
    int orientation;        /* how the output's pixels are turned, as EXIF does: 1: not at all */
    output out;             /* begun by picture_job_write() */
    engine_request request; /* its images' shapes stay until the end */
    stage_times times;
    double start;
} picture_job;

/* Decodes the options' input and map. gpu: where the engine's contexts are that picture_job_work() gets, so that pixels may
 * stay there; NO_GPU: it is not known. After this, whether it worked or not, comes picture_job_free(). */
enum { NO_GPU = -1 };
bool picture_job_read(picture_job *j, const options *o, const codec *format, int gpu, problem *p);

bool picture_job_work(picture_job *j, engine *e, problem *p);

/* Encodes what the options ask for: the picture, the figure. Frees all pixels. */
bool picture_job_write(picture_job *j, problem *p);

/* Puts the picture in its place. This waits for the disk, and hardly needs a processor. */
bool picture_job_commit(picture_job *j, problem *p);

void picture_job_free(picture_job *j);

#endif
