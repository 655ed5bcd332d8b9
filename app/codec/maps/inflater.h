/* Deflated bytes of a file or of memory, inflated in turn: a stream of any length takes the memory of a buffer. By zlib. */
#ifndef SATBLUR_APP_INFLATER_H
#define SATBLUR_APP_INFLATER_H

#include "base/blob.h"
#include "base/message.h"

#include <stddef.h>
#include <stdint.h>

typedef struct inflater inflater;

/* Begins with the packed bytes, which stay where they are. NULL: p has a sentence. */
inflater *inflater_open_memory(bytes packed, problem *p);

/* Does the same with those from `at` on, in a file that can be read anywhere and stays the caller's. */
inflater *inflater_open(int fd, uint64_t at, uint64_t packed, problem *p);
void inflater_close(inflater *i);

/* Inflates the next bytes. False: they are damaged, or fewer are left. */
bool inflater_read(inflater *i, void *to, size_t size);

#endif
