/* Whole folders: the options' work on every picture, several at a time. The parts are: batch_list.h, the items;
 * batch_manifest.h, the finished items; picture_job.h, the work on one; progress.h, batch_notes.h and batch_report.h, what
 * the user gets to know. */
#ifndef SATBLUR_APP_BATCH_H
#define SATBLUR_APP_BATCH_H

#include "engine/options.h"
#include "base/message.h"

#include <stdbool.h>

/* Returns whether INPUT is a folder, or a list of files is given. */
bool batch_is_wanted(const options *o);

/* Does the work and prints each failure. False: p has the last line to print. A signal ends the work after the items that
 * have begun, and then the process. */
bool batch_run(const options *o, problem *p);

#endif
