#include "base/stage.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/message.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double patience = 2000, every = 250; /* milliseconds */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool is_begun;    /* the thread runs, or waits to be joined */
static bool ends;        /* it is to end */
static const char *name; /* NULL: none is shown */
static double start;     /* clock_ms() */

/* Waits for the end of the work, for so many milliseconds at most. */
static void wait_end(double ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)ms % 1000 * 1000000;
    until.tv_sec += (time_t)(ms / 1000) + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&ended, &lock, &until);
}

static void *show(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!ends) {
        const double passed = clock_ms() - start;
        if (name && passed >= patience) {
            char text[80];
            snprintf(text, sizeof text, "satblur: %s, %.0f s", name, passed / 1000);
            message_show(text);
        }
        wait_end(passed < patience ? patience - passed : every);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void stage_begin(bool quiet)
{
    if (quiet || !isatty(STDERR_FILENO))
        return;
    start = clock_ms();
    ends = false;
    guard_block();
    is_begun = pthread_create(&thread, NULL, show, NULL) == 0; /* a failure only costs the line */
    guard_unblock();
}

void stage_set(const char *words)
{
    pthread_mutex_lock(&lock);
    name = words;
    if (!words)
        message_show(NULL);
    pthread_mutex_unlock(&lock);
}

void stage_end(void)
{
    stage_set(NULL);
    pthread_mutex_lock(&lock);
    ends = true;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    if (is_begun)
        pthread_join(thread, NULL);
    is_begun = false;
}
