#include "batch/batch_check.h"

#include "batch/batch_manifest.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/run_files.h"

#include <stdlib.h>
#include <string.h>

static const char remedy[] = "folder or a --suffix";

static void add_items(run_files *files, const batch_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const batch_item *const item = &list->items[i];
        run_files_read(files, item->input);
        run_files_read(files, item->map);
        run_files_read(files, item->matte);
        run_files_write(files, item->output, item->input, remedy);
    }
}

/* Returns the name, or the stream if it is "-". */
static const char *stream_of(const char *name, const char *stream)
{
    return name && strcmp(name, "-") == 0 ? stream : name;
}

/* Refuses a list of another shard or another run. */
static bool check_report(const options *o, problem *p)
{
    if (o->report && o->given[OPT_NO_CLOBBER] && !o->given[OPT_RESUME] &&
        !output_is_new(stream_of(o->report, path_stdout), p))
        return false;
    return !o->report || !manifest_is_list(path_base(o->report)) ||
           problem_set(p,
                       "--report %s would overwrite a list of finished pictures, so nothing was "
                       "done; name another file",
                       o->report);
}

bool batch_check(const batch_list *list, const options *o, problem *p)
{
    run_files files = {0};
    char *const done = o->output ? manifest_path(o, o->output, NULL) : NULL;
    add_items(&files, list);
    run_files_read(&files, stream_of(o->files_from, path_stdin));
    run_files_read(&files, o->protect);
    run_files_write(&files, done, "the list of finished pictures", remedy);
    run_files_write(&files, stream_of(o->report, path_stdout), "--report", "file for --report");
    files.ran_out |= o->output && !done;
    const bool good = run_files_check(&files, p) && check_report(o, p);
    free(done);
    return good;
}
