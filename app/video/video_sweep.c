#include "video/video_sweep.h"

#include "base/paths.h"
#include "batch/batch_sweep.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell(const options *o, size_t swept)
{
    if (swept)
        message_note(o->given[OPT_QUIET],
                     "%s: removed %zu unfinished file%s of a run that was killed", o->output, swept,
                     swept == 1 ? "" : "s");
}

void video_sweep(const options *o)
{
    if (o->output == path_stdout)
        return;
    batch_item item = {.output = strdup(o->output)};
    if (item.output)
        tell(o, batch_sweep(o, &(batch_list){.items = &item, .count = 1}));
    free(item.output);
}

/* Returns whether the name is that of a temporary of a frame of the shard: a dot, the frame's name, and ".satblur.XXXXXX". */
static bool is_left(const video_work *w, const char *name)
{
    static const char behind[] = ".satblur.XXXXXX";
    const size_t length = strlen(name), end = strlen(behind);
    if (name[0] != '.' || length <= end + 1 ||
        strncmp(name + length - end, behind, end - strlen("XXXXXX")) != 0)
        return false;
    const long long number = numbered_number(w->o->output, name + 1, length - end - 1);
    const long long first = video_first_number(w);
    return number >= first && (uint64_t)(number - first) >= w->begin &&
           (uint64_t)(number - first) < w->end;
}

/* Looks at each file of the folder: counts the lists that are locked, and removes what is left (*swept not NULL). */
static int look(const video_work *w, const char *folder, size_t *swept)
{
    DIR *const files = opendir(folder);
    int locked = 0;
    for (struct dirent *entry; files && (entry = readdir(files));) {
        const bool is_list = manifest_is_list(entry->d_name);
        if (!is_list && (!swept || !is_left(w, entry->d_name)))
            continue;
        char *const path = text_new("%s/%s", folder, entry->d_name);
        if (path && is_list)
            locked += manifest_is_locked(path);
        else if (path && !batch_sweep_spares(w->o, NULL, path))
            *swept += unlink(path) == 0;
        free(path);
    }
    if (files)
        closedir(files);
    return locked;
}

void video_sweep_frames(const video_work *w, const char *folder)
{
    size_t swept = 0;
    if (look(w, folder, NULL) > 1)
        return;
    (void)look(w, folder, &swept);
    tell(w->o, swept);
}
