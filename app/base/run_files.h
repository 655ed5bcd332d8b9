/* The files that a run reads and those that it writes. Before anything is written the run asks here whether it would lose
 * one. A file that is there is known by its device and inode, so spellings, links and mounts make no difference. */
#ifndef SATBLUR_APP_RUN_FILES_H
#define SATBLUR_APP_RUN_FILES_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct listed_file listed_file;

typedef struct run_files { /* begins as zeros */
    listed_file *at;
    size_t count, capacity;
    bool ran_out; /* of memory, which run_files_check() says */
} run_files;

/* Returns whether both names lead to one file or folder that is there. Either may be NULL. */
bool run_files_same(const char *a, const char *b);

/* Adds a plain file that is read, or the one that standard input is. NULL and a file that is missing add nothing. */
void run_files_read(run_files *files, const char *name);

/* Adds a file that is written, or the plain one that standard output is. NULL adds nothing. from: what becomes that file, for
 * messages; remedy: what to name instead, as in "name another file". Both stay the caller's until run_files_check(). */
void run_files_write(run_files *files, const char *name, const char *from, const char *remedy);

/* Refuses to write over a file that is read, and to write one file twice. Frees the list. False: p has the line. */
bool run_files_check(run_files *files, problem *p);

#endif
