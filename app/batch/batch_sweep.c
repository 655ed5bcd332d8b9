#include "batch/batch_sweep.h"

#include "batch/batch_walk.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANDOM = 6 }; /* letters that mkstemp() chooses */

/* What the temporaries of the list's outputs begin with. */
static bool collect_beginnings(const batch_list *list, paths *out)
{
    for (size_t i = 0; i < list->count; i++) {
        char path[4096];
        const char *relative = list->items[i].relative;
        const int length = output_temporary(relative, path, sizeof path);
        if (length >= (int)sizeof path)
            continue;
        if (!paths_add(out, path, (size_t)length - RANDOM))
            return false;
    }
    paths_sort(out);
    return true;
}

static bool is_one(const char *name, const paths *beginnings)
{
    const size_t length = strlen(name);
    if (length <= RANDOM || path_base(name)[0] != '.')
        return false;
    char *beginning = strndup(name, length - RANDOM);
    const size_t at = beginning ? paths_from(beginnings, beginning) : beginnings->count;
    const bool found = at < beginnings->count && strcmp(beginnings->at[at], beginning) == 0;
    free(beginning);
    return found;
}

size_t batch_sweep(const char *folder, bool recursive, const batch_list *list)
{
    const walk_rule rule = {.recursive = recursive, .hidden = true};
    paths found = {0}, unread = {0}, beginnings = {0};
    size_t removed = 0;
    problem ignored;
    if (walk_folder(folder, &rule, &found, &unread, &ignored) &&
        collect_beginnings(list, &beginnings)) {
        for (size_t i = 0; i < found.count; i++) {
            if (!is_one(found.at[i], &beginnings))
                continue;
            char *path = text_new("%s/%s", folder, found.at[i]);
            removed += path && unlink(path) == 0;
            free(path);
        }
    }
    paths_free(&found);
    paths_free(&unread);
    paths_free(&beginnings);
    return removed;
}
