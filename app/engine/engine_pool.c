#include "engine/engine_pool.h"

#include <string.h>

/* Opens the devices in order until one fails, which is the end of them. */
static bool open_devices(engine_pool *pool, const satb_config *config, bool all, int most,
                         problem *p)
{
    problem later;
    pool->engines[0].config = *config;
    if (!engine_open(&pool->engines[0], &pool->is_cuda, p))
        return false;
    pool->count = 1;
    while (all && pool->count < most) {
        engine *e = &pool->engines[pool->count];
        bool cuda;
        e->config = *config;
        e->config.cuda_index = pool->count;
        if (!engine_open(e, &cuda, &later))
            break;
        pool->count++;
    }
    pool->devices = pool->count;
    return true;
}

bool engine_pool_open(engine_pool *pool, const satb_config *config, bool all, int workers,
                      problem *p)
{
    const int sharing = workers < ENGINES_PER_GPU ? workers : ENGINES_PER_GPU;
    satb_config each = *config;
    *pool = (engine_pool){0};
    each.gpu_memory /= (size_t)sharing;
    if (config->gpu_memory > 0 && each.gpu_memory == 0)
        each.gpu_memory = 1; /* 0 would mean the default */
    if (!open_devices(pool, &each, all, workers, p))
        return false;
    const int wanted = pool->is_cuda ? ENGINES_PER_GPU * pool->devices : workers;
    for (; pool->count < wanted && pool->count < workers; pool->count++)
        pool->engines[pool->count].config = pool->engines[pool->count % pool->devices].config;
    for (int i = 0; i < pool->count; i++)
        pool->idle[i] = &pool->engines[i];
    pool->waiting = pool->count;
    pthread_mutex_init(&pool->lock, NULL);
    for (int i = 0; i < pool->devices; i++)
        pthread_cond_init(&pool->given[i], NULL);
    pthread_cond_init(&pool->any_given, NULL);
    return true;
}

void engine_pool_trim(engine_pool *pool, int workers)
{
    pool->count = pool->count < workers ? pool->count : workers;
    pool->devices = pool->devices < pool->count ? pool->devices : pool->count;
    pool->waiting = pool->count;
}

int engine_pool_enter(engine_pool *pool)
{
    int least = 0;
    pthread_mutex_lock(&pool->lock);
    for (int i = 1; i < pool->devices; i++)
        if (pool->undone[i] < pool->undone[least])
            least = i;
    pool->undone[least]++;
    pthread_mutex_unlock(&pool->lock);
    return pool->engines[least].config.cuda_index;
}

/* Returns the index of the device with CUDA's number gpu; 0 if there is none. */
static int device_of(const engine_pool *pool, int gpu)
{
    int i = pool->devices - 1;
    while (i > 0 && pool->engines[i].config.cuda_index != gpu)
        i--;
    return i;
}

void engine_pool_leave(engine_pool *pool, int gpu, bool done)
{
    if (!done)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->undone[device_of(pool, gpu)]--;
    pthread_mutex_unlock(&pool->lock);
}

/* Returns the index of the first idle engine of that GPU; pool->waiting: there is none. */
static int find_idle(const engine_pool *pool, int gpu)
{
    int i = 0;
    while (i < pool->waiting && gpu != ANY_ENGINE && pool->idle[i]->config.cuda_index != gpu)
        i++;
    return i;
}

engine *engine_pool_take(engine_pool *pool, int gpu)
{
    int at;
    pthread_mutex_lock(&pool->lock);
    while ((at = find_idle(pool, gpu)) == pool->waiting)
        pthread_cond_wait(gpu == ANY_ENGINE ? &pool->any_given : &pool->given[device_of(pool, gpu)],
                          &pool->lock);
    engine *e = pool->idle[at];
    pool->waiting--;
    memmove(pool->idle + at, pool->idle + at + 1,
            (size_t)(pool->waiting - at) * sizeof *pool->idle);
    pthread_mutex_unlock(&pool->lock);
    return e;
}

/* Wakes one waiter for this device and one for any: a woken waiter that finds nothing costs the system time. */
void engine_pool_give(engine_pool *pool, engine *e)
{
    pthread_mutex_lock(&pool->lock);
    if (pool->low_memory)
        engine_trim(e);
    pool->idle[pool->waiting++] = e;
    pthread_cond_signal(&pool->given[device_of(pool, e->config.cuda_index)]);
    pthread_cond_signal(&pool->any_given);
    pthread_mutex_unlock(&pool->lock);
}

void engine_pool_set_low_memory(engine_pool *pool, bool low_memory)
{
    pthread_mutex_lock(&pool->lock);
    pool->low_memory = low_memory;
    for (int i = 0; i < pool->waiting && low_memory; i++)
        engine_trim(pool->idle[i]);
    pthread_mutex_unlock(&pool->lock);
}

void engine_pool_close(engine_pool *pool)
{
    if (pool->count == 0)
        return;
    for (int i = 0; i < pool->count; i++)
        engine_close(&pool->engines[i]);
    pthread_mutex_destroy(&pool->lock);
    for (int i = 0; i < pool->devices; i++)
        pthread_cond_destroy(&pool->given[i]);
    pthread_cond_destroy(&pool->any_given);
    pool->count = 0;
}
