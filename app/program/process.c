#define _GNU_SOURCE /* pipe2() */

#include "program/process.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 160 };
static atomic_int running[MOST]; /* first processes of groups; 0: a free place */
static atomic_bool ending;

static void exchange(int from, int to)
{
    for (int i = 0; i < MOST; i++) {
        int expected = from;
        if (atomic_compare_exchange_strong(&running[i], &expected, to))
            return;
    }
}

void process_kill_all(void)
{
    atomic_store(&ending, true);
    for (int i = 0; i < MOST; i++) {
        const int pid = atomic_load(&running[i]);
        if (pid > 0)
            kill(-pid, SIGKILL);
    }
}

/* --- Starting --------------------------------------------------------------------------------- */

/* Gives the program a group of its own, no blocked signals, and the usual ends by those that this program ignores. */
static void set_attributes(posix_spawnattr_t *a)
{
    sigset_t set;
    posix_spawnattr_init(a);
    posix_spawnattr_setpgroup(a, 0);
    sigemptyset(&set);
    posix_spawnattr_setsigmask(a, &set);
    sigaddset(&set, SIGPIPE);
    sigaddset(&set, SIGXFSZ);
    posix_spawnattr_setsigdefault(a, &set);
    posix_spawnattr_setflags(a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                    POSIX_SPAWN_SETSIGDEF);
}

/* in: the end of its standard input; -1: it has none. out: that of its output, or else of its errors. Returns an errno. */
static int spawn(pid_t *pid, char *const words[], int in, int out)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    set_attributes(&attributes);
    posix_spawn_file_actions_init(&actions);
    if (in >= 0) {
        posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
    }
    const int error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static void close_ends(const int ends[2])
{
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* spawn(), which notes the process for process_kill_all(). */
static int spawn_noted(pid_t *pid, char *const words[], int in, int out)
{
    sigset_t old;
    guard_enter(&old);
    const int error = spawn(pid, words, in, out);
    if (!error)
        exchange(0, *pid);
    if (!error && atomic_load(&ending)) /* which has waited for this step no longer */
        kill(-*pid, SIGKILL);
    guard_leave(&old);
    return error;
}

bool process_start(process *c, char *const words[], bool talks, problem *p)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1};
    const bool piped = pipe2(out, O_CLOEXEC) == 0 && (!talks || pipe2(in, O_CLOEXEC) == 0);
    const int error = piped ? spawn_noted(&c->pid, words, in[0], out[1]) : errno;
    if (error) {
        c->pid = 0;
        close_ends(in);
        close_ends(out);
        return error == ENOENT && !strchr(words[0], '/')
                   ? problem_set(p, "it is not in PATH; install it, or give its whole path")
                   : problem_set(p, "it cannot be started: %s; check the command", strerror(error));
    }
    if (talks) {
        close(in[0]);
        fcntl(in[1], F_SETFL, O_NONBLOCK); /* a pipe that is full is not read */
    }
    close(out[1]);
    c->to = in[1];
    c->from = out[0];
    c->taken = c->used = 0;
    return true;
}

/* --- Talking ---------------------------------------------------------------------------------- */

/* A pipe without a reader is an error, not a signal. */
bool process_send(const process *c, const char *line)
{
    const struct timespec now = {0};
    sigset_t pipe_alone, old;
    sigemptyset(&pipe_alone);
    sigaddset(&pipe_alone, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_alone, &old);
    const bool sent = write_all(c->to, line, strlen(line));
    if (!sent && errno == EPIPE)
        sigtimedwait(&pipe_alone, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return sent;
}

static bool has_ended(const process *c)
{
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)c->pid, &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           about.si_pid != 0;
}

static bool is_too_large(const char *file)
{
    struct stat about;
    return file && lstat(file, &about) == 0 && about.st_size > PROCESS_FILE;
}

/* Returns the milliseconds that are left. After a first signal, which ends the run once its pictures are done, few are. */
static double left_of(const process_watch *w)
{
    static _Atomic double noted; /* when the signal was seen; 0: not yet */
    double never = 0;
    const double now = clock_ms();
    if (guard_signal())
        atomic_compare_exchange_strong(&noted, &never, now);
    const double last = atomic_load(&noted) + PROCESS_STOPPING;
    return (guard_signal() && last < w->deadline ? last : w->deadline) - now;
}

/* Waits for bytes or the end; another process that the first one has started may hold the pipe open. What has come before the
 * deadline counts, even if this process was stopped meanwhile. */
static process_state wait_for_bytes(const process *c, const process_watch *w)
{
    enum { TICK = 200 };
    struct pollfd from = {.fd = c->from, .events = POLLIN};
    for (;;) {
        const double left = left_of(w);
        const bool ended = has_ended(c);
        if (poll(&from, 1, ended || left <= 0 ? 0 : left < TICK ? (int)left + 1 : TICK) > 0)
            return PROCESS_READ;
        if (ended)
            return PROCESS_CLOSED;
        if (is_too_large(w->file) || is_too_large(w->beside))
            return PROCESS_LARGE;
        if (left <= 0)
            return PROCESS_LATE;
    }
}

/* Reads some bytes behind those that are there. */
static process_state read_some(process *c, const process_watch *w)
{
    const process_state state = wait_for_bytes(c, w);
    if (state != PROCESS_READ)
        return state;
    const ssize_t got = read(c->from, c->text + c->used, PROCESS_LINE - c->used);
    if (got == 0 || (got < 0 && errno != EINTR))
        return PROCESS_CLOSED;
    c->used += got > 0 ? (size_t)got : 0;
    return PROCESS_READ;
}

process_state process_read(process *c, const process_watch *w, char **line)
{
    c->used -= c->taken;
    memmove(c->text, c->text + c->taken, c->used);
    c->taken = 0;
    for (;;) {
        char *const end = memchr(c->text, '\n', c->used);
        if (end) {
            *end = '\0';
            *line = c->text;
            c->taken = (size_t)(end - c->text) + 1;
            return PROCESS_READ;
        }
        if (c->used == PROCESS_LINE)
            return PROCESS_LONG;
        const process_state state = read_some(c, w);
        if (state != PROCESS_READ)
            return state;
    }
}

/* Finds the last line of the text that is not blank, and cuts it off at the line's end. */
static const char *last_line(char *text, size_t size)
{
    static const char ends[] = "\r\n";
    while (size > 0 && (text[size - 1] == '\0' || strchr("\r\n\t ", text[size - 1])))
        size--;
    text[size] = '\0';
    size_t at = size;
    while (at > 0 && !strchr(ends, text[at - 1]))
        at--;
    return text + (size - at > PROCESS_LAST ? size - PROCESS_LAST : at);
}

process_state process_drain(process *c, const process_watch *w, char last[PROCESS_LAST + 1])
{
    enum { READS = 1000 }; /* after the deadline: more than a pipe holds */
    process_state state;
    int late = 0;
    while ((state = read_some(c, w)) == PROCESS_READ) {
        late += clock_ms() > w->deadline;
        if (late > READS)
            return PROCESS_LATE;
        if (c->used > PROCESS_LINE / 2) { /* the end alone counts */
            memmove(c->text, c->text + c->used - PROCESS_LINE / 4, PROCESS_LINE / 4);
            c->used = PROCESS_LINE / 4;
        }
    }
    strcpy(last, last_line(c->text, c->used));
    return state;
}

/* --- The end ---------------------------------------------------------------------------------- */

void process_leave(process *c)
{
    if (c->pid && c->to >= 0)
        close(c->to);
    c->to = -1;
}

/* The first process of the group is waited for last, so that the group's number stays its own until then. */
bool process_end(process *c, double patience, int *status)
{
    const double deadline = clock_ms() + patience;
    const struct timespec moment = {.tv_nsec = 2000000};
    bool ended = true;
    *status = 0;
    if (c->pid == 0)
        return ended;
    process_leave(c);
    close(c->from);
    while (!(ended = has_ended(c)) && clock_ms() < deadline)
        nanosleep(&moment, NULL);
    kill(-c->pid, SIGKILL);
    exchange(c->pid, 0);
    while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
        continue;
    c->pid = 0;
    return ended;
}
