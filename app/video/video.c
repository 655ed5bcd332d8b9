#include "video/video.h"

#include "base/guard.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/threads.h"
#include "batch/batch_work.h"
#include "batch/progress.h"
#include "engine/engine_pool.h"
#include "image/pixels.h"
#include "job/picture_job.h"
#include "video/clip_range.h"
#include "video/companion.h"
#include "video/focus_path.h"
#include "video/video_out.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct run {
    const options *o; /* own */
    options own;      /* as given, with the range of all maps */
    clip input;
    companion depth, matte;
    decode_settings of_input, of_depth, of_matte;
    const codec *format; /* of numbered outputs; NULL: a video */
    video_out *out;
    engine_pool pool;
    int workers, threads; /* threads of each worker */
    focus_path focus;
    turn write;
    uint64_t begin, end; /* the shard's frames, from begin on and before end */

    pthread_mutex_t lock; /* of all below */
    bool is_over, failed;
    problem failure;
    uint64_t read, kept; /* frames that were read, and those whose output was there */
    progress progress;
} run;

/* One frame on its way. */
typedef struct frame_job {
    clip_frame input, depth, matte;
    options o; /* as if the frame were given alone */
    char output[4096];
    picture_job job;
} frame_job;

/* --- Reading ---------------------------------------------------------------------------------- */

/* Takes the next frame of the shard. */
static video_status next_input(run *r, clip_frame *f, problem *p)
{
    for (;;) {
        const video_status status = clip_next(&r->input, f, p);
        if (status != VIDEO_FRAME || (f->number >= r->begin && f->number < r->end))
            return status;
        const bool is_behind = f->number >= r->begin;
        clip_frame_free(f);
        if (is_behind)
            return VIDEO_END;
    }
}

/* Takes the next frame with its depth and its matte. */
static video_status read_frame(run *r, frame_job *f, problem *p)
{
    f->depth = f->matte = (clip_frame){0};
    const video_status status = guard_signal() ? VIDEO_END : next_input(r, &f->input, p);
    if (status == VIDEO_END && !guard_signal() && !r->o->shards &&
        (!companion_end(&r->depth, r->read, p) || !companion_end(&r->matte, r->read, p)))
        return VIDEO_FAILED;
    if (status != VIDEO_FRAME)
        return status;
    r->read++;
    if (companion_frame(&r->depth, &f->input, &f->depth, p) &&
        companion_frame(&r->matte, &f->input, &f->matte, p))
        return VIDEO_FRAME;
    clip_frame_free(&f->input);
    clip_frame_free(&f->depth);
    return VIDEO_FAILED;
}

/* --- One frame -------------------------------------------------------------------------------- */

static bool load(run *r, frame_job *f, problem *p)
{
    picture_job *const j = &f->job;
    const bool loaded = clip_frame_load(&r->input, &f->input, &r->of_input, &j->input, p) &&
                        (r->depth.clip.kind == CLIP_NONE ||
                         clip_frame_load(&r->depth.clip, &f->depth, &r->of_depth, &j->map, p)) &&
                        (r->matte.clip.kind == CLIP_NONE ||
                         clip_frame_load(&r->matte.clip, &f->matte, &r->of_matte, &j->matte, p));
    problem inner;
    if (loaded && !picture_job_settle(j, &inner))
        return problem_set(p, "frame %llu: %s", (unsigned long long)f->input.number, inner.text);
    return loaded && focus_path_set(&r->focus, &r->pool, &j->request, f->input.number,
                                    f->input.seconds, j->input.orientation, p);
}

/* Makes options as if the frame were given alone. */
static bool make_options(run *r, frame_job *f, problem *p)
{
    f->o = *r->o;
    f->o.engine.threads = r->threads;
    if (!f->input.video)
        f->o.input = f->input.path;
    if (r->format) {
        const long long first = r->input.kind == CLIP_NUMBERED ? r->input.files.first : 1;
        if (!numbered_name(r->o->output, first + (long long)f->input.number, f->output, p))
            return false;
        f->o.output = f->output;
    }
    f->job = (picture_job){.o = &f->o, .format = r->format, .gpu = NO_GPU, .out.fd = -1};
    return true;
}

static bool work(run *r, frame_job *f, problem *p)
{
    engine *const e = engine_pool_take(&r->pool, ANY_ENGINE);
    const bool done = picture_job_work(&f->job, e, p);
    engine_pool_give(&r->pool, e);
    return done;
}

/* Writes the frame into the video, in its turn; without one of its own, the picture becomes a frame. */
static bool write_video(run *r, frame_job *f, problem *p)
{
    engine_request *const q = &f->job.request;
    problem inner;
    if (q->dst.half)
        return problem_set(
            p, "%s: has linear light, which a video does not take; name files like out/%%05d.exr",
            f->o.input);
    if (!f->input.video)
        f->input.video = video_frame_make(&q->dst, f->input.number, r->input.rate, &inner);
    else if (!video_frame_store(f->input.video, &q->src, &q->dst, &inner))
        return problem_at(p, r->o->input, &inner);
    if (!f->input.video)
        return problem_at(p, r->o->output, &inner);
    p->text[0] = '\0';
    if (!turn_take(&r->write, f->input.number) || !video_out_write(r->out, f->input.video, p))
        return false;
    turn_pass(&r->write);
    return true;
}

static bool write_file(frame_job *f, problem *p)
{
    return batch_make_folders(f->output, p) && output_check(f->output, p) &&
           picture_job_write(&f->job, p) && picture_job_commit(&f->job, p);
}

/* Returns whether the frame's file is there, as a run before has left it. */
static bool is_kept(const run *r, const frame_job *f)
{
    struct stat about;
    return r->o->given[OPT_RESUME] && r->format && stat(f->output, &about) == 0 &&
           about.st_size > 0;
}

static bool make_frame(run *r, frame_job *f, problem *p)
{
    if (!make_options(r, f, p))
        return false;
    const bool kept = is_kept(r, f);
    const bool done =
        (kept && !focus_path_has_memory(&r->focus)) ||
        (load(r, f, p) &&
         (kept || (work(r, f, p) && (r->format ? write_file(f, p) : write_video(r, f, p)))));
    picture_job_free(&f->job);
    if (done && kept) {
        pthread_mutex_lock(&r->lock);
        r->kept++;
        pthread_mutex_unlock(&r->lock);
    }
    return done;
}

/* --- All frames ------------------------------------------------------------------------------- */

/* Ends the work. The first line is kept; a line that is empty came of another's failure. */
static void fail(run *r, const problem *p)
{
    pthread_mutex_lock(&r->lock);
    r->is_over = true;
    if (!r->failed && p->text[0]) {
        r->failed = true;
        r->failure = *p;
    }
    pthread_mutex_unlock(&r->lock);
    focus_path_stop(&r->focus);
    turn_stop(&r->write);
}

/* Takes a frame. False: there is none, or the work has ended. */
static bool take(run *r, frame_job *f)
{
    problem p = {.text = ""};
    pthread_mutex_lock(&r->lock);
    const video_status status = r->is_over ? VIDEO_END : read_frame(r, f, &p);
    r->is_over |= status != VIDEO_FRAME;
    pthread_mutex_unlock(&r->lock);
    if (status == VIDEO_FAILED)
        fail(r, &p);
    return status == VIDEO_FRAME;
}

/* Makes frames until there are none. Only the first frame's notes are printed, as the others' are alike. */
static void *worker(void *user)
{
    run *const r = user;
    frame_job *const f = malloc(sizeof *f);
    problem notes, p;
    if (!f) {
        problem_set(&p, "not enough memory");
        fail(r, &p);
    }
    while (f && take(r, f)) {
        notes.text[0] = p.text[0] = '\0';
        message_collect(f->input.number == r->begin ? NULL : &notes);
        const bool done = make_frame(r, f, &p);
        message_collect(NULL);
        clip_frame_free(&f->input);
        clip_frame_free(&f->depth);
        clip_frame_free(&f->matte);
        if (done)
            progress_count(&r->progress, ITEM_DONE, NULL);
        else
            fail(r, &p);
    }
    free(f);
    return NULL;
}

static bool work_all(run *r, problem *p)
{
    pthread_t threads[JOBS_MOST];
    int started = 0;
    guard_soften();
    guard_block();
    while (started < r->workers && pthread_create(&threads[started], NULL, worker, r) == 0)
        started++;
    guard_unblock();
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (started == 0)
        return problem_set(p, "no thread can be started; raise ulimit -u or ulimit -v");
    if (r->failed)
        *p = r->failure;
    return !r->failed;
}

/* --- Beginning and end ------------------------------------------------------------------------ */

/* Refuses an OUTPUT that is read: a frame of it may be needed after another has been written. */
static bool check_inputs(const options *o, problem *p)
{
    const char *const read[] = {o->input, o->depth, o->matte, o->radius_map};
    for (size_t i = 0; i < sizeof read / sizeof *read && o->output != path_stdout; i++)
        if (output_is_same(o->output, read[i]))
            return problem_set(p, "%s: is read and would be replaced; name another OUTPUT",
                               o->output);
    return true;
}

static bool prepare_output(run *r, problem *p)
{
    const options *const o = r->o;
    if (!check_inputs(o, p))
        return false;
    if (o->output != path_stdout && numbered_is(o->output)) {
        r->format = codec_for_output(o->output, p);
        return r->format != NULL;
    }
    if (o->output != path_stdout && !video_out_is_name(o->output))
        return problem_set(
            p, "%s: is one picture, and INPUT is a clip; name a video, or files like out/%%05d.png",
            o->output);
    if (o->given[OPT_RESUME] || o->shards)
        return problem_set(
            p,
            "--%s is for numbered files; name OUTPUT like out/%%05d.png, and join the files later",
            o->given[OPT_RESUME] ? "resume" : "shard");
    const video_out_settings settings = {.format = o->output == path_stdout ? o->format : NULL,
                                         .codec = o->video_codec,
                                         .pixel_format = o->pixel_format,
                                         .crf = o->given[OPT_CRF] ? o->crf : -1,
                                         .quiet = o->given[OPT_QUIET],
                                         .rate = r->input.rate};
    return output_check(o->output, p) &&
           video_out_open(&r->out, o->output, r->input.video, &settings, p);
}

static void prepare_settings(run *r)
{
    const options *const o = r->o;
    r->of_input = (decode_settings){.choice = o->codec, .max_pixels = o->max_pixels, .gpu = NO_GPU};
    r->of_depth = r->of_input;
    r->of_depth.codes_only = true;
    r->of_matte = r->of_depth;
    r->of_depth.as_map = o->depth != NULL;
    r->of_depth.key = o->depth_key;
    r->of_depth.channel = o->depth_channel;
}

static bool choose_shard(run *r, problem *p)
{
    const options *const o = r->o;
    r->end = UINT64_MAX;
    if (!o->shards)
        return true;
    const uint64_t count = r->input.count, shards = (uint64_t)o->shards, at = (uint64_t)o->shard;
    r->begin = count * (at - 1) / shards;
    r->end = count * at / shards;
    return r->input.is_exact ||
           problem_set(p, "%s: does not say how many frames it has, so it has no shards", o->input);
}

static void tell_interlaced(const run *r)
{
    if (r->input.video && video_in_about(r->input.video)->is_interlaced)
        message_note(r->o->given[OPT_QUIET],
                     "%s: is interlaced, and is blurred and written as whole frames; ffmpeg's "
                     "filter bwdif makes it progressive first",
                     r->o->input);
}

static bool open_clips(run *r, problem *p)
{
    const options *const o = r->o;
    prepare_settings(r);
    return clip_open(&r->input, o->input, false, o, &r->of_input, p) &&
           (r->input.kind != CLIP_STILL ||
            problem_set(p, "%s: is one picture; name a video, or files like in/%%05d.png",
                        o->input)) &&
           companion_open(&r->depth, o->depth ? o->depth : o->radius_map, &r->input, o,
                          &r->of_depth, p) &&
           companion_open(&r->matte, o->matte, &r->input, o, &r->of_matte, p) &&
           companion_accept(&r->depth, &r->input, p) && companion_accept(&r->matte, &r->input, p) &&
           choose_shard(r, p) && (tell_interlaced(r), true);
}

/* Chooses the number of workers: half as many again as processors, as some wait for the decoder or the encoder. */
static bool open_engines(run *r, problem *p)
{
    const options *const o = r->o;
    const int processors = omp_get_num_procs();
    int jobs = o->jobs ? o->jobs : processors + (processors + 1) / 2;
    jobs = jobs < JOBS_MOST ? jobs : JOBS_MOST;
    const int startable = threads_available(jobs);
    r->workers = startable < jobs ? (startable > 0 ? startable : 1) : jobs;
    r->threads = o->engine.threads ? o->engine.threads : 1;
    satb_config config = o->engine;
    config.threads = r->threads;
    return engine_pool_open(&r->pool, &config, o->all_devices, r->workers, p);
}

static void tell_end(run *r, bool done)
{
    const size_t frames = r->progress.counts[ITEM_DONE];
    const double seconds = progress_end(&r->progress);
    const bool quiet = r->o->given[OPT_QUIET];
    const uint64_t damaged = r->input.video ? video_in_damaged(r->input.video) : 0;
    if (damaged)
        message_note(quiet, "%s: %llu damaged frames were concealed; --on-error fail refuses them",
                     r->o->input, (unsigned long long)damaged);
    if (r->kept)
        message_note(quiet, "%llu frames were there and are kept", (unsigned long long)r->kept);
    if (done)
        message_note(quiet, "%zu frames; %.1f s, %.1f frames/s", frames, seconds,
                     (double)frames / (seconds > 0 ? seconds : 1));
}

/* Says if the input ends too early. False: damage is to be an error. */
static bool check_whole(const run *r, problem *p)
{
    const options *const o = r->o;
    const uint64_t missing =
        r->input.video && !guard_signal() ? video_in_missing(r->input.video) : 0;
    if (missing == 0)
        return true;
    if (o->damage_fails)
        return problem_set(p, "%s: is cut off: about %llu frames are missing at its end", o->input,
                           (unsigned long long)missing);
    message_note(o->given[OPT_QUIET], "%s: is cut off: about %llu frames are missing at its end",
                 o->input, (unsigned long long)missing);
    return true;
}

/* Gives the video its name. A part of one does not replace a file that was there before. */
static bool commit(run *r, problem *p)
{
    const char *const name = r->o->output;
    if (guard_signal() && name != path_stdout && access(name, F_OK) == 0)
        return problem_set(p, "stopped by a signal; %s stays as it was", name);
    return video_out_commit(&r->out, p);
}

/* Retains the memory of the frames in work, and locks it for a GPU. */
static void keep_memory(const run *r)
{
    const int blocks =
        2 + (r->depth.clip.kind != CLIP_NONE) + (r->matte.clip.kind != CLIP_NONE); /* of a frame */
    pixels_keep(blocks * r->workers);
    if (r->pool.is_cuda)
        pixels_pin_by(satb_pin, satb_unpin);
}

static void return_memory(void)
{
    pixels_pin_by(NULL, NULL);
    pixels_keep(0);
}

static bool run_frames(run *r, problem *p)
{
    const uint64_t all = r->o->shards ? r->end - r->begin : r->input.count;
    focus_path_open(&r->focus, r->o, r->input.rate, r->begin);
    turn_open(&r->write);
    r->write.at = r->begin;
    pthread_mutex_init(&r->lock, NULL);
    progress_start(&r->progress, all, "frames", r->o->given[OPT_QUIET]);
    keep_memory(r);
    bool done = work_all(r, p) && check_whole(r, p) && (!r->out || commit(r, p));
    return_memory();
    tell_end(r, done);
    focus_path_tell(&r->focus);
    done = done && output_fsync_folder(r->o->output, p);
    pthread_mutex_destroy(&r->lock);
    turn_close(&r->write);
    focus_path_close(&r->focus);
    return done;
}

bool video_run(const options *o, problem *p)
{
    run *const r = calloc(1, sizeof *r);
    if (!r)
        return problem_set(p, "not enough memory");
    r->own = *o;
    r->o = &r->own;
    const bool done = open_clips(r, p) && prepare_output(r, p) && open_engines(r, p) &&
                      clip_range_find(&r->depth.clip, &r->of_depth, r->workers, &r->own, p) &&
                      run_frames(r, p);
    video_out_abort(&r->out);
    engine_pool_close(&r->pool);
    clip_close(&r->input);
    companion_close(&r->depth);
    companion_close(&r->matte);
    free(r);
    if (guard_signal()) {
        message_error(
            done ? &(problem){.text = "stopped by a signal; the frames until then are written"}
                 : p);
        guard_die(guard_signal());
    }
    return done;
}
