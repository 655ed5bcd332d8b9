/* The items that earlier runs have finished: a text file in the output folder, a line for each output. A line is appended
 * after the output has its name, so the list never names an output that is not there. */
#ifndef SATBLUR_APP_BATCH_MANIFEST_H
#define SATBLUR_APP_BATCH_MANIFEST_H

#include "engine/options.h"
#include "batch/batch_list.h"
#include "base/message.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct file_state {
    long long size, seconds; /* size -1: there is no file */
    long nanoseconds;        /* of the last change, with seconds */
    unsigned long long inode;
} file_state;

/* path NULL: no file. */
file_state file_state_of(const char *path);

/* The files that an output is made of, up to SOURCES_EACH: the signature has the states of those that serve all. */
typedef struct manifest_sources {
    SOURCE_MEMBERS(file_state, of, input);
} manifest_sources;

manifest_sources manifest_sources_of(const batch_item *item);

typedef struct manifest_entry {
    char *relative; /* path of the output in its folder */
    uint64_t signature;
    manifest_sources from;
    file_state output;
} manifest_entry;

typedef struct manifest {
    int fd;
    uint64_t signature;      /* of the options that change bytes of outputs */
    manifest_entry *entries; /* sorted by relative; with --resume */
    size_t count, capacity;
} manifest;

/* Returns the path of the list of a folder, for free(); NULL: not enough memory. clip: as for manifest_open(). */
char *manifest_path(const options *o, const char *folder, const char *clip);

/* Opens and locks the list of a folder. clip: the name of a clip's numbered files, whose list is their own; NULL: pictures.
 * With --resume reads all lists of the folder, also those of other shards. False: another run has the lock, or the list
 * cannot be written. */
bool manifest_open(manifest *m, const options *o, const char *folder, const char *clip, problem *p);

/* Returns whether a run with another --shard works in the folder now, whose pictures may be this run's, too. */
bool manifest_others_run(const options *o);

/* Returns whether a process has the file locked. */
bool manifest_is_locked(const char *path);

/* Returns whether a file with that name is a list. */
bool manifest_is_list(const char *name);

/* Returns whether the output is the work of these options on the present sources. */
bool manifest_has(const manifest *m, const batch_item *item);

/* Appends the item. The states of its sources are those before they were read, so that a change meanwhile shows. Several
 * threads may call it. */
bool manifest_add(const manifest *m, const batch_item *item, const manifest_sources *from,
                  problem *p);

void manifest_close(manifest *m);

/* --- Its parts -------------------------------------------------------------------------------- */

/* Returns a line with its newline, for free(). NULL: not enough memory. */
char *manifest_line(const manifest_entry *e);

/* Returns false if the line is damaged, or memory ran out. entry->relative is for free(). */
bool manifest_parse(const char *line, manifest_entry *entry);

/* Returns a hash of the options that change bytes of outputs, and of the version. */
uint64_t manifest_signature(const options *o);

/* Returns a signature that tells more: a text, or the sources of another output that matter, too. */
uint64_t manifest_signature_add(uint64_t signature, const char *text);
uint64_t manifest_signature_of(uint64_t signature, const manifest_sources *from);

#endif
