/* How many pictures may be in work at a time: as many as there are jobs, but fewer where a GPU has too little memory
 * for them. How much pictures take is known when it is gone; so, as TCP finds what a network bears, by half as many
 * when it was too much, and by more again after a while (Jacobson, Congestion Avoidance and Control, 1988). */
#ifndef SATBLUR_APP_BATCH_THROTTLE_H
#define SATBLUR_APP_BATCH_THROTTLE_H

#include <pthread.h>
#include <stdbool.h>

typedef struct batch_throttle {
    int jobs, slots; /* as many as there may ever be, and now */
    int taken;
    int done;                     /* pictures, since `slots` was another */
    int patience;                 /* how many, for each place, before there are more */
    bool low_memory, has_widened; /* since slots were taken away last */
    pthread_mutex_t lock;
    pthread_cond_t left;
} batch_throttle;

void batch_throttle_open(batch_throttle *throttle, int jobs);
void batch_throttle_close(batch_throttle *throttle);

/* Waits for a place. Returns how many there are; of 1, nobody else has one until it is left. may_wait: should memory run
 * out, another try will fare better: there will be fewer pictures, or nothing is kept for the next ones any more. */
int batch_throttle_enter(batch_throttle *throttle, bool *may_wait);

/* sufficed: memory has, so that there may be more slots again after a while. */
void batch_throttle_leave(batch_throttle *throttle, bool sufficed);

/* Before leaving, when it has not: halves the slots, unless that has happened since there were `slots`, as it entered.
 * What is done about the shortage before leaving is done before another picture is alone. */
void batch_throttle_narrow(batch_throttle *throttle, int slots);

/* Whether memory has run out lately: nothing is to be kept for the next pictures. */
bool batch_throttle_low_memory(batch_throttle *throttle);

#endif
