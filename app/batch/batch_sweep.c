#include "batch/batch_sweep.h"

#include "batch/batch_manifest.h"
#include "batch/batch_walk.h"
#include "base/output.h"
#include "base/run_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANDOM = 6 }; /* letters that mkstemp() chooses */

typedef struct leavings {
    const options *o;
    const batch_list *list;
    paths folders;    /* sorted, with a slash at the end */
    paths beginnings; /* sorted, of the paths of temporaries */
} leavings;

/* Adds the folder and the beginning of an output's temporaries. They stand beside the file that links lead to. */
static bool add_output(leavings *all, const char *name)
{
    char path[4096];
    char *target = output_canonical(name);
    const int length = target ? output_temporary(target, path, sizeof path) : -1;
    free(target);
    if (length < 0)
        return false;
    return length >= (int)sizeof path ||
           (paths_add(&all->folders, path, (size_t)(path_base(path) - path)) &&
            paths_add(&all->beginnings, path, (size_t)length - RANDOM));
}

static bool has_path(const paths *sorted, const char *text)
{
    const size_t at = paths_from(sorted, text);
    return at < sorted->count && strcmp(sorted->at[at], text) == 0;
}

bool batch_sweep_spares(const options *o, const batch_list *list, const char *path)
{
    bool spares = run_files_same(path, o->files_from);
    for (source_role r = 0; r < SOURCES; r++)
        spares = spares || run_files_same(path, o->source[r]);
    for (size_t i = 0; list && i < list->count && !spares; i++)
        for (source_role r = 0; r < SOURCES_EACH; r++)
            spares = spares || run_files_same(path, list->items[i].source[r]);
    return spares;
}

static bool remove_temporary(const leavings *all, const char *folder, const char *name)
{
    char *path = text_new("%s%s", folder, name);
    const size_t length = path ? strlen(path) : 0;
    char *beginning = length > RANDOM ? strndup(path, length - RANDOM) : NULL;
    const bool removed = beginning && has_path(&all->beginnings, beginning) &&
                         !batch_sweep_spares(all->o, all->list, path) &&
                         !manifest_is_locked(path) && unlink(path) == 0;
    free(beginning);
    free(path);
    return removed;
}

static size_t sweep_folder(const leavings *all, const char *folder)
{
    const walk_rule rule = {.hidden = true};
    paths found = {0}, unread = {0};
    size_t removed = 0;
    problem ignored;
    if (walk_folder(folder, &rule, &found, &unread, &ignored))
        for (size_t i = 0; i < found.count; i++)
            removed += remove_temporary(all, folder, found.at[i]);
    paths_free(&found);
    paths_free(&unread);
    return removed;
}

size_t batch_sweep(const options *o, const batch_list *list)
{
    leavings all = {.o = o, .list = list};
    bool good = true;
    size_t removed = 0;
    for (size_t i = 0; i < list->count && good; i++)
        good = !list->items[i].output || add_output(&all, list->items[i].output);
    paths_sort(&all.folders);
    paths_sort(&all.beginnings);
    for (size_t i = 0; i < all.folders.count && good; i++)
        removed += sweep_folder(&all, all.folders.at[i]);
    paths_free(&all.folders);
    paths_free(&all.beginnings);
    return removed;
}
