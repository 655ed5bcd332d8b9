/* Between the files of OpenMP for WebAssembly: a team of threads, and a member of it. */
#ifndef SATBLUR_WEB_OPENMP_H
#define SATBLUR_WEB_OPENMP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* The compiler declares what it calls itself. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"

typedef struct team {
    int size, arrived;
    unsigned phase; /* of the barrier: one more each time it opens */
    unsigned loops; /* that a thread has begun */
    _Atomic uint64_t next;
    uint64_t trips, chunk; /* of the loop with chunks on demand */
    uint64_t in_order;     /* the iteration whose ordered section is next */
} team;

typedef struct member {
    team *team; /* NULL: outside of regions */
    int rank, wanted;
    unsigned loops;
    int64_t lower, step; /* of the loop with chunks on demand */
    uint64_t first;      /* iteration of the chunk */
} member;

extern _Thread_local member openmp_own;

/* Guards teams. opens: a barrier has opened, or an ordered section is over. */
extern pthread_mutex_t openmp_lock;
extern pthread_cond_t openmp_opens;

enum { OPENMP_ARGUMENTS = 16 };

/* A region's code: the number of the thread, twice, and pointers to what is shared. */
typedef void (*microtask)(int *, int *, ...);

/* Calls a region's code for this thread. */
void openmp_call(microtask code, int count, void **arguments);

/* Returns the thread's team: outside of regions, that of the thread alone. */
team *openmp_team(void);

#endif
