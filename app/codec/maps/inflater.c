#include "codec/maps/inflater.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 64 << 10 };

struct inflater {
    z_stream stream;
    bytes rest;        /* of the packed bytes in memory */
    int fd;            /* -1: they are in memory */
    uint64_t at, left; /* of the file's packed bytes */
    uint8_t buffer[BUFFER];
};

inflater *inflater_open_memory(bytes packed, problem *p)
{
    inflater *const i = inflater_open(-1, 0, packed.size, p);
    if (i)
        i->rest = packed;
    return i;
}

inflater *inflater_open(int fd, uint64_t at, uint64_t packed, problem *p)
{
    inflater *const i = calloc(1, sizeof *i);
    if (i && inflateInit2(&i->stream, -MAX_WBITS) == Z_OK) {
        i->fd = fd;
        i->at = at;
        i->left = packed;
        return i;
    }
    free(i);
    problem_set(p, "not enough memory to unpack it");
    return NULL;
}

void inflater_close(inflater *i)
{
    if (i)
        (void)inflateEnd(&i->stream);
    free(i);
}

/* Reads packed bytes into the empty buffer. Returns how many; 0 or less: there are none. */
static ssize_t take_packed(inflater *i)
{
    const size_t wanted = i->left < BUFFER ? (size_t)i->left : BUFFER;
    ssize_t got;
    if (i->fd < 0) {
        if (wanted > 0)
            memcpy(i->buffer, i->rest.data + i->at, wanted);
        return (ssize_t)wanted;
    }
    do
        got = pread(i->fd, i->buffer, wanted, (off_t)i->at);
    while (got < 0 && errno == EINTR);
    return got;
}

static bool refill(inflater *i)
{
    const ssize_t got = take_packed(i);
    if (got <= 0)
        return false;
    i->at += (uint64_t)got;
    i->left -= (uint64_t)got;
    i->stream.next_in = i->buffer;
    i->stream.avail_in = (uInt)got;
    return true;
}

/* Inflates into what the stream's output has room for. False: nothing more can come. */
static bool inflate_more(inflater *i)
{
    const uInt room = i->stream.avail_out;
    const int got = inflate(&i->stream, Z_NO_FLUSH);
    if (got != Z_OK && got != Z_STREAM_END && got != Z_BUF_ERROR)
        return false;
    if (i->stream.avail_out < room)
        return true;
    return got != Z_STREAM_END && i->stream.avail_in == 0 && refill(i);
}

bool inflater_read(inflater *i, void *to, size_t size)
{
    enum { MOST = 1 << 30 }; /* zlib counts in 32 bits */
    i->stream.next_out = to;
    while (size > 0) {
        const uInt part = size < MOST ? (uInt)size : MOST;
        i->stream.avail_out = part;
        if (!inflate_more(i))
            return false;
        size -= part - i->stream.avail_out;
    }
    return true;
}
