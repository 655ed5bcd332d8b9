#include "video/names/numbered_set.h"

#include "base/paths.h"
#include "video/numbered.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool numbered_set_is(const char *name)
{
    struct stat about;
    return name && (stat(name, &about) == 0 ? S_ISDIR(about.st_mode)
                                            : strchr(path_base(name), '*') != NULL);
}

/* What the files of a set have in common. */
typedef struct common {
    char *first;       /* the name of the one that was found first */
    size_t before;     /* its bytes before the number */
    const char *after; /* those behind it */
    size_t least;      /* digits of the shortest number */
    size_t padded;     /* digits of those that begin with 0, if they have several; 0: none does */
    char *other;       /* the name of a file of another pattern, for free(); NULL: none */
} common;

/* Returns the bytes before a name's last number, and how many digits it has; 0: none. */
static size_t last_number(const char *name, size_t *digits)
{
    size_t end = path_stem(name);
    while (end > 0 && !strchr("0123456789", name[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && strchr("0123456789", name[begin - 1]))
        begin--;
    *digits = end - begin;
    return begin;
}

/* Adds a file's name. False: memory ran out. */
static bool add_name(common *c, const char *name)
{
    size_t digits;
    const size_t before = last_number(name, &digits);
    const char *const number = name + before;
    if (digits == 0 || digits > NUMBERED_DIGITS)
        return true;
    const size_t padded = *number == '0' && digits > 1 ? digits : 0;
    if (!c->first) {
        if (!(c->first = strdup(name)))
            return false;
        *c = (common){.first = c->first, .before = before, .after = c->first + before + digits};
        c->least = digits;
    }
    const bool is_like = before == c->before && memcmp(name, c->first, before) == 0 &&
                         strcmp(number + digits, c->after) == 0 &&
                         (!padded || !c->padded || padded == c->padded);
    c->least = digits < c->least ? digits : c->least;
    c->padded = padded ? padded : c->padded;
    if ((is_like && c->least >= c->padded) || c->other)
        return true;
    return (c->other = strdup(name)) != NULL;
}

/* Returns whether a name is what * stands for, within what is around it. */
static bool fits(const char *name, const char *before, size_t length, const char *after)
{
    const size_t all = strlen(name), rest = strlen(after);
    return all >= length + rest && strncmp(name, before, length) == 0 &&
           strcmp(name + all - rest, after) == 0;
}

/* Writes the pattern of the files, if there is one. */
static char *write_pattern(const common *c, const char *set, const char *path, problem *p)
{
    if (!c->first) {
        problem_set(p,
                    "%s: no picture with a number in its name is there; name a video, or files "
                    "like in/####.png",
                    set);
        return NULL;
    }
    if (strchr(path, '%') || strchr(c->first, '%')) {
        problem_set(p, "%s: has %% in a name, as patterns have; rename it", set);
        return NULL;
    }
    char digits[24] = "";
    if (c->padded)
        snprintf(digits, sizeof digits, "0%zu", c->padded);
    const char *const slash = path[strlen(path) - 1] == '/' ? "" : "/";
    char *const pattern =
        text_new("%s%s%.*s%%%sd%s", path, slash, (int)c->before, c->first, digits, c->after);
    if (!pattern)
        problem_set(p, "not enough memory");
    else if (c->other)
        problem_set(p, "%s: has files of two patterns, like %s and %s; name one of them, like %s",
                    set, c->first, c->other, pattern);
    if (!c->other)
        return pattern;
    free(pattern);
    return NULL;
}

char *numbered_set_pattern(const char *set, numbered_accept *accepts, problem *p)
{
    const char *const base = path_base(set), *const star = strchr(base, '*');
    struct stat about;
    const bool is_folder = stat(set, &about) == 0;
    char *const path = is_folder ? strdup(set) : numbered_folder(set), *pattern = NULL;
    DIR *const folder = path ? opendir(path) : NULL;
    common c = {.first = NULL};
    bool done = path != NULL;
    for (const struct dirent *entry; folder && done && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && accepts(entry->d_name) &&
            (is_folder || fits(entry->d_name, base, (size_t)(star - base), star + 1)))
            done = add_name(&c, entry->d_name);
    if (!done)
        problem_set(p, "not enough memory");
    else if (!folder)
        problem_set(p, "%s: cannot be read: %s", path, strerror(errno));
    else
        pattern = write_pattern(&c, set, path, p);
    if (folder)
        closedir(folder);
    free(c.first);
    free(c.other);
    free(path);
    return pattern;
}
