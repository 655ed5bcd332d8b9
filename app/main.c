/* satblur: options, files in, work, file out. Every step returns false with one line to print. */
#include "cli/args.h"
#include "batch/batch.h"
#include "base/guard.h"
#include "figure/histogram_figure.h"
#include "base/output.h"
#include "job/report.h"
#include "job/picture_job.h"

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

/* The names of all that is written. */
static bool fsync_folders(const options *o, problem *p)
{
    const char *const names[] = {o->output, o->coc, o->histogram};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i] && !output_fsync_folder(names[i], p))
            return false;
    return true;
}

static bool process(picture_job *r, engine *e, problem *p)
{
    if (!picture_job_work(r, e, p) || (r->o->stats && !print_stats(r, p)) ||
        !picture_job_write(r, p) || !picture_job_commit(r, p) || !fsync_folders(r->o, p))
        return false;
    if (r->request.verified)
        message_note(false, "verify: %zu bytes equal on cpu and %s", r->request.verified,
                     r->request.device);
    if (r->o->given[OPT_TIMINGS])
        report_timings(stderr, &r->request, &r->times);
    return true;
}

static bool run_picture(const options *o, const codec *format, problem *p)
{
    enum { AT_A_TIME = 2 }; /* the picture and its map */
    picture_job r;
    engine e = {.config = o->engine, .is_for_one = true};
    if (o->codec == CODEC_GPU && !nvjpeg_open(o->engine.cuda_index, 1, AT_A_TIME, p))
        return false;
    engine_start(&e);
    const bool done = picture_job_read(&r, o, format, NO_GPU, p) && process(&r, &e, p);
    engine_close(&e);
    picture_job_free(&r);
    if (o->codec == CODEC_GPU)
        nvjpeg_close();
    return done;
}

/* Either may be NULL. */
static bool is_same(const char *a, const char *b)
{
    char *x = a && b ? output_canonical(a) : NULL, *y = x ? output_canonical(b) : NULL;
    const bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

/* OUTPUT may take the place of what it is made from, as who names a file twice wants that; a figure may not. */
static bool check_figure(const options *o, const char *figure, problem *p)
{
    const char *const read[] = {o->input, o->depth, o->radius_map};
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (is_same(figure, read[i]))
            return problem_set(p, "%s is read and would be written over; name another file",
                               figure);
    return !is_same(figure, o->output) ||
           problem_set(p, "%s would be written twice; name two files", figure);
}

static bool check_figures(const options *o, problem *p)
{
    return check_figure(o, o->coc, p) && check_figure(o, o->histogram, p) &&
           (!is_same(o->coc, o->histogram) ||
            problem_set(p, "%s would be written twice; name two files", o->coc));
}

static int run_file(const options *o, problem *p)
{
    const codec *format = NULL;
    if (!check_figures(o, p))
        return EXIT_FAILED;
    if (o->output) {
        format = codec_for_output(o->output, p);
        if (!format)
            return EXIT_USAGE;
        if (!output_check(o->output, p))
            return EXIT_FAILED;
    }
    if (o->coc && !output_check(o->coc, p))
        return EXIT_FAILED;
    if (o->histogram && (!histogram_figure_check(p) || !output_check(o->histogram, p)))
        return EXIT_FAILED;
    return run_picture(o, format, p) ? EXIT_DONE : EXIT_FAILED;
}

/* A folder, or a list of files, is a batch. */
static int run_options(const options *o, problem *p)
{
    const bool folder = batch_is_wanted(o);
    if (!args_check_batch(o, folder, p))
        return EXIT_USAGE;
    if (!folder)
        return run_file(o, p);
    return batch_run(o, p) ? EXIT_DONE : EXIT_FAILED;
}

static int print_and_leave(args_result what)
{
    if (what == ARGS_HELP)
        args_help(stdout);
    else {
        printf("satblur %s\n", satb_version());
        codec_list(stdout);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_DONE : EXIT_FAILED;
}

/* Threads of OpenMP that wait spin at first. Where anything else runs on the machine, that takes the
 * processor from those that work: beside two busy programs on two processors a 4K picture takes 280
 * ms instead of 247, one of 64 x 64 pixels 32 instead of 15. GNU's runtime reads its policy before
 * main(), so the program starts itself again with another; what the user has set stays. */
static void wait_asleep(char **argv)
{
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0 || getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT") ||
        setenv("OMP_WAIT_POLICY", "passive", 1) != 0)
        return;
    self[length] = '\0';
    execv(self, argv); /* comes back only when it fails, and then nothing is lost but time */
}

/* What is opened next must not become a standard stream that was closed: errors would be written into pictures. These
 * fail as closed ones do. */
static void hold_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            abort();
}

int main(int argc, char **argv)
{
    options o;
    problem p = {.text = ""};
    hold_streams();
    guard_start();
    output_start();
    const args_result what = args_parse(argc, argv, &o, &p);
    if (what == ARGS_HELP || what == ARGS_VERSION)
        return print_and_leave(what);
    if (what == ARGS_RUN)
        wait_asleep(argv);
    const int status = what == ARGS_WRONG ? EXIT_USAGE : run_options(&o, &p);
    if (status != EXIT_DONE)
        message_error(&p);
    return status;
}
