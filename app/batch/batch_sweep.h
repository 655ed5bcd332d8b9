/* Temporary files of a run that was killed. */
#ifndef SATBLUR_APP_BATCH_SWEEP_H
#define SATBLUR_APP_BATCH_SWEEP_H

#include "batch/batch_list.h"

#include <stddef.h>

/* Removes the temporaries of the list's outputs (output.h names them) from the folder and, with
 * recursive, from those within. Others stay: they may be those of another shard that is at work. */
size_t batch_sweep(const char *folder, bool recursive, const batch_list *list);

#endif
