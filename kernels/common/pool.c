#define _GNU_SOURCE /* sched_getaffinity() */
#include "common/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    STACK = 4 << 20, /* bytes of a thread; the kernels' frames take up to 1/8 of it */
    LOOKS = 50       /* of a thread before it sleeps, some 20 us: it lets others run meanwhile */
};

/* A loop, on the stack of its caller. */
typedef struct loop {
    satk_item *item;
    const void *job;
    int count, grain;
    atomic_llong next;   /* item that nobody has taken */
    int seats, parts;    /* for further threads; given out */
    atomic_int helpers;  /* threads at work, besides the caller */
    pthread_cond_t left; /* by the last helper */
    struct loop *following;
} loop;

typedef struct worker {
    pthread_t thread;
    struct worker *following;
} worker;

static struct {
    pthread_mutex_t users_lock; /* taken before `lock` */
    int users;
    pthread_mutex_t lock; /* of all below, and of the loops' seats, parts and helpers */
    pthread_cond_t begins;
    atomic_uint begun; /* loops */
    loop *loops;       /* with seats */
    worker *workers;
    int idle, seats; /* workers in no loop; seats of all loops */
    int ends;
} pool = {.users_lock = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .begins = PTHREAD_COND_INITIALIZER};

static _Thread_local int own_number; /* of a loop's threads, from 1; 0: in no loop */

/* --- Waiting ---------------------------------------------------------------------------------- */

/* Waits for the next loop, for a moment awake. */
static void wait_for_loop(void)
{
    const unsigned before = atomic_load(&pool.begun);

    pthread_mutex_unlock(&pool.lock);
    for (int i = 0; i < LOOKS && atomic_load_explicit(&pool.begun, memory_order_relaxed) == before;
         i++)
        sched_yield();
    pthread_mutex_lock(&pool.lock);
    if (atomic_load(&pool.begun) == before && !pool.ends)
        pthread_cond_wait(&pool.begins, &pool.lock);
}

static void wait_for_helpers(loop *l)
{
    for (int i = 0; i < LOOKS && atomic_load_explicit(&l->helpers, memory_order_relaxed) > 0; i++)
        sched_yield();
    pthread_mutex_lock(&pool.lock);
    while (atomic_load(&l->helpers) > 0)
        pthread_cond_wait(&l->left, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

/* --- Loops ------------------------------------------------------------------------------------ */

static void work(loop *l, int part)
{
    own_number = part + 1;
    for (long long i; (i = atomic_fetch_add(&l->next, l->grain)) < l->count;)
        for (long long end = i + l->grain; i < end && i < l->count; i++)
            l->item(l->job, (int)i);
    own_number = 0;
}

/* Takes away the seats that are left. */
static void close_loop(loop *l)
{
    loop **at = &pool.loops;

    while (*at && *at != l)
        at = &(*at)->following;
    if (*at)
        *at = l->following;
    pool.seats -= l->seats;
    l->seats = 0;
}

static void help(loop *l)
{
    const int part = ++l->parts;

    pool.idle--;
    pool.seats--;
    atomic_fetch_add(&l->helpers, 1);
    if (--l->seats == 0)
        close_loop(l);
    pthread_mutex_unlock(&pool.lock);
    work(l, part);
    pthread_mutex_lock(&pool.lock);
    pool.idle++;
    close_loop(l);
    if (atomic_fetch_sub(&l->helpers, 1) == 1)
        pthread_cond_signal(&l->left);
}

static void *serve(void *unused)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.loops || !pool.ends)
        if (pool.loops)
            help(pool.loops);
        else
            wait_for_loop();
    pool.idle--;
    pthread_mutex_unlock(&pool.lock);
    return unused;
}

/* Returns 0 if no thread can be started. */
static int start_worker(void)
{
    pthread_attr_t attributes;
    worker *const w = malloc(sizeof *w);

    if (!w || pthread_attr_init(&attributes) != 0) {
        free(w);
        return 0;
    }
    const int failed = pthread_attr_setstacksize(&attributes, STACK) ||
                       pthread_create(&w->thread, &attributes, serve, NULL);
    pthread_attr_destroy(&attributes);
    if (failed) {
        free(w);
        return 0;
    }
    w->following = pool.workers;
    pool.workers = w;
    pool.idle++;
    return 1;
}

static void open_loop(loop *l)
{
    pthread_mutex_lock(&pool.lock);
    l->following = pool.loops;
    pool.loops = l;
    pool.seats += l->seats;
    atomic_fetch_add(&pool.begun, 1);
    while (pool.idle < pool.seats && start_worker())
        ;
    const int seats = l->seats, all = seats >= pool.idle;
    pthread_mutex_unlock(&pool.lock); /* or they would wake up to wait for it */
    if (all)
        pthread_cond_broadcast(&pool.begins);
    for (int i = 0; i < seats && !all; i++)
        pthread_cond_signal(&pool.begins);
}

void satk_for(int threads, int count, int grain, satk_item *item, const void *job)
{
    const int each = grain > 0 ? grain : count / threads + (count % threads > 0);
    const int pieces = each > 0 ? count / each + (count % each > 0) : 0;
    loop l = {.item = item,
              .job = job,
              .count = count,
              .grain = each,
              .seats = (pieces < threads ? pieces : threads) - 1,
              .left = PTHREAD_COND_INITIALIZER};

    assert(own_number == 0);
    if (l.seats < 1) {
        for (int i = 0; i < count; i++)
            item(job, i);
        return;
    }
    open_loop(&l);
    work(&l, 0);
    pthread_mutex_lock(&pool.lock);
    close_loop(&l);
    pthread_mutex_unlock(&pool.lock);
    wait_for_helpers(&l);
    pthread_cond_destroy(&l.left);
}

typedef struct sum {
    satk_summand *item;
    const void *job;
    _Atomic uint64_t *all;
} sum;

static void add_item(const void *job, int i)
{
    const sum *const s = job;

    atomic_fetch_add(s->all, s->item(s->job, i));
}

uint64_t satk_sum(int threads, int count, int grain, satk_summand *item, const void *job)
{
    _Atomic uint64_t all = 0;

    satk_for(threads, count, grain, add_item, &(sum){item, job, &all});
    return all;
}

int satk_thread(void)
{
    return own_number > 0 ? own_number - 1 : 0;
}

int satk_processors(void)
{
    cpu_set_t set; /* of 1024 */
    const int is_known = sched_getaffinity(0, sizeof set, &set) == 0;
    const long all = is_known ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);

    return all < 1 ? 1 : all < SATK_MOST_THREADS ? (int)all : SATK_MOST_THREADS;
}

/* --- The pool's life -------------------------------------------------------------------------- */

/* A forked child has the thread alone that has forked. */
static void before_fork(void)
{
    pthread_mutex_lock(&pool.users_lock);
    pthread_mutex_lock(&pool.lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.users_lock);
}

static void begin_child(void)
{
    for (worker *next, *w = pool.workers; w; w = next) {
        next = w->following;
        free(w);
    }
    pool.loops = NULL;
    pool.workers = NULL;
    pool.idle = pool.seats = 0;
    pthread_cond_init(&pool.begins, NULL);
    after_fork();
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, begin_child);
}

void satk_pool_enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&pool.users_lock);
    pool.users++;
    pthread_mutex_unlock(&pool.users_lock);
}

static void end_workers(void)
{
    pthread_mutex_lock(&pool.lock);
    worker *w = pool.workers;
    pool.workers = NULL;
    pool.ends = 1;
    pthread_cond_broadcast(&pool.begins);
    pthread_mutex_unlock(&pool.lock);
    for (worker *next; w; w = next) {
        next = w->following;
        pthread_join(w->thread, NULL);
        free(w);
    }
    pthread_mutex_lock(&pool.lock);
    pool.ends = 0;
    pthread_mutex_unlock(&pool.lock);
}

void satk_pool_leave(void)
{
    pthread_mutex_lock(&pool.users_lock);
    if (--pool.users == 0)
        end_workers();
    pthread_mutex_unlock(&pool.users_lock);
}
