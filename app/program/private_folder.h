/* The folder of a run below $TMPDIR, for pictures and maps on their way to and from other programs: for the user alone, and
 * removed with all that is in it. The run holds a lock on it, so a folder without a lock is that of a run that was killed. */
#ifndef SATBLUR_APP_PRIVATE_FOLDER_H
#define SATBLUR_APP_PRIVATE_FOLDER_H

#include "base/message.h"

/* Removes the folders of killed runs. */
void private_folder_sweep(void);

/* Makes the folder, unless it is there. False: p has a sentence. */
bool private_folder_open(problem *p);

/* Returns its absolute path, once it is open. */
const char *private_folder(void);

/* Removes the folder, if there is one. A handler of signals may call this. */
void private_folder_close(void);

#endif
