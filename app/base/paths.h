/* Lists of paths, and the parts of one. A path holds any bytes but NUL. */
#ifndef SATBLUR_APP_PATHS_H
#define SATBLUR_APP_PATHS_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct paths {
    char **at;
    size_t count, capacity;
} paths;

/* Adds a copy of the first length bytes. False: not enough memory. */
bool paths_add(paths *list, const char *text, size_t length);

/* Sorts by bytes, and leaves each path once. */
void paths_sort(paths *list);

/* Returns the index of the first path in a sorted list that does not come before text; list->count: all do. */
size_t paths_from(const paths *list, const char *text);

void paths_free(paths *list);

/* Returns a new string, for free(). NULL: not enough memory. */
char *text_new(const char *format, ...) MESSAGE_FORMAT(1);

/* The names of standard input and output, as messages show them. They are told from files by their addresses, so a file
 * may have that name. */
extern const char path_stdin[], path_stdout[];

bool path_is_folder(const char *path);

/* Returns whether it is a regular file, or a link to one. folder: open, where a relative path begins; AT_FDCWD: the current
 * one. */
bool path_is_file(int folder, const char *path);

/* Returns whether the part behind the last slash has a *, and no file has that name. */
bool path_is_star(const char *path);

/* Returns the part behind the last slash. */
const char *path_base(const char *path);

/* Returns the length up to the dot of the ending; of the whole path if there is no ending. A dot at the beginning of a
 * name begins no ending. */
size_t path_stem(const char *path);

#endif
