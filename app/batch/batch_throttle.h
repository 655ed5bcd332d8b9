/* Limits the pictures in work: to the jobs, and to fewer while a GPU's memory does not suffice. The need of a picture is
 * known only when memory has run out. So the limit is halved then, and doubled after a run of successes, as TCP adapts to
 * a network (Jacobson, Congestion Avoidance and Control, 1988). */
#ifndef SATBLUR_APP_BATCH_THROTTLE_H
#define SATBLUR_APP_BATCH_THROTTLE_H

#include <pthread.h>
#include <stdbool.h>

typedef struct batch_throttle {
    int jobs, slots;              /* the most pictures ever, and now */
    int taken;                    /* slots */
    int done;                     /* pictures since `slots` changed */
    int patience;                 /* pictures for each slot before slots are added */
    bool low_memory, has_widened; /* since slots were taken away last */
    pthread_mutex_t lock;
    pthread_cond_t left;
} batch_throttle;

void batch_throttle_open(batch_throttle *throttle, int jobs);
void batch_throttle_close(batch_throttle *throttle);

/* Waits for a slot. Returns the number of slots; with 1, the caller is alone until it leaves. may_wait: if memory runs
 * out, a retry can succeed, as there will be fewer slots or less memory kept for later pictures. */
int batch_throttle_enter(batch_throttle *throttle, bool *may_wait);

/* Leaves the slot. sufficed: memory did, so slots may be added after more successes. */
void batch_throttle_leave(batch_throttle *throttle, bool sufficed);

/* Halves the slots after memory has run out, unless they are fewer already than `slots`, which
 * batch_throttle_enter() returned. The caller calls this and frees kept
 * memory before it leaves, so that a picture that is alone finds free memory. */
void batch_throttle_narrow(batch_throttle *throttle, int slots);

/* Returns whether memory has run out lately; no memory should be kept for later pictures then. */
bool batch_throttle_low_memory(batch_throttle *throttle);

#endif
