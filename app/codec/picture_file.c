/* A picture file, read whole: the decoders then see memory, and what is wrong with the file is told
 * in one place. */
#include "codec/codec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct buffer {
    uint8_t *data;
    size_t size, room;
} buffer;

static bool grow(buffer *b)
{
    const size_t room = b->room ? b->room * 2 : (size_t)1 << 20;
    uint8_t *data = room > b->room ? pixels_allocate(room) : NULL;
    if (!data)
        return false;
    if (b->size > 0)
        memcpy(data, b->data, b->size);
    pixels_free(b->data);
    b->data = data;
    b->room = room;
    return true;
}

/* Reads until the end rather than the size that fstat() tells: a pipe is welcome, and a file may
 * change. */
static bool read_all(int fd, buffer *b, const char *path, problem *p)
{
    for (;;) {
        if (b->size == b->room && !grow(b))
            return problem_set(p, "%s: not enough memory to read it", path);
        const ssize_t got = read(fd, b->data + b->size, b->room - b->size);
        if (got == 0)
            return true;
        if (got < 0 && errno == EISDIR)
            return problem_set(p, "%s: is a folder; give a picture", path);
        if (got < 0 && errno != EINTR)
            return problem_set(p, "%s: cannot be read: %s", path, strerror(errno));
        b->size += got > 0 ? (size_t)got : 0;
    }
}

bool picture_load(picture *pic, const char *path, const decode_settings *settings, problem *p)
{
    *pic = (picture){.format = ""};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return problem_set(p,
                           errno == ENOENT ? "%s: there is no such file; check the name"
                                           : "%s: cannot be opened: %s",
                           path, strerror(errno));
    }
    buffer b = {0};
    struct stat about;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
        b.room = (size_t)about.st_size + 1; /* one more, so that the end is met without growing */
        b.data = pixels_allocate(b.room);
        b.room = b.data ? b.room : 0;
    }
    const bool read = read_all(fd, &b, path, p);
    close(fd);
    const bool done = read && picture_decode(pic, b.data, b.size, path, settings, p);
    pixels_free(b.data);
    return done;
}
