/* What earlier runs have finished: a text file in the output folder, a line for each output. A line
 * is appended in one step after the output has its name, so whatever ends the program, the list
 * tells of nothing that is not there. */
#ifndef SATBLUR_APP_BATCH_MANIFEST_H
#define SATBLUR_APP_BATCH_MANIFEST_H

#include "engine/options.h"
#include "batch/batch_list.h"
#include "base/message.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct file_state { /* size -1: there is no such file */
    long long size, seconds;
    long nanoseconds;
    unsigned long long inode;
} file_state;

file_state file_state_of(const char *path); /* NULL: no file */

typedef struct manifest_entry {
    char *relative; /* of the output in its folder */
    uint64_t signature;
    file_state input, map, output;
} manifest_entry;

typedef struct manifest {
    int fd;
    uint64_t signature;      /* of the options that decide on the outputs' bytes */
    manifest_entry *entries; /* sorted by place; with --resume */
    size_t count, capacity;
} manifest;

/* Opens the list, which no other run may have open, and reads it and those of other shards where the
 * options say --resume. */
bool manifest_open(manifest *m, const options *o, problem *p);

/* Whether a run works in the folder at this time whose pictures may be this one's, too: one with another --shard. */
bool manifest_others_run(const options *o);

/* Whether a file of that name is such a list. */
bool manifest_is_list(const char *name);

/* Whether the output is what these options make of the input and map as they are now. */
bool manifest_has(const manifest *m, const batch_item *item);

/* Notes that the item is done. The states of input and map are those before they were read, so that
 * a change meanwhile shows. May be called from several threads. */
bool manifest_add(const manifest *m, const batch_item *item, const file_state *input,
                  const file_state *map, problem *p);

void manifest_close(manifest *m);

/* --- Its parts -------------------------------------------------------------------------------- */

/* A line with its newline, for free(); NULL: not enough memory. */
char *manifest_line(const manifest_entry *e);

/* False: the line is damaged, or there is not enough memory. entry->relative is for free(). */
bool manifest_parse(const char *line, manifest_entry *entry);

uint64_t manifest_signature(const options *o);

#endif
