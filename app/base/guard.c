#include "base/guard.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
enum { DEADLY = sizeof deadly / sizeof *deadly };

/* The temporaries of all threads. A handler must not see half a path, so a place is taken, filled
 * and only then armed. */
enum { PLACES = 1024, EMPTY = 0, TAKEN, ARMED };
static struct {
    atomic_int state;
    char path[4096];
} places[PLACES];

static atomic_int dying, creating, noted, soft;

static void remove_all(void)
{
    for (int i = 0; i < PLACES; i++)
        if (atomic_load(&places[i].state) == ARMED)
            unlink(places[i].path);
}

void guard_die(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* Who is about to create a file either sees that the process is dying, or is waited for. */
static void wait_for_creators(void)
{
    const struct timespec moment = {.tv_nsec = 100000};
    for (int i = 0; i < 10000 && atomic_load(&creating) > 0; i++)
        nanosleep(&moment, NULL);
}

static void handle(int signal_number)
{
    if (atomic_exchange(&soft, 0)) {
        atomic_store(&noted, signal_number);
        return;
    }
    atomic_store(&dying, 1);
    wait_for_creators();
    remove_all();
    guard_die(signal_number);
}

static void deadly_set(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < DEADLY; i++)
        sigaddset(set, deadly[i]);
}

void guard_start(void)
{
    struct sigaction action = {.sa_handler = handle}, old;
    deadly_set(&action.sa_mask); /* a second one waits until the files are gone */
    for (int i = 0; i < DEADLY; i++)
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* nohup */
            sigaction(deadly[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN);
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

static int take_place(void)
{
    for (int i = 0; i < PLACES; i++) {
        int empty = EMPTY;
        if (atomic_compare_exchange_strong(&places[i].state, &empty, TAKEN))
            return i;
    }
    errno = EMFILE;
    return -1;
}

static int create(char *template, int place)
{
    atomic_fetch_add(&creating, 1);
    if (atomic_load(&dying)) {
        atomic_fetch_sub(&creating, 1);
        for (;;)
            pause();
    }
    const int fd = mkstemp(template);
    if (fd >= 0)
        strncpy(places[place].path, template, sizeof places[place].path - 1);
    atomic_store(&places[place].state, fd >= 0 ? ARMED : EMPTY);
    atomic_fetch_sub(&creating, 1);
    return fd;
}

/* The signals are blocked in this thread meanwhile, as a handler could not wait for it. */
int guard_create(char *template, int *guarded)
{
    sigset_t set, old;
    *guarded = take_place();
    if (*guarded < 0)
        return -1;
    deadly_set(&set);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    const int fd = create(template, *guarded);
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return fd;
}

void guard_forget(int guarded, const char *path)
{
    if (path)
        unlink(path);
    atomic_store(&places[guarded].state, EMPTY);
}
