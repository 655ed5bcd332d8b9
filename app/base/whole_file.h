#ifndef SATBLUR_APP_WHOLE_FILE_H
#define SATBLUR_APP_WHOLE_FILE_H

#include "base/blob.h"
#include "base/message.h"

#include <stdbool.h>

/* Reads a regular file of at most `most` bytes, and adds a NUL that is not counted. flags: further ones of open(). False: p has a
 * sentence without the file's name, errno the reason, and the blob is empty. */
bool whole_file_read(const char *path, int flags, size_t most, blob *out, problem *p);

#endif
