/* A picture from a file, which is read whole: the decoders then see memory. The first bytes are judged before the rest is
 * read, so neither a large file nor an endless pipe that is no picture takes memory or time. */
#include "codec/codec.h"

#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST = 16 << 10 }; /* bytes; the headers of all formats but JPEG lie within */

typedef struct source {
    const char *path;
    int fd;
    bool is_at_end, is_endless; /* endless: a pipe */
    uint64_t max_pixels;        /* that are allowed */
    bool is_judged;             /* the file's size in pixels is known */
    uint64_t most;              /* bytes that the file may have */
    uint8_t *data;
    size_t size, capacity;
} source;

/* Fills the memory up to its capacity, or to the end of the file. */
static bool fill(source *s, problem *p)
{
    while (s->size < s->capacity && !s->is_at_end) {
        const ssize_t got = read(s->fd, s->data + s->size, s->capacity - s->size);
        if (got < 0 && errno == EISDIR)
            return problem_set(p, "%s: is a folder; give a picture", s->path);
        if (got < 0 && errno != EINTR)
            return problem_set(p, "%s: cannot be read: %s", s->path, strerror(errno));
        s->is_at_end = got == 0;
        s->size += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Returns the bytes that a file may have: 16 for each pixel, or twice its channels' (as EXR's smaller copies are there, too),
 * and more for metadata and for what cameras append, such as videos. A pipe that has not told its size yet gets a byte for
 * each pixel that is allowed, so that one without an end is refused soon. */
static uint64_t most_bytes(const source *s, const codec *c, const satb_image *claim)
{
    enum { EACH = 16, BESIDE = 256 << 20 };
    const uint64_t allowed =
        s->max_pixels < PICTURE_PIXELS_MOST ? s->max_pixels : PICTURE_PIXELS_MOST;
    const uint64_t channels = 2 * (uint64_t)claim->channels * (uint64_t)claim->bits / 8;
    const uint64_t pixels = (uint64_t)claim->width * (uint64_t)claim->height;
    const uint64_t held = codec_most_bytes(c);
    const uint64_t most = s->is_judged    ? pixels * (channels > EACH ? channels : EACH)
                          : s->is_endless ? allowed
                                          : allowed * EACH;
    return (most < held ? most : held) + BESIDE;
}

/* Judges the bytes that are there, and sets s->most by the pixels that they claim, or that are allowed. */
static bool judge(source *s, problem *p)
{
    const bytes first = {.data = s->data, .size = s->size};
    const codec *const c = codec_of_start(first, s->path);
    satb_image claim = {0};
    problem inner;
    if (!c)
        return codec_refuse(first, s->path, p);
    if (c->claim && !c->claim(first, &claim, &inner))
        return problem_at(p, s->path, &inner);
    s->is_judged = claim.width > 0 && claim.height > 0; /* otherwise probe() explains */
    if (s->is_judged && !picture_allows(&claim, s->max_pixels, &inner))
        return problem_at(p, s->path, &inner);
    s->most = most_bytes(s, c, &claim);
    return true;
}

static bool refuse_size(const source *s, problem *p)
{
    return s->is_judged || !s->is_endless
               ? problem_set(p,
                             "%s: has more than %llu MB, too many for its pixels; get a new copy",
                             s->path, (unsigned long long)(s->most >> 20))
               : problem_set(p,
                             "%s: the size of the picture is unknown after %llu MB of the pipe; "
                             "save it as a file first, or raise --max-pixels",
                             s->path, (unsigned long long)(s->most >> 20));
}

static bool no_memory(const source *s, problem *p)
{
    return problem_set(p, "%s: not enough memory to read it", s->path);
}

/* Reads a file whose size is known, with space for a byte more, so that the end is met. */
static bool read_known(source *s, size_t size, problem *p)
{
    uint8_t *const whole = pixels_allocate(size + 1);
    if (!whole)
        return no_memory(s, p);
    s->data = memcpy(whole, s->data, s->size);
    s->capacity = size + 1;
    return fill(s, p) &&
           (s->is_at_end || problem_set(p, "%s: grew while it was read; try again", s->path));
}

/* Returns the next capacity for a pipe: twice as much, but only one byte above s->most. */
static size_t more_capacity(const source *s)
{
    return s->capacity < s->most / 2 ? 2 * s->capacity : (size_t)s->most + 1;
}

/* Reads a pipe. realloc() moves large blocks without a second copy. */
static bool read_growing(source *s, problem *p)
{
    enum { BEGIN = 1 << 20 };
    const uint8_t *const first = s->data;
    while (!s->is_at_end) {
        const bool is_first = s->data == first;
        const size_t capacity = is_first ? BEGIN : more_capacity(s);
        uint8_t *const more = realloc(is_first ? NULL : s->data, capacity);
        if (!more)
            return no_memory(s, p);
        s->data = is_first ? memcpy(more, first, s->size) : more;
        s->capacity = capacity;
        if (!fill(s, p) || (!s->is_judged && !judge(s, p)))
            return false;
        if (s->size > s->most)
            return refuse_size(s, p);
    }
    return true;
}

/* Reads on behind the first bytes. */
static bool read_rest(source *s, problem *p)
{
    struct stat about;
    s->is_endless = fstat(s->fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size < FIRST;
    if (!judge(s, p))
        return false;
    if (s->is_endless)
        return read_growing(s, p);
    return (uint64_t)about.st_size > s->most ? refuse_size(s, p)
                                             : read_known(s, (size_t)about.st_size, p);
}

/* Leaves the file's bytes in the picture. */
static bool keep_file(picture *pic, source *s, const uint8_t *first, problem *p)
{
    uint8_t *const own = s->data == first ? pixels_allocate(s->size) : s->data;
    if (!own) {
        picture_free(pic);
        return no_memory(s, p);
    }
    if (own != s->data)
        memcpy(own, first, s->size);
    pic->file = (blob){.data = own, .size = s->size, .capacity = s->size};
    s->data = own;
    return true;
}

bool picture_load(picture *pic, const char *path, const decode_settings *settings, problem *p)
{
    uint8_t first[FIRST];
    const uint64_t limit = settings ? settings->max_pixels : 0;
    source s = {.path = path,
                .max_pixels = limit ? limit : PICTURE_PIXELS,
                .data = first,
                .capacity = FIRST};
    *pic = (picture){.format = ""};
    s.fd = path == path_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (s.fd < 0) {
        return problem_set(p,
                           errno == ENOENT ? "%s: there is no such file; check the name"
                                           : "%s: cannot be opened: %s",
                           path, strerror(errno));
    }
    bool done = fill(&s, p) && (s.is_at_end || read_rest(&s, p));
    close(s.fd);
    done = done && picture_decode(pic, s.data, s.size, path, settings, p);
    const bool keeps = done && settings && settings->keep_file;
    if (keeps)
        return keep_file(pic, &s, first, p);
    if (s.data != first)
        pixels_free(s.data);
    return done;
}
