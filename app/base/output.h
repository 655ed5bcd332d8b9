/* The output file: whole or not at all. Bytes go into a temporary file beside the target, which
 * then takes the target's place in one step; an error, a full disk or a signal leaves the target as
 * it was and no temporary behind. */
#ifndef SATBLUR_APP_OUTPUT_H
#define SATBLUR_APP_OUTPUT_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct output {
    const char *name;  /* as the user gave it, for messages */
    char target[4096]; /* what is replaced: symbolic links followed */
    char temporary[4096];
    int fd;
    int guarded; /* the temporary, to guard.h */
    int error;   /* errno of the first write that failed; 0 */
    size_t used;
    unsigned char *buffer;
} output;

/* To be called before there are other threads: learns which permissions new files get. */
void output_start(void);

/* Where that file is or would be, links followed and the path made plain, for free(): two names are of one file if
 * these are equal. NULL: not enough memory. */
char *output_canonical(const char *name);

/* The same of a folder. What is missing of it is taken for folders that will be made, and are no links. */
char *output_canonical_folder(const char *path);

/* Whether the file could be written now: its folder is there and writable, and what it would
 * replace is a plain file. Creates nothing. To be asked before the work. */
bool output_check(const char *name, problem *p);

/* Begins the temporary. After true, exactly one of commit and abort must follow. */
bool output_begin(output *out, const char *name, problem *p);

/* For a sink: buffered, the error is kept for output_commit(). */
bool output_write(void *user, const void *data, size_t size);

/* Makes its bytes durable and puts it in place; on an error it is removed and p says why. */
bool output_commit(output *out, problem *p);

/* Makes durable what names the folder of that file has, and so that outputs are in place, which commit
 * leaves to the caller, as once does for many: a power cut before may lose a new name, or bring back the
 * old file, but never half a file. */
bool output_fsync_folder(const char *name, problem *p);

void output_abort(output *out);

/* The name of a target's temporary, up to the six letters X that are chosen when it is created; its
 * length, as snprintf() tells it. */
int output_temporary(const char *target, char *out, size_t size);

#endif
