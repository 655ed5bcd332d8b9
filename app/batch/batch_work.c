#include "batch/batch_work.h"

#include "base/output.h"
#include "engine/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool batch_make_folders(const char *path, problem *p)
{
    char folder[4096];
    const size_t length = (size_t)(path_base(path) - path);
    if (length >= sizeof folder)
        return problem_set(p, "%.200s...: the path is too long", path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (length == 0 || access(folder, F_OK) == 0)
        return true;
    for (size_t i = 1; i < length; i++) {
        if (folder[i] != '/')
            continue;
        folder[i] = '\0';
        const bool made = mkdir(folder, 0777) == 0;
        if (!made && errno != EEXIST) {
            return problem_set(p, "%s: the folder '%s' cannot be created: %s", path, folder,
                               strerror(errno));
        }
        if (made && !output_fsync_folder(folder, p))
            return false;
        folder[i] = '/';
    }
    return true;
}

/* Returns whether the run is on one picture, for which OUTPUT only names the folder. */
static bool is_alone(const options *o)
{
    return o->named && o->named_count == 1;
}

/* Returns the options as if the item were given alone, but details are told apart from warnings: tell_notes() prints both. */
static options options_of(const batch *b, const batch_item *item)
{
    options o = *b->o;
    o.output = item->output;
    o.given[OPT_DEPTH] |= o.given[OPT_DEPTH_DIR];
    for (source_role r = 0; r < SOURCES_EACH; r++)
        if (!source_is_embedded(&o, r))
            o.source[r] = item->source[r];
    o.engine.threads = b->threads;
    o.stats = o.stats ? STATS_JSON : STATS_NONE;
    o.given[OPT_VERBOSE] = false;
    return o;
}

/* Does all that takes memory and processors. A picture that stays on a GPU needs an engine of that GPU. */
static bool make_output_on(batch *b, int gpu, bool may_wait, const options *o, const codec *format,
                           picture_job *j, problem *p)
{
    picture_job_begin(j, o, format);
    j->gpu = gpu;
    j->shared = &b->shared;
    if (!picture_job_read(j, p))
        return false;
    j->request.may_wait = may_wait;
    engine *e = engine_pool_take(&b->pool, j->stays ? gpu : ANY_ENGINE);
    const bool worked = picture_job_work(j, e, p);
    engine_pool_give(&b->pool, e);
    return worked && picture_job_write(j, p);
}

/* Makes an output, and chooses the GPU where there are some. */
static bool make_output(batch *b, bool may_wait, const options *o, const codec *format,
                        picture_job *j, problem *p)
{
    if (!b->pool.is_cuda)
        return make_output_on(b, NO_GPU, may_wait, o, format, j, p);
    const int gpu = engine_pool_enter(&b->pool);
    const bool made = make_output_on(b, gpu, may_wait, o, format, j, p);
    engine_pool_leave(&b->pool, gpu, made || p->kind == PROBLEM_DEVICE_MEMORY);
    return made;
}

/* Keeps memory for later pictures, unless the throttle finds it low. */
static void apply_low_memory(batch *b)
{
    pthread_mutex_lock(&b->low_memory_lock);
    const bool is_low = batch_throttle_low_memory(&b->throttle);
    if (is_low != b->low_memory) {
        b->low_memory = is_low;
        nvjpeg_set_low_memory(is_low);
        engine_pool_set_low_memory(&b->pool, is_low);
    }
    pthread_mutex_unlock(&b->low_memory_lock);
}

/* Makes an output. A picture that runs out of a GPU's memory frees all of its own, and is done
 * again with fewer beside it. An item leaves its slot before it waits for the disk. */
static bool make_output_in_slot(batch *b, const options *o, const codec *format, picture_job *j,
                                problem *p)
{
    for (;;) {
        bool may_wait;
        const int slots = batch_throttle_enter(&b->throttle, &may_wait);
        const bool made = make_output(b, may_wait, o, format, j, p),
                   ran_out = !made && p->kind == PROBLEM_DEVICE_MEMORY;
        if (ran_out) {
            picture_job_free(j);
            batch_throttle_narrow(&b->throttle, slots);
        }
        apply_low_memory(b);
        batch_throttle_leave(&b->throttle, !ran_out);
        if (!ran_out || !may_wait)
            return made;
        message_forget();
    }
}

bool batch_check_plain(const char *name, problem *p)
{
    struct stat about;
    return !name || stat(name, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) ||
           problem_set(p, "%s: not a regular file; give a picture", name);
}

static bool work_on_item(batch *b, const options *o, picture_job *j, problem *p)
{
    const codec *format = NULL;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        if (!batch_check_plain(o->source[r], p))
            return false;
    if (o->output) {
        format = codec_for_output(o->output, p);
        if (!format || !batch_make_folders(o->output, p) || !output_check(o->output, p))
            return false;
    }
    return make_output_in_slot(b, o, format, j, p) && picture_job_commit(j, p);
}

/* Writes the report before the list of finished items: after a kill in between, the report has an item twice. */
static bool record_item(const batch *b, const batch_item *item, const manifest_sources *sources,
                        const char *notes, const picture_job *j, problem *p)
{
    return batch_report_item(&b->report, item, ITEM_DONE, notes, j, p) &&
           (!item->output || manifest_add(&b->done, item, sources, p));
}

/* Returns whether a message says already which picture it is about. */
static bool names_input(const char *text, const batch_item *item)
{
    return strncmp(text, item->input, strlen(item->input)) == 0;
}

static void fail_item(batch *b, const batch_item *item, const picture_job *j, problem *p)
{
    problem whole, ignored;
    if (!names_input(p->text, item)) {
        problem_set(&whole, "%s: %s", item->input, p->text);
        *p = whole;
    }
    if (!batch_report_item(&b->report, item, ITEM_FAILED, p->text, j, &ignored))
        b->broken = true;
    progress_count(&b->progress, ITEM_FAILED, p);
}

/* Prints or counts the notes on an item, and counts the item if there are warnings. */
static void tell_notes(batch *b, const batch_item *item, const message_notes *notes)
{
    const char *const end = notes->lines + notes->used;
    problem whole;
    for (const char *text = notes->lines; text < end; text += strlen(text) + 1) {
        const char *const name = notes->is_alone || names_input(text, item) ? "" : item->input;
        problem_set(&whole, "%s%s%s", name, name[0] ? ": " : "", text);
        batch_notes_add(&b->notes, item, whole.text);
    }
    b->warned += notes->warnings > 0;
}

static void do_item(batch *b, const batch_item *item)
{
    const options o = options_of(b, item);
    const manifest_sources sources = manifest_sources_of(item);
    picture_job j;
    problem p;
    message_notes notes = {.is_verbose = b->o->given[OPT_VERBOSE], .is_alone = is_alone(b->o)};
    picture_job_begin(&j, &o, NULL);
    message_list(&notes);
    const bool worked = work_on_item(b, &o, &j, &p);
    message_collect(NULL);
    tell_notes(b, item, &notes);
    if (!worked) {
        fail_item(b, item, &j, &p);
    } else if (!record_item(b, item, &sources, notes.all.text, &j, &p)) {
        b->broken = true;
        fail_item(b, item, &j, &p);
    } else {
        progress_count(&b->progress, ITEM_DONE, NULL);
    }
    picture_job_free(&j);
}

/* Returns whether --no-clobber leaves the item's output as it is, and counts it. */
static bool spares(batch *b, const batch_item *item)
{
    problem ignored;
    const bool is_spared =
        b->o->given[OPT_NO_CLOBBER] && item->output && !output_is_new(item->output, &ignored);
    b->spared += is_spared;
    return is_spared;
}

void batch_work_on(batch *b, const batch_item *item)
{
    problem p;
    if (item->fault) {
        problem_set(&p, "%s: %s", item->input, item->fault);
        fail_item(b, item, NULL, &p);
    } else if (manifest_has(&b->done, item) || spares(b, item)) {
        if (!batch_report_item(&b->report, item, ITEM_SKIPPED, "", NULL, &p))
            b->broken = true;
        progress_count(&b->progress, ITEM_SKIPPED, NULL);
    } else {
        do_item(b, item);
    }
}
