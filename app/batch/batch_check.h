/* Files that a batch must not overwrite. */
#ifndef SATBLUR_APP_BATCH_CHECK_H
#define SATBLUR_APP_BATCH_CHECK_H

#include "batch/batch_list.h"

/* Returns false if two outputs would be one file, if an output or the report would overwrite an
 * input, a map or the list of files, or if the report would overwrite an output or a list of
 * finished items. Paths are compared by the files that they lead to. It creates nothing. */
bool batch_check(const batch_list *list, const options *o, problem *p);

#endif
