/* Engines that workers take in turn: one for each worker on the CPU; a few for each GPU, so that its memory suffices while
 * other workers decode and encode. */
#ifndef SATBLUR_APP_ENGINE_POOL_H
#define SATBLUR_APP_ENGINE_POOL_H

#include "engine/engine.h"
#include "base/message.h"

#include <pthread.h>
#include <stdbool.h>

enum { ENGINES_PER_GPU = 8, ENGINES_MOST = JOBS_MOST };

typedef struct engine_pool {
    engine engines[ENGINES_MOST];
    engine *idle[ENGINES_MOST]; /* the longest idle one first */
    int count, waiting;
    int devices;              /* engine i < devices is the first of device i */
    bool is_cuda;             /* they are GPUs */
    bool low_memory;          /* idle engines keep no memory; under the lock, as idle */
    int undone[ENGINES_MOST]; /* by device: pictures in work on it, and failed ones */
    pthread_mutex_t lock;
    pthread_cond_t given[ENGINES_MOST]; /* one of a device's engines */
    pthread_cond_t any_given;
} engine_pool;

/* Opens the first engine of each device, so that a missing one shows now. all: every GPU. The engines of a GPU share its
 * gpu_memory. */
bool engine_pool_open(engine_pool *pool, const satb_config *config, bool all, int workers,
                      problem *p);

/* Leaves out the engines beyond the number of workers. To be called before the first is taken. */
void engine_pool_trim(engine_pool *pool, int workers);

/* Returns CUDA's number of the GPU with the fewest pictures that stay on one GPU, and counts
 * another one. done: it is over. A picture that failed for another reason than memory goes on
 * counting, or a GPU at which all fail would draw all of them. */
int engine_pool_enter(engine_pool *pool);
void engine_pool_leave(engine_pool *pool, int gpu, bool done);

/* Waits for an idle engine of that GPU, or (ANY_ENGINE) of any device. */
enum { ANY_ENGINE = -1 };
engine *engine_pool_take(engine_pool *pool, int gpu);
void engine_pool_give(engine_pool *pool, engine *e);

/* Makes idle engines keep no memory, or lets them keep it again. */
void engine_pool_set_low_memory(engine_pool *pool, bool low_memory);

void engine_pool_close(engine_pool *pool);

#endif
