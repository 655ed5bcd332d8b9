#include "base/child.h"

#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A sanitizer reserves terabytes of memory, and needs files for its reports. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* --- Starting --------------------------------------------------------------------------------- */

/* A terminal sends these to all processes of a command. The first one of a batch lets its pictures finish, so it must not
 * end the children that read them. */
static void block_terminal(posix_spawnattr_t *attributes)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGQUIT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGTERM);
    posix_spawnattr_setsigmask(attributes, &set);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK);
}

static char program[4096] = "/proc/self/exe";

bool child_run_as(const char *path)
{
    const size_t size = strlen(path) + 1;
    if (size <= sizeof program)
        memcpy(program, path, size);
    return size <= sizeof program;
}

/* Returns whether the loader, the C library, libheif or a sanitizer reads a variable. */
static bool is_for_libraries(const char *variable)
{
    static const char *const begins[] = {"LD_",   "GLIBC_", "MALLOC_", "LIBHEIF_",
                                         "ASAN_", "LSAN_",  "TSAN_",   "UBSAN_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(variable, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Returns the variables that libraries read, for free(): among the others may be secrets. NULL: memory ran out. */
static char **environment_for_child(void)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **const list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list && i < count; i++)
        if (is_for_libraries(environ[i]))
            list[kept++] = environ[i];
    return list;
}

static int spawn(pid_t *pid, int socket, const char *name)
{
    char **const environment = environment_for_child();
    if (!environment)
        return ENOMEM;
    char *const argv[] = {(char *)(uintptr_t)name, NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    block_terminal(&attributes);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawn(pid, program, &actions, &attributes, argv, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

bool child_start(child *c, const char *name)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    const int error = spawn(&c->pid, ends[1], name);
    close(ends[1]);
    if (error)
        close(ends[0]);
    c->fd = ends[0];
    c->is_idle = false;
    errno = error;
    return error == 0;
}

/* --- Talking ---------------------------------------------------------------------------------- */

static bool send_all(int fd, const void *data, size_t size)
{
    const char *next = data;
    while (size > 0) {
        const ssize_t done = send(fd, next, size, MSG_NOSIGNAL);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
        }
    }
    return true;
}

bool child_send(const child *c, const void *data, size_t size)
{
    return send_all(c->fd, data, size);
}

/* Returns nanoseconds of processor time that the process has used; -1: unknown. */
static int64_t processor_time(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return -1;
    return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

/* Waits for bytes, or the end of the child. False: it does nothing. A second counts only where this process had it, so a
 * pause of both, by Ctrl-Z say, is one second. */
static bool wait_for_bytes(child *c)
{
    enum { PATIENCE = 20, SECOND = 1000 };
    struct pollfd waited = {.fd = c->fd, .events = POLLIN};
    int64_t before = -1;
    for (int idle = 0; idle < PATIENCE;) {
        const int ready = poll(&waited, 1, SECOND);
        if (ready > 0)
            return true;
        const int64_t now = processor_time(c->pid);
        idle = now == before ? idle + (ready == 0) : 0;
        before = now;
    }
    c->is_idle = true;
    return false;
}

bool child_receive(child *c, void *data, size_t size)
{
    char *next = data;
    while (size > 0) {
        if (!wait_for_bytes(c))
            return false;
        const ssize_t done = recv(c->fd, next, size, 0);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
        }
    }
    return true;
}

/* --- The end ---------------------------------------------------------------------------------- */

static void explain(const child *c, int status, problem *p)
{
    const char *const remedy = "get a whole copy, or convert it to PNG";
    if (c->is_idle)
        problem_set(p, "the library that reads it hangs; %s", remedy);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        problem_set(p, "the library that reads it takes too much time; %s", remedy);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        problem_set(
            p, "the process that reads it was killed, perhaps because memory ran out; try again");
    else if (WIFSIGNALED(status))
        problem_set(p, "the library that reads it crashed (%s); %s", strsignal(WTERMSIG(status)),
                    remedy);
    else
        problem_set(p, "the library that reads it gave up (status %d); %s", WEXITSTATUS(status),
                    remedy);
}

/* A child that has closed its socket is about to end, and shows how. */
void child_end(child *c, problem *p)
{
    int status = 0;
    close(c->fd);
    if (c->is_idle || !p)
        kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (p)
        explain(c, status, p);
}

/* --- In the child ----------------------------------------------------------------------------- */

static bool is_child;

void child_begin(void)
{
    is_child = true;
    const struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &none);
}

void child_get(void *data, size_t size)
{
    char *next = data;
    while (size > 0) {
        const ssize_t done = read(STDIN_FILENO, next, size);
        if (done == 0 || (done < 0 && errno != EINTR))
            _exit(0);
        if (done > 0) {
            next += done;
            size -= (size_t)done;
        }
    }
}

void child_put(const void *data, size_t size)
{
    if (!send_all(STDIN_FILENO, data, size))
        _exit(0);
}

static void limit(int resource, uint64_t to, uint64_t most)
{
    struct rlimit r;
    if (getrlimit(resource, &r) != 0)
        return;
    r.rlim_max = r.rlim_max < most ? r.rlim_max : most;
    r.rlim_cur = r.rlim_max < to ? r.rlim_max : to;
    setrlimit(resource, &r);
}

/* At the highest limit of time the system kills at once, so it is a second after the one that child_end() can tell. */
void child_limit(const child_limits *to, const child_limits *most)
{
    if (is_child)
        limit(RLIMIT_CPU, to->seconds, most->seconds + 1);
    if (is_child && !IS_SANITIZED)
        limit(RLIMIT_DATA, to->bytes, most->bytes);
}

void child_confine(void)
{
    if (is_child && !IS_SANITIZED)
        confine_process();
}

const char *child_confined_by(void)
{
    return IS_SANITIZED ? "none; this program is built with sanitizers" : confine_words();
}
