#define _GNU_SOURCE /* pthread_setattr_default_np() */
#include "base/threads.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* --- Stacks ----------------------------------------------------------------------------------- */

static bool set_default_stack(void)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    const bool done = pthread_attr_setstacksize(&attributes, THREADS_STACK) == 0 &&
                      pthread_setattr_default_np(&attributes) == 0;
    pthread_attr_destroy(&attributes);
    return done;
}

/* Returns the bytes that the process may map; 0: there is no limit. */
static size_t memory_limit(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
                                                                                : 0;
}

/* Makes all threads allocate from one arena if memory is limited: the C library maps 64 MiB for each arena. */
static void share_memory(void)
{
#ifdef M_ARENA_MAX
    if (memory_limit() > 0)
        mallopt(M_ARENA_MAX, 1);
#endif
}

typedef struct call {
    int (*body)(void *user);
    void *user;
    int result;
} call;

static void *run_call(void *user)
{
    call *const c = user;
    c->result = c->body(c->user);
    return NULL;
}

/* The stack of this thread grows up to RLIMIT_STACK, whatever the other threads get. */
int threads_run(int (*body)(void *user), void *user)
{
    struct rlimit stack;
    pthread_t thread;
    call c = {.body = body, .user = user, .result = -1};
    const bool set = set_default_stack();
    share_memory();
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY ||
        stack.rlim_cur >= THREADS_STACK)
        return body(user);
    if (set && pthread_create(&thread, NULL, run_call, &c) == 0)
        pthread_join(thread, NULL);
    return c.result;
}

/* --- Work ------------------------------------------------------------------------------------- */

typedef struct work {
    void (*body)(void *user);
    void *user;
} work;

static void *do_work(void *user)
{
    const work *const w = user;
    w->body(w->user);
    return NULL;
}

void threads_together(int threads, void (*body)(void *user), void *user)
{
    pthread_t others[THREADS_MOST];
    work w = {body, user};
    const int most = threads < THREADS_MOST ? threads - 1 : THREADS_MOST;
    int started = 0;
    while (started < most && pthread_create(&others[started], NULL, do_work, &w) == 0)
        started++;
    body(user);
    for (int i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Returns how many threads the system counts for this process. */
static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

/* Waits until no more threads are counted, as a joined thread still counts for a moment. */
static void wait_for_count(int most)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < 1000 && count_threads() > most; i++)
        nanosleep(&moment, NULL);
}

typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool is_open;
} gate;

static void *wait_at_gate(void *user)
{
    gate *const g = user;
    pthread_mutex_lock(&g->lock);
    while (!g->is_open)
        pthread_cond_wait(&g->opened, &g->lock);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

static void open_gate(gate *g)
{
    pthread_mutex_lock(&g->lock);
    g->is_open = true;
    pthread_cond_broadcast(&g->opened);
    pthread_mutex_unlock(&g->lock);
}

int threads_available(int wanted)
{
    enum { SHARE = 8 }; /* of the memory, which pictures need more */
    const size_t limit = memory_limit(), stacks = limit / SHARE / THREADS_STACK;
    const int most = limit > 0 && stacks < (size_t)wanted ? (int)stacks + 1 : wanted;
    gate g = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};
    pthread_t *const threads = malloc((size_t)wanted * sizeof *threads);
    const int before = count_threads();
    int started = 0;
    while (threads && started < most &&
           pthread_create(&threads[started], NULL, wait_at_gate, &g) == 0)
        started++;
    open_gate(&g);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (started == wanted)
        return wanted;
    wait_for_count(before);
    return (started + 1) / 2;
}

static struct {
    pthread_mutex_t lock;
    pthread_cond_t given_back;
    int taken;
} lent = {.lock = PTHREAD_MUTEX_INITIALIZER, .given_back = PTHREAD_COND_INITIALIZER};

/* Threads that have been taken may not have been started yet, so all are asked for. */
static int fit_threads(int wanted, int more)
{
    const int all = lent.taken + wanted + more;
    if (threads_available(all) == all)
        return wanted;
    const int fewer = lent.taken + 1 + more;
    return threads_available(fewer) == fewer ? 1 : 0;
}

int threads_take(int wanted, int more)
{
    pthread_mutex_lock(&lent.lock);
    int found = fit_threads(wanted, more);
    while (found == 0 && lent.taken > 0) {
        pthread_cond_wait(&lent.given_back, &lent.lock);
        found = fit_threads(wanted, more);
    }
    if (found > 0)
        lent.taken += found + more;
    pthread_mutex_unlock(&lent.lock);
    return found;
}

void threads_give_back(int taken, int more)
{
    pthread_mutex_lock(&lent.lock);
    lent.taken -= taken + more;
    pthread_cond_broadcast(&lent.given_back);
    pthread_mutex_unlock(&lent.lock);
}

bool threads_have_memory(size_t size)
{
    void *const all =
        mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return all != MAP_FAILED && munmap(all, size) == 0;
}
