#include "batch/batch_throttle.h"

/* Successes for each slot before slots are added. The number doubles each time that the added slots were too many, as
 * pictures are then done twice. */
enum { LEAST_PATIENCE = 8, MOST_PATIENCE = 128 };

void batch_throttle_open(batch_throttle *throttle, int jobs)
{
    *throttle = (batch_throttle){.jobs = jobs, .slots = jobs, .patience = LEAST_PATIENCE};
    pthread_mutex_init(&throttle->lock, NULL);
    pthread_cond_init(&throttle->left, NULL);
}

void batch_throttle_close(batch_throttle *throttle)
{
    pthread_mutex_destroy(&throttle->lock);
    pthread_cond_destroy(&throttle->left);
}

int batch_throttle_enter(batch_throttle *throttle, bool *may_wait)
{
    pthread_mutex_lock(&throttle->lock);
    while (throttle->taken >= throttle->slots)
        pthread_cond_wait(&throttle->left, &throttle->lock);
    throttle->taken++;
    const int slots = throttle->slots;
    *may_wait = slots > 1 || !throttle->low_memory;
    pthread_mutex_unlock(&throttle->lock);
    return slots;
}

/* Doubles the slots, or ends the shortage. */
static void widen(batch_throttle *throttle)
{
    if (throttle->slots == throttle->jobs) {
        throttle->low_memory = throttle->has_widened = false;
        throttle->patience = LEAST_PATIENCE;
    } else {
        throttle->slots =
            2 * throttle->slots < throttle->jobs ? 2 * throttle->slots : throttle->jobs;
        throttle->has_widened = true;
    }
    throttle->done = 0;
    pthread_cond_broadcast(&throttle->left);
}

void batch_throttle_leave(batch_throttle *throttle, bool sufficed)
{
    pthread_mutex_lock(&throttle->lock);
    throttle->taken--;
    throttle->done += sufficed;
    if (throttle->low_memory && throttle->done >= throttle->patience * throttle->slots)
        widen(throttle);
    pthread_cond_signal(&throttle->left);
    pthread_mutex_unlock(&throttle->lock);
}

void batch_throttle_narrow(batch_throttle *throttle, int slots)
{
    pthread_mutex_lock(&throttle->lock);
    if (throttle->slots >= slots) {
        throttle->slots = slots > 1 ? slots / 2 : 1;
        throttle->done = 0;
        if (throttle->has_widened && throttle->patience < MOST_PATIENCE)
            throttle->patience *= 2;
        throttle->has_widened = false;
        throttle->low_memory = true;
    }
    pthread_mutex_unlock(&throttle->lock);
}

bool batch_throttle_low_memory(batch_throttle *throttle)
{
    pthread_mutex_lock(&throttle->lock);
    const bool low_memory = throttle->low_memory;
    pthread_mutex_unlock(&throttle->lock);
    return low_memory;
}
