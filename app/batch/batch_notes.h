/* The notes on the items of a batch: the first of a kind is printed at once, and the number of those like it at the end. */
#ifndef SATBLUR_APP_BATCH_NOTES_H
#define SATBLUR_APP_BATCH_NOTES_H

#include "batch/batch_list.h"

#include <pthread.h>

enum { NOTE_KINDS = 64, NOTE_EXAMPLES = 3 };

/* A note without the names of the item's files and without numbers. */
typedef struct note_kind {
    char *key, *first; /* first: the note that was printed; both for free() */
    size_t more;       /* notes beyond the first one */
    const char *examples[NOTE_EXAMPLES];
} note_kind;

typedef struct batch_notes {
    pthread_mutex_t lock;
    bool all; /* each note is printed */
    size_t count;
    note_kind kinds[NOTE_KINDS]; /* notes of further kinds are all printed */
} batch_notes;

/* all: no note is left out. */
void batch_notes_open(batch_notes *notes, bool all);

/* Prints a note on an item, or counts it. Several threads may call it. */
void batch_notes_add(batch_notes *notes, const batch_item *item, const char *text);

/* Prints how many notes were only counted. */
void batch_notes_tell(batch_notes *notes);

void batch_notes_close(batch_notes *notes);

#endif
