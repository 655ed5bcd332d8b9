/* Does the work that the options ask for on a device: chooses the device, falls back from a GPU to the CPU, verifies one
 * against the other. */
#ifndef SATBLUR_APP_ENGINE_H
#define SATBLUR_APP_ENGINE_H

#include "engine/engine_request.h"
#include "base/message.h"

#include <satblur.h>

#include <pthread.h>
#include <stdbool.h>

/* Contexts by satb_device. A context is opened when it is first needed, and kept, as its buffers are reused. */
typedef struct engine {
    satb_config config;
    satb_context *contexts[3];
    bool
        is_for_one; /* picture: `auto` chooses the CPU if a GPU takes longer to start than the CPU for the work */
    bool was_cut; /* the last picture, into bands */
    bool is_starting;
    pthread_t starter;
} engine;

/* Begins to open a CUDA device that --device names, in a thread of its own. */
void engine_start(engine *e);

/* Moves the request's picture, map and matte to the host, where they are not yet. False: p has the line. */
bool engine_bring(engine_request *q, problem *p);

/* Returns false on failure; then p has the line to print. */
bool engine_run(engine *e, engine_request *q, problem *p);

/* Opens the device that engine_run() would, so that a missing one shows early. */
bool engine_open(engine *e, bool *is_cuda, problem *p);

/* Frees the memory that is kept for later pictures. */
void engine_trim(engine *e);

void engine_close(engine *e);

#endif
