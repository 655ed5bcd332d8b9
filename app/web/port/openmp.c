/* OpenMP for WebAssembly, by a pool of threads: the calls that clang makes of this project's pragmas (LLVM OpenMP Runtime Library,
 * kmp.h). A region within a region has one thread, and a task runs where it is made: both are allowed. */
#include "web/port/openmp.h"

#include <emscripten.h>
#include <omp.h>
#include <stdarg.h>
#include <stdlib.h>

enum { MOST_THREADS = 64, MOST_DEPTH = 4 };

_Thread_local member openmp_own;
pthread_mutex_t openmp_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t openmp_opens = PTHREAD_COND_INITIALIZER;

static struct pool {
    int threads;      /* with the caller */
    unsigned regions; /* that have begun */
    int working;      /* threads, besides the caller */
    team team;
    microtask code;
    int count;
    void **arguments;
} pool = {.threads = 1};

static pthread_cond_t begins = PTHREAD_COND_INITIALIZER, ends = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t critical = PTHREAD_MUTEX_INITIALIZER;
static team nobody = {.size = 1};

static _Thread_local struct {
    member before;
    team team;
} alone[MOST_DEPTH];
static _Thread_local int depth;

team *openmp_team(void)
{
    return openmp_own.team ? openmp_own.team : &nobody;
}

int omp_get_thread_num(void)
{
    return openmp_own.rank;
}

int omp_get_num_threads(void)
{
    return openmp_team()->size;
}

int omp_get_max_threads(void)
{
    return pool.threads;
}

int omp_get_num_procs(void)
{
    return pool.threads;
}

/* --- Regions ---------------------------------------------------------------------------------- */

static void work(team *t, int rank, microtask code, int count, void **arguments)
{
    const member before = openmp_own;
    openmp_own = (member){.team = t, .rank = rank};
    openmp_call(code, count, arguments);
    openmp_own = before;
}

static void *serve(void *rank)
{
    const int mine = (int)(intptr_t)rank;
    for (unsigned seen = 0;;) {
        pthread_mutex_lock(&openmp_lock);
        while (pool.regions == seen || mine >= pool.team.size) {
            seen = pool.regions;
            pthread_cond_wait(&begins, &openmp_lock);
        }
        seen = pool.regions;
        pthread_mutex_unlock(&openmp_lock);
        work(&pool.team, mine, pool.code, pool.count, pool.arguments);
        pthread_mutex_lock(&openmp_lock);
        if (--pool.working == 0)
            pthread_cond_signal(&ends);
        pthread_mutex_unlock(&openmp_lock);
    }
    return NULL;
}

/* Lets that many threads work. They must be there: a browser makes none while this one waits. */
EMSCRIPTEN_KEEPALIVE void web_threads(int count)
{
    for (; pool.threads < count && pool.threads < MOST_THREADS; pool.threads++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, (void *)(intptr_t)pool.threads) != 0)
            break;
    }
}

/* Runs the pool's code by threads, this one too. */
static void work_together(int threads)
{
    pthread_mutex_lock(&openmp_lock);
    pool.team = (team){.size = threads};
    pool.working = threads - 1;
    pool.regions++;
    pthread_cond_broadcast(&begins);
    pthread_mutex_unlock(&openmp_lock);
    work(&pool.team, 0, pool.code, pool.count, pool.arguments);
    pthread_mutex_lock(&openmp_lock);
    while (pool.working > 0)
        pthread_cond_wait(&ends, &openmp_lock);
    pool.team.size = 1;
    pthread_mutex_unlock(&openmp_lock);
}

void __kmpc_fork_call(const void *where, int count, microtask code, ...)
{
    const int wanted = openmp_own.wanted > 0 ? openmp_own.wanted : pool.threads;
    const int threads = wanted < pool.threads ? wanted : pool.threads;
    void *arguments[OPENMP_ARGUMENTS];
    va_list list;
    (void)where;
    openmp_own.wanted = 0;
    va_start(list, code);
    for (int i = 0; i < count && i < OPENMP_ARGUMENTS; i++)
        arguments[i] = va_arg(list, void *);
    va_end(list);
    if (openmp_own.team || threads < 2) {
        work(&(team){.size = 1}, 0, code, count, arguments);
        return;
    }
    pool.code = code;
    pool.count = count;
    pool.arguments = arguments;
    work_together(threads);
}

void __kmpc_push_num_threads(const void *where, int thread, int threads)
{
    (void)where, (void)thread;
    openmp_own.wanted = threads;
}

/* A region whose if() is false: the compiler calls its code itself, by this thread alone. */
void __kmpc_serialized_parallel(const void *where, int thread)
{
    (void)where, (void)thread;
    if (depth == MOST_DEPTH)
        abort();
    alone[depth].before = openmp_own;
    alone[depth].team = (team){.size = 1};
    openmp_own = (member){.team = &alone[depth].team};
    depth++;
}

void __kmpc_end_serialized_parallel(const void *where, int thread)
{
    (void)where, (void)thread;
    openmp_own = alone[--depth].before;
}

int __kmpc_global_thread_num(const void *where)
{
    (void)where;
    return openmp_own.rank;
}

void __kmpc_barrier(const void *where, int thread)
{
    team *const t = openmp_team();
    (void)where, (void)thread;
    if (t->size < 2)
        return;
    pthread_mutex_lock(&openmp_lock);
    const unsigned phase = t->phase;
    if (++t->arrived == t->size) {
        t->arrived = 0;
        t->phase++;
        pthread_cond_broadcast(&openmp_opens);
    }
    while (t->phase == phase)
        pthread_cond_wait(&openmp_opens, &openmp_lock);
    pthread_mutex_unlock(&openmp_lock);
}

/* --- One thread at a time --------------------------------------------------------------------- */

/* All names of critical sections share a lock: none is within another. The compiler wants a variable for each. */
int32_t lock_of_reductions[8] __asm__(".gomp_critical_user_.reduction.var");

void __kmpc_critical(const void *where, int thread, void *name)
{
    (void)where, (void)thread, (void)name;
    pthread_mutex_lock(&critical);
}

void __kmpc_end_critical(const void *where, int thread, void *name)
{
    (void)where, (void)thread, (void)name;
    pthread_mutex_unlock(&critical);
}

/* Returns 1: each thread adds its part itself, alone. */
int __kmpc_reduce_nowait(const void *where, int thread, int count, size_t bytes, void *parts,
                         void (*add)(void *, void *), void *name)
{
    (void)where, (void)thread, (void)count, (void)bytes, (void)parts, (void)add, (void)name;
    pthread_mutex_lock(&critical);
    return 1;
}

void __kmpc_end_reduce_nowait(const void *where, int thread, void *name)
{
    (void)where, (void)thread, (void)name;
    pthread_mutex_unlock(&critical);
}

int __kmpc_single(const void *where, int thread)
{
    (void)where, (void)thread;
    return openmp_own.rank == 0;
}

void __kmpc_end_single(const void *where, int thread)
{
    (void)where, (void)thread;
}

/* --- Tasks ------------------------------------------------------------------------------------ */

/* The beginning of a task as the compiler lays it out; what the task shares and keeps comes behind it. */
typedef struct task {
    void *shared;
    int (*code)(int, struct task *);
} task;

task *__kmpc_omp_task_alloc(const void *where, int thread, int flags, size_t bytes,
                            size_t shared_bytes, int (*code)(int, task *))
{
    const size_t behind = (bytes + 15) / 16 * 16;
    task *const made = calloc(1, behind + shared_bytes);
    (void)where, (void)thread, (void)flags;
    if (!made)
        abort();
    *made = (task){(char *)made + behind, code};
    return made;
}

int __kmpc_omp_task(const void *where, int thread, task *made)
{
    (void)where;
    made->code(thread, made);
    free(made);
    return 0;
}

void __kmpc_omp_task_begin_if0(const void *where, int thread, task *made)
{
    (void)where, (void)thread, (void)made;
}

void __kmpc_omp_task_complete_if0(const void *where, int thread, task *made)
{
    (void)where, (void)thread;
    free(made);
}

int __kmpc_omp_taskwait(const void *where, int thread)
{
    (void)where, (void)thread;
    return 0;
}
