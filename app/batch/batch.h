/* Whole folders: the options' work on every picture, several at a time. batch_list.h says what is to
 * be done, batch_manifest.h what is done already, run.h does one, progress.h and batch_report.h tell
 * of it. */
#ifndef SATBLUR_APP_BATCH_H
#define SATBLUR_APP_BATCH_H

#include "engine/options.h"
#include "base/message.h"

#include <stdbool.h>

/* Whether INPUT is a folder, or a list of files is given. */
bool batch_is_wanted(const options *o);

/* False: p has the last line to print; what failed on the way has been told. Dies of a signal that
 * came meanwhile, when all is in order. */
bool batch_run(const options *o, problem *p);

#endif
