#include "batch/batch_check.h"

#include "batch/batch_manifest.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool no_memory(problem *p)
{
    return problem_set(p, "not enough memory for the list of files");
}

/* --- What is written -------------------------------------------------------------------------- */

typedef struct target { /* of an output */
    char *path;         /* canonical */
    const batch_item *item;
} target;

typedef struct targets { /* sorted by path */
    target *at;
    size_t count;
} targets;

static int by_path(const void *a, const void *b)
{
    return strcmp(((const target *)a)->path, ((const target *)b)->path);
}

static void free_targets(targets *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->at[i].path);
    free(all->at);
}

static bool find_targets(targets *all, const batch_list *list, problem *p)
{
    *all = (targets){.at = malloc((list->count + 1) * sizeof *all->at)};
    for (size_t i = 0; all->at && i < list->count; i++) {
        const batch_item *item = &list->items[i];
        if (!item->output)
            continue;
        all->at[all->count] = (target){.path = output_canonical(item->output), .item = item};
        if (!all->at[all->count].path)
            return no_memory(p);
        all->count++;
    }
    if (all->at)
        qsort(all->at, all->count, sizeof *all->at, by_path);
    return all->at || no_memory(p);
}

static bool check_clashes(const targets *all, problem *p)
{
    for (size_t i = 1; i < all->count; i++) {
        const target *a = &all->at[i - 1], *b = &all->at[i];
        if (strcmp(a->path, b->path) == 0)
            return problem_set(
                p, "%s and %s would both be written to %s, so nothing was done; rename one of them",
                a->item->input, b->item->input, a->item->output);
    }
    return true;
}

/* --- What is read ----------------------------------------------------------------------------- */

typedef struct identity {
    dev_t device;
    ino_t inode;
} identity;

static int by_identity(const void *a, const void *b)
{
    const identity *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->inode < y->inode ? -1 : x->inode > y->inode;
}

typedef struct identities { /* sorted, once all are there */
    identity *at;
    size_t count, capacity;
} identities;

/* Adds a file, if there is one. False: memory ran out. */
static bool add_identity(identities *all, const char *file)
{
    struct stat about;
    if (!file || stat(file, &about) != 0)
        return true;
    if (all->count == all->capacity) {
        const size_t capacity = 2 * all->capacity + 64;
        identity *const larger = realloc(all->at, capacity * sizeof *larger);
        if (!larger)
            return false;
        all->at = larger;
        all->capacity = capacity;
    }
    all->at[all->count++] = (identity){about.st_dev, about.st_ino};
    return true;
}

static bool has_identity(const identities *all, const char *file)
{
    struct stat about;
    if (!file || stat(file, &about) != 0)
        return false;
    const identity key = {about.st_dev, about.st_ino};
    return all->count > 0 &&
           bsearch(&key, all->at, all->count, sizeof *all->at, by_identity) != NULL;
}

/* Collects all files that the batch reads. */
static bool find_inputs(identities *all, const batch_list *list, const options *o, problem *p)
{
    bool done = add_identity(all, o->files_from) && add_identity(all, o->protect);
    for (size_t i = 0; i < list->count && done; i++) {
        const batch_item *const item = &list->items[i];
        done = add_identity(all, item->input) && add_identity(all, item->map) &&
               add_identity(all, item->matte);
    }
    if (!done)
        return no_memory(p);
    if (all->count > 0)
        qsort(all->at, all->count, sizeof *all->at, by_identity);
    return true;
}

/* --- Both ------------------------------------------------------------------------------------- */

/* The next run would blur an output that replaced an input, and would take an output that replaced a map for the map. */
static bool check_overwrites(const targets *outputs, const identities *inputs, problem *p)
{
    for (size_t i = 0; i < outputs->count; i++)
        if (has_identity(inputs, outputs->at[i].path))
            return problem_set(p,
                               "%s is an input and would be overwritten, so nothing was done; name "
                               "another folder or a --suffix",
                               outputs->at[i].item->output);
    return true;
}

static bool check_report(const options *o, const targets *outputs, const identities *inputs,
                         problem *p)
{
    if (!o->report || strcmp(o->report, "-") == 0)
        return true;
    target key = {.path = output_canonical(o->report)};
    if (!key.path)
        return no_memory(p);
    const bool is_output =
        bsearch(&key, outputs->at, outputs->count, sizeof *outputs->at, by_path) != NULL;
    free(key.path);
    if (!is_output && !has_identity(inputs, o->report) && !manifest_is_list(path_base(o->report)))
        return true;
    return problem_set(p, "--report %s would overwrite %s, so nothing was done; name another file",
                       o->report,
                       is_output ? "an output" : "an input or a list of finished pictures");
}

bool batch_check(const batch_list *list, const options *o, problem *p)
{
    targets outputs = {0};
    identities inputs = {0};
    const bool good = find_targets(&outputs, list, p) && check_clashes(&outputs, p) &&
                      find_inputs(&inputs, list, o, p) && check_overwrites(&outputs, &inputs, p) &&
                      check_report(o, &outputs, &inputs, p);
    free_targets(&outputs);
    free(inputs.at);
    return good;
}
