/* What must not be written over. */
#ifndef SATBLUR_APP_BATCH_CHECK_H
#define SATBLUR_APP_BATCH_CHECK_H

#include "batch/batch_list.h"

/* False and p where two outputs would be one file, however their paths are spelled or linked, or an output or the
 * report would be written over an input, a map, the list of files, or the report over an output or a list of what is
 * done. Creates nothing. */
bool batch_check(const batch_list *list, const options *o, problem *p);

#endif
