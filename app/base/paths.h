/* Lists of file names, and the parts of one. A name is any bytes but NUL. */
#ifndef SATBLUR_APP_PATHS_H
#define SATBLUR_APP_PATHS_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct paths {
    char **at;
    size_t count, capacity;
} paths;

/* Adds a copy of the first so many bytes. False: not enough memory. */
bool paths_add(paths *list, const char *text, size_t length);

/* By bytes, each name once. */
void paths_sort(paths *list);

/* In a sorted list: the first name that does not come before text; list->count where all do. */
size_t paths_from(const paths *list, const char *text);

void paths_free(paths *list);

/* A new string, for free(); NULL where there is not enough memory. */
char *text_new(const char *format, ...) MESSAGE_FORMAT(1);

/* What follows the last slash. */
const char *path_base(const char *path);

/* Length up to the ending's dot; the whole of a name without an ending. A dot that a name begins
 * with begins no ending. */
size_t path_stem(const char *path);

/* Whether the ending is that of a format that is read here. */
bool path_is_picture(const char *path);

#endif
