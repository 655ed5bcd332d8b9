/* The names of files: those in a folder, or those that the user lists. */
#ifndef SATBLUR_APP_BATCH_WALK_H
#define SATBLUR_APP_BATCH_WALK_H

#include "names.h"
#include "say.h"

#include <stdbool.h>

/* Adds all plain files of the folder, links to such included, by their names within it; with those
 * of the folders within, where recursive, but no links to folders are followed. Hidden files are
 * added only when asked for. skipped: up to two folders that are not entered (NULL: none). */
bool walk_folder(const char *folder, bool recursive, bool hidden, const char *const skipped[2],
                 names *out, problem *p);

/* Adds the names that file holds ("-": standard input): separated by NULs where it has any, otherwise
 * by newlines. Empty ones are left out. */
bool walk_list(const char *file, names *out, problem *p);

/* Whether the two paths lead to the same file or folder, which is there. */
bool walk_same(const char *a, const char *b);

bool walk_is_folder(const char *path);

#endif
