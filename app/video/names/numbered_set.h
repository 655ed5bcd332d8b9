/* Numbered files by the folder that they are in, or by a name with a star, like frame_*.png. */
#ifndef SATBLUR_APP_NUMBERED_SET_H
#define SATBLUR_APP_NUMBERED_SET_H

#include "base/message.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns whether it is a folder, or a name like frame_*.png, whose * stands for what differs from file to file. */
bool numbered_set_is(const char *name);

/* Makes the pattern of the files of such a set, for free(). accepts: of their names; others do not count, nor do names without
 * a number. *files: of the set; those of a second pattern are not the first's. NULL: p has the line. */
typedef bool numbered_accept(const char *name);
char *numbered_set_pattern(const char *set, numbered_accept *accepts, uint64_t *files, problem *p);

#endif
