#include "video/names/numbered_set.h"

#include "base/paths.h"
#include "video/numbered.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool numbered_set_is(const char *name)
{
    return name && (path_is_folder(name) || path_is_star(name));
}

/* Finds a name's last number, and returns its digits; 0: it has none. */
static size_t last_number(const char *name, size_t *before)
{
    size_t end = path_stem(name);
    while (end > 0 && !strchr("0123456789", name[end - 1]))
        end--;
    *before = end;
    while (*before > 0 && strchr("0123456789", name[*before - 1]))
        --*before;
    return end - *before;
}

/* What the names of a set have in common. */
typedef struct common {
    char *first;  /* that was found first, before its number; NULL: none is */
    char *after;  /* its number */
    size_t least; /* digits of the shortest number between these */
    uint64_t files;
} common;

/* Adds a file's name. False: memory ran out. */
static bool add_name(common *c, const char *name)
{
    size_t before;
    const size_t digits = last_number(name, &before);
    const char *const after = name + before + digits;
    if (digits == 0 || digits > NUMBERED_DIGITS)
        return true;
    c->files++;
    if (!c->first) {
        c->first = strndup(name, before);
        c->after = strdup(after);
        c->least = digits;
    } else if (digits < c->least && strncmp(name, c->first, before) == 0 && !c->first[before] &&
               strcmp(after, c->after) == 0)
        c->least = digits;
    return c->first && c->after;
}

/* Returns whether a name of the folder is one of the set's. */
static bool is_member(const char *name, const char *set, bool is_folder)
{
    const char *const base = path_base(set), *const star = strchr(base, '*');
    if (is_folder || name[0] == '.')
        return name[0] != '.';
    const size_t all = strlen(name), before = (size_t)(star - base), after = strlen(star + 1);
    return all >= before + after && strncmp(name, base, before) == 0 &&
           strcmp(name + all - after, star + 1) == 0;
}

/* Writes the signs of a number, unless a name has # of its own: ####. */
static void write_signs(const common *c, char out[NUMBERED_DIGITS + 1])
{
    memset(out, '#', c->least);
    out[c->least] = '\0';
    if (c->least < NUMBERED_SIGNS || strchr(c->first, '#') || strchr(c->after, '#'))
        snprintf(out, NUMBERED_DIGITS + 1, c->least > 1 ? "%%0%zud" : "%%d", c->least);
}

/* Writes the pattern of the files, if there is one. */
static char *write_pattern(const common *c, const char *set, const char *path, problem *p)
{
    const char *const slash = path[strlen(path) - 1] == '/' ? "" : "/";
    char signs[NUMBERED_DIGITS + 1], *pattern = NULL;
    if (!c->first)
        problem_set(p,
                    "%s: no picture with a number in its name is there; name a video, or files "
                    "like in/####.png",
                    set);
    else if (strchr(c->first, '%') || strchr(c->after, '%'))
        problem_set(p, "%s: has %% in a name, as patterns have; rename it", set);
    else {
        write_signs(c, signs);
        if (!(pattern = text_new("%s%s%s%s%s", path, slash, c->first, signs, c->after)))
            problem_set(p, "not enough memory");
    }
    return pattern;
}

char *numbered_set_pattern(const char *set, numbered_accept *accepts, uint64_t *files, problem *p)
{
    const bool is_folder = path_is_folder(set);
    char *const path = is_folder ? strdup(set) : numbered_folder(set), *pattern = NULL;
    DIR *const folder = path ? opendir(path) : NULL;
    common c = {.first = NULL};
    bool done = path != NULL;
    for (const struct dirent *entry; folder && done && (entry = readdir(folder));)
        if (is_member(entry->d_name, set, is_folder) && accepts(entry->d_name) &&
            path_is_file(dirfd(folder), entry->d_name))
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
    free(c.after);
    free(path);
    *files = c.files;
    return pattern;
}
