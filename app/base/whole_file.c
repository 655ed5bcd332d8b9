#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, size_t most, blob *out, problem *p)
{
    struct stat about;
    uint8_t part[1 << 14];
    ssize_t got = 1;
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return problem_set(p, "is not a regular file");
    if (about.st_size > 0 && (uint64_t)about.st_size > most)
        return problem_set(p, "has more than %zu bytes", most);
    while (got != 0 && out->size <= most) {
        got = read(fd, part, sizeof part);
        if (got < 0 && errno != EINTR)
            return problem_set(p, "cannot be read: %s", strerror(errno));
        if (got > 0 && !blob_add(out, part, (size_t)got))
            return problem_set(p, "not enough memory to read it");
    }
    if (out->size > most)
        return problem_set(p, "has more than %zu bytes", most);
    const bool done = blob_add(out, "", 1);
    out->size -= done;
    return done || problem_set(p, "not enough memory to read it");
}

bool whole_file_read(const char *path, int flags, size_t most, blob *out, problem *p)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
    *out = (blob){0};
    if (fd < 0)
        return problem_set(p, "cannot be opened: %s", strerror(errno));
    const bool done = read_all(fd, most, out, p);
    if (!done)
        blob_free(out);
    close(fd);
    return done;
}
