#include "program/cache.h"

#include "base/hash.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "satblur-map 2"

/* Returns the path of a key's file, for free(). */
static char *path_of(const char *folder, uint64_t key, const char *ending)
{
    return text_new("%s/%016" PRIx64 ".%s", folder, key, ending);
}

/* Makes the folder if it is missing. */
static bool make_folder(const char *folder, problem *p)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST ||
           problem_set(p, "%s: cannot be created: %s", folder, strerror(errno));
}

/* Writes a file whole or not at all. */
static bool write_parts(const char *path, const bytes parts[], int count, problem *p)
{
    output out = {.fd = -1};
    if (!output_begin(&out, path, p))
        return false;
    for (int i = 0; i < count; i++)
        if (parts[i].size > 0)
            output_write(&out, parts[i].data, parts[i].size);
    return output_commit(&out, p);
}

static bytes text_bytes(const char *text)
{
    return (bytes){(const uint8_t *)text, strlen(text)};
}

static bool keep(const char *folder, uint64_t key, const char *ending, const bytes parts[],
                 int count, problem *p)
{
    char *const path = path_of(folder, key, ending);
    const bool done = path ? make_folder(folder, p) && write_parts(path, parts, count, p)
                           : problem_set(p, "not enough memory");
    free(path);
    return done;
}

static bool find(const char *folder, uint64_t key, const char *ending, size_t most, blob *out)
{
    problem ignored;
    char *const path = path_of(folder, key, ending);
    const bool found = path && whole_file_read(path, O_NOFOLLOW, most, out, &ignored);
    free(path);
    return found;
}

/* --- Maps ------------------------------------------------------------------------------------- */

static uint64_t check_of(made_type type, const void *data, size_t size)
{
    return hash_add(hash_add(HASH_START, &type, sizeof type), data, size);
}

bool cache_keep(const char *folder, uint64_t key, const made *m, problem *p)
{
    char *const head = text_new(MAGIC " %016" PRIx64 " %016" PRIx64 " %d %zu %zu\n",
                                check_of(m->type, m->map.data, m->map.size),
                                check_of(m->type, m->matte.data, m->matte.size), (int)m->type,
                                m->map.size, m->matte.size);
    const bool done =
        head ? keep(folder, key, "map",
                    (bytes[]){text_bytes(head), blob_view(&m->map), blob_view(&m->matte)}, 3, p)
             : problem_set(p, "not enough memory");
    free(head);
    return done;
}

/* Adds a part of a file. False: it is damaged, or memory ran out. */
static bool take_part(bytes file, size_t at, size_t size, made_type type, uint64_t check, blob *out)
{
    return at <= file.size && size <= file.size - at && blob_add(out, file.data + at, size) &&
           check_of(type, out->data, size) == check;
}

/* Takes a file apart. False: what is wanted is damaged, or memory ran out. */
static bool take_apart(bytes file, bool with_matte, made *out)
{
    size_t map, matte, begin;
    uint64_t map_check, matte_check;
    int type, head = 0;
    *out = (made){.is_cached = true};
    if (sscanf((const char *)file.data, MAGIC " %16" SCNx64 " %16" SCNx64 " %d %zu %zu%n",
               &map_check, &matte_check, &type, &map, &matte, &head) != 5 ||
        file.data[head] != '\n' || type < 0 || type >= MADE_TYPES)
        return false;
    begin = (size_t)head + 1;
    out->type = (made_type)type;
    return take_part(file, begin, map, out->type, map_check, &out->map) &&
           (!with_matte ||
            take_part(file, begin + map, matte, out->type, matte_check, &out->matte));
}

bool cache_find(const char *folder, uint64_t key, bool with_matte, made *out)
{
    blob file;
    if (!find(folder, key, "map", 2 * (size_t)PROCESS_FILE + 128, &file))
        return false;
    const bool done = take_apart(blob_view(&file), with_matte, out);
    if (!done)
        made_free(out);
    blob_free(&file);
    return done;
}

/* --- Names ------------------------------------------------------------------------------------ */

bool cache_keep_name(const char *folder, uint64_t key, const char *name, problem *p)
{
    return keep(folder, key, "program", (bytes[]){text_bytes(name), text_bytes("\n")}, 2, p);
}

bool cache_find_name(const char *folder, uint64_t key, char name[PROCESS_LINE])
{
    blob file;
    if (!find(folder, key, "program", PROCESS_LINE - 1, &file))
        return false;
    const bool is_whole = file.size > 0 && file.data[file.size - 1] == '\n';
    snprintf(name, PROCESS_LINE, "%.*s", (int)file.size - 1, (const char *)file.data);
    blob_free(&file);
    return is_whole;
}
