#include "batch/batch.h"

#include "batch/batch_check.h"
#include "batch/batch_sweep.h"
#include "batch/batch_walk.h"
#include "batch/batch_work.h"
#include "base/guard.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/threads.h"
#include "engine/source.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING = 8 }; /* workers beyond the jobs; a disk commits several files at a time */

bool batch_is_wanted(const options *o)
{
    const char *input = o->input;
    return options_have_list(o) ||
           (input != path_stdin && (path_is_folder(input) || input[strlen(input) - 1] == '/'));
}

/* --- All -------------------------------------------------------------------------------------- */

static void *worker(void *user)
{
    batch *b = user;
    while (!guard_signal() && !b->broken) {
        const size_t at = atomic_fetch_add(&b->next, 1);
        if (at >= b->list.count)
            break;
        batch_work_on(b, &b->list.items[at]);
    }
    return NULL;
}

/* Signals go to this thread alone, so that none interrupts a worker. */
static bool work_all(batch *b, problem *p)
{
    pthread_t threads[JOBS_MOST + WAITING];
    int started = 0;
    batch_throttle_open(&b->throttle, b->jobs);
    pthread_mutex_init(&b->low_memory_lock, NULL);
    guard_soften();
    guard_block();
    while (started < b->workers && pthread_create(&threads[started], NULL, worker, b) == 0)
        started++;
    guard_unblock();
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&b->low_memory_lock);
    batch_throttle_close(&b->throttle);
    return started > 0 ||
           problem_set(p, "no thread can be started: %s; raise ulimit -u or ulimit -v",
                       strerror(errno));
}

/* Syncs each folder of outputs once, as that takes the disk as long as a small picture. The list is sorted by the inputs'
 * names, and so hardly returns to a folder. */
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

/* Returns the number of jobs that keeps the processors busy while some jobs wait for a GPU: 1.5 a processor if the GPU
 * blurs, 3 if it decodes and encodes, too. */
static int useful_jobs(const options *o, bool is_cuda, int processors)
{
    if (!is_cuda)
        return processors;
    return o->codec == CODEC_GPU ? 3 * processors : processors + processors / 2;
}

static void choose_jobs(batch *b, bool is_cuda)
{
    const int processors = satb_processors(), useful = useful_jobs(b->o, is_cuda, processors);
    b->jobs = b->o->jobs ? b->o->jobs : useful < JOBS_MOST ? useful : JOBS_MOST;
    if ((size_t)b->jobs > b->list.count)
        b->jobs = b->list.count ? (int)b->list.count : 1;
    b->threads = b->o->engine.threads ? b->o->engine.threads : processors / b->jobs;
    b->threads = b->threads ? b->threads : 1;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Lowers the numbers until the threads of all workers can be started: first the workers that wait for the disk, then the
 * threads of a job, then the jobs. False: it changed what was chosen. */
static bool fit_threads(batch *b)
{
    const int jobs = b->jobs, threads = b->threads;
    const int most = b->startable > 1 ? b->startable : 1;
    b->jobs = smaller(b->jobs, most);
    b->threads = smaller(b->threads, most / b->jobs);
    b->workers = smaller(b->jobs + WAITING, most / b->threads);
    return b->jobs == jobs && b->threads == threads;
}

static void tell_few_threads(const batch *b)
{
    message_note(b->o->given[OPT_QUIET],
                 "too few threads can be started, so --jobs %d --threads %d are used; raise ulimit "
                 "-u, ulimit -v or the container's process limit",
                 b->jobs, b->threads);
}

static bool prepare_output(batch *b, problem *p)
{
    const options *o = b->o;
    char *inside = text_new("%s/", o->output);
    const bool made = inside ? batch_make_folders(inside, p) : problem_set(p, "not enough memory");
    free(inside);
    if (!made || !manifest_open(&b->done, o, o->output, NULL, p))
        return false;
    if (o->given[OPT_RESUME] && manifest_others_run(o)) {
        message_note(o->given[OPT_QUIET],
                     "%s: unfinished files are kept, because another satblur is writing there",
                     o->output);
    } else if (o->given[OPT_RESUME]) {
        const size_t swept = batch_sweep(o, &b->list);
        if (swept)
            message_note(o->given[OPT_QUIET],
                         "%s: removed %zu unfinished file%s of a run that was killed", o->output,
                         swept, swept == 1 ? "" : "s");
    }
    return true;
}

/* Asks CUDA for 16 connections to the GPU instead of 8: pictures wait for each other on one. More take longer to open,
 * 15 ms each, than they save. */
static void open_connections(void)
{
    (void)setenv("CUDA_DEVICE_MAX_CONNECTIONS", "16", 0); /* a failure only costs speed */
}

/* Returns whether a GPU decodes the file faster than its pixels would come from the host, for each picture. */
static bool is_for_gpu(const options *o, const char *name)
{
    problem ignored;
    const codec *const format = o->codec == CODEC_GPU ? codec_for_output(name, &ignored) : NULL;
    return format && codec_metadata(format) == METADATA_JPEG;
}

/* Decodes the files that serve all pictures. Those that have no other use may be pipes. */
static bool read_shared(batch *b, problem *p)
{
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++) {
        const char *const name = source_file(b->o, r);
        if (!name || path_is_folder(name) || is_for_gpu(b->o, name))
            continue;
        if ((r < SOURCES_EACH && !batch_check_plain(name, p)) ||
            !shared_read(&b->shared, b->o, r, p))
            return false;
    }
    return true;
}

static bool prepare_batch(batch *b, problem *p)
{
    const options *o = b->o;
    satb_config config = o->engine;
    if (!batch_list_make(&b->list, o, p) || !batch_check(&b->list, o, p))
        return false;
    batch_list_select_shard(&b->list, o);
    if (o->codec == CODEC_GPU)
        open_connections();
    choose_jobs(b, o->engine.device != SATB_DEVICE_CPU); /* the most that there may be */
    b->startable = threads_available((b->jobs + WAITING) * b->threads);
    (void)fit_threads(b);
    config.threads = b->threads;
    if (!engine_pool_open(&b->pool, &config, o->all_devices, b->jobs, p))
        return false;
    choose_jobs(b, b->pool.is_cuda);
    if (!fit_threads(b) && b->startable > 0)
        tell_few_threads(b);
    engine_pool_trim(&b->pool, b->jobs);
    return (o->codec != CODEC_GPU || nvjpeg_open(config.cuda_index, b->pool.devices, b->jobs, p)) &&
           read_shared(b, p) && (!o->output || prepare_output(b, p)) &&
           batch_report_open(&b->report, o->report, o->given[OPT_RESUME], p);
}

static void tell_ignored(const batch *b)
{
    const size_t count = b->list.ignored;
    if (count > 0)
        message_note(b->o->given[OPT_QUIET],
                     "%s: %zu file%s without a picture's ending, like .jpg, %s skipped",
                     b->o->input, count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

static bool tell_end(batch *b, problem *p)
{
    const size_t *counts = b->progress.counts;
    const size_t left =
        b->list.count - counts[ITEM_DONE] - counts[ITEM_SKIPPED] - counts[ITEM_FAILED];
    const double seconds = progress_end(&b->progress);
    const bool quiet = b->o->given[OPT_QUIET];
    const batch_total total = {.o = b->o,
                               .counts = &b->progress,
                               .seconds = seconds,
                               .jobs = b->jobs,
                               .interrupted = guard_signal() != 0 || b->broken};
    const bool reported = batch_report_total(&b->report, &total, p);
    batch_notes_tell(&b->notes);
    message_note(quiet, "%zu done, %zu skipped, %zu failed, %zu left; %.1f s, %.1f images/s",
                 counts[ITEM_DONE], counts[ITEM_SKIPPED], counts[ITEM_FAILED], left, seconds,
                 (double)counts[ITEM_DONE] / (seconds > 0 ? seconds : 1));
    if (b->spared)
        message_note(quiet, "%zu output%s already there, and --no-clobber kept %s",
                     (size_t)b->spared, b->spared == 1 ? " was" : "s were",
                     b->spared == 1 ? "it" : "them");
    if (b->warned && b->list.count > 1 && !b->report.name)
        message_note(quiet, "%zu picture%s warnings; --report FILE.jsonl records them",
                     (size_t)b->warned, b->warned == 1 ? " has" : "s have");
    if (!reported)
        return false;
    if (b->broken)
        return problem_set(p, "stopped early, because finished pictures cannot be recorded; fix "
                              "that and use --resume");
    return counts[ITEM_FAILED] == 0 ||
           problem_set(p, "%zu of %zu pictures failed; see the lines above", counts[ITEM_FAILED],
                       b->list.count);
}

static void tell_early_end(void *user)
{
    batch *const b = user;
    problem ignored;
    message_collect(NULL);
    b->broken = true;
    (void)tell_end(b, &ignored);
}

/* Returns freed blocks of 1 MiB and more to the system. The C library would keep them for each thread, and most threads
 * only wait for the disk. */
static void return_memory(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 20); /* otherwise it grows with the other */
#endif
}

bool batch_run(const options *o, problem *p)
{
    batch *b = calloc(1, sizeof *b);
    int blocks = 1 + (o->dof.fringe > 0); /* the result, .. */
    for (source_role r = 0; r < SOURCES; r++)
        blocks += r == SOURCE_INPUT || o->source[r];
    bool done = false;
    if (!b)
        return problem_set(p, "not enough memory");
    b->o = o;
    b->done.fd = b->report.fd = -1;
    return_memory();
    if (prepare_batch(b, p)) {
        tell_ignored(b);
        batch_notes_open(&b->notes, o->given[OPT_VERBOSE] || b->list.count == 1);
        progress_start(&b->progress, b->list.count, "images", o->given[OPT_QUIET]);
        pixels_keep(blocks * b->jobs);
        if ((b->pool.is_cuda || o->codec == CODEC_GPU) && b->list.count > 2 * (size_t)b->jobs)
            pixels_pin_by(satb_pin,
                          satb_unpin); /* for few pictures, pinning takes longer than it saves */
        guard_summarize(tell_early_end, b);
        done = work_all(b, p) && fsync_folders(b, p);
        guard_summarize(NULL, NULL);
        pixels_pin_by(NULL, NULL);
        pixels_keep(0);
        done = tell_end(b, p) && done;
        batch_notes_close(&b->notes);
    }
    if (o->codec == CODEC_GPU)
        nvjpeg_close();
    engine_pool_close(&b->pool);
    batch_report_close(&b->report);
    manifest_close(&b->done);
    batch_list_free(&b->list);
    shared_free(&b->shared);
    free(b);
    if (guard_signal()) {
        message_error(&(problem){.text = "stopped by a signal; use --resume to continue"});
        guard_die(guard_signal());
    }
    return done;
}
