#include "codec/maps/npz_archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    END_SIZE = 22,
    LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    MEMBER_SIZE = 46, /* in the directory */
    LOCAL_SIZE = 30,  /* before the data */
    COMMENT_MOST = 65535,
    EXTRA_MOST = 4096, /* bytes of a member's fields that are looked at */
    MEMBERS_MOST = 4096,
    MAPS_MOST = 64, /* arrays that are opened to see their shape */
};

bool npz_damaged(problem *p)
{
    return problem_set(p, "the ZIP archive is damaged or cut off; save the arrays again");
}

/* Returns a number of 2, 4 or 8 bytes, the low one first. */
static uint64_t number_at(const uint8_t *at, int size)
{
    uint64_t n = 0;
    for (int i = 0; i < size; i++)
        n |= (uint64_t)at[i] << 8 * i;
    return n;
}

/* Copies bytes of the archive. False: they are not all there. */
static bool take(const npz_archive *z, uint64_t at, size_t size, void *to)
{
    if (at > z->in.size || size > z->in.size - at)
        return false;
    if (z->in.data) {
        memcpy(to, z->in.data + at, size);
        return true;
    }
    for (uint8_t *next = to; size > 0;) {
        const ssize_t got = pread(z->fd, next, size, (off_t)at);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        next += got > 0 ? got : 0;
        at += got > 0 ? (uint64_t)got : 0;
        size -= got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* Copies a record that begins with that mark. */
static bool take_record(const npz_archive *z, uint64_t at, size_t size, const char *mark,
                        uint8_t *to)
{
    return take(z, at, size, to) && memcmp(to, mark, 4) == 0;
}

/* --- The directory ---------------------------------------------------------------------------- */

/* Finds the directory by the archive's 64-bit end, whose place is written before the other end. */
static bool find_directory_64(npz_archive *z, uint64_t end)
{
    uint8_t locator[LOCATOR_SIZE], b[END64_SIZE];
    if (end < LOCATOR_SIZE ||
        !take_record(z, end - LOCATOR_SIZE, LOCATOR_SIZE, "PK\6\7", locator) ||
        !take_record(z, number_at(locator + 8, 8), END64_SIZE, "PK\6\6", b))
        return npz_damaged(z->p);
    z->count = number_at(b + 32, 8);
    z->at = number_at(b + 48, 8);
    return true;
}

/* Looks for the end in the last bytes of the archive, behind which a comment may stand. */
static bool find_end(npz_archive *z, const uint8_t *last, size_t size)
{
    for (size_t comment = 0; comment <= size - END_SIZE; comment++) {
        const uint8_t *const b = last + size - END_SIZE - comment;
        if (memcmp(b, "PK\5\6", 4) != 0 || number_at(b + 20, 2) != comment)
            continue;
        z->count = number_at(b + 10, 2);
        z->at = number_at(b + 16, 4);
        return (z->count != UINT16_MAX && z->at != UINT32_MAX) ||
               find_directory_64(z, z->in.size - END_SIZE - comment);
    }
    return npz_damaged(z->p);
}

bool npz_open(npz_archive *z)
{
    const size_t most = END_SIZE + COMMENT_MOST;
    const size_t size = z->in.size < most ? z->in.size : most;
    if (size < END_SIZE)
        return npz_damaged(z->p);
    uint8_t *const last = malloc(size);
    if (!last)
        return problem_set(z->p, "not enough memory");
    const bool done =
        take(z, z->in.size - size, size, last) ? find_end(z, last, size) : npz_damaged(z->p);
    free(last);
    return done;
}

/* Takes the wide numbers of ZIP64's field, which has only those that do not fit into 32 bits. */
static bool widen(npz_member *m, const uint8_t *extra, size_t size)
{
    uint64_t *const wide[] = {&m->size, &m->packed, &m->at};
    for (size_t at = 0; size - at >= 4;) {
        const size_t length = number_at(extra + at + 2, 2), field = at + 4;
        if (length > size - field)
            break;
        size_t used = 0;
        for (int i = 0; i < 3 && number_at(extra + at, 2) == 1; i++) {
            if (*wide[i] != UINT32_MAX)
                continue;
            if (length - used < 8)
                return false;
            *wide[i] = number_at(extra + field + used, 8);
            used += 8;
        }
        at = field + length;
    }
    return true;
}

/* Copies the name without ".npy". False: it is too long or of another ending. */
static bool copy_name(const npz_archive *z, uint64_t at, size_t size, npz_member *m)
{
    static const char ending[] = ".npy";
    const size_t end = sizeof ending - 1;
    char name[NPZ_NAME_MOST + sizeof ending];
    if (size < end || size - end > NPZ_NAME_MOST || !take(z, at, size, name) ||
        memcmp(name + size - end, ending, end) != 0 || memchr(name, '\0', size))
        return false;
    memcpy(m->name, name, size - end);
    m->name[size - end] = '\0';
    return true;
}

/* Reads the directory's member at *at, and moves *at to the next. *is_array: it is an NPY file. */
static bool read_member(const npz_archive *z, uint64_t *at, npz_member *m, bool *is_array)
{
    uint8_t b[MEMBER_SIZE], extra[EXTRA_MOST];
    if (!take_record(z, *at, MEMBER_SIZE, "PK\1\2", b))
        return npz_damaged(z->p);
    const size_t name = number_at(b + 28, 2), fields = number_at(b + 30, 2);
    const size_t seen = fields < EXTRA_MOST ? fields : EXTRA_MOST;
    const uint64_t whole = MEMBER_SIZE + name + fields + number_at(b + 32, 2);
    if (whole > z->in.size - *at || !take(z, *at + MEMBER_SIZE + name, seen, extra))
        return npz_damaged(z->p);
    *m = (npz_member){.flags = (uint32_t)number_at(b + 8, 2),
                      .method = (uint32_t)number_at(b + 10, 2),
                      .sum = (uint32_t)number_at(b + 16, 4),
                      .packed = number_at(b + 20, 4),
                      .size = number_at(b + 24, 4),
                      .at = number_at(b + 42, 4)};
    *is_array = copy_name(z, *at + MEMBER_SIZE, name, m);
    *at += whole;
    return widen(m, extra, seen) || npz_damaged(z->p);
}

/* --- An array --------------------------------------------------------------------------------- */

bool npz_find_packed(const npz_archive *z, const npz_member *m, uint64_t *at)
{
    uint8_t b[LOCAL_SIZE];
    char stem[NPZ_NAME_MOST];
    const size_t length = strlen(m->name);
    if (m->flags & 1)
        return problem_set(z->p, "the array %s is encrypted; save it without a password", m->name);
    if (m->method != NPZ_STORED && m->method != NPZ_DEFLATED)
        return problem_set(
            z->p,
            "the array %s is packed by method %u, which satblur does not read; use numpy.savez",
            m->name, m->method);
    if (!take_record(z, m->at, LOCAL_SIZE, "PK\3\4", b) ||
        !take(z, m->at + LOCAL_SIZE, length, stem))
        return npz_damaged(z->p);
    const uint64_t name = number_at(b + 26, 2);
    *at = m->at + LOCAL_SIZE + name + number_at(b + 28, 2);
    return (*at <= z->in.size && m->packed <= z->in.size - *at &&
            number_at(b + 8, 2) == m->method && name == length + 4 &&
            memcmp(stem, m->name, length) == 0 &&
            (m->method == NPZ_DEFLATED || m->size == m->packed)) ||
           npz_damaged(z->p);
}

bool npz_has_room(const npz_member *m, problem *p)
{
    enum { RATIO = 1032 }; /* deflate's highest */
    return m->size <= m->packed * RATIO || npz_damaged(p);
}

/* Copies the first bytes of the array, whose packed ones stand at that place. */
static bool take_first(const npz_archive *z, const npz_member *m, uint64_t at, uint8_t *to,
                       size_t size)
{
    if (m->method == NPZ_STORED)
        return take(z, at, size, to);
    const bytes packed = {.data = z->in.data ? z->in.data + at : NULL, .size = (size_t)m->packed};
    inflater *const i =
        z->in.data ? inflater_open_memory(packed, z->p) : inflater_open(z->fd, at, m->packed, z->p);
    const bool done = i && (inflater_read(i, to, size) || npz_damaged(z->p));
    inflater_close(i);
    return done;
}

bool npz_read_header(const npz_archive *z, const npz_member *m, npy_header *h)
{
    const size_t size = m->size < NPY_HEADER_MOST ? (size_t)m->size : NPY_HEADER_MOST;
    uint64_t at;
    uint8_t *const first = malloc(NPY_HEADER_MOST);
    bool done = first || problem_set(z->p, "not enough memory");
    done = done && npz_find_packed(z, m, &at) && npz_has_room(m, z->p) &&
           take_first(z, m, at, first, size) &&
           npy_parse_header((bytes){.data = first, .size = size}, h, z->p);
    free(first);
    return done;
}

/* --- Members that share bytes ----------------------------------------------------------------- */

typedef struct span {
    uint64_t at, end;
} span;

static int compare_spans(const void *a, const void *b)
{
    const span *const x = a, *const y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool read_spans(const npz_archive *z, span *spans)
{
    uint64_t at = z->at;
    for (uint64_t i = 0; i < z->count; i++) {
        bool is_array;
        npz_member m;
        if (!read_member(z, &at, &m, &is_array))
            return false;
        const uint64_t least = LOCAL_SIZE + m.packed;
        if (m.at > z->in.size || m.packed > z->in.size || least > z->in.size - m.at)
            return npz_damaged(z->p);
        spans[i] = (span){m.at, m.at + least};
    }
    return true;
}

/* Refuses an archive some of whose members have bytes in common: a small one could hold any number of large arrays. */
static bool members_are_apart(const npz_archive *z)
{
    span *const spans = malloc((size_t)z->count * sizeof *spans + 1);
    if (!spans)
        return problem_set(z->p, "not enough memory");
    bool done = read_spans(z, spans);
    if (done && z->count > 0)
        qsort(spans, (size_t)z->count, sizeof *spans, compare_spans);
    for (uint64_t i = 1; i < z->count && done; i++)
        done = spans[i].at >= spans[i - 1].end || npz_damaged(z->p);
    free(spans);
    return done;
}

/* --- The choice ------------------------------------------------------------------------------- */

/* Finds the array of that name. *found false: there is none. */
static bool find_named(const npz_archive *z, const char *name, npz_member *m, bool *found)
{
    uint64_t at = z->at;
    *found = false;
    for (uint64_t i = 0; i < z->count && !*found; i++) {
        bool is_array;
        if (!read_member(z, &at, m, &is_array))
            return false;
        *found = is_array && strcmp(m->name, name) == 0;
    }
    return true;
}

static bool refuse_names(const npz_archive *z, const char *name)
{
    enum { SHOWN = 12 };
    char names[1024] = "";
    size_t used = 0;
    uint64_t at = z->at;
    int arrays = 0;
    for (uint64_t i = 0; i < z->count; i++) {
        bool is_array;
        npz_member m;
        if (!read_member(z, &at, &m, &is_array))
            return false;
        if (!is_array || ++arrays > SHOWN + 1)
            continue;
        snprintf(names + used, sizeof names - used, "%s%.60s", used ? ", " : "",
                 arrays > SHOWN ? "..." : m.name);
        used += strlen(names + used);
    }
    if (arrays == 0)
        return problem_set(z->p, "has no NPY arrays; give a file of numpy.savez");
    return name ? problem_set(z->p, "has no array %.60s; give one of: %s", name, names)
                : problem_set(z->p, "no array is clearly the depth; give --depth-key NAME: %s",
                              names);
}

/* Returns whether the archive has an array of that name, with or without an s at its end. */
static bool has(const npz_archive *z, const char *name)
{
    problem unused;
    npz_member m;
    npz_archive quiet = *z;
    char one[NPZ_NAME_MOST];
    bool found = false;
    quiet.p = &unused;
    snprintf(one, sizeof one, "%.*s", (int)strlen(name) - 1, name);
    return (find_named(&quiet, name, &m, &found) && found) ||
           (find_named(&quiet, one, &m, &found) && found);
}

bool npz_is_distance(const npz_archive *z, const npz_member *m)
{
    return (strcmp(m->name, "depth") == 0 || strcmp(m->name, "depths") == 0) &&
           has(z, "intrinsics") && has(z, "extrinsics");
}

/* Finds the only array that is a map. */
static bool find_only_map(const npz_archive *z, bool (*is_map)(const npy_header *h), npz_member *m)
{
    problem unused;
    npy_header h;
    npz_archive quiet = *z;
    quiet.p = &unused;
    uint64_t at = z->at;
    int maps = 0, arrays = 0;
    for (uint64_t i = 0; i < z->count; i++) {
        bool is_array;
        npz_member next;
        if (!read_member(z, &at, &next, &is_array))
            return false;
        if (!is_array || ++arrays > MAPS_MOST || !npz_read_header(&quiet, &next, &h) || !is_map(&h))
            continue;
        *m = next;
        maps++;
    }
    return (maps == 1 && arrays <= MAPS_MOST) || refuse_names(z, NULL);
}

bool npz_choose(const npz_archive *z, bool (*is_map)(const npy_header *h), npz_member *m)
{
    static const char *const known[] = {"depth", "depths", "disparity", "arr_0"};
    const char *const key = z->settings->key;
    bool found = false;
    if (z->count > MEMBERS_MOST)
        return problem_set(z->p, "more than %d arrays; save only the depth", MEMBERS_MOST);
    if (!members_are_apart(z))
        return false;
    if (key)
        return find_named(z, key, m, &found) && (found || refuse_names(z, key));
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++)
        if (!find_named(z, known[i], m, &found))
            return false;
    return found || find_only_map(z, is_map, m);
}
