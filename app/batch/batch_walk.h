/* The names of files: those in a folder, or those that the user lists. */
#ifndef SATBLUR_APP_BATCH_WALK_H
#define SATBLUR_APP_BATCH_WALK_H

#include "base/paths.h"
#include "base/message.h"

#include <stdbool.h>

typedef struct walk_rule {
    bool recursive,
        hidden; /* with the folders within, but no links to folders; with hidden files */
    const char *skipped[2]; /* folders that are not entered; NULL: none */
} walk_rule;

/* Adds all plain files of the folder, links to such included, by their names within it, to found; and to unread
 * what could not be looked at: the reason, a newline and the whole path. False where the folder itself cannot be read,
 * or for want of memory. */
bool walk_folder(const char *folder, const walk_rule *rule, paths *found, paths *unread,
                 problem *p);

/* Adds the names that file holds ("-": standard input): separated by NULs where it has any, otherwise
 * by newlines. Empty ones are left out. */
bool walk_list(const char *file, paths *out, problem *p);

/* Whether the two paths lead to the same file or folder, which is there. */
bool walk_same(const char *a, const char *b);

bool walk_is_folder(const char *path);

#endif
