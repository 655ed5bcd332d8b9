/* The output file: whole or not at all. Bytes go into a temporary file beside the target, which then replaces the target
 * in one step. An error, a full disk or a signal leaves the target as it was, and no temporary. Standard output, which has
 * the name path_stdout, gets the bytes at the commit. */
#ifndef SATBLUR_APP_OUTPUT_H
#define SATBLUR_APP_OUTPUT_H

#include "base/blob.h"
#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct output {
    const char *name;  /* as the user gave it, for messages */
    char target[4096]; /* the file that is replaced, behind all symbolic links */
    char temporary[4096];
    bool is_new; /* a file that has come there is kept; set before the commit, for --no-clobber */
    int fd;
    int guarded; /* the temporary's number in guard.h */
    int error;   /* errno of the first write that failed; 0 */
    size_t used;
    unsigned char *buffer;
    blob whole; /* of path_stdout: all bytes, which the commit writes */
} output;

/* Learns the permissions of new files. The caller has no other threads yet. */
void output_start(void);

/* Returns the plain path, for free(), of the file that is or would be there behind all links. NULL: memory ran out. */
char *output_canonical(const char *name);

/* Returns the same for a folder. Its missing parts count as folders that will be made, not as
 * links. */
char *output_canonical_folder(const char *path);

/* Returns whether the file could be written now: its folder is there and writable, and only a plain file would be
 * replaced. Creates nothing, so it can be asked before the work. */
bool output_check(const char *name, problem *p);

/* Refuses a name that is taken, for --no-clobber; standard output never is. */
bool output_is_new(const char *name, problem *p);

/* Begins the temporary. After true, exactly one of commit and abort must follow. */
bool output_begin(output *out, const char *name, problem *p);

/* Writes through a buffer, as a sink's function. Keeps an error for output_commit(). */
bool output_write(void *user, const void *data, size_t size);

/* Makes the bytes durable and replaces the target. On an error the temporary is removed and p has the reason. */
bool output_commit(output *out, problem *p);

/* Makes the names in that file's folder durable, which output_commit() leaves to the caller, as one call does for many
 * outputs. A power cut before may lose a new name or bring back the old file, but leaves no half file. */
bool output_fsync_folder(const char *name, problem *p);

/* Removes the temporary. */
void output_abort(output *out);

/* Writes the name of a target's temporary, whose six letters X are chosen when the file is created. Returns the length, as
 * snprintf() does. */
int output_temporary(const char *target, char *out, size_t size);

#endif
