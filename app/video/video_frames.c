#include "video/video_work.h"

#include "base/clock.h"
#include "base/guard.h"
#include "batch/batch_work.h"
#include "image/orientation.h"
#include "job/made_read.h"
#include "job/picture_job.h"

#include <stdlib.h>
#include <sys/stat.h>

/* One frame on its way. */
typedef struct frame_job {
    SOURCE_MEMBERS(clip_frame, frames, input);
    options o; /* as if the frame were given alone */
    char output[4096], figures[WRITTEN][4096];
    range_place place;
    uint64_t at;           /* among the frames that are taken */
    double before;         /* milliseconds of reading */
    manifest done;         /* the list, with the frame's own signature */
    manifest_sources from; /* before they were read */
    picture_job job;
} frame_job;

/* --- Reading ---------------------------------------------------------------------------------- */

/* Takes the next frame of the shard and of the range. */
static video_status next_input(video_work *w, clip_frame *f, range_place *place, problem *p)
{
    for (;;) {
        const video_status status = clip_next(&w->input, f, p);
        if (status != VIDEO_FRAME)
            return status;
        const bool is_before = f->number < w->begin;
        if (!is_before && f->number < w->end)
            *place = video_range_next(&w->range, f->number, f->seconds);
        if (!is_before && f->number < w->end && *place != RANGE_BEHIND)
            return status;
        const bool done = is_before || !f->video || video_in_return(w->input.video, f->video, p);
        clip_frame_free(f);
        w->has_ended_early = !is_before;
        if (!is_before)
            return done ? VIDEO_END : VIDEO_FAILED;
    }
}

static void free_frames(frame_job *f)
{
    for (source_role r = 0; r < SOURCES; r++)
        clip_frame_free(&f->frames[r]);
}

/* Refuses companions that have frames left. */
static bool end_companions(video_work *w, problem *p)
{
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++)
        if (!companion_end(&w->of[r], w->read, p))
            return false;
    return true;
}

/* Takes the next frame with those of its companions. */
static video_status read_frame(video_work *w, frame_job *f, problem *p)
{
    for (source_role r = 0; r < SOURCES; r++)
        f->frames[r] = (clip_frame){.number = 0};
    f->output[0] = '\0';
    const video_status status = guard_signal() ? VIDEO_END : next_input(w, &f->input, &f->place, p);
    if (status == VIDEO_END && !guard_signal() && !w->has_ended_early && !end_companions(w, p))
        return VIDEO_FAILED;
    f->at = w->range.taken - 1;
    if (status != VIDEO_FRAME)
        return status;
    w->read++;
    bool done = true;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES && done; r++)
        done = companion_frame(&w->of[r], &f->input, &f->frames[r], p);
    if (done && clip_frame_cut(&w->input, &f->input, p))
        return VIDEO_FRAME;
    free_frames(f);
    return VIDEO_FAILED;
}

/* Names the frame's files, for the list. */
static batch_item item_of(const video_work *w, frame_job *f)
{
    batch_item item = {.relative = f->output + (path_base(f->output) - f->output),
                       .output = w->target == TO_FILES ? f->output : (char *)w->o->output};
    for (source_role r = 0; r < SOURCES_EACH; r++)
        if (r == SOURCE_INPUT || w->of[r].clip.kind != CLIP_NONE)
            item.source[r] = f->frames[r].path;
    return item;
}

/* Notes the states of the frame's files, in the order of frames. A focus that is found depends on all files until then. */
static void sign(video_work *w, frame_job *f)
{
    const batch_item item = item_of(w, f);
    f->from = manifest_sources_of(&item);
    if (focus_path_has_memory(&w->focus))
        w->done.signature = manifest_signature_of(w->done.signature, &f->from);
    f->done = w->done;
}

/* --- One frame -------------------------------------------------------------------------------- */

/* Loads the frame of a companion, or borrows the one picture of all frames. */
static bool load_companion(video_work *w, frame_job *f, source_role role, problem *p)
{
    picture_job *const j = &f->job;
    const clip *const c = &w->of[role].clip;
    j->lent[role] = shared_lend(&w->shared, role, &j->pictures[role]);
    return c->kind == CLIP_NONE || j->lent[role] ||
           clip_frame_load(c, &f->frames[role], &w->settings[role], &j->pictures[role], p);
}

static void pass_maps(void *user)
{
    turn_pass(user);
}

/* Hands the frame over to a program in its turn. is_left: it needs no map. */
static bool make_maps(video_work *w, frame_job *f, bool is_left, problem *p)
{
    const program_step step = {.passed = pass_maps, .user = &w->maps};
    problem inner;
    if (!video_makes_maps(w))
        return true;
    if (!turn_take(&w->maps, f->input.number, p))
        return false;
    if (is_left)
        turn_pass(&w->maps);
    return is_left || made_read(&f->job, &step, &inner) ||
           problem_set(p, "frame %llu: %s", (unsigned long long)f->input.number, inner.text);
}

static bool load(video_work *w, frame_job *f, problem *p)
{
    picture_job *const j = &f->job;
    problem inner;
    if (!clip_frame_load(&w->input, &f->input, &w->settings[SOURCE_INPUT], &j->input, p))
        return false;
    j->times.decoder = j->input.library;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++)
        if (!load_companion(w, f, r, p))
            return false;
    if (!make_maps(w, f, false, p))
        return false;
    j->times.decode = f->before + clock_ms() - j->start;
    if (!picture_job_settle(j, &inner))
        return problem_set(p, "frame %llu: %s", (unsigned long long)f->input.number, inner.text);
    return focus_path_set(&w->focus, &w->pool, &j->request, f->input.number, f->input.seconds,
                          j->input.orientation, p);
}

/* Makes options as if the frame were given alone. */
static bool make_options(video_work *w, frame_job *f, problem *p)
{
    f->o = *w->o;
    f->o.engine.threads = w->threads;
    if (!f->input.video)
        f->o.input = f->input.path;
    const long long number = video_first_number(w) + (long long)f->input.number;
    if (w->target == TO_FILES && !numbered_name(w->o->output, number, f->output, p))
        return false;
    if (w->target == TO_FILES)
        f->o.output = f->output;
    for (int i = 1; i < WRITTEN; i++) { /* the figures */
        if (!w->o->written[i] || w->target == TO_PICTURE)
            continue;
        if (!numbered_name(w->o->written[i], number, f->figures[i], p))
            return false;
        f->o.written[i] = f->figures[i];
    }
    picture_job_begin(&f->job, &f->o, w->target == TO_SHEET ? NULL : w->format);
    f->job.number = f->input.number;
    f->job.is_frame = true;
    return true;
}

/* Makes the folders of the frame's figures. */
static bool make_folders(const frame_job *f, problem *p)
{
    for (int i = 1; i < WRITTEN; i++)
        if (f->o.written[i] && !batch_make_folders(f->o.written[i], p))
            return false;
    return true;
}

static bool work(video_work *w, frame_job *f, problem *p)
{
    engine *const e = engine_pool_take(&w->pool, ANY_ENGINE);
    const bool done = picture_job_work(&f->job, e, p);
    engine_pool_give(&w->pool, e);
    return done;
}

/* Writes the frame into the video, in its turn; without one of its own, the picture becomes a frame. */
static bool write_video(video_work *w, frame_job *f, problem *p)
{
    engine_request *const q = &f->job.request;
    problem inner;
    if (q->dst.half && !f->input.video)
        return problem_set(
            p, "%s: has linear light, but a video cannot hold it; name files like out/%%05d.exr",
            f->o.input);
    if (!f->input.video && q->dst.channels % 2 == 0)
        message_note(f->o.given[OPT_QUIET], "%s: its alpha is lost, because videos have none here",
                     f->o.input);
    if (!f->input.video)
        f->input.video = video_frame_make(&q->dst, f->input.number, w->input.rate, &inner);
    else if (!video_frame_store(f->input.video, &q->src, &q->dst, &inner))
        return problem_at(p, w->o->input, &inner);
    if (!f->input.video)
        return problem_at(p, w->o->output, &inner);
    if (!picture_job_write(&f->job, p) || !turn_take(&w->write, f->input.number, p))
        return false;
    const double start = clock_ms();
    if (!video_out_write(w->out, f->input.video, p))
        return false;
    f->job.times.encode += clock_ms() - start;
    turn_pass(&w->write);
    return true;
}

/* Lets the next frame of a video be written, which keeps the sound beside this one. */
static bool leave_out(video_work *w, frame_job *f, problem *p)
{
    if (!w->out)
        return true;
    if (!turn_take(&w->write, f->input.number, p))
        return false;
    const bool done = !f->input.video || video_out_leave(w->out, f->input.video, p);
    turn_pass(&w->write);
    return done;
}

static bool write_cell(video_work *w, frame_job *f, problem *p)
{
    picture_job *const j = &f->job;
    problem inner;
    if (!orientation_apply(&j->request.dst, j->input.orientation))
        return problem_set(p, "%s: not enough memory to rotate a frame", w->o->output);
    pthread_mutex_lock(&w->lock);
    const bool done = video_sheet_add(&w->sheet, f->at, w->range.count, &j->request.dst, &inner);
    pthread_mutex_unlock(&w->lock);
    return done || problem_at(p, w->o->output, &inner);
}

static bool write_file(const video_work *w, frame_job *f, problem *p)
{
    const batch_item item = item_of(w, f);
    return batch_make_folders(f->output, p) && output_check(f->output, p) &&
           (!w->o->given[OPT_NO_CLOBBER] || output_is_new(f->output, p)) &&
           picture_job_write(&f->job, p) && picture_job_commit(&f->job, p) &&
           manifest_add(&f->done, &item, &f->from, p);
}

/* Writes the frame where it belongs. */
static bool write_frame(video_work *w, frame_job *f, problem *p)
{
    if (!make_folders(f, p))
        return false;
    switch (w->target) {
    case TO_FILES: return write_file(w, f, p);
    case TO_PICTURE: return picture_job_write(&f->job, p) && picture_job_commit(&f->job, p);
    case TO_SHEET: return write_cell(w, f, p);
    default: return write_video(w, f, p);
    }
}

static bool has_figures(const frame_job *f)
{
    struct stat about;
    for (int i = 1; i < WRITTEN; i++)
        if (f->o.written[i] && (stat(f->o.written[i], &about) != 0 || about.st_size == 0))
            return false;
    return true;
}

/* Returns whether the frame's files are the work of a run before, on the same files with the same options. */
static bool is_kept(const video_work *w, frame_job *f)
{
    const batch_item item = item_of(w, f);
    return w->o->given[OPT_RESUME] && w->target == TO_FILES && manifest_has(&f->done, &item) &&
           has_figures(f);
}

/* Adds the frame to the report and to the times. */
static bool report_frame(video_work *w, frame_job *f, bool done, const char *notes, problem *p)
{
    const batch_item item = item_of(w, f);
    problem ignored;
    f->job.times.total = f->before + clock_ms() - f->job.start;
    if (done && w->o->given[OPT_TIMINGS]) {
        pthread_mutex_lock(&w->lock);
        video_times_add(&w->times, &f->job);
        pthread_mutex_unlock(&w->lock);
    }
    return w->report.fd < 0 ||
           batch_report_item(&w->report, &item, done ? ITEM_DONE : ITEM_FAILED,
                             done ? notes : p->text, &f->job, done ? p : &ignored);
}

/* Makes the frame, or only looks at it if those behind it have its focus. notes: those of this frame until now. */
static bool make_frame(video_work *w, frame_job *f, const problem *notes, problem *p)
{
    if (!make_options(w, f, p))
        return false;
    const bool is_left = f->place == RANGE_LEFT_OUT, kept = !is_left && is_kept(w, f);
    const bool has_memory = focus_path_has_memory(&w->focus);
    const bool loads = (!kept && !is_left) || has_memory;
    bool done = loads ? load(w, f, p) : make_maps(w, f, true, p);
    if (is_left)
        done = done && leave_out(w, f, p);
    else if (!kept) {
        done = done && work(w, f, p) && write_frame(w, f, p);
        done = report_frame(w, f, done, notes->text, p) && done;
    }
    picture_job_free(&f->job);
    w->kept += done && kept;
    return done;
}

/* --- All frames ------------------------------------------------------------------------------- */

/* Ends the work. The first line is kept. */
static void fail(video_work *w, const problem *p)
{
    pthread_mutex_lock(&w->lock);
    w->is_over = true;
    if (!w->failed && p->kind != PROBLEM_STOPPED) {
        w->failed = true;
        w->failure = *p;
    }
    pthread_mutex_unlock(&w->lock);
    focus_path_stop(&w->focus);
    turn_stop(&w->write);
    turn_stop(&w->maps);
}

/* Takes a frame. False: there is none, or the work has ended. */
static bool take(video_work *w, frame_job *f)
{
    problem p = {.text = ""};
    pthread_mutex_lock(&w->lock);
    const double start = clock_ms();
    const video_status status = w->is_over ? VIDEO_END : read_frame(w, f, &p);
    f->before = clock_ms() - start;
    if (status == VIDEO_FRAME && w->target == TO_FILES)
        sign(w, f);
    w->is_over |= status != VIDEO_FRAME;
    pthread_mutex_unlock(&w->lock);
    if (status == VIDEO_FAILED)
        fail(w, &p);
    return status == VIDEO_FRAME;
}

/* Makes frames until there are none. Only the first frame's notes are printed, as the others' are alike. */
static void *worker(void *user)
{
    video_work *const w = user;
    frame_job *const f = malloc(sizeof *f);
    problem notes, p;
    if (!f) {
        problem_set(&p, "not enough memory");
        fail(w, &p);
    }
    while (f && take(w, f)) {
        notes.text[0] = '\0';
        const bool is_first = f->place == RANGE_TAKEN && f->at == 0;
        message_collect(is_first ? NULL : &notes);
        const bool done = make_frame(w, f, &notes, &p);
        message_collect(NULL);
        free_frames(f);
        if (!done)
            fail(w, &p);
        else if (f->place != RANGE_LEFT_OUT)
            progress_count(&w->progress, ITEM_DONE, NULL);
    }
    free(f);
    return NULL;
}

bool video_make_frames(video_work *w, problem *p)
{
    pthread_t threads[JOBS_MOST];
    int started = 0;
    guard_soften();
    guard_block();
    while (started < w->workers && pthread_create(&threads[started], NULL, worker, w) == 0)
        started++;
    guard_unblock();
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (started == 0)
        return problem_set(p, "no thread can be started; raise ulimit -u or ulimit -v");
    if (w->failed)
        *p = w->failure;
    return !w->failed;
}
