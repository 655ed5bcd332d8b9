/* --report: a JSON object a line for each item, and one for the whole batch at the end. */
#ifndef SATBLUR_APP_BATCH_REPORT_H
#define SATBLUR_APP_BATCH_REPORT_H

#include "batch/batch_list.h"
#include "batch/progress.h"
#include "job/picture_job.h"

#include <stdio.h>

typedef struct batch_report {
    int fd; /* -1: there is no report */
    const char *name;
} batch_report;

/* name NULL: there is no report. resume: the lines in the file stay, except a last one without its end. */
bool batch_report_open(batch_report *report, const char *name, bool resume, problem *p);

/* Appends an item's line in one step. message: the reason of a failure, or notes; "": none. j NULL: there was no work on
 * the item. Several threads may call it. */
bool batch_report_item(const batch_report *report, const batch_item *item, item_status status,
                       const char *message, const picture_job *j, problem *p);

typedef struct batch_total {
    const options *o;
    const progress *counts;
    double seconds;
    int jobs;
    bool interrupted; /* items were left */
} batch_total;

bool batch_report_total(const batch_report *report, const batch_total *total, problem *p);

void batch_report_close(batch_report *report);

#endif
