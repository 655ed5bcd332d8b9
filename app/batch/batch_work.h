/* The work on one item of a batch. */
#ifndef SATBLUR_APP_BATCH_WORK_H
#define SATBLUR_APP_BATCH_WORK_H

#include "batch/batch_list.h"
#include "batch/batch_manifest.h"
#include "batch/batch_notes.h"
#include "batch/batch_report.h"
#include "batch/batch_throttle.h"
#include "batch/progress.h"
#include "engine/engine_pool.h"
#include "job/shared.h"

#include <pthread.h>
#include <stdatomic.h>

/* The state of a batch, which all workers share. */
typedef struct batch {
    const options *o;
    int jobs, threads;       /* items in work; CPU threads of each */
    int workers;             /* jobs, and some that wait for the disk meanwhile */
    int startable;           /* threads that can be started */
    batch_throttle throttle; /* for them */
    bool low_memory;         /* as those that keep memory of a GPU were told */
    pthread_mutex_t low_memory_lock;
    batch_list list;
    shared_pictures shared; /* of all items */
    manifest done;
    batch_report report;
    engine_pool pool;
    progress progress;
    batch_notes notes;
    atomic_size_t next;   /* index of the first item that no worker has taken */
    atomic_size_t warned; /* items that warnings were printed on */
    atomic_size_t spared; /* outputs that were there, with --no-clobber */
    atomic_bool broken;   /* finished items cannot be recorded, so no further ones begin */
} batch;

/* Does the work, unless an earlier run has done it, reports it and counts it. Several threads may call it. */
void batch_work_on(batch *b, const batch_item *item);

/* Refuses pipes and the like: a pipe without a writer would hold a job for ever. name NULL: no file. */
bool batch_check_plain(const char *name, problem *p);

/* Creates the missing folders above a path. */
bool batch_make_folders(const char *path, problem *p);

#endif
