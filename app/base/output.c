#include "base/output.h"

#include "base/guard.h"
#include "base/paths.h"
#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 };

/* Of the process. Reading the mask sets it, for all threads, so it is read once. */
static mode_t mask = 077;

void output_start(void)
{
    mask = umask(0);
    umask(mask);
}

/* Returns the length of the folder's part of a path, with its slash; 0 for the current folder. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool too_long(const char *name, problem *p)
{
    return problem_set(p, "%.200s...: the path is too long", name);
}

/* Follows symbolic links: realpath() knows no file that does not exist yet. target holds the name at first. */
static bool follow_links(char target[4096], const char *name, problem *p)
{
    for (int links = 0; links < 40; links++) {
        char link[4096];
        const ssize_t got = readlink(target, link, sizeof link - 1);
        if (got < 0)
            return true; /* EINVAL: no link; ENOENT: no file; other errors show when the file is opened */
        link[got] = '\0';
        const size_t folder = link[0] == '/' ? 0 : folder_length(target);
        if (folder + (size_t)got >= 4096)
            return too_long(name, p);
        memcpy(target + folder, link, (size_t)got + 1);
    }
    return problem_set(p, "%s: too many symbolic links", name);
}

static void folder_of(const char *target, char folder[4096])
{
    const size_t length = folder_length(target);
    snprintf(folder, 4096, "%.*s", (int)length, target);
    if (length == 0)
        strcpy(folder, ".");
}

static bool check_folder(const char *name, const char *target, problem *p)
{
    char folder[4096];
    folder_of(target, folder);
    struct stat about;
    if (stat(folder, &about) != 0) {
        return problem_set(p,
                           errno == ENOENT ? "%s: the folder '%s' does not exist; create it first"
                                           : "%s: the folder '%s' cannot be used: %s",
                           name, folder, strerror(errno));
    }
    if (!S_ISDIR(about.st_mode))
        return problem_set(p, "%s: '%s' is not a folder", name, folder);
    if (access(folder, W_OK | X_OK) != 0) {
        return problem_set(p, "%s: the folder '%s' cannot be written: %s", name, folder,
                           strerror(errno));
    }
    return true;
}

/* Finds the target and the file that it would replace; *old.st_mode is 0 where there is none. */
static bool look_at_target(const char *name, char target[4096], struct stat *old, problem *p)
{
    old->st_mode = 0;
    if (strlen(name) >= 4096)
        return too_long(name, p);
    strcpy(target, name);
    if (!follow_links(target, name, p))
        return false;
    if (stat(target, old) != 0) {
        old->st_mode = 0;
        return check_folder(name, target, p);
    }
    if (S_ISDIR(old->st_mode))
        return problem_set(p, "%s: is a folder; name a file to write", name);
    if (!S_ISREG(old->st_mode))
        return problem_set(p, "%s: is not a plain file; name a plain file or a new one", name);
    if (access(target, W_OK) != 0) {
        return problem_set(p, "%s: the file exists and cannot be written: %s", name,
                           strerror(errno));
    }
    return check_folder(name, target, p);
}

/* Returns the target of a link, for free(). NULL: it is no link, or memory ran out. */
static char *link_target(const char *path)
{
    char link[4096];
    const ssize_t got = readlink(path, link, sizeof link - 1);
    if (got < 0)
        return NULL;
    link[got] = '\0';
    const size_t folder = link[0] == '/' ? 0 : folder_length(path);
    return text_new("%.*s%s", (int)folder, path, link);
}

/* Returns the plain path with a part more, for free(). Missing folders will be made, so they are no links. */
static char *add_part(const char *plain, const char *part, size_t length)
{
    if (length == 2 && strncmp(part, "..", 2) == 0)
        return strndup(plain, folder_length(plain) > 1 ? folder_length(plain) - 1 : 1);
    if (length == 1 && part[0] == '.')
        return strdup(plain);
    return text_new("%s/%.*s", strcmp(plain, "/") == 0 ? "" : plain, (int)length, part);
}

/* Returns the plain path of a file or folder that is missing: the path of its target if it is a link; otherwise its
 * folder's, and the name. */
static char *plain_missing(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    char *itself = strndup(path, end), *leads = itself ? link_target(itself) : NULL;
    char *above = leads || !itself ? NULL : begin ? strndup(path, begin) : strdup(".");
    char *plain = above ? output_canonical_folder(above) : NULL;
    char *out = leads   ? output_canonical_folder(leads)
                : plain ? add_part(plain, path + begin, end - begin)
                        : NULL;
    free(itself);
    free(leads);
    free(above);
    free(plain);
    return out;
}

char *output_canonical_folder(const char *path)
{
    char *plain = realpath(path, NULL);
    if (plain || errno == ENOMEM)
        return plain;
    const bool is_missing =
        errno == ENOENT && strcmp(path, ".") != 0; /* the current folder may have been removed */
    return is_missing ? plain_missing(path)
                      : strdup(path); /* other errors show when the folder is used */
}

char *output_canonical(const char *name)
{
    char target[4096], folder[4096];
    problem ignored;
    if (strlen(name) >= sizeof target)
        return strdup(name);
    strcpy(target, name);
    if (!follow_links(target, name, &ignored))
        return strdup(name);
    folder_of(target, folder);
    const char *base = target + folder_length(target);
    char *plain = output_canonical_folder(folder),
         *place = plain ? add_part(plain, base, strlen(base)) : NULL;
    free(plain);
    return place;
}

static bool is_stream(const char *name)
{
    return name == path_stdout;
}

bool output_check(const char *name, problem *p)
{
    if (is_stream(name))
        return !isatty(STDOUT_FILENO) ||
               problem_set(p, "standard output is a terminal; redirect it to a file or a pipe");
    char target[4096];
    struct stat old;
    return look_at_target(name, target, &old, p);
}

bool output_is_new(const char *name, problem *p)
{
    struct stat old;
    return is_stream(name) || lstat(name, &old) != 0 ||
           problem_set(p, "%s exists, and --no-clobber keeps it; name another file", name);
}

/* Gives a new file the permissions of any new file, and one that replaces another the other's permissions, and owner where
 * that is allowed (as it is for root). */
static bool set_permissions(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 07777;
    if (old->st_mode == 0)
        mode = 0666 & ~mask;
    else if (fchown(fd, old->st_uid, old->st_gid) != 0)
        mode &= 0777; /* the old owner's set-user-id bit must not pass to us */
    return fchmod(fd, mode) == 0;
}

int output_temporary(const char *target, char *out, size_t size)
{
    const size_t folder = folder_length(target);
    return snprintf(out, size, "%.*s.%.200s.satblur.XXXXXX", (int)folder, target, target + folder);
}

static bool create_temporary(output *out, problem *p)
{
    const int length = output_temporary(out->target, out->temporary, sizeof out->temporary);
    if (length >= (int)sizeof out->temporary)
        return too_long(out->name, p);
    out->fd = guard_create(out->temporary, &out->guarded);
    if (out->fd >= 0)
        return true;
    out->temporary[0] = '\0';
    return problem_set(p, "%s: cannot be created: %s", out->name, strerror(errno));
}

bool output_begin(output *out, const char *name, problem *p)
{
    *out = (output){.name = name, .fd = -1};
    struct stat old;
    if (!is_stream(name) && !look_at_target(name, out->target, &old, p))
        return false;
    out->buffer = malloc(BUFFER);
    if (!out->buffer)
        return problem_set(p, "%s: not enough memory to write it", name);
    if (is_stream(name))
        return true;
    if (!create_temporary(out, p))
        goto fail;
    if (!set_permissions(out->fd, &old)) {
        problem_set(p, "%s: its permissions cannot be set: %s", name, strerror(errno));
        goto fail;
    }
    return true;
fail:
    output_abort(out);
    return false;
}

static bool put(output *out, const void *data, size_t size)
{
    if (is_stream(out->name) && !blob_add(&out->whole, data, size))
        out->error = ENOMEM;
    else if (out->error == 0 && !is_stream(out->name) && !write_all(out->fd, data, size))
        out->error = errno;
    return out->error == 0;
}

static bool flush_buffer(output *out)
{
    const size_t used = out->used;
    out->used = 0;
    return put(out, out->buffer, used);
}

bool output_write(void *user, const void *data, size_t size)
{
    output *out = user;
    if (size >= BUFFER)
        return flush_buffer(out) && put(out, data, size);
    if (out->used + size > BUFFER && !flush_buffer(out))
        return false;
    memcpy(out->buffer + out->used, data, size);
    out->used += size;
    return out->error == 0;
}

static const char *advice(int error)
{
    switch (error) {
    case ENOSPC: return "; free some space";
    case EFBIG: return "; raise the limit on file sizes (ulimit -f)";
    case EDQUOT: return "; free some quota";
    default: return "";
    }
}

/* The descriptor stays open: the process's end closes it. A reader that has gone is an error, not a signal. */
static bool commit_stream(output *out, problem *p)
{
    signal(SIGPIPE, SIG_IGN);
    if (out->error == 0 && !write_all(STDOUT_FILENO, out->whole.data, out->whole.size))
        out->error = errno;
    const int error = out->error;
    output_abort(out);
    return error == 0 || problem_set(p, "standard output cannot be written: %s%s", strerror(error),
                                     advice(error));
}

/* Gives the temporary the target's name. Where the file system has no hard links, a name that must be new is looked up
 * first. */
static bool take_name(const output *out)
{
    if (out->is_new && link(out->temporary, out->target) == 0) {
        unlink(out->temporary);
        return true;
    }
    if (!out->is_new || (errno != EEXIST && access(out->target, F_OK) != 0))
        return rename(out->temporary, out->target) == 0;
    errno = EEXIST;
    return false;
}

bool output_commit(output *out, problem *p)
{
    flush_buffer(out);
    if (is_stream(out->name))
        return commit_stream(out, p);
    if (out->error == 0 && fsync(out->fd) != 0 && errno != EINVAL && errno != ENOTSUP)
        out->error = errno;
    const int closed = close(out->fd);
    out->fd = -1;
    if (out->error == 0 && closed != 0 && errno != EINTR)
        out->error = errno;
    if (out->error == 0 && !take_name(out))
        out->error = errno;
    const int error = out->error;
    if (error == 0) { /* the temporary has become the target */
        guard_forget(out->guarded, NULL);
        out->temporary[0] = '\0';
    }
    output_abort(out);
    if (error == EEXIST && !output_is_new(out->name, p))
        return false;
    return error == 0 ||
           problem_set(p, "%s: cannot be written: %s%s", out->name, strerror(error), advice(error));
}

bool output_fsync_folder(const char *name, problem *p)
{
    char target[4096], folder[4096];
    if (is_stream(name))
        return true;
    if (strlen(name) >= sizeof target)
        return too_long(name, p);
    strcpy(target, name);
    if (!follow_links(target, name, p))
        return false;
    folder_of(target, folder);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return true; /* a folder may be writable but not readable */
    const int error = fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
    close(fd);
    return error == 0 ||
           problem_set(p, "%s: is written, but its name may not last: %s", name, strerror(error));
}

void output_abort(output *out)
{
    if (out->fd >= 0)
        close(out->fd);
    if (out->temporary[0])
        guard_forget(out->guarded, out->temporary);
    free(out->buffer);
    blob_free(&out->whole);
    *out = (output){.name = out->name, .fd = -1};
}
