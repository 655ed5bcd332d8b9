/* The limit of pictures in work: halved and doubled, and never passed by threads. */
#include "batch/batch_throttle.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "unit/unit.h"

/* Pictures enter and leave one after the other. */
static void throttle_has(batch_throttle *throttle, int pictures, int slots, bool may_wait)
{
    for (int i = 0; i < pictures; i++) {
        bool may;
        assert_int_equal(batch_throttle_enter(throttle, &may), slots);
        assert_int_equal(may, may_wait);
        batch_throttle_leave(throttle, true);
    }
}

/* One picture runs out of memory. */
static void throttle_is_too_wide(batch_throttle *throttle, int slots)
{
    bool may;
    assert_int_equal(batch_throttle_enter(throttle, &may), slots);
    batch_throttle_narrow(throttle, slots);
    assert_true(batch_throttle_low_memory(throttle));
    batch_throttle_leave(throttle, false);
}

static void test_throttle(void **state)
{
    batch_throttle throttle;
    bool may;
    batch_throttle_open(&throttle, 5);
    throttle_has(&throttle, 1000, 5, true);
    for (int i = 0; i < 3; i++) /* together */
        assert_int_equal(batch_throttle_enter(&throttle, &may), 5);
    for (int i = 0; i < 3; i++) {
        batch_throttle_narrow(&throttle, 5); /* once */
        batch_throttle_leave(&throttle, false);
    }
    throttle_has(&throttle, 15, 2, true);
    throttle_is_too_wide(&throttle, 2);
    throttle_has(&throttle, 8, 1, false);
    throttle_has(&throttle, 1, 2, true);
    throttle_is_too_wide(&throttle, 2); /* the slot came too early: twice the patience */
    throttle_has(&throttle, 16, 1, false);
    throttle_has(&throttle, 32, 2, true);
    throttle_has(&throttle, 64, 4, true);
    throttle_has(&throttle, 80, 5, true);
    assert_false(batch_throttle_low_memory(&throttle)); /* the shortage is over */
    throttle_is_too_wide(&throttle, 5);
    throttle_has(&throttle, 16, 2, true);
    throttle_has(&throttle, 32, 4, true);
    throttle_is_too_wide(&throttle, 5);
    throttle_is_too_wide(&throttle, 2); /* no slot was added in between: the same patience */
    throttle_has(&throttle, 16, 1, false);
    throttle_has(&throttle, 1, 2, true);
    batch_throttle_close(&throttle);

    batch_throttle_open(&throttle, 5);
    assert_int_equal(batch_throttle_enter(&throttle, &may), 5);
    throttle_is_too_wide(&throttle, 5);
    throttle_is_too_wide(&throttle, 2);
    batch_throttle_narrow(&throttle, 5); /* it entered when there were more slots than now */
    batch_throttle_leave(&throttle, false);
    throttle_has(&throttle, 8, 1, false);
    batch_throttle_close(&throttle);

    batch_throttle_open(&throttle, 1);
    throttle_has(&throttle, 100, 1, true);
    throttle_is_too_wide(&throttle, 1);
    throttle_has(&throttle, 3, 1, false);
    throttle_is_too_wide(&throttle, 1);
    throttle_has(&throttle, 8, 1, false);
    assert_false(batch_throttle_low_memory(&throttle));
    throttle_has(&throttle, 1, 1, true);
    batch_throttle_close(&throttle);
}

typedef struct waiter {
    batch_throttle *throttle;
    atomic_int *inside, *most;
} waiter;

static void *come_and_go(void *user)
{
    const waiter *const w = user;
    for (int i = 0; i < 500; i++) {
        bool may;
        const int slots = batch_throttle_enter(w->throttle, &may), inside = ++*w->inside;
        if (slots == 1 && inside > 1)
            *w->most = INT_MAX;
        for (int most = *w->most;
             inside > most && !atomic_compare_exchange_weak(w->most, &most, inside);)
            ;
        if (i % 50 == 7)
            batch_throttle_narrow(w->throttle, slots);
        if (i % 5 == 0)
            sched_yield();
        --*w->inside;
        batch_throttle_leave(w->throttle, i % 50 != 7);
    }
    return NULL;
}

/* Threads never hold more slots than there are, a thread with the only slot is alone, and all threads end. */
static void test_throttle_of_many(void **state)
{
    enum { THREADS = 12, JOBS = 6 };
    pthread_t threads[THREADS];
    batch_throttle throttle;
    atomic_int inside = 0, most = 0;
    const waiter w = {&throttle, &inside, &most};
    batch_throttle_open(&throttle, JOBS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)&w), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(inside, 0);
    assert_in_range(most, 1, JOBS);
    batch_throttle_close(&throttle);
}

typedef struct pair {
    batch_throttle *throttle;
    pthread_barrier_t met;
} pair;

static void *meet(void *user)
{
    pair *const w = user;
    bool may;
    batch_throttle_enter(w->throttle, &may);
    pthread_barrier_wait(&w->met);
    batch_throttle_leave(w->throttle, true);
    return NULL;
}

/* When slots are added, all threads that wait for one enter. */
static void test_wider_throttle(void **state)
{
    pthread_t threads[2];
    batch_throttle throttle;
    pair w = {.throttle = &throttle};
    bool may;
    batch_throttle_open(&throttle, 2);
    pthread_barrier_init(&w.met, NULL, 2);
    throttle_is_too_wide(&throttle, 2);
    throttle_has(&throttle, 7, 1, false);
    assert_int_equal(batch_throttle_enter(&throttle, &may), 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, meet, &w), 0);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* until both wait */
    alarm(20); /* without the wake-up they wait for ever */
    batch_throttle_leave(&throttle, true);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    alarm(0);
    pthread_barrier_destroy(&w.met);
    batch_throttle_close(&throttle);
}

UNIT_MAIN(UNIT(test_throttle), UNIT(test_throttle_of_many), UNIT(test_wider_throttle))
