/* Engines that workers take in turn: as many as there are workers on the CPU, a few per GPU, so that
 * its memory suffices while the other workers decode and encode. */
#ifndef SATBLUR_APP_ENGINE_POOL_H
#define SATBLUR_APP_ENGINE_POOL_H

#include "engine/engine.h"
#include "base/message.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ENGINES_PER_GPU = 8, ENGINES_MOST = JOBS_MOST };

typedef struct engine_pool {
    engine engines[ENGINES_MOST];
    engine *idle[ENGINES_MOST]; /* the one that has waited longest comes first */
    int count, waiting;
    int devices;            /* with engines of their own: those of the first so many */
    bool is_cuda;           /* they are GPUs */
    atomic_bool low_memory; /* of memory */
    int undone
        [ENGINES_MOST]; /* by device: pictures that have chosen it and are in work, or failed */
    pthread_mutex_t lock;
    pthread_cond_t given[ENGINES_MOST]; /* one of a device's engines */
    pthread_cond_t any_given;
} engine_pool;

/* Opens the first engine on each device, so that a missing one shows now. all: every GPU. Those of a GPU
 * share its gpu_memory. */
bool engine_pool_open(engine_pool *pool, const satb_config *config, bool all, int workers,
                      problem *p);

/* Leaves out those beyond so many workers, before the first is taken. */
void engine_pool_trim(engine_pool *pool, int workers);

/* For pictures that go to one GPU for all that is done to them: that with fewest of them, by CUDA's number; and when
 * such a picture is over. One that has failed, but for want of memory, goes on counting, as a GPU at which all fail at
 * once would never have many. */
int engine_pool_enter(engine_pool *pool);
void engine_pool_leave(engine_pool *pool, int gpu, bool done);

/* Waits for one that is idle: of that GPU, or (ANY_ENGINE) of any device. */
enum { ANY_ENGINE = -1 };
engine *engine_pool_take(engine_pool *pool, int gpu);
void engine_pool_give(engine_pool *pool, engine *e);

/* While there is too little memory, engines that wait keep none. */
void engine_pool_set_low_memory(engine_pool *pool, bool low_memory);

void engine_pool_close(engine_pool *pool);

#endif
