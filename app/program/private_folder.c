#define _GNU_SOURCE /* struct dirent64 */

#include "program/private_folder.h"

#include "base/guard.h"
#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "satblur-maps-"
enum { DEEP = 8 }; /* folders within each other; programs make none, as a rule */

static char path[PATH_MAX + sizeof PREFIX + 8];
static atomic_int held = -1; /* descriptor of the folder, which has the lock */

const char *private_folder(void)
{
    return path;
}

/* --- Removing: by calls alone that a handler of signals may make ----------------------------- */

static void empty(int folder, int depth);

static bool remove_entry(int folder, const char *name, int depth)
{
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    if (unlinkat(folder, name, 0) == 0)
        return true;
    const int inner =
        depth > 0 ? openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (inner < 0)
        return false;
    empty(inner, depth - 1);
    close(inner);
    return unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

/* Removes what is in a folder. Names that are removed may hide others from the same look, so it looks again. */
static void empty(int folder, int depth)
{
    _Alignas(struct dirent64) char entries[2048];
    for (bool any = true; any;) {
        long got;
        any = false;
        lseek(folder, 0, SEEK_SET);
        /* glibc has a function for it since 2.30. */
        while ((got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
            for (long at = 0; at < got;) {
                const struct dirent64 *const entry = (const void *)(entries + at);
                any |= remove_entry(folder, entry->d_name, depth);
                at += entry->d_reclen;
            }
    }
}

/* Removes an open folder. A program that is about to end may write into it meanwhile. */
static void remove_folder(int folder, int above, const char *name)
{
    enum { ATTEMPTS = 20 };
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int i = 0; i < ATTEMPTS; i++) {
        empty(folder, DEEP);
        if (unlinkat(above, name, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY)
            break;
        nanosleep(&moment, NULL);
    }
}

void private_folder_close(void)
{
    const int folder = atomic_exchange(&held, -1);
    if (folder < 0)
        return;
    remove_folder(folder, AT_FDCWD, path);
    /* The path stays: another thread may be about to use it, and finds nothing there. */
    close(folder);
}

/* --- Making ----------------------------------------------------------------------------------- */

/* Takes the lock, unless another process has it. A file system without locks gives none to anybody, which removes nothing. */
static bool lock(int folder, bool is_new)
{
    return flock(folder, LOCK_EX | LOCK_NB) == 0 || (is_new && errno != EWOULDBLOCK);
}

/* Returns whether the name still leads to the open folder of this user. */
static bool is_there(int folder, int above, const char *name)
{
    struct stat a, b;
    return fstat(folder, &a) == 0 && fstatat(above, name, &b, AT_SYMLINK_NOFOLLOW) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_uid == geteuid();
}

/* Removes the folders of killed runs. */
static void sweep(const char *above)
{
    DIR *const all = opendir(above);
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        const char *const name = entry->d_name;
        const int folder =
            strncmp(name, PREFIX, strlen(PREFIX)) == 0
                ? openat(dirfd(all), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                : -1;
        if (folder < 0)
            continue;
        if (is_there(folder, dirfd(all), name) && lock(folder, false) &&
            is_there(folder, dirfd(all), name))
            remove_folder(folder, dirfd(all), name);
        close(folder);
    }
    if (all)
        closedir(all);
}

/* Makes and locks a folder. Another run may sweep it away before it has the lock; then it makes another one. */
static bool make(const char *above, problem *p)
{
    enum { ATTEMPTS = 100 };
    for (int i = 0; i < ATTEMPTS; i++) {
        snprintf(path, sizeof path, "%s/" PREFIX "XXXXXX", above);
        if (!mkdtemp(path))
            break;
        const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (folder < 0 && errno == ENOENT)
            continue;
        if (folder < 0) {
            rmdir(path);
            break;
        }
        if (lock(folder, true) && is_there(folder, AT_FDCWD, path)) {
            atomic_store(&held, folder);
            return true;
        }
        close(folder);
    }
    return problem_set(p, "no folder can be made in %s: %s; set TMPDIR to another folder", above,
                       strerror(errno));
}

/* Finds the folder in which all of them are. */
static bool find_above(char above[PATH_MAX], problem *p)
{
    const char *const given = getenv("TMPDIR");
    const char *const name = given && given[0] ? given : "/tmp";
    if (!realpath(name, above))
        return problem_set(p, "TMPDIR: %s cannot be used: %s; set TMPDIR to another folder", name,
                           strerror(errno));
    return !strpbrk(above, "\t\n") ||
           problem_set(p, "TMPDIR: %s has a tab or a newline; set TMPDIR to another folder", name);
}

bool private_folder_open(problem *p)
{
    char above[PATH_MAX];
    sigset_t old;
    if (atomic_load(&held) >= 0)
        return true;
    if (!find_above(above, p))
        return false;
    guard_enter(&old);
    const bool done = make(above, p);
    guard_leave(&old);
    return done;
}

void private_folder_sweep(void)
{
    char above[PATH_MAX];
    problem ignored;
    if (find_above(above, &ignored))
        sweep(above);
}
