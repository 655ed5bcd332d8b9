#include "video/video_files.h"

#include "base/paths.h"
#include "engine/source.h"

#include <stdlib.h>
#include <string.h>

static const char remedy[] = "OUTPUT";

typedef struct frames_there { /* of OUTPUT, before the run */
    const video_work *w;
    run_files *files;
    paths names; /* for messages */
} frames_there;

/* Adds the numbered files of a clip. */
static void read_clip(run_files *files, const clip *c)
{
    char name[4096];
    problem ignored;
    for (uint64_t i = 0; c->kind == CLIP_NUMBERED && i < c->count; i++)
        if (numbered_name(c->files.pattern, c->files.first + (long long)i, name, &ignored))
            run_files_read(files, name);
}

/* Adds a file that a frame will replace. */
static void write_frame(void *user, long long number, const char *name)
{
    frames_there *const f = user;
    const clip *const input = &f->w->input;
    const long long first = video_first_number(f->w);
    if (number < first || (input->is_exact && (uint64_t)(number - first) >= input->count))
        return;
    if (paths_add(&f->names, name, strlen(name)))
        run_files_write(f->files, name, f->names.at[f->names.count - 1], remedy);
    else
        f->files->ran_out = true;
}

static char *list_path(const options *o)
{
    char *const folder = numbered_folder(o->output);
    char *const path = folder ? manifest_path(o, folder, path_base(o->output)) : NULL;
    free(folder);
    return path;
}

bool video_check_files(const video_work *w, problem *p)
{
    const options *const o = w->o;
    run_files files = {0};
    frames_there there = {.w = w, .files = &files};
    const bool is_numbered = w->target == TO_FILES;
    char *const list = is_numbered ? list_path(o) : NULL;
    run_files_read(&files, o->input);
    source_list_files(o, &files);
    read_clip(&files, &w->input);
    for (source_role r = 0; r < SOURCES; r++)
        read_clip(&files, &w->of[r].clip);
    if (is_numbered)
        numbered_there(o->output, write_frame, &there);
    else
        run_files_write(&files, o->output, "OUTPUT", remedy);
    for (int i = 1; i < WRITTEN; i++) /* the figures */
        if (o->written[i] && w->target == TO_PICTURE)
            run_files_write(&files, o->written[i], written_words[i], "file");
        else if (o->written[i])
            numbered_there(o->written[i], write_frame, &there);
    run_files_write(&files, o->report, "--report", "file");
    run_files_write(&files, list, "the list of finished frames", remedy);
    files.ran_out |= is_numbered && !list;
    const bool done = run_files_check(&files, p);
    paths_free(&there.names);
    free(list);
    return done;
}
