/* Temporary files of a run that was killed. */
#ifndef SATBLUR_APP_BATCH_SWEEP_H
#define SATBLUR_APP_BATCH_SWEEP_H

#include "batch/batch_list.h"

#include <stddef.h>

/* Removes the temporaries of the list's outputs (output.h names them), and returns how many there were. Others stay: they
 * may belong to another shard that is at work. Those that a process has locked and those that the run reads stay, too. */
size_t batch_sweep(const options *o, const batch_list *list);

/* Returns whether a file is one that the options or the list's items name as read. list may be NULL. */
bool batch_sweep_spares(const options *o, const batch_list *list, const char *path);

#endif
