#include "codec/maps/npy_series.h"

#include "codec/maps/inflater.h"
#include "codec/maps/npy.h"
#include "codec/maps/npz_archive.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct npy_series {
    int fd;
    uint64_t size; /* of the file */
    npy_header header;
    uint64_t next; /* map */
    uint64_t at;   /* of the next byte of a stored array */
    uint64_t end;  /* of its bytes */
    bool is_member, is_distance;
    npz_member member;
    inflater *inflater; /* of a deflated array */
    uint32_t sum;       /* of the member's bytes until now */
};

/* --- Bytes ------------------------------------------------------------------------------------ */

static bool read_stored(npy_series *s, uint8_t *to, size_t size)
{
    if (size > s->end - s->at)
        return false;
    while (size > 0) {
        const ssize_t got = pread(s->fd, to, size, (off_t)s->at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        const size_t more = got > 0 ? (size_t)got : 0;
        to += more;
        s->at += more;
        size -= more;
    }
    return true;
}

/* Reads the array's next bytes. */
static bool read_on(npy_series *s, uint8_t *to, size_t size)
{
    if (s->inflater ? !inflater_read(s->inflater, to, size) : !read_stored(s, to, size))
        return false;
    if (s->is_member)
        s->sum = libdeflate_crc32(s->sum, to, size);
    return true;
}

/* Goes back to the array's first byte. */
static bool rewind_array(npy_series *s, uint64_t at, problem *p)
{
    const bool is_packed = s->is_member && s->member.method == NPZ_DEFLATED;
    inflater_close(s->inflater);
    s->inflater = is_packed ? inflater_open(s->fd, at, s->member.packed, p) : NULL;
    s->at = at;
    s->end = s->is_member ? at + s->member.packed : s->size;
    s->sum = 0;
    return !is_packed || s->inflater;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* Reads the array's header, and stays behind it. False: p has a sentence. */
static bool read_header(npy_series *s, uint64_t at, problem *p)
{
    const uint64_t size = s->is_member ? s->member.size : s->size;
    const size_t first = size < NPY_HEADER_MOST ? (size_t)size : NPY_HEADER_MOST;
    uint8_t *const head = malloc(NPY_HEADER_MOST);
    bool done = head || problem_set(p, "not enough memory");
    done = done && rewind_array(s, at, p) &&
           (read_on(s, head, first) ||
            problem_set(p, "the array is damaged or cut off; save it again")) &&
           npy_parse_header((bytes){.data = head, .size = first}, &s->header, p) &&
           rewind_array(s, at, p) && read_on(s, head, s->header.at);
    free(head);
    return done;
}

/* Returns the archive's view for npz_archive.c. */
static npz_archive archive_of(const npy_series *s, const decode_settings *settings, problem *p)
{
    return (npz_archive){
        .in = {.size = (size_t)s->size}, .fd = s->fd, .settings = settings, .p = p};
}

static bool has_maps(const npy_header *h)
{
    return h->maps > 1;
}

/* Finds the array of an NPZ. *at: its place; UINT64_MAX: it has none with several maps. */
static bool find_member(npy_series *s, const decode_settings *settings, uint64_t *at, problem *p)
{
    problem unused;
    npz_archive z = archive_of(s, settings, &unused);
    *at = UINT64_MAX;
    if (!npz_open(&z) || !npz_choose(&z, has_maps, &s->member))
        return true; /* picture_load() explains */
    z.p = p;
    s->is_member = true;
    s->is_distance = npz_is_distance(&z, &s->member);
    return npz_find_packed(&z, &s->member, at) && npz_has_room(&s->member, p);
}

/* Refuses what cannot be read map by map, or claims too much, before memory is taken for it. */
static bool accept(const npy_series *s, const decode_settings *settings, problem *p)
{
    const npy_header *const h = &s->header;
    const satb_image shape = {.width = h->width, .height = h->height};
    if (!picture_allows(&shape, settings->max_pixels, p))
        return false;
    const uint64_t needed = h->maps * npy_map_bytes(h); /* fits, as pixels are at most 2^31 */
    const uint64_t there = (s->is_member ? s->member.size : s->size) - h->at;
    if (h->is_column)
        return problem_set(p, "its maps are scattered, because they have Fortran's order; save "
                              "numpy.ascontiguousarray(maps) instead");
    if (needed > there)
        return problem_set(p,
                           "the array is cut off: %llu maps of %d x %d need %llu bytes and %llu "
                           "are there",
                           (unsigned long long)h->maps, h->width, h->height,
                           (unsigned long long)needed, (unsigned long long)there);
    return needed == there || !s->is_member || npz_damaged(p);
}

/* Opens the array. *found false: the file has none with several maps. */
static bool open_array(npy_series *s, const decode_settings *settings, bool *found, problem *p)
{
    uint8_t magic[6];
    uint64_t at = 0;
    problem unused;
    *found = false;
    if (pread(s->fd, magic, sizeof magic, 0) != (ssize_t)sizeof magic)
        return true;
    const bool is_npz = memcmp(magic, "PK\3\4", 4) == 0;
    if (!is_npz && memcmp(magic, NPY_MAGIC, 6) != 0)
        return true;
    if (is_npz && !find_member(s, settings, &at, p))
        return false;
    if (at == UINT64_MAX)
        return true;
    const bool is_packed = s->is_member && s->member.method == NPZ_DEFLATED;
    if (!read_header(s, at, is_packed ? p : &unused))
        return !is_packed;
    *found = s->header.maps > 1;
    return !*found || accept(s, settings, p);
}

bool npy_series_open(npy_series **out, const char *path, const decode_settings *settings,
                     problem *p)
{
    struct stat about;
    bool found = false;
    npy_series *s = calloc(1, sizeof *s);
    *out = NULL;
    if (!s)
        return problem_set(p, "not enough memory");
    s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe does not wait for a writer */
    bool done = true;
    if (s->fd >= 0 && fstat(s->fd, &about) == 0 && S_ISREG(about.st_mode)) {
        s->size = (uint64_t)about.st_size;
        done = open_array(s, settings, &found, p);
    }
    if (done && found)
        *out = s;
    else
        npy_series_close(s);
    return done;
}

void npy_series_close(npy_series *s)
{
    if (!s)
        return;
    inflater_close(s->inflater);
    if (s->fd >= 0)
        close(s->fd);
    free(s);
}

/* --- Maps ------------------------------------------------------------------------------------- */

uint64_t npy_series_maps(const npy_series *s)
{
    return s->header.maps;
}

const char *npy_series_format(const npy_series *s)
{
    return s->is_member ? "NPZ" : "NPY";
}

const char *npy_series_array(const npy_series *s)
{
    return s->member.name;
}

bool npy_series_is_distance(const npy_series *s)
{
    return s->is_distance;
}

size_t npy_series_bytes(const npy_series *s)
{
    return NPY_ALONE + (size_t)npy_map_bytes(&s->header);
}

bool npy_series_next(npy_series *s, uint8_t *to, problem *p)
{
    npy_header_alone(&s->header, to);
    if (!read_on(s, to + NPY_ALONE, (size_t)npy_map_bytes(&s->header)))
        return problem_set(p, "map %llu is damaged or cut off; save the array again",
                           (unsigned long long)s->next);
    s->next++;
    return s->next < s->header.maps || !s->is_member || s->sum == s->member.sum ||
           problem_set(p, "the array %s is damaged (wrong checksum); save it again",
                       s->member.name);
}
