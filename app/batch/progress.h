/* The progress of a batch: a bar on a terminal, elsewhere a line every ten seconds. Several threads may call it. */
#ifndef SATBLUR_APP_PROGRESS_H
#define SATBLUR_APP_PROGRESS_H

#include "base/message.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum item_status { ITEM_DONE, ITEM_SKIPPED, ITEM_FAILED } item_status;

typedef struct progress {
    size_t total, counts[3]; /* items, 0 for unknown; by item_status */
    const char *unit;        /* "images" */
    bool quiet, terminal;
    double start, shown; /* clock_ms() */
    pthread_mutex_t lock;
} progress;

/* unit: what the items are, in the plural; static memory. */
void progress_start(progress *g, size_t total, const char *unit, bool quiet);

/* Counts an item; prints p if it failed. */
void progress_count(progress *g, item_status status, const problem *p);

/* Wipes the bar away. Returns the seconds since the start. */
double progress_end(progress *g);

/* --- Its parts -------------------------------------------------------------------------------- */

/* Writes for instance "12/64, 5.2 images/s, 10 s left, 1 failed". */
void progress_text(const progress *g, double seconds, char out[160]);

#endif
