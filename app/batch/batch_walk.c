#include "batch/batch_walk.h"

#include "base/run_files.h"
#include "codec/codec.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Folders ---------------------------------------------------------------------------------- */

typedef struct walk {
    const walk_rule *rule;
    size_t root; /* length of the top folder's path with its slash, which names do not have */
    paths *found, *unread;
} walk;

static bool no_memory(const char *path, problem *p)
{
    return problem_set(p, "%s: not enough memory for the names in it", path);
}

static bool is_skipped(const walk *w, const char *path)
{
    for (int i = 0; i < w->rule->skips; i++)
        if (w->rule->skipped[i] && run_files_same(path, w->rule->skipped[i]))
            return true;
    return false;
}

/* Adds a path that cannot be read, for errno's reason. False: not enough memory. */
static bool pass_over(const walk *w, const char *path)
{
    char *text = text_new("%s\n%s", strerror(errno), path);
    const bool done = text && paths_add(w->unread, text, strlen(text));
    free(text);
    return done;
}

/* Lists the paths in a folder, and closes the folder before any within it is opened: open files are limited. False: the
 * folder cannot be read, and errno says why. */
static bool list_folder(const walk *w, const char *path, paths *inner)
{
    DIR *folder = opendir(path);
    int error = folder ? 0 : errno;
    errno = 0;
    for (struct dirent *entry; folder && !error && (entry = readdir(folder)); errno = 0) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            (name[0] == '.' && !w->rule->hidden))
            continue;
        char *at = text_new("%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", name);
        if (!at || !paths_add(inner, at, strlen(at)))
            error = ENOMEM;
        free(at);
    }
    error = error ? error : errno;
    if (folder)
        closedir(folder);
    errno = error;
    return error == 0;
}

static bool walk_path(const walk *w, const char *path);

/* Takes a regular file, or enters a folder. A file that has vanished since the folder was read is left out. */
static bool take_path(const walk *w, const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return errno == ENOENT || !(w->rule->recursive || codec_is_picture_name(path)) ||
               pass_over(w, path);
    if (S_ISDIR(about.st_mode))
        return !w->rule->recursive || is_skipped(w, path) || walk_path(w, path);
    if (S_ISLNK(about.st_mode) && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return true;
    if (!S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
        return true;
    return paths_add(w->found, path + w->root, strlen(path + w->root));
}

static bool take_paths(const walk *w, const paths *inner)
{
    for (size_t i = 0; i < inner->count; i++)
        if (!take_path(w, inner->at[i]))
            return false;
    return true;
}

/* Returns false if memory ran out. */
static bool walk_path(const walk *w, const char *path)
{
    paths inner = {0};
    const bool done = list_folder(w, path, &inner) ? take_paths(w, &inner)
                                                   : errno != ENOMEM && pass_over(w, path);
    paths_free(&inner);
    return done;
}

bool walk_folder(const char *folder, const walk_rule *rule, paths *found, paths *unread, problem *p)
{
    const size_t length = strlen(folder);
    const walk w = {.rule = rule,
                    .root = length + (folder[length - 1] != '/'),
                    .found = found,
                    .unread = unread};
    paths inner = {0};
    bool done = list_folder(&w, folder, &inner);
    if (!done)
        problem_set(p,
                    errno == ENOENT ? "%s: there is no such folder; check the name"
                                    : "%s: cannot be read: %s",
                    folder, strerror(errno));
    else if (!take_paths(&w, &inner))
        done = no_memory(folder, p);
    paths_free(&inner);
    return done;
}

/* --- Lists ------------------------------------------------------------------------------------ */

static bool split_list(FILE *from, int separator, paths *out)
{
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    for (ssize_t got; good && (got = getdelim(&line, &capacity, separator, from)) > 0;) {
        const size_t length = (size_t)got - (line[got - 1] == separator);
        good = length == 0 || paths_add(out, line, length);
    }
    free(line);
    return good;
}

/* Reads the whole list: a NUL anywhere decides what a newline means. */
static bool read_whole(FILE *from, char **text, size_t *size)
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

bool walk_list(const char *file, paths *out, problem *p)
{
    const bool standard = strcmp(file, "-") == 0;
    FILE *from = standard ? stdin : fopen(file, "r");
    if (!from)
        return problem_set(p, "--files-from %s: cannot be opened: %s", file, strerror(errno));
    char *text = NULL;
    size_t size = 0;
    bool good = read_whole(from, &text, &size);
    if (!good)
        problem_set(p, "--files-from %s: cannot be read: %s", file, strerror(errno));
    if (good && size > 0) {
        FILE *memory = fmemopen(text, size, "r");
        good = memory && split_list(memory, memchr(text, '\0', size) ? '\0' : '\n', out);
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
