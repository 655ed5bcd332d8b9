/* Deflated bytes of a file, inflated in turn: a stream of any length takes the memory of a buffer. By zlib; without it
 * nothing can be opened. */
#ifndef SATBLUR_APP_INFLATER_H
#define SATBLUR_APP_INFLATER_H

#include "base/message.h"

#include <stddef.h>
#include <stdint.h>

typedef struct inflater inflater;

/* Begins with the packed bytes from `at` on, in a file that can be read anywhere and stays the caller's. NULL: p has a
 * sentence. */
inflater *inflater_open(int fd, uint64_t at, uint64_t packed, problem *p);
void inflater_close(inflater *i);

/* Inflates the next bytes. False: they are damaged, or fewer are left. */
bool inflater_read(inflater *i, void *to, size_t size);

#endif
