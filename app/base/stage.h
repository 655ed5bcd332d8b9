/* The stage of work on one picture, shown on the terminal while the work takes longer than two seconds. There is one such
 * work at a time. */
#ifndef SATBLUR_APP_STAGE_H
#define SATBLUR_APP_STAGE_H

#include <stdbool.h>

/* Begins to show stages, unless quiet or stderr is no terminal. */
void stage_begin(bool quiet);

/* Names the stage, like "reading"; the words are static memory. NULL: none is shown, so that stdout can be written. */
void stage_set(const char *words);

/* Takes the line away. */
void stage_end(void);

#endif
