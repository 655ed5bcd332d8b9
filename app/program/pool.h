/* The processes of one command: a program that stays, in several copies perhaps, or one that is run for each picture. */
#ifndef SATBLUR_APP_POOL_H
#define SATBLUR_APP_POOL_H

#include "base/paths.h"
#include "engine/options.h"
#include "program/made.h"
#include "program/process.h"

#include <pthread.h>

typedef struct seat { /* of a process, which one thread at a time uses */
    process process;
    bool is_taken;
    unsigned long long asked; /* pictures that it has been given */
} seat;

typedef struct pool { /* begins as zeros */
    paths words;      /* of the command; none: there is no pool */
    uint64_t key;     /* of the command and the files that it names */
    bool stays;       /* the process speaks the protocol */
    double patience;  /* milliseconds */
    seat *seats;
    int count;
    pthread_mutex_t lock; /* of all below, and of is_taken */
    pthread_cond_t freed;
    char name[PROCESS_LINE]; /* the program's own name and version; "": it has not begun */
    int failures;            /* in a row */
    bool is_given_up;
    problem last; /* why */
} pool;

typedef struct pool_order {
    source_role role;
    const char *in, *out, *matte; /* files; matte: beside a map */
    const program_step *step;
} pool_order;

/* Takes the command, and starts nothing. False: p has a sentence. */
bool pool_open(pool *g, const char *command, bool stays, const options *o, problem *p);
void pool_close(pool *g);

/* Returns the program's name and version if it has begun, else "". */
const char *pool_known_name(pool *g);

/* Returns the program's name and version, for which it may have to start, or its command's name. NULL: p has a sentence. */
const char *pool_name(pool *g, problem *p);

/* Has a file made. Any thread. False: p has a sentence. */
bool pool_make(pool *g, const pool_order *order, made_answer *answer, problem *p);

#endif
