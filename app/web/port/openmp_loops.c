/* Loops that the threads of a team share. There is no `nowait`, and a loop with `ordered` has that section in every iteration. */
#include "web/port/openmp.h"

enum { STATIC_CHUNKS = 33, ORDERED = 64 }; /* of enum sched_type */

typedef struct part {
    uint64_t first, count; /* of a loop's iterations */
} part;

static uint64_t trips_of(int64_t lower, int64_t upper, int64_t step)
{
    const int64_t span = step > 0 ? upper - lower : lower - upper;
    return span < 0 ? 0 : (uint64_t)(span / (step > 0 ? step : -step)) + 1;
}

/* Returns a thread's part of a loop that is cut as evenly as possible. */
static part part_of(uint64_t trips, uint64_t size, uint64_t rank)
{
    const uint64_t least = trips / size, more = trips % size;
    return (part){rank * least + (rank < more ? rank : more), least + (rank < more)};
}

/* The first thread that comes sets the team's loop up. */
static void begin_loop(int64_t lower, uint64_t trips, int64_t step, uint64_t chunk)
{
    team *const t = openmp_team();
    openmp_own.lower = lower;
    openmp_own.step = step;
    openmp_own.loops++;
    pthread_mutex_lock(&openmp_lock);
    if (t->loops != openmp_own.loops) {
        t->loops = openmp_own.loops;
        t->next = 0;
        t->trips = trips;
        t->chunk = chunk;
        t->in_order = 0;
    }
    pthread_mutex_unlock(&openmp_lock);
}

static part next_part(team *t)
{
    const uint64_t first = atomic_fetch_add(&t->next, t->chunk);
    const uint64_t left = first < t->trips ? t->trips - first : 0;
    openmp_own.first = first;
    return (part){first, left < t->chunk ? left : t->chunk};
}

void __kmpc_for_static_fini(const void *where, int thread)
{
    (void)where, (void)thread;
}

/* Loops over numbers of 4 and 8 bytes. Bounds are inclusive; a thread without iterations has an upper one below the lower one. */
#define LOOPS(SUFFIX, NUMBER, DISTANCE)                                                            \
    void __kmpc_for_static_init_##SUFFIX(const void *where, int thread, int schedule,              \
                                         int *is_last, NUMBER *lower, NUMBER *upper,               \
                                         DISTANCE *stride, DISTANCE step, DISTANCE chunk)          \
    {                                                                                              \
        const uint64_t size = (uint64_t)openmp_team()->size, rank = (uint64_t)openmp_own.rank;     \
        const uint64_t trips = trips_of((int64_t)*lower, (int64_t)*upper, step);                   \
        const part p = schedule == STATIC_CHUNKS ? (part){rank * (uint64_t)chunk, (uint64_t)chunk} \
                                                 : part_of(trips, size, rank);                     \
        (void)where, (void)thread;                                                                 \
        *is_last = schedule == STATIC_CHUNKS ? (trips - 1) / (uint64_t)chunk % size == rank        \
                                             : p.count > 0 && p.first + p.count == trips;          \
        *stride = (DISTANCE)(size * p.count) * step;                                               \
        *lower = (NUMBER)((int64_t)*lower + (int64_t)p.first * step);                              \
        *upper = (NUMBER)((int64_t)*lower + ((int64_t)p.count - 1) * step);                        \
    }                                                                                              \
    void __kmpc_dispatch_init_##SUFFIX(const void *where, int thread, int schedule, NUMBER lower,  \
                                       NUMBER upper, DISTANCE step, DISTANCE chunk)                \
    {                                                                                              \
        (void)where, (void)thread;                                                                 \
        begin_loop((int64_t)lower, trips_of((int64_t)lower, (int64_t)upper, step), step,           \
                   schedule > ORDERED ? 1 : (uint64_t)chunk);                                      \
    }                                                                                              \
    int __kmpc_dispatch_next_##SUFFIX(const void *where, int thread, int *is_last, NUMBER *lower,  \
                                      NUMBER *upper, DISTANCE *stride)                             \
    {                                                                                              \
        const part p = next_part(openmp_team());                                                   \
        (void)where, (void)thread;                                                                 \
        *is_last = p.first + p.count == openmp_team()->trips;                                      \
        *lower = (NUMBER)(openmp_own.lower + (int64_t)p.first * openmp_own.step);                  \
        *upper = (NUMBER)((int64_t)*lower + ((int64_t)p.count - 1) * openmp_own.step);             \
        *stride = (DISTANCE)openmp_own.step;                                                       \
        return p.count > 0;                                                                        \
    }                                                                                              \
    void __kmpc_dispatch_fini_##SUFFIX(const void *where, int thread)                              \
    {                                                                                              \
        (void)where, (void)thread;                                                                 \
    }

LOOPS(4, int32_t, int32_t)
LOOPS(4u, uint32_t, int32_t)
LOOPS(8, int64_t, int64_t)
LOOPS(8u, uint64_t, int64_t)

void __kmpc_ordered(const void *where, int thread)
{
    team *const t = openmp_team();
    (void)where, (void)thread;
    pthread_mutex_lock(&openmp_lock);
    while (t->in_order != openmp_own.first)
        pthread_cond_wait(&openmp_opens, &openmp_lock);
    pthread_mutex_unlock(&openmp_lock);
}

void __kmpc_end_ordered(const void *where, int thread)
{
    (void)where, (void)thread;
    pthread_mutex_lock(&openmp_lock);
    openmp_team()->in_order++;
    pthread_cond_broadcast(&openmp_opens);
    pthread_mutex_unlock(&openmp_lock);
}
