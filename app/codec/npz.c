/* NPZ: a ZIP archive of NPY arrays, stored or deflated. The central directory says where the arrays are, and each one's
 * own header has to agree. */
#include "codec/codec.h"
#include "codec/npy.h"
#include "image/pixels.h"

#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

enum {
    END_SIZE = 22,
    LOCATOR_SIZE = 20,
    END64_SIZE = 56,
    MEMBER_SIZE = 46, /* in the directory */
    LOCAL_SIZE = 30,  /* before the data */
    COMMENT_MOST = 65535,
    MEMBERS_MOST = 4096,
    WHOLE_MOST = 64, /* arrays that are unpacked to see their shape */
    NAME_MOST = 200,
};

/* An array of the archive; its name is without ".npy". */
typedef struct member {
    char name[NAME_MOST + 1];
    uint32_t method, flags, sum;
    uint64_t packed, size, at;
} member;

typedef struct archive {
    bytes in;
    uint64_t at, count; /* of the directory */
    const decode_settings *settings;
    problem *p;
} archive;

static bool damaged(problem *p)
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

static bool has(bytes in, uint64_t at, uint64_t size)
{
    return at <= in.size && size <= in.size - at;
}

static bool begins_with(bytes in, uint64_t at, uint64_t size, const char *mark)
{
    return has(in, at, size) && memcmp(in.data + at, mark, 4) == 0;
}

/* --- The directory ---------------------------------------------------------------------------- */

/* Finds the directory by the archive's 64-bit end, whose place is written before the other end. */
static bool find_directory_64(archive *z, uint64_t end)
{
    if (end < LOCATOR_SIZE || !begins_with(z->in, end - LOCATOR_SIZE, LOCATOR_SIZE, "PK\6\7"))
        return damaged(z->p);
    const uint64_t at = number_at(z->in.data + end - LOCATOR_SIZE + 8, 8);
    if (!begins_with(z->in, at, END64_SIZE, "PK\6\6"))
        return damaged(z->p);
    z->count = number_at(z->in.data + at + 32, 8);
    z->at = number_at(z->in.data + at + 48, 8);
    return true;
}

static bool find_directory(archive *z)
{
    if (z->in.size < END_SIZE)
        return damaged(z->p);
    for (uint64_t comment = 0; comment <= COMMENT_MOST; comment++) {
        if (comment > z->in.size - END_SIZE)
            break;
        const uint64_t end = z->in.size - END_SIZE - comment;
        const uint8_t *const b = z->in.data + end;
        if (memcmp(b, "PK\5\6", 4) != 0 || number_at(b + 20, 2) != comment)
            continue;
        z->count = number_at(b + 10, 2);
        z->at = number_at(b + 16, 4);
        return (z->count != UINT16_MAX && z->at != UINT32_MAX) || find_directory_64(z, end);
    }
    return damaged(z->p);
}

/* Takes the wide numbers of ZIP64's field, which has only those that do not fit into 32 bits. */
static bool widen(member *m, const uint8_t *extra, size_t size)
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
static bool copy_name(member *m, const uint8_t *name, size_t size)
{
    static const char ending[] = ".npy";
    const size_t end = sizeof ending - 1;
    if (size < end || size - end > NAME_MOST || memcmp(name + size - end, ending, end) != 0 ||
        memchr(name, '\0', size))
        return false;
    memcpy(m->name, name, size - end);
    m->name[size - end] = '\0';
    return true;
}

/* Reads the directory's member at *at, and moves *at to the next. *is_array: it is an NPY file. */
static bool read_member(const archive *z, uint64_t *at, member *m, bool *is_array)
{
    if (!begins_with(z->in, *at, MEMBER_SIZE, "PK\1\2"))
        return damaged(z->p);
    const uint8_t *const b = z->in.data + *at;
    const size_t name = number_at(b + 28, 2), extra = number_at(b + 30, 2);
    const uint64_t whole = MEMBER_SIZE + name + extra + number_at(b + 32, 2);
    if (!has(z->in, *at, whole))
        return damaged(z->p);
    *m = (member){.flags = (uint32_t)number_at(b + 8, 2),
                  .method = (uint32_t)number_at(b + 10, 2),
                  .sum = (uint32_t)number_at(b + 16, 4),
                  .packed = number_at(b + 20, 4),
                  .size = number_at(b + 24, 4),
                  .at = number_at(b + 42, 4)};
    *is_array = copy_name(m, b + MEMBER_SIZE, name);
    *at += whole;
    return widen(m, b + MEMBER_SIZE + name, extra) || damaged(z->p);
}

/* --- An array --------------------------------------------------------------------------------- */

/* Finds the packed bytes behind the member's own header. */
static bool find_packed(const archive *z, const member *m, bytes *packed)
{
    if (!begins_with(z->in, m->at, LOCAL_SIZE, "PK\3\4"))
        return damaged(z->p);
    const uint8_t *const b = z->in.data + m->at;
    const uint64_t name = number_at(b + 26, 2);
    const uint64_t data = m->at + LOCAL_SIZE + name + number_at(b + 28, 2);
    const size_t stem = strlen(m->name);
    if (!has(z->in, data, m->packed) || number_at(b + 8, 2) != m->method || name != stem + 4 ||
        memcmp(b + LOCAL_SIZE, m->name, stem) != 0)
        return damaged(z->p);
    *packed = (bytes){.data = z->in.data + data, .size = (size_t)m->packed};
    return true;
}

/* Refuses before anything is allocated: a few bytes may claim any size. */
static bool within_limits(const archive *z, const member *m)
{
    enum { EACH = 8, BESIDE = 1 << 16, RATIO = 1032 };
    const uint64_t limit = z->settings->max_pixels;
    const uint64_t pixels = limit ? limit : PICTURE_PIXELS;
    const uint64_t most = pixels < PICTURE_PIXELS_MOST ? pixels : PICTURE_PIXELS_MOST;
    if (m->flags & 1)
        return problem_set(z->p, "the array %s is encrypted; save it without a password", m->name);
    if (m->method != 0 && m->method != 8)
        return problem_set(z->p,
                           "the array %s is packed by method %u, which is not read here; use "
                           "numpy.savez",
                           m->name, m->method);
    if (m->size > most * EACH + BESIDE)
        return problem_set(z->p,
                           "the array %s claims %llu bytes, more than %llu pixels need; "
                           "raise --max-pixels if the file is to be trusted",
                           m->name, (unsigned long long)m->size, (unsigned long long)most);
    return m->size <= m->packed * RATIO || damaged(z->p);
}

/* Unpacks the bytes to memory for pixels_free(). */
static bool inflate(const archive *z, const member *m, bytes packed, bytes *array)
{
    uint8_t *const to = pixels_allocate((size_t)m->size + 1);
    struct libdeflate_decompressor *const d = libdeflate_alloc_decompressor();
    const bool has_memory = to && d;
    const bool done =
        has_memory && libdeflate_deflate_decompress(d, packed.data, packed.size, to,
                                                    (size_t)m->size, NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(d);
    *array = (bytes){.data = to, .size = (size_t)m->size};
    if (done)
        return true;
    pixels_free(to);
    return has_memory ? damaged(z->p)
                      : problem_set(z->p, "not enough memory for the array %s", m->name);
}

/* Finds the member's NPY file: unpacked, in *owned for pixels_free(), or in the archive. */
static bool open_member(const archive *z, const member *m, bytes *array, void **owned)
{
    bytes packed;
    *owned = NULL;
    if (!within_limits(z, m) || !find_packed(z, m, &packed))
        return false;
    *array = packed;
    if (m->method == 0 && m->size != m->packed)
        return damaged(z->p);
    if (m->method == 8) {
        if (!inflate(z, m, packed, array))
            return false;
        *owned = (void *)(uintptr_t)array->data;
    }
    if (libdeflate_crc32(0, array->data, array->size) == m->sum)
        return true;
    pixels_free(*owned);
    *owned = NULL;
    return problem_set(z->p, "the array %s is damaged (wrong checksum); save it again", m->name);
}

/* Returns whether the member is a map: an array of two dimensions. */
static bool is_map(const archive *z, const member *m)
{
    npy_header h;
    problem unused;
    bytes array;
    void *owned;
    archive quiet = *z;
    quiet.p = &unused;
    if (!open_member(&quiet, m, &array, &owned))
        return false;
    const bool is = npy_parse(array, &h, &unused) && h.width > 1 && h.height > 1;
    pixels_free(owned);
    return is;
}

/* --- The choice ------------------------------------------------------------------------------- */

/* Finds the array of that name. *found false: there is none. */
static bool find_named(const archive *z, const char *name, member *m, bool *found)
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

static bool refuse_names(const archive *z, const char *name)
{
    enum { SHOWN = 12 };
    char names[1024] = "";
    size_t used = 0;
    uint64_t at = z->at;
    int arrays = 0;
    for (uint64_t i = 0; i < z->count; i++) {
        bool is_array;
        member m;
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
                : problem_set(z->p, "no array is surely depth; give --depth-key NAME: %s", names);
}

/* Finds the only array of two dimensions. */
static bool find_only_map(const archive *z, member *m)
{
    uint64_t at = z->at;
    int maps = 0, arrays = 0;
    for (uint64_t i = 0; i < z->count; i++) {
        bool is_array;
        member next;
        if (!read_member(z, &at, &next, &is_array))
            return false;
        if (!is_array || ++arrays > WHOLE_MOST || !is_map(z, &next))
            continue;
        *m = next;
        maps++;
    }
    return (maps == 1 && arrays <= WHOLE_MOST) || refuse_names(z, NULL);
}

static bool choose(const archive *z, member *m)
{
    static const char *const known[] = {"depth", "depths", "disparity", "arr_0"};
    const char *const key = z->settings->key;
    bool found = false;
    if (z->count > MEMBERS_MOST)
        return problem_set(z->p, "more than %d arrays; save its depth alone", MEMBERS_MOST);
    if (key)
        return find_named(z, key, m, &found) && (found || refuse_names(z, key));
    for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++)
        if (!find_named(z, known[i], m, &found))
            return false;
    return found || find_only_map(z, m);
}

values_status npz_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    archive z = {.in = in, .settings = settings, .p = p};
    member m;
    bytes array;
    void *owned;
    if (!find_directory(&z) || !choose(&z, &m) || !open_member(&z, &m, &array, &owned))
        return VALUES_FAILED;
    const values_status status = npy_numbers(array, settings, v, p);
    pixels_free(owned);
    snprintf(v->from, sizeof v->from, "%.*s", (int)sizeof v->from - 1, m.name);
    return status;
}
