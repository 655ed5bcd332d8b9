/* satblur: reads the options, then works on one picture, or hands over to the batch. Every step that fails returns false
 * with one line to print. */
#include "cli/args.h"
#include "cli/args_help.h"
#include "batch/batch.h"
#include "engine/source.h"
#include "base/guard.h"
#include "figure/histogram_figure.h"
#include "hosts/host.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/run_files.h"
#include "base/stage.h"
#include "base/threads.h"
#include "codec/isolate.h"
#include "job/report.h"
#include "job/picture_job.h"
#include "program/program.h"
#include "video/video.h"
#include "video/video_in.h"
#include "video/video_out.h"
#include "video/video_program.h"
#include "web/page_write.h"

#include <satb_config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static bool print_stats(const picture_job *r, problem *p)
{
    report_stats(stdout, &r->request);
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           problem_set(p, "the statistics cannot be printed: %s", strerror(errno));
}

/* Brings the names of all files that were written to the disk. */
static bool fsync_folders(const options *o, problem *p)
{
    for (int i = 0; i < WRITTEN; i++)
        if (o->written[i] && !output_fsync_folder(o->written[i], p))
            return false;
    return true;
}

static bool process(picture_job *r, engine *e, problem *p)
{
    stage_set("computing");
    if (!picture_job_work(r, e, p))
        return false;
    stage_set(NULL);
    if (r->o->stats && !print_stats(r, p))
        return false;
    stage_set("writing");
    if (!picture_job_write(r, p) || !picture_job_commit(r, p) || !fsync_folders(r->o, p))
        return false;
    stage_set(NULL);
    if (r->request.verified)
        message_note(false, "verify: %zu bytes equal on cpu and %s", r->request.verified,
                     r->request.device);
    if (r->o->given[OPT_TIMINGS])
        report_timings(stderr, &r->request, &r->times);
    return true;
}

/* Lowers the options' threads to those that can be started. */
static void fit_threads(options *o)
{
    const int wanted = o->engine.threads > 0 ? o->engine.threads : satb_processors();
    const int threads = wanted > 1 ? threads_available(wanted) : 1;
    if (threads < wanted) {
        o->engine.threads = threads > 1 ? threads : 1;
        message_note(o->given[OPT_QUIET],
                     "too few threads can be started, so --threads %d is used; raise ulimit -u, "
                     "ulimit -v or the container's process limit",
                     o->engine.threads);
    }
}

static bool run_picture(const options *given, const codec *format, problem *p)
{
    enum { AT_A_TIME = 2 }; /* the picture and its map */
    options fitted = *given, *const o = &fitted;
    fit_threads(o);
    picture_job r;
    engine e = {.config = o->engine, .is_for_one = true};
    if (o->codec == CODEC_GPU && !nvjpeg_open(o->engine.cuda_index, 1, AT_A_TIME, p))
        return false;
    engine_start(&e);
    stage_set("reading");
    picture_job_begin(&r, o, format);
    const bool done = picture_job_read(&r, p) && process(&r, &e, p);
    engine_close(&e);
    picture_job_free(&r);
    if (o->codec == CODEC_GPU)
        nvjpeg_close();
    return done;
}

/* Refuses a file that would replace an input or another file of this run. OUTPUT itself may replace INPUT: the user named that
 * file twice. */
static bool check_written(const options *o, problem *p)
{
    const bool is_in_place = o->output != path_stdout && run_files_same(o->output, o->input);
    if (is_in_place && !o->given[OPT_NO_CLOBBER])
        message_note(o->given[OPT_QUIET], "%s is INPUT and OUTPUT, so it will be replaced",
                     o->output);
    run_files files = {0};
    run_files_read(&files, is_in_place ? NULL : o->input);
    source_list_files(o, &files);
    for (int i = 0; i < WRITTEN; i++)
        run_files_write(&files, o->written[i], written_words[i], "file");
    return run_files_check(&files, p);
}

/* Notes that no file takes --quality or --compression. format: of the pictures; NULL: there are several, or none. */
static void tell_unused(const options *o, const codec *format)
{
    static const struct {
        int option;
        codec_setting setting;
        const char *noun;
    } rows[] = {{OPT_QUALITY, SETTING_QUALITY, "quality"},
                {OPT_COMPRESSION, SETTING_COMPRESSION, "compression level"}};
    problem ignored;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *lacking =
            format && options_ask(o, rows[i].option) ? codec_lacks(format, rows[i].setting) : NULL;
        for (int k = 1; k < WRITTEN && lacking; k++) { /* the figures */
            const codec *const c = o->written[k] ? codec_for_output(o->written[k], &ignored) : NULL;
            lacking = c && !codec_lacks(c, rows[i].setting) ? NULL : lacking;
        }
        if (lacking)
            message_note(o->given[OPT_QUIET], "%s has no %s, so --%s changes nothing", lacking,
                         rows[i].noun, args_rows[rows[i].option].name);
    }
}

/* Finds the format of OUTPUT, NULL without one, and checks that every file can be written. Returns an exit status. */
static int check_outputs(const options *o, const codec **format, problem *p)
{
    if (!check_written(o, p))
        return EXIT_FAILED;
    const bool is_piped = o->output == path_stdout;
    if (o->output && !is_piped && path_is_folder(o->output)) {
        problem_set(p, "%s is a folder; name a file in it as OUTPUT", o->output);
        return EXIT_FAILED;
    }
    *format = is_piped && !o->format ? NULL /* the input's */
              : is_piped             ? codec_by_word(o->format, p)
              : o->output            ? codec_for_output(o->output, p)
                                     : NULL;
    if (o->output && !*format && !(is_piped && !o->format))
        return EXIT_USAGE;
    tell_unused(o, *format);
    for (int i = 0; i < WRITTEN; i++)
        if (o->written[i] && (!output_check(o->written[i], p) ||
                              (o->given[OPT_NO_CLOBBER] && !output_is_new(o->written[i], p))))
            return EXIT_FAILED;
    return !o->histogram || histogram_figure_check(p) ? EXIT_DONE : EXIT_FAILED;
}

static int run_file(const options *o, problem *p)
{
    const codec *format;
    const int status = check_outputs(o, &format, p);
    if (status != EXIT_DONE)
        return status;
    stage_begin(o->given[OPT_QUIET]);
    const bool done = run_picture(o, format, p);
    stage_end();
    return done ? EXIT_DONE : EXIT_FAILED;
}

/* Runs what the options ask for. A folder, or a list of files, is a batch. */
static int run_work(const options *o, problem *p)
{
    if (o->codec == CODEC_GPU && !nvjpeg_name()) {
        problem_set(p, "nvJPEG is not built in; leave out --codec gpu");
        return EXIT_USAGE;
    }
    args_tell_preset(o);
    if (video_is_wanted(o))
        return !args_check_clip(o, p) || !video_check(o, p) ? EXIT_USAGE
               : video_run(o, p)                            ? EXIT_DONE
                                                            : EXIT_FAILED;
    const bool folder = batch_is_wanted(o);
    if (!args_check_batch(o, folder, p))
        return EXIT_USAGE;
    if (!folder)
        return run_file(o, p);
    isolate_for_many();
    tell_unused(o, o->format ? codec_by_word(o->format, p) : NULL);
    return batch_run(o, p) ? EXIT_DONE : EXIT_FAILED;
}

/* Does the same, with the programs that make maps. */
static int run_options(const options *o, problem *p)
{
    if (!source_may_be_made(o, SOURCE_MAP) && !source_may_be_made(o, SOURCE_MATTE))
        return run_work(o, p);
    if (!program_open(o, p))
        return p->kind == PROBLEM_MEMORY ? EXIT_FAILED : EXIT_USAGE;
    const int status = run_work(o, p);
    program_close();
    return status;
}

/* Returns whether the help ends with what FFmpeg has here. */
static bool lists_encoders(const options *o)
{
    return o->help_section ? strcmp(o->help_section, "video") == 0 : o->help == HELP_ALL;
}

static void print_help(const options *o)
{
    if (o->help_section)
        args_help_section(stdout, o->help_section);
    else
        args_help(stdout, o->help);
    if (lists_encoders(o))
        video_codec_list(stdout);
}

/* Prints what --help or --version asks for. */
static int print_answer(const options *o, args_result what, problem *p)
{
    if (what == ARGS_HELP)
        print_help(o);
    else {
        printf("satblur %s\n", satb_version());
        codec_list(stdout);
        printf("video: %s\n", video_library() ? video_library() : "not built in");
        printf("sandbox: %s\n", isolate_words());
#if SATB_HAVE_CUDA
        puts("GPU: CUDA");
#else
        puts("GPU: not built in");
#endif
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    problem_set(p, "standard output cannot be written: %s", strerror(errno));
    return EXIT_FAILED;
}

/* Writes the page of --page, and prints the name of the file to open. */
static int print_page(const options *o, problem *p)
{
    char *const index = text_new("%s/index.html", o->page);
    const bool may_write = index && (!o->given[OPT_NO_CLOBBER] || output_is_new(index, p));
    if (!index)
        problem_set(p, "not enough memory");
    free(index);
    if (!may_write || !page_write(o->page, o->onnxruntime, p))
        return EXIT_FAILED;
    message_note(o->given[OPT_QUIET], "open %s/index.html in a browser", o->page);
    return EXIT_DONE;
}

/* Opens /dev/null for each standard stream that is closed, the wrong way round, so that using the stream still fails. A
 * file opened later would otherwise become standard error, and messages would be written into a picture. */
static void hold_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            abort();
}

typedef struct command_line {
    int argc;
    char **argv;
} command_line;

static int run_command(void *user)
{
    const command_line *const c = user;
    options o;
    problem p = {.text = ""};
    const args_result what = args_parse(c->argc, c->argv, &o, &p);
    int status = what == ARGS_FAILED ? EXIT_FAILED : EXIT_USAGE;
    if (what == ARGS_VERSION || (what == ARGS_HELP && lists_encoders(&o)) ||
        (what == ARGS_RUN && video_is_wanted(&o)))
        video_program_start(c->argv);
    if (what == ARGS_HELP || what == ARGS_VERSION)
        status = print_answer(&o, what, &p);
    if (what == ARGS_PAGE)
        status = print_page(&o, &p);
    if (what == ARGS_RUN) {
        const char *const by_file = args_config_words(&o);
        message_note(!by_file[0] || !o.given[OPT_VERBOSE], "%s", by_file);
        status = run_options(&o, &p);
    }
    if (status == EXIT_USAGE)
        args_explain_config(&o, &p);
    if (status != EXIT_DONE)
        message_error(&p);
    return status;
}

int satb_host_main(int argc, char **argv)
{
    command_line c = {argc, argv};
    if (isolate_is_child(argc, argv))
        return isolate_serve();
    isolate_start();
    hold_streams();
    guard_start();
    output_start();
    const int status = threads_run(run_command, &c);
    guard_end();
    if (status < 0)
        message_error(&(problem){.text = "no thread can be started; raise ulimit -s"});
    return status < 0 ? EXIT_FAILED : status;
}
