#include "batch_walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool walk_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

bool walk_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* --- Folders ---------------------------------------------------------------------------------- */

typedef struct walk {
    bool recursive, hidden;
    const char *const *skipped;
    size_t root; /* length of the top folder's path with its slash, which the names lack */
    names *out;
} walk;

static bool walk_path(const walk *w, const char *path, problem *p);

static bool is_skipped(const walk *w, const char *path)
{
    for (int i = 0; i < 2; i++)
        if (w->skipped[i] && walk_same(path, w->skipped[i]))
            return true;
    return false;
}

/* A file that vanished since its folder was read is no file any more. */
static bool take(const walk *w, const char *path, problem *p)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return true;
    if (S_ISDIR(about.st_mode))
        return !w->recursive || is_skipped(w, path) || walk_path(w, path, p);
    if (S_ISLNK(about.st_mode) && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return true;
    if (!S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
        return true;
    return names_add(w->out, path + w->root, strlen(path + w->root)) ||
           problem_set(p, "%s: not enough memory for the names", path);
}

static bool walk_path(const walk *w, const char *path, problem *p)
{
    DIR *folder = opendir(path);
    if (!folder)
        return problem_set(p, "%s: cannot be read: %s", path, strerror(errno));
    bool good = true;
    errno = 0;
    for (struct dirent *entry; good && (entry = readdir(folder)); errno = 0) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (name[0] == '.' && !w->hidden))
            continue;
        const size_t length = strlen(path);
        char *inner = text_new("%s%s%s", path, path[length - 1] == '/' ? "" : "/", name);
        good = inner ? take(w, inner, p) : problem_set(p, "%s: not enough memory to read it", path);
        free(inner);
    }
    if (good && errno != 0)
        good = problem_set(p, "%s: cannot be read: %s", path, strerror(errno));
    closedir(folder);
    return good;
}

bool walk_folder(const char *folder, bool recursive, bool hidden, const char *const skipped[2],
                 names *out, problem *p)
{
    static const char *const none[2] = {NULL, NULL};
    const size_t length = strlen(folder);
    const walk w = {.recursive = recursive,
                    .hidden = hidden,
                    .skipped = skipped ? skipped : none,
                    .root = length + (folder[length - 1] != '/'),
                    .out = out};
    return walk_path(&w, folder, p);
}

/* --- Lists ------------------------------------------------------------------------------------ */

static bool split(FILE *from, int separator, names *out)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;
    for (ssize_t got; good && (got = getdelim(&line, &room, separator, from)) > 0;) {
        const size_t length = (size_t)got - (line[got - 1] == separator);
        good = length == 0 || names_add(out, line, length);
    }
    free(line);
    return good;
}

/* All of it first: whether it has a NUL decides what a newline means. */
static bool slurp(FILE *from, char **text, size_t *size)
{
    FILE *memory = open_memstream(text, size);
    char part[4096];
    bool good = memory != NULL;
    for (size_t got; good && (got = fread(part, 1, sizeof part, from)) > 0;)
        good = fwrite(part, 1, got, memory) == got;
    if (memory && fclose(memory) != 0)
        good = false;
    return good && !ferror(from);
}

bool walk_list(const char *file, names *out, problem *p)
{
    const bool standard = strcmp(file, "-") == 0;
    FILE *from = standard ? stdin : fopen(file, "r");
    if (!from)
        return problem_set(p, "--files-from %s: cannot be opened: %s", file, strerror(errno));
    char *text = NULL;
    size_t size = 0;
    bool good = slurp(from, &text, &size);
    if (!good)
        problem_set(p, "--files-from %s: cannot be read: %s", file, strerror(errno));
    if (good && size > 0) {
        FILE *memory = fmemopen(text, size, "r");
        good = memory && split(memory, memchr(text, '\0', size) ? '\0' : '\n', out);
        if (!good)
            problem_set(p, "--files-from %s: not enough memory for the names", file);
        if (memory)
            fclose(memory);
    }
    free(text);
    if (!standard)
        fclose(from);
    return good;
}
