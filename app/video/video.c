#include "video/video.h"

#include "base/guard.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/threads.h"
#include "batch/batch_work.h"
#include "codec/video_table.h"
#include "image/pixels.h"
#include "video/clip_range.h"
#include "video/video_files.h"
#include "video/video_sweep.h"
#include "video/video_work.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void refuse_there(void *user, long long number, const char *name)
{
    (void)number;
    (void)output_is_new(name, user);
}

/* Refuses frames and figures that are there, for --no-clobber. Those of a run before and of other shards may be. */
static bool check_there(const options *o, problem *p)
{
    p->text[0] = '\0';
    for (int i = 0; i < WRITTEN; i++)
        if (o->given[OPT_NO_CLOBBER] && !o->given[OPT_RESUME] && !o->shards && o->written[i] &&
            numbered_is(o->written[i]))
            numbered_there(o->written[i], refuse_there, p);
    return p->text[0] == '\0';
}

/* Refuses pictures of a format that has no light, if the clip has high dynamic range. */
static bool check_light(const video_work *w, problem *p)
{
    const video_about *const about = w->input.video ? video_in_about(w->input.video) : NULL;
    satb_image image = {.channels = 3, .bits = 16, .half = 1}, fit;
    char note[128];
    if (!about || !about->hdr)
        return true;
    image.width = about->width;
    image.height = about->height;
    if (w->target == TO_SHEET)
        return problem_set(p,
                           "%s: has high dynamic range (%s), which a sheet does not hold; give "
                           "--gamma to blur the codes",
                           w->o->input, about->hdr->name);
    return (codec_fit(w->format, &image, w->o->codec, &fit, note, p) && fit.half) ||
           problem_set(p,
                       "%s: has high dynamic range (%s), which %s does not hold; name %s, or give "
                       "--gamma to blur the codes",
                       w->o->input, about->hdr->name, w->o->output ? w->o->output : "PNG",
                       w->target == TO_FILES ? "files like out/%05d.exr" : "one like out.exr");
}

/* Finds the format of OUTPUT, one picture, and checks that all files can be written. */
static bool prepare_picture(video_work *w, problem *p)
{
    const options *const o = w->o;
    for (int i = 0; i < WRITTEN; i++)
        if (o->written[i] && (!output_check(o->written[i], p) ||
                              (o->given[OPT_NO_CLOBBER] && !output_is_new(o->written[i], p))))
            return false;
    w->format = !o->output                 ? NULL
                : o->output != path_stdout ? codec_for_output(o->output, p)
                                           : codec_by_word(o->format ? o->format : "png", p);
    return w->format || !o->output;
}

static video_target target_of(const options *o)
{
    return o->given[OPT_FRAME]                                  ? TO_PICTURE
           : o->given[OPT_FRAMES]                               ? TO_SHEET
           : o->output != path_stdout && numbered_is(o->output) ? TO_FILES
                                                                : TO_VIDEO;
}

static bool prepare_output(video_work *w, problem *p)
{
    const options *const o = w->o;
    if (!video_check_files(w, p))
        return false;
    if (w->target == TO_PICTURE || w->target == TO_SHEET)
        return prepare_picture(w, p) && (!w->format || check_light(w, p));
    if (w->target == TO_FILES) {
        w->format = codec_for_output(o->output, p);
        return w->format != NULL && check_light(w, p) && check_there(o, p);
    }
    if (o->output != path_stdout && !video_container_of(o->output))
        return problem_set(p,
                           "%s: is %s, and INPUT is a clip; name a video like out.mp4, or files "
                           "like out/%%05d.png, or give --frame N",
                           o->output,
                           codec_is_picture_name(o->output) && !codec_ending_instead(o->output)
                               ? "one picture"
                               : "not a video that can be written");
    if (o->given[OPT_RESUME] || o->shards)
        return problem_set(
            p,
            "--%s is for numbered files; name OUTPUT like out/%%05d.png, and join the files later",
            o->given[OPT_RESUME] ? "resume" : "shard");
    const video_out_settings settings = {
        .format = o->output == path_stdout ? o->format : NULL,
        .codec = o->video_codec,
        .encoder_options = o->encoder_options,
        .pixel_format = o->pixel_format,
        .crf = o->given[OPT_CRF] ? o->crf : -1,
        .quiet = o->given[OPT_QUIET],
        .is_new = o->given[OPT_NO_CLOBBER],
        .is_part = video_range_is_part(&w->range),
        .length = video_range_seconds(&w->range, w->input.count, w->input.rate),
        .rate = w->input.rate};
    if (!output_check(o->output, p) || (o->given[OPT_NO_CLOBBER] && !output_is_new(o->output, p)) ||
        !check_there(o, p))
        return false;
    video_sweep(o);
    return video_out_open(&w->out, o->output, w->input.video, &settings, p);
}

static bool choose_shard(video_work *w, problem *p)
{
    const options *const o = w->o;
    w->end = UINT64_MAX;
    if (!o->shards)
        return true;
    const uint64_t count = w->input.count, shards = (uint64_t)o->shards, at = (uint64_t)o->shard;
    w->begin = count * (at - 1) / shards;
    w->end = count * at / shards;
    return w->input.is_exact ||
           problem_set(
               p, "%s: has no shards, because its number of frames is unknown; leave out --shard",
               o->input);
}

/* Opens INPUT, and says what it is if it is no clip. */
static bool open_input(video_work *w, problem *p)
{
    const char *const name = w->o->input;
    struct stat about;
    const bool is_there = name != path_stdin && stat(name, &about) == 0;
    if (!clip_open(&w->input, SOURCE_INPUT, w->o, &w->settings[SOURCE_INPUT], p))
        return false;
    if (w->input.kind != CLIP_STILL)
        return true;
    return problem_set(p,
                       is_there ? "%s: is one picture; name a video, or files like in/%%05d.png"
                                : "%s: there is no such file; check the name",
                       name);
}

/* Opens what has a picture for each frame, and reads what has one for all. */
static bool open_companion(video_work *w, source_role role, problem *p)
{
    const options *const o = w->o;
    companion *const c = &w->of[role];
    return companion_open(c, role, &w->input, o, &w->settings[role], p) &&
           (c->clip.kind != CLIP_STILL || shared_read(&w->shared, o, role, p));
}

static bool open_clips(video_work *w, problem *p)
{
    for (source_role r = 0; r < SOURCES; r++)
        w->settings[r] = source_settings(w->o, r);
    if (!open_input(w, p))
        return false;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++)
        if (!open_companion(w, r, p))
            return false;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++)
        if (!companion_accept(&w->of[r], &w->input, p))
            return false;
    return choose_shard(w, p) &&
           video_range_open(&w->range, w->o, w->input.count, w->input.rate, p);
}

/* Chooses the number of workers: half as many again as processors, as some wait for the decoder or the encoder. */
static bool open_engines(video_work *w, problem *p)
{
    const options *const o = w->o;
    const int processors = satb_processors();
    int jobs = o->jobs ? o->jobs : processors + (processors + 1) / 2;
    jobs = jobs < JOBS_MOST ? jobs : JOBS_MOST;
    const int startable = threads_available(jobs);
    w->workers = startable < jobs ? (startable > 0 ? startable : 1) : jobs;
    w->threads = o->engine.threads ? o->engine.threads : 1;
    satb_config config = o->engine;
    config.threads = w->threads;
    return engine_pool_open(&w->pool, &config, o->all_devices, w->workers, p);
}

/* Prints notes on the run, and its times. Returns its seconds. */
static double tell_end(video_work *w, bool done)
{
    const size_t frames = w->progress.counts[ITEM_DONE];
    const double seconds = progress_end(&w->progress);
    const bool quiet = w->o->given[OPT_QUIET];
    const uint64_t damaged = w->input.video ? video_in_damaged(w->input.video) : 0;
    if (damaged && !w->o->damage_fails)
        message_note(quiet, "%s: damaged frames concealed: %llu; --on-error fail refuses them",
                     w->o->input, (unsigned long long)damaged);
    if (w->kept)
        message_note(quiet, "%llu frames were already there and are kept",
                     (unsigned long long)w->kept);
    if (done)
        message_note(quiet, "%zu frame%s; %.1f s, %.1f frames/s", frames, frames == 1 ? "" : "s",
                     seconds, (double)frames / (seconds > 0 ? seconds : 1));
    if (done && w->o->given[OPT_TIMINGS])
        video_times_print(&w->times, w->o);
    return seconds;
}

/* Writes the last line of the report. An error of the work comes first. */
static bool end_report(video_work *w, double seconds, bool done, problem *p)
{
    const batch_total total = {.o = w->o,
                               .counts = &w->progress,
                               .seconds = seconds,
                               .jobs = w->workers,
                               .interrupted = guard_signal() != 0};
    problem ignored;
    return w->report.fd < 0 || batch_report_total(&w->report, &total, done ? p : &ignored);
}

/* Says if the input ends too early. False: damage is to be an error. */
static bool check_whole(const video_work *w, problem *p)
{
    const options *const o = w->o;
    const video_in *const in = guard_signal() || w->has_ended_early ? NULL : w->input.video;
    const uint64_t missing = in ? video_in_missing(in) : 0;
    if (missing > 0)
        problem_set(p, "%s: is cut off: about %llu frames are missing at its end", o->input,
                    (unsigned long long)missing);
    else if (in && video_in_is_cut(in))
        problem_set(p, "%s: is cut off inside a frame, after %llu whole ones; see what wrote it",
                    o->input, (unsigned long long)w->read);
    else
        return true;
    if (!o->damage_fails)
        message_note(o->given[OPT_QUIET], "%s", p->text);
    return !o->damage_fails;
}

/* Gives the video its name. A part of one does not replace a file that was there before. */
static bool commit(video_work *w, problem *p)
{
    const char *const name = w->o->output;
    if (guard_signal() && name && name != path_stdout && access(name, F_OK) == 0)
        return problem_set(p, "stopped by a signal; %s has not changed", name);
    return w->target == TO_VIDEO   ? video_out_commit(&w->out, p)
           : w->target == TO_SHEET ? video_sheet_write(&w->sheet, w->o, w->format, p)
                                   : true;
}

/* Retains the memory of the frames in work, and locks it for a GPU. */
static void keep_memory(const video_work *w)
{
    int blocks = 2 + (w->o->dof.fringe > 0); /* of a frame */
    for (source_role r = 0; r < SOURCES; r++)
        blocks += w->of[r].clip.kind != CLIP_NONE;
    pixels_keep(blocks * w->workers);
    if (w->pool.is_cuda)
        pixels_pin_by(satb_pin, satb_unpin);
}

static void return_memory(void)
{
    pixels_pin_by(NULL, NULL);
    pixels_keep(0);
}

/* Opens the list of finished frames. Their signature also tells what all of them share. */
static bool open_list(video_work *w, problem *p)
{
    const options *const o = w->o;
    char text[96];
    if (!batch_make_folders(o->output, p))
        return false;
    char *const folder = numbered_folder(o->output);
    const bool done = folder ? manifest_open(&w->done, o, folder, path_base(o->output), p)
                             : problem_set(p, "not enough memory");
    if (done && o->given[OPT_RESUME])
        video_sweep_frames(w, folder);
    free(folder);
    snprintf(text, sizeof text, "%lld %.17g %.17g %llu", w->input.files.first,
             o->range_of_clip ? o->range_a : 0, o->range_of_clip ? o->range_b : 0,
             (unsigned long long)(focus_path_has_memory(&w->focus) ? w->begin : 0));
    w->done.signature = manifest_signature_add(w->done.signature, text);
    return done;
}

static bool run_frames(video_work *w, problem *p)
{
    const uint64_t all = w->o->shards
                             ? w->end - w->begin
                             : video_range_frames(&w->range, w->input.count, w->input.rate);
    focus_path_open(&w->focus, w->o, w->input.rate, w->begin);
    turn_open(&w->write);
    turn_open(&w->maps);
    w->write.at = w->maps.at = w->begin;
    pthread_mutex_init(&w->lock, NULL);
    progress_start(&w->progress, all, "frames", w->o->given[OPT_QUIET]);
    keep_memory(w);
    bool done = (w->target != TO_FILES || open_list(w, p)) &&
                batch_report_open(&w->report, w->o->report, w->o->given[OPT_RESUME], p) &&
                video_make_frames(w, p) && check_whole(w, p) &&
                (guard_signal() || video_range_end(&w->range, w->o, w->read, p)) && commit(w, p);
    return_memory();
    const double seconds = tell_end(w, done);
    focus_path_tell(&w->focus);
    done = end_report(w, seconds, done, p) && done;
    for (int i = 0; i < WRITTEN && done; i++)
        done = !w->o->written[i] || output_fsync_folder(w->o->written[i], p);
    pthread_mutex_destroy(&w->lock);
    turn_close(&w->write);
    turn_close(&w->maps);
    focus_path_close(&w->focus);
    return done;
}

bool video_run(const options *o, problem *p)
{
    video_work *const w = calloc(1, sizeof *w);
    if (!w)
        return problem_set(p, "not enough memory");
    w->done.fd = w->report.fd = -1;
    w->target = target_of(o);
    w->own = *o;
    w->o = &w->own;
    const bool done = open_clips(w, p) && prepare_output(w, p) && open_engines(w, p) &&
                      clip_range_find(&w->of[SOURCE_MAP].clip, &w->settings[SOURCE_MAP], w->workers,
                                      &w->own, p) &&
                      run_frames(w, p);
    video_out_abort(&w->out);
    video_sheet_free(&w->sheet);
    batch_report_close(&w->report);
    manifest_close(&w->done);
    engine_pool_close(&w->pool);
    clip_close(&w->input);
    for (source_role r = 0; r < SOURCES; r++)
        companion_close(&w->of[r]);
    shared_free(&w->shared);
    free(w);
    if (guard_signal()) {
        message_error(
            done ? &(problem){.text = "stopped by a signal; all frames before that are written"}
                 : p);
        guard_die(guard_signal());
    }
    return done;
}
