#include "base/run_files.h"

#include "base/output.h"
#include "base/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct identity {
    dev_t device;
    ino_t inode; /* 0: nothing is there */
} identity;

struct listed_file {
    size_t number; /* in the order in which they were added */
    char *name;
    const char *from, *remedy; /* NULL: it is read */
    identity file;
    identity place; /* of a file that is written: where its name will be; see find_place() */
    char *rest;
};

static identity identity_of(const struct stat *about)
{
    return (identity){about->st_dev, about->st_ino};
}

static int compare_identities(const identity *a, const identity *b)
{
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->inode > b->inode) - (a->inode < b->inode);
}

/* Looks at a file or folder that is there, or at the plain file that a standard stream is. Pipes and terminals hold nothing
 * that could be lost. */
static bool look(const char *name, struct stat *about)
{
    if (name != path_stdin && name != path_stdout)
        return name && stat(name, about) == 0;
    return fstat(name == path_stdin ? STDIN_FILENO : STDOUT_FILENO, about) == 0 &&
           S_ISREG(about->st_mode);
}

static bool find(const char *name, identity *found)
{
    struct stat about;
    const bool is_there = look(name, &about);
    if (is_there)
        *found = identity_of(&about);
    return is_there;
}

bool run_files_same(const char *a, const char *b)
{
    identity x, y;
    return find(a, &x) && find(b, &y) && compare_identities(&x, &y) == 0;
}

/* --- Adding ----------------------------------------------------------------------------------- */

/* Returns a new entry; NULL: memory ran out. */
static listed_file *add(run_files *files, const char *name)
{
    if (files->count == files->capacity) {
        const size_t capacity = files->capacity ? 2 * files->capacity : 64;
        listed_file *const at = realloc(files->at, capacity * sizeof *at);
        files->ran_out |= !at;
        if (!at)
            return NULL;
        files->at = at;
        files->capacity = capacity;
    }
    listed_file *const f = &files->at[files->count];
    *f = (listed_file){.number = files->count, .name = strdup(name)};
    files->ran_out |= !f->name;
    files->count += f->name != NULL;
    return f->name ? f : NULL;
}

void run_files_read(run_files *files, const char *name)
{
    struct stat about;
    const bool may_be_lost = look(name, &about) && S_ISREG(about.st_mode);
    listed_file *const f = may_be_lost ? add(files, name) : NULL;
    if (f)
        f->file = identity_of(&about);
}

/* Finds the nearest folder above a path that is there, and the rest of the path. A file that is there and has no other
 * name is a place itself: a folder may take several spellings for one. */
static void find_place(listed_file *f, char *path)
{
    struct stat about;
    size_t end = strlen(path);
    if (stat(path, &about) == 0) {
        f->file = identity_of(&about);
        if (about.st_nlink == 1) {
            f->place = f->file;
            f->rest = strdup("");
            return;
        }
    }
    do {
        while (end > 0 && path[--end] != '/')
            continue;
        char *const above = end > 0 ? strndup(path, end) : strdup(path[0] == '/' ? "/" : ".");
        const bool is_there = above && stat(above, &about) == 0;
        free(above);
        if (is_there) {
            f->place = identity_of(&about);
            break;
        }
    } while (end > 0);
    f->rest = strdup(path + end + (path[end] == '/'));
}

void run_files_write(run_files *files, const char *name, const char *from, const char *remedy)
{
    identity found;
    const bool is_stream = name == path_stdout;
    listed_file *const f = is_stream && !find(name, &found) ? NULL : name ? add(files, name) : NULL;
    if (!f)
        return;
    f->from = from;
    f->remedy = remedy;
    if (is_stream) {
        f->file = f->place = found;
        f->rest = strdup("");
    } else {
        char *const path = output_canonical(name);
        if (path)
            find_place(f, path);
        free(path);
    }
    files->ran_out |= !f->rest;
}

/* --- Checking --------------------------------------------------------------------------------- */

/* Sorts by the file that is there now, and what is read before what is written. */
static int by_file(const void *a, const void *b)
{
    const listed_file *const x = a, *const y = b;
    const int order = compare_identities(&x->file, &y->file);
    if (order || !x->from != !y->from)
        return order ? order : (x->from != NULL) - (y->from != NULL);
    return (x->number > y->number) - (x->number < y->number);
}

/* Sorts what is read to the end, and the rest by the place. */
static int by_place(const void *a, const void *b)
{
    const listed_file *const x = a, *const y = b;
    if (!x->from || !y->from)
        return (x->from == NULL) - (y->from == NULL);
    const int order = compare_identities(&x->place, &y->place);
    const int of_rest = order ? order : strcmp(x->rest, y->rest);
    return of_rest ? of_rest : strcmp(x->from, y->from);
}

/* Returns whether a is read, and is the file that b writes. */
static bool is_lost(const listed_file *a, const listed_file *b)
{
    return a->file.inode != 0 && !a->from && b->from && compare_identities(&a->file, &b->file) == 0;
}

/* Returns whether two files are written to one place. One file under one name may stand in the list twice. */
static bool is_twice(const listed_file *a, const listed_file *b)
{
    return a->from && b->from && compare_identities(&a->place, &b->place) == 0 &&
           strcmp(a->rest, b->rest) == 0 && strcmp(a->from, b->from) != 0;
}

/* Returns the first file, in the order of adding, that clashes with the one before it in the sorted list. NULL: none does. */
static const listed_file *find_clash(const run_files *files,
                                     bool (*clashes)(const listed_file *, const listed_file *))
{
    const listed_file *first = NULL;
    for (size_t i = 1; i < files->count; i++) {
        const listed_file *const b = &files->at[i];
        if (clashes(b - 1, b) && (!first || b->number < first->number))
            first = b;
    }
    return first;
}

static void sort(run_files *files, int (*order)(const void *, const void *))
{
    if (files->count > 1)
        qsort(files->at, files->count, sizeof *files->at, order);
}

static bool check(run_files *files, problem *p)
{
    if (files->ran_out)
        return problem_set(p, "not enough memory for the list of files");
    sort(files, by_place);
    const listed_file *clash = find_clash(files, is_twice);
    if (clash)
        return problem_set(
            p, "%s and %s would both be written to %s, so nothing was done; give them two names",
            clash[-1].from, clash->from, clash[-1].name);
    sort(files, by_file);
    clash = find_clash(files, is_lost);
    return !clash || problem_set(p,
                                 "%s is an input and would be replaced, so nothing was done; name "
                                 "another %s",
                                 clash->name, clash->remedy);
}

bool run_files_check(run_files *files, problem *p)
{
    const bool done = check(files, p);
    for (size_t i = 0; i < files->count; i++) {
        free(files->at[i].name);
        free(files->at[i].rest);
    }
    free(files->at);
    *files = (run_files){0};
    return done;
}
