#include "video/turn.h"

void turn_open(turn *t)
{
    t->at = 0;
    t->stopped = false;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
}

void turn_close(turn *t)
{
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
}

bool turn_take(turn *t, uint64_t frame, problem *p)
{
    pthread_mutex_lock(&t->lock);
    while (t->at != frame && !t->stopped)
        pthread_cond_wait(&t->changed, &t->lock);
    const bool taken = !t->stopped;
    pthread_mutex_unlock(&t->lock);
    return taken || problem_stop(p);
}

void turn_pass(turn *t)
{
    pthread_mutex_lock(&t->lock);
    t->at++;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

void turn_stop(turn *t)
{
    pthread_mutex_lock(&t->lock);
    t->stopped = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}
