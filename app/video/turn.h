/* A section that frames pass one at a time, in their order, while other frames are worked on beside it. */
#ifndef SATBLUR_APP_TURN_H
#define SATBLUR_APP_TURN_H

#include "base/message.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct turn {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t at; /* the frame whose turn it is */
    bool stopped;
} turn;

void turn_open(turn *t);
void turn_close(turn *t);

/* Waits until the frame's turn comes. False: the work was stopped, nothing is to be passed, and p is PROBLEM_STOPPED. */
bool turn_take(turn *t, uint64_t frame, problem *p);

/* Lets the next frame in. */
void turn_pass(turn *t);

/* Lets nobody in any more. */
void turn_stop(turn *t);

#endif
