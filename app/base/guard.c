#define _GNU_SOURCE /* mkostemp() */

#include "base/guard.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* All signals that end a process by default, except SIGKILL and the real-time ones. The first ERRORS are of errors in the
 * program itself, after which it cannot go on. */
static const int deadly[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGSYS,    SIGTRAP,
                             SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGXCPU,   SIGUSR1,
                             SIGUSR2, SIGALRM, SIGPROF, SIGPOLL, SIGPWR,  SIGVTALRM, SIGSTKFLT};
enum { DEADLY = sizeof deadly / sizeof *deadly, ERRORS = 7 };

/* The temporaries of all threads. A slot is taken, filled and then armed, so that a handler never sees half a path. */
enum { SLOTS = 1024, EMPTY = 0, TAKEN, ARMED };
static struct {
    atomic_int state;
    char path[4096];
} slots[SLOTS];

static atomic_int dying, creating, noted, soft, has_ended;

static void remove_all(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].state) == ARMED)
            unlink(slots[i].path);
}

static void (*clean)(void);

void guard_clean(void (*function)(void))
{
    clean = function;
}

/* Waits for threads between guard_enter() and guard_leave(). A later one sees `dying`. */
static void wait_for_creators(void)
{
    const struct timespec moment = {.tv_nsec = 100000};
    for (int i = 0; i < 10000 && atomic_load(&creating) > 0; i++)
        nanosleep(&moment, NULL);
}

/* Removes what the process would leave behind. */
static void end_all(void)
{
    atomic_store(&dying, 1);
    wait_for_creators();
    remove_all();
    if (clean)
        clean();
}

void guard_die(int signal_number)
{
    end_all();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static bool is_error(int signal_number)
{
    for (int i = 0; i < ERRORS; i++)
        if (deadly[i] == signal_number)
            return true;
    return false;
}

static void handle(int signal_number)
{
    if (!is_error(signal_number) && atomic_exchange(&soft, 0)) {
        atomic_store(&noted, signal_number);
        return;
    }
    guard_die(signal_number);
}

/* Fills in the signals that a thread may block. An error's signal would end a thread that blocks it at once. */
static void deadly_set(sigset_t *set)
{
    sigemptyset(set);
    for (int i = ERRORS; i < DEADLY; i++)
        sigaddset(set, deadly[i]);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        sigaddset(set, i);
}

/* Handles the signal, unless nohup, a profiler or a sanitizer has set another action. */
static void take_signal(int signal_number)
{
    struct sigaction action = {.sa_handler = handle}, old;
    deadly_set(&action.sa_mask); /* a second signal waits until the files are gone */
    if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(signal_number, &action, NULL);
}

static void (*summarize)(void *);
static void *summarized;

/* Runs when a library calls exit(), for want of a thread or of memory. */
static void end_early(void)
{
    if (atomic_load(&has_ended))
        return;
    end_all();
    if (summarize)
        summarize(summarized);
    message_error(&(problem){
        .text = "stopped early, because no thread or memory was left; lower --jobs or --threads"});
    fflush(NULL);
    _exit(EXIT_FAILURE);
}

void guard_start(void)
{
    for (int i = 0; i < DEADLY; i++)
        take_signal(deadly[i]);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        take_signal(i);
    signal(SIGXFSZ, SIG_IGN);
    atexit(end_early);
}

void guard_summarize(void (*function)(void *), void *user)
{
    summarized = user;
    summarize = function;
}

void guard_end(void)
{
    atomic_store(&has_ended, 1);
}

void guard_soften(void)
{
    atomic_store(&soft, 1);
}

int guard_signal(void)
{
    return atomic_load(&noted);
}

void guard_block(void)
{
    sigset_t set;
    deadly_set(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void guard_unblock(void)
{
    sigset_t set;
    deadly_set(&set);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static int take_slot(void)
{
    for (int i = 0; i < SLOTS; i++) {
        int empty = EMPTY;
        if (atomic_compare_exchange_strong(&slots[i].state, &empty, TAKEN))
            return i;
    }
    errno = EMFILE;
    return -1;
}

/* Blocks the signals in this thread meanwhile, as a handler in it could not wait for it. */
void guard_enter(sigset_t *old)
{
    sigset_t set;
    deadly_set(&set);
    pthread_sigmask(SIG_BLOCK, &set, old);
    atomic_fetch_add(&creating, 1);
    if (atomic_load(&dying)) {
        atomic_fetch_sub(&creating, 1);
        for (;;)
            pause();
    }
}

void guard_leave(const sigset_t *old)
{
    const int error = errno;
    atomic_fetch_sub(&creating, 1);
    pthread_sigmask(SIG_SETMASK, old, NULL);
    errno = error;
}

int guard_create(char *template, int *guarded)
{
    sigset_t old;
    *guarded = take_slot();
    if (*guarded < 0)
        return -1;
    guard_enter(&old);
    const int fd = mkostemp(template, O_CLOEXEC);
    if (fd >= 0)
        strncpy(slots[*guarded].path, template, sizeof slots[*guarded].path - 1);
    atomic_store(&slots[*guarded].state, fd >= 0 ? ARMED : EMPTY);
    guard_leave(&old);
    return fd;
}

void guard_forget(int guarded, const char *path)
{
    if (path)
        unlink(path);
    atomic_store(&slots[guarded].state, EMPTY);
}
