#include "video/numbered.h"

#include "base/paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SPARSEST = 100 /* numbers for each file that is there */ };

/* Where the number stands in a pattern. */
typedef struct place {
    size_t before; /* bytes before it */
    const char *after;
    int digits; /* at least; 0: as many as the number has */
} place;

/* Finds signs for digits: #### in the file's name. */
static bool find_signs(const char *pattern, place *found)
{
    const char *const base = path_base(pattern);
    const size_t before = strcspn(base, "#"), digits = strspn(base + before, "#");
    *found = (place){(size_t)(base - pattern) + before, base + before + digits, (int)digits};
    return digits >= NUMBERED_SIGNS && digits <= NUMBERED_DIGITS && !strchr(found->after, '#');
}

static bool find_place(const char *pattern, place *found)
{
    const char *const at = strchr(path_base(pattern), '%');
    if (!at)
        return find_signs(pattern, found);
    if (strchr(at + 1, '%'))
        return false;
    const char *end = at + 1;
    int digits = 0;
    if (*end == '0') {
        while (*end >= '0' && *end <= '9' && digits <= NUMBERED_DIGITS)
            digits = 10 * digits + (*end++ - '0');
        if (digits == 0)
            return false;
    }
    *found = (place){(size_t)(at - pattern), end + 1, digits};
    return *end == 'd' && digits <= NUMBERED_DIGITS;
}

bool numbered_is(const char *name)
{
    place ignored;
    return name && find_place(name, &ignored) && access(name, F_OK) != 0;
}

long long numbered_number(const char *pattern, const char *file, size_t length)
{
    const char *const base = path_base(pattern);
    place at;
    if (!find_place(base, &at) || strncmp(file, base, at.before) != 0)
        return -1;
    const char *const begin = file + at.before, *const end = file + length;
    const size_t digits = strspn(begin, "0123456789"), after = strlen(at.after);
    const size_t wanted = at.digits > 0 ? (size_t)at.digits : 1;
    const bool is_short = digits<wanted, is_padded = digits> wanted && *begin == '0';
    if (is_short || is_padded || digits > NUMBERED_DIGITS || begin + digits + after != end ||
        strncmp(begin + digits, at.after, after) != 0)
        return -1;
    return atoll(begin);
}

/* Finds the smallest number, the largest, and how many files there are. */
static bool look(DIR *folder, const char *base, long long ends[2], uint64_t *count)
{
    *count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const long long number = numbered_number(base, entry->d_name, strlen(entry->d_name));
        if (number < 0 || !path_is_file(dirfd(folder), entry->d_name))
            continue;
        ends[0] = *count == 0 || number < ends[0] ? number : ends[0];
        ends[1] = *count == 0 || number > ends[1] ? number : ends[1];
        ++*count;
    }
    return *count > 0;
}

/* Names the first missing file. */
static bool refuse_gap(const char *pattern, long long number, problem *p)
{
    char name[4096];
    while (numbered_name(pattern, number, name, p) && path_is_file(AT_FDCWD, name))
        number++;
    return problem_set(p,
                       "%s: %s is %s; make it, or give --gaps hold to repeat the frame before it",
                       pattern, name, access(name, F_OK) == 0 ? "no file" : "missing");
}

char *numbered_folder(const char *pattern)
{
    const char *const base = path_base(pattern);
    return base > pattern ? strndup(pattern, (size_t)(base - pattern)) : strdup(".");
}

void numbered_there(const char *pattern, numbered_visit *visit, void *user)
{
    char *const path = numbered_folder(pattern), name[4096];
    DIR *const folder = path ? opendir(path) : NULL;
    struct stat ignored;
    problem too_long;
    place at;
    const bool is_pattern = find_place(path_base(pattern), &at);
    for (const struct dirent *entry; folder && is_pattern && (entry = readdir(folder));) {
        const char *const begin = entry->d_name + strnlen(entry->d_name, at.before);
        const size_t digits = strspn(begin, "0123456789");
        if (digits > 0 && digits <= NUMBERED_DIGITS &&
            numbered_name(pattern, atoll(begin), name, &too_long) && lstat(name, &ignored) == 0)
            visit(user, atoll(begin), name);
    }
    if (folder)
        closedir(folder);
    free(path);
}

bool numbered_find(numbered *n, const char *pattern, bool may_lack, problem *p)
{
    const char *const base = path_base(pattern);
    char *const path = numbered_folder(pattern);
    if (!path)
        return problem_set(p, "not enough memory");
    DIR *const folder = opendir(path);
    if (!folder) {
        problem_set(p, "%s: the folder '%s' cannot be read: %s", pattern, path, strerror(errno));
        free(path);
        return false;
    }
    long long ends[2] = {0, 0};
    uint64_t count;
    const bool any = look(folder, base, ends, &count);
    closedir(folder);
    free(path);
    *n = (numbered){pattern, ends[0], (uint64_t)(ends[1] - ends[0]) + 1, 0};
    n->lacking = n->count - count;
    if (!any)
        return problem_set(p, "%s: there is no such file; check the pattern and its digits",
                           pattern);
    if (n->lacking > 0 && !may_lack)
        return refuse_gap(pattern, ends[0], p);
    return n->lacking / SPARSEST < count ||
           problem_set(
               p, "%s: has %llu files for the numbers %lld to %lld; leave out what is no frame",
               pattern, (unsigned long long)count, ends[0], ends[1]);
}

bool numbered_name(const char *pattern, long long number, char out[4096], problem *p)
{
    place at;
    if (!find_place(pattern, &at))
        return problem_set(p, "%s: has no number like %%05d", pattern);
    const int length =
        snprintf(out, 4096, "%.*s%0*lld%s", (int)at.before, pattern, at.digits, number, at.after);
    return (length >= 0 && length < 4096) ||
           problem_set(p, "%.200s...: the path is too long", pattern);
}
