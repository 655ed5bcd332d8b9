#include "batch/batch.h"

#include "batch/batch_check.h"
#include "batch/batch_list.h"
#include "batch/batch_manifest.h"
#include "batch/batch_report.h"
#include "batch/batch_throttle.h"
#include "batch/batch_sweep.h"
#include "batch/batch_walk.h"
#include "engine/engine_pool.h"
#include "base/clock.h"
#include "base/guard.h"
#include "base/output.h"
#include "batch/progress.h"
#include "job/picture_job.h"

#include <errno.h>
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct batch {
    const options *o;
    int jobs, threads;       /* items in work; CPU threads of each */
    batch_throttle throttle; /* for them */
    bool low_memory;         /* of a GPU's memory: what keeps some knows */
    pthread_mutex_t low_memory_lock;
    batch_list list;
    manifest done;
    batch_report report;
    engine_pool pool;
    progress progress;
    atomic_size_t next; /* item that no worker has taken */
    atomic_size_t notes;
    atomic_bool broken; /* what was done cannot be recorded: no further items */
} batch;

bool batch_is_wanted(const options *o)
{
    const char *input = o->input;
    return o->files_from || walk_is_folder(input) || input[strlen(input) - 1] == '/';
}

/* --- One item --------------------------------------------------------------------------------- */

/* The folder of a path, and those that it is in, where they are missing. */
static bool make_folders(const char *path, problem *p)
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

/* The options as if the item were given alone. */
static options options_of(const batch *b, const batch_item *item)
{
    options o = *b->o;
    o.input = item->input;
    o.output = item->output;
    o.given[OPT_DEPTH] = o.given[OPT_DEPTH] || o.depth_dir;
    if (o.given[OPT_DEPTH])
        o.depth = item->map;
    else
        o.radius_map = item->map;
    o.engine.threads = b->threads;
    o.stats = o.stats ? STATS_JSON : STATS_NONE;
    return o;
}

/* Where a picture that stays on a GPU must be worked on. */
static bool make_on(batch *b, int gpu, bool may_wait, const options *o, const codec *format,
                    picture_job *j, problem *p)
{
    if (!picture_job_read(j, o, format, gpu, p))
        return false;
    j->request.may_wait = may_wait;
    engine *e = engine_pool_take(&b->pool, j->stays ? gpu : ANY_ENGINE);
    const bool worked = picture_job_work(j, e, p);
    engine_pool_give(&b->pool, e);
    return worked && picture_job_write(j, p);
}

/* All that takes memory and processors. */
static bool make(batch *b, bool may_wait, const options *o, const codec *format, picture_job *j,
                 problem *p)
{
    if (!b->pool.is_cuda)
        return make_on(b, NO_GPU, may_wait, o, format, j, p);
    const int gpu = engine_pool_enter(&b->pool);
    const bool made = make_on(b, gpu, may_wait, o, format, j, p);
    engine_pool_leave(&b->pool, gpu, made || p->out_of_device_memory);
    return made;
}

/* Nothing is kept for the next pictures where memory is short. */
static void apply_low_memory(batch *b)
{
    pthread_mutex_lock(&b->low_memory_lock);
    const bool is_short = batch_throttle_low_memory(&b->throttle);
    if (is_short != b->low_memory) {
        b->low_memory = is_short;
        nvjpeg_set_short(is_short);
        engine_pool_set_low_memory(&b->pool, is_short);
    }
    pthread_mutex_unlock(&b->low_memory_lock);
}

/* What met the end of a GPU's memory gives back what it has, and is done again among fewer. An item that waits for the
 * disk makes room for another. */
static bool make_in_slot(batch *b, const options *o, const codec *format, picture_job *j,
                         problem *p)
{
    for (;;) {
        bool may_wait;
        const int slots = batch_throttle_enter(&b->throttle, &may_wait);
        const bool made = make(b, may_wait, o, format, j, p),
                   is_short = !made && p->out_of_device_memory;
        if (is_short) {
            picture_job_free(j);
            batch_throttle_narrow(&b->throttle, slots);
        }
        apply_low_memory(b);
        batch_throttle_leave(&b->throttle, !is_short);
        if (!is_short || !may_wait)
            return made;
        message_forget();
    }
}

/* A pipe that nobody writes into would hold a job for ever. */
static bool check_plain(const char *name, problem *p)
{
    struct stat about;
    return !name || stat(name, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) ||
           problem_set(p, "%s: is not a plain file", name);
}

static bool work(batch *b, const options *o, picture_job *j, problem *p)
{
    const codec *format = NULL;
    if (!check_plain(o->input, p) || !check_plain(o->depth, p) || !check_plain(o->radius_map, p))
        return false;
    if (o->output) {
        format = codec_for_output(o->output, p);
        if (!format || !make_folders(o->output, p) || !output_check(o->output, p))
            return false;
    }
    return make_in_slot(b, o, format, j, p) && picture_job_commit(j, p);
}

/* The report comes before the list of what is done: at worst, it tells of an item twice. */
static bool record(const batch *b, const batch_item *item, const file_state *input,
                   const file_state *map, const char *notes, const picture_job *j, problem *p)
{
    return batch_report_item(&b->report, item, ITEM_DONE, notes, j, p) &&
           (!item->output || manifest_add(&b->done, item, input, map, p));
}

static void fail(batch *b, const batch_item *item, const picture_job *j, problem *p)
{
    problem whole, ignored;
    if (strncmp(p->text, item->input, strlen(item->input)) != 0) {
        problem_set(&whole, "%s: %s", item->input, p->text);
        *p = whole;
    }
    if (!batch_report_item(&b->report, item, ITEM_FAILED, p->text, j, &ignored))
        b->broken = true;
    progress_count(&b->progress, ITEM_FAILED, p);
}

static void do_item(batch *b, const batch_item *item)
{
    const options o = options_of(b, item);
    const file_state input = file_state_of(item->input), map = file_state_of(item->map);
    picture_job j = {.o = &o, .out.fd = -1, .start = clock_ms()};
    problem p, notes;
    message_collect(&notes);
    const bool worked = work(b, &o, &j, &p);
    message_collect(NULL);
    b->notes += notes.text[0] != '\0';
    if (!worked) {
        fail(b, item, &j, &p);
    } else if (!record(b, item, &input, &map, notes.text, &j, &p)) {
        b->broken = true;
        fail(b, item, &j, &p);
    } else {
        progress_count(&b->progress, ITEM_DONE, NULL);
    }
    picture_job_free(&j);
}

static void take_item(batch *b, const batch_item *item)
{
    problem p;
    if (item->fault) {
        problem_set(&p, "%s: %s", item->input, item->fault);
        fail(b, item, NULL, &p);
    } else if (manifest_has(&b->done, item)) {
        if (!batch_report_item(&b->report, item, ITEM_SKIPPED, "", NULL, &p))
            b->broken = true;
        progress_count(&b->progress, ITEM_SKIPPED, NULL);
    } else {
        do_item(b, item);
    }
}

/* --- All -------------------------------------------------------------------------------------- */

static void *worker(void *user)
{
    batch *b = user;
    while (!guard_signal() && !b->broken) {
        const size_t at = atomic_fetch_add(&b->next, 1);
        if (at >= b->list.count)
            break;
        take_item(b, &b->list.items[at]);
    }
    return NULL;
}

/* This thread stays with the signals, so that one meets no worker in the middle of its work. */
static bool work_all(batch *b, problem *p)
{
    enum { WAITING = 8 }; /* workers beyond the jobs, as disks commit several files in one go */
    pthread_t threads[JOBS_MOST + WAITING];
    int started = 0;
    batch_throttle_open(&b->throttle, b->jobs);
    pthread_mutex_init(&b->low_memory_lock, NULL);
    guard_soften();
    guard_block();
    while (started < b->jobs + WAITING && pthread_create(&threads[started], NULL, worker, b) == 0)
        started++;
    guard_unblock();
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&b->low_memory_lock);
    batch_throttle_close(&b->throttle);
    return started > 0 || problem_set(p, "no thread can be started: %s", strerror(errno));
}

/* Once for each folder, as the disk takes for it as long as for a small picture. The list is sorted by
 * the inputs' names, and so hardly returns to a folder. */
static bool fsync_folders(const batch *b, problem *p)
{
    const char *last = "";
    size_t last_length = 0;
    for (size_t i = 0; i < b->list.count && b->progress.counts[ITEM_DONE] > 0; i++) {
        const char *name = b->list.items[i].output;
        if (!name)
            continue;
        const size_t length = (size_t)(path_base(name) - name);
        if (length == last_length && memcmp(name, last, length) == 0)
            continue;
        if (!output_fsync_folder(name, p))
            return false;
        last = name;
        last_length = length;
    }
    return true;
}

/* So many that the processors have work while others of them wait for a GPU: half as many again where it blurs
 * (folders of JPEGs on an H200 and 16 processors, 24 jobs 294 images/s, 16 jobs 272), and three times as many where it
 * decodes and encodes, too, so that little else is left to do (--codec gpu, 48 jobs 1529, 24 jobs 1290). */
static int useful_jobs(const options *o, bool is_cuda, int processors)
{
    if (!is_cuda)
        return processors;
    return o->codec == CODEC_GPU ? 3 * processors : processors + processors / 2;
}

static void choose_jobs(batch *b, bool is_cuda)
{
    const int processors = omp_get_num_procs(), useful = useful_jobs(b->o, is_cuda, processors);
    b->jobs = b->o->jobs ? b->o->jobs : useful < JOBS_MOST ? useful : JOBS_MOST;
    if ((size_t)b->jobs > b->list.count)
        b->jobs = b->list.count ? (int)b->list.count : 1;
    b->threads = b->o->engine.threads ? b->o->engine.threads : processors / b->jobs;
    b->threads = b->threads ? b->threads : 1;
}

static bool prepare_output(batch *b, problem *p)
{
    const options *o = b->o;
    char *inside = text_new("%s/", o->output);
    const bool made = inside ? make_folders(inside, p) : problem_set(p, "not enough memory");
    free(inside);
    if (!made || !manifest_open(&b->done, o, p))
        return false;
    if (o->given[OPT_RESUME] && manifest_others_run(o)) {
        message_note(o->given[OPT_QUIET],
                     "%s: another satblur is writing there, so unfinished files stay", o->output);
    } else if (o->given[OPT_RESUME]) {
        const size_t swept = batch_sweep(o->output, o->given[OPT_RECURSIVE], &b->list);
        if (swept)
            message_note(o->given[OPT_QUIET],
                         "%s: removed %zu unfinished file%s of a run that was killed", o->output,
                         swept, swept == 1 ? "" : "s");
    }
    return true;
}

/* What is done for one picture waits for what is done for others on the same connection to the GPU, of which CUDA opens
 * eight unless the environment says otherwise, and each takes 15 ms. On an H200, 48 jobs with 8, 12, 16, 24 and 32 went
 * through 4000 pictures at 1394, 1518, 1529, 1556 and 1570 images/s and took 4.28, 4.16, 4.26, 4.52 and 4.62 s in all,
 * and through 10,000 with 8, 16 and 32 in 8.5, 8.1 and 8.5 s. */
static void open_connections(void)
{
    (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "16", 0); /* without it, it is only slower */
}

static bool prepare(batch *b, problem *p)
{
    const options *o = b->o;
    satb_config config = o->engine;
    if (!batch_list_make(&b->list, o, p) || !batch_check(&b->list, o, p))
        return false;
    batch_list_select_shard(&b->list, o);
    if (o->codec == CODEC_GPU)
        open_connections();
    choose_jobs(b, o->engine.device != SATB_DEVICE_CPU); /* as many as there may be */
    config.threads = b->threads;
    if (!engine_pool_open(&b->pool, &config, o->all_devices, b->jobs, p))
        return false;
    choose_jobs(b, b->pool.is_cuda);
    engine_pool_trim(&b->pool, b->jobs);
    return (o->codec != CODEC_GPU || nvjpeg_open(config.cuda_index, b->pool.devices, b->jobs, p)) &&
           (!o->output || prepare_output(b, p)) &&
           batch_report_open(&b->report, o->report, o->given[OPT_RESUME], p);
}

static void tell_ignored(const batch *b)
{
    const size_t count = b->list.ignored;
    if (count > 0)
        message_note(b->o->given[OPT_QUIET],
                     "%s: %zu file%s left out, as %s no picture by the name", b->o->input, count,
                     count == 1 ? " is" : "s are", count == 1 ? "it is" : "they are");
}

static bool tell_end(batch *b, problem *p)
{
    const size_t *counts = b->progress.counts;
    const size_t left =
        b->list.count - counts[ITEM_DONE] - counts[ITEM_SKIPPED] - counts[ITEM_FAILED];
    const double seconds = progress_end(&b->progress);
    const bool quiet = b->o->given[OPT_QUIET];
    const batch_total total = {.counts = &b->progress,
                               .seconds = seconds,
                               .jobs = b->jobs,
                               .interrupted = guard_signal() != 0};
    const bool reported = batch_report_total(&b->report, &total, p);
    message_note(quiet, "%zu done, %zu skipped, %zu failed, %zu left; %.1f s, %.1f images/s",
                 counts[ITEM_DONE], counts[ITEM_SKIPPED], counts[ITEM_FAILED], left, seconds,
                 (double)(counts[ITEM_DONE] + counts[ITEM_FAILED]) / (seconds > 0 ? seconds : 1));
    if (b->notes && !b->report.name)
        message_note(quiet, "there are notes on %zu of them, which --report FILE.jsonl would hold",
                     (size_t)b->notes);
    if (!reported)
        return false;
    if (b->broken)
        return problem_set(p, "ended early, as what is done cannot be recorded");
    return counts[ITEM_FAILED] == 0 ||
           problem_set(p, "%zu of %zu pictures failed", counts[ITEM_FAILED], b->list.count);
}

/* Blocks from 1 MiB on go back to the system when they are freed. Otherwise the C library keeps for each
 * thread what its pictures took, and most threads merely wait for the disk: three times as much in all. */
static void return_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20); /* setting the other ends its growth */
#endif
}

bool batch_run(const options *o, problem *p)
{
    batch *b = calloc(1, sizeof *b);
    const int blocks = o->depth_dir || o->radius_map ? 3 : 2; /* picture, result, map */
    bool done = false;
    if (!b)
        return problem_set(p, "not enough memory");
    b->o = o;
    b->done.fd = b->report.fd = -1;
    return_memory();
    if (prepare(b, p)) {
        tell_ignored(b);
        progress_start(&b->progress, b->list.count, o->given[OPT_QUIET]);
        pixels_keep(blocks * b->jobs);
        if ((b->pool.is_cuda || o->codec == CODEC_GPU) && b->list.count > 2 * (size_t)b->jobs)
            pixels_pin_by(satb_pin, satb_unpin); /* otherwise it takes longer than it saves */
        done = work_all(b, p) && fsync_folders(b, p);
        pixels_pin_by(NULL, NULL);
        pixels_keep(0);
        done = tell_end(b, p) && done;
    }
    if (o->codec == CODEC_GPU)
        nvjpeg_close();
    engine_pool_close(&b->pool);
    batch_report_close(&b->report);
    manifest_close(&b->done);
    batch_list_free(&b->list);
    free(b);
    if (guard_signal()) {
        message_error(&(problem){.text = "ended by a signal; --resume goes on"});
        guard_die(guard_signal());
    }
    return done;
}
