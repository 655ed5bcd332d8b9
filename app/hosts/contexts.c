#include "hosts/contexts.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_PER_GPU = 2 }; /* one computes while the other copies */

struct contexts {
    satb_config config;
    pthread_mutex_t lock;
    pthread_cond_t given;
    int most, opened, idle;
    satb_context *list[]; /* those that are idle */
};

contexts *contexts_open(const satb_config *config, int most)
{
    contexts *c = calloc(1, sizeof *c + (size_t)most * sizeof *c->list);
    if (!c)
        return NULL;
    c->config = *config;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->given, NULL);
    if (satb_open(&c->list[0], config) != SATB_OK) {
        contexts_close(&c);
        return NULL;
    }
    c->opened = c->idle = 1;
    c->most = satb_is_cuda(c->list[0]) && most > MOST_PER_GPU ? MOST_PER_GPU : most;
    return c;
}

void contexts_close(contexts **of)
{
    contexts *const c = *of;
    if (!c)
        return;
    while (c->idle > 0)
        satb_close(&c->list[--c->idle]);
    pthread_cond_destroy(&c->given);
    pthread_mutex_destroy(&c->lock);
    free(c);
    *of = NULL;
}

/* Opens a further context, without the lock meanwhile. NULL: that failed, and is not tried again. */
static satb_context *open_further(contexts *c)
{
    satb_context *context = NULL;
    c->opened++;
    pthread_mutex_unlock(&c->lock);
    const bool done = satb_open(&context, &c->config) == SATB_OK;
    pthread_mutex_lock(&c->lock);
    if (!done)
        c->most = --c->opened;
    return done ? context : NULL;
}

satb_context *contexts_take(contexts *c)
{
    satb_context *context = NULL;
    pthread_mutex_lock(&c->lock);
    while (!context)
        if (c->idle > 0)
            context = c->list[--c->idle];
        else if (c->opened < c->most)
            context = open_further(c);
        else
            pthread_cond_wait(&c->given, &c->lock);
    pthread_mutex_unlock(&c->lock);
    return context;
}

void contexts_give(contexts *c, satb_context *context)
{
    pthread_mutex_lock(&c->lock);
    c->list[c->idle++] = context;
    pthread_cond_signal(&c->given);
    pthread_mutex_unlock(&c->lock);
}
