/* One picture from file to file, in steps, so that many can be in different steps at a time. */
#ifndef SATBLUR_APP_RUN_H
#define SATBLUR_APP_RUN_H

#include "engine/options.h"
#include "codec/codec.h"
#include "engine/engine.h"
#include "base/output.h"
#include "job/report.h"

typedef struct run {
    const options *o;
    const codec *format; /* of the output; NULL: none */
    picture input, map;  /* whose pixels are the job's from run_read() on */
    int gpu;             /* that all work is done on, or NO_GPU */
    bool stays;          /* and where the picture stays from decoding to encoding, so far */
    metadata meta;       /* of the output */
    int turn;            /* how the output's pixels are turned, as EXIF does: 1: not at all */
    output out;          /* begun by run_write() */
    job work;            /* its images' shapes stay until the end */
    stage_times times;
    double start;
} run;

/* Decodes the options' input and map. gpu: where the engine's contexts are that run_work() gets, so that pixels may
 * stay there; NO_GPU: it is not known. After this, whether it worked or not, comes run_free(). */
enum { NO_GPU = -1 };
bool run_read(run *r, const options *o, const codec *format, int gpu, problem *p);

bool run_work(run *r, engine *e, problem *p);

/* Encodes what the options ask for: the picture, the figure. Frees all pixels. */
bool run_write(run *r, problem *p);

/* Puts the picture in its place. This waits for the disk, and hardly needs a processor. */
bool run_commit(run *r, problem *p);

void run_free(run *r);

#endif
