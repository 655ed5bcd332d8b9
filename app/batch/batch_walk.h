/* The names of files: those in a folder, or those that the user lists. */
#ifndef SATBLUR_APP_BATCH_WALK_H
#define SATBLUR_APP_BATCH_WALK_H

#include "base/paths.h"
#include "base/message.h"

#include <stdbool.h>

typedef struct walk_rule {
    bool recursive;         /* enters the folders within, but no links to folders */
    bool hidden;            /* takes hidden files, too */
    const char *skipped[3]; /* folders that are not entered; NULL: none */
} walk_rule;

/* Adds all regular files of the folder and links to them to found, by their names within it. Adds to unread each path
 * that cannot be read: the reason, a newline, the whole path. False: the folder itself cannot be read, or there is not
 * enough memory. */
bool walk_folder(const char *folder, const walk_rule *rule, paths *found, paths *unread,
                 problem *p);

/* Adds the names that file holds ("-": standard input). They are separated by NULs if there is one, else by newlines.
 * Empty names are left out. */
bool walk_list(const char *file, paths *out, problem *p);

#endif
