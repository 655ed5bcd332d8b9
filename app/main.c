/* satblur: options, files in, work, file out. Every step returns false with one line to print. */
#include "args.h"
#include "codec.h"
#include "engine.h"
#include "histogram_figure.h"
#include "output.h"
#include "report.h"

#include <errno.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef struct run {
    const options *o;
    const codec *format; /* of the output */
    picture input, map;
    job work;
    stage_times times;
} run;

/* --depth-range is in fractions of full scale, or in codes of the map: only now its bits are known.
 */
static bool resolve_range(const options *o, const satb_image *map, satb_dof_params *dof, problem *p)
{
    if (!o->given[OPT_DEPTH_RANGE])
        return true;
    const double full = map->bits == 16 ? 65535 : 255;
    const double scale = o->range_b <= 1 ? 1 : full;
    dof->range_low = o->range_a / scale;
    dof->range_high = o->range_b / scale;
    return dof->range_high <= 1 ||
           problem_set(p, "--depth-range %g,%g: the codes of %s end at %g; stay within 0,%g",
                       o->range_a, o->range_b, o->depth, full, full);
}

/* The picture and its map, at the same time; where both fail, the picture is what is told of. A task
 * each, and their own tasks beside them. */
static bool load(run *r, const char *map, problem *p)
{
    const options *o = r->o;
    enum { MOST = 4 };
    const int all = o->engine.threads > 0 ? o->engine.threads : omp_get_max_threads();
    bool loaded = false, map_loaded = true;
    problem map_problem;
#pragma omp parallel num_threads(all < MOST ? all : MOST)
#pragma omp single
    {
#pragma omp task shared(map_loaded, map_problem) if (map)
        map_loaded = !map || picture_load(&r->map, map, o->codec, &map_problem);
        loaded = picture_load(&r->input, o->input, o->codec, p);
    }
    if (loaded && !map_loaded)
        *p = map_problem;
    return loaded && map_loaded;
}

static bool decode(run *r, problem *p)
{
    const options *o = r->o;
    if (!load(r, o->depth ? o->depth : o->radius_map, p))
        return false;
    r->work = (job){.o = o, .dof = o->dof, .src = r->input.image, .map = r->map.image};
    return resolve_range(o, &r->map.image, &r->work.dof, p);
}

static bool prepare_coc(run *r, problem *p)
{
    satb_image *const coc = &r->work.coc;
    *coc = (satb_image){.width = r->input.image.width,
                        .height = r->input.image.height,
                        .stride = 2 * (ptrdiff_t)r->input.image.width,
                        .channels = 1,
                        .bits = 16};
    coc->data = pixels_allocate(picture_bytes(coc));
    return coc->data || problem_set(p, "%s: not enough memory for it", r->o->coc);
}

/* What the output format will change is found, and told, before the work. */
static bool prepare_output(run *r, problem *p)
{
    if (!r->format)
        return true;
    satb_image fit;
    char note[128];
    const bool quiet = r->o->given[OPT_QUIET];
    if (!codec_fit(r->format, &r->input.image, r->o->output, &fit, note, p))
        return false;
    if (note[0])
        say_note(quiet, "%s: %s", r->o->output, note);
    if (r->input.orientation != 1) {
        say_note(quiet,
                 "%s: is stored turned (EXIF orientation %d); it is worked on as stored, and the "
                 "output carries no EXIF",
                 r->o->input, r->input.orientation);
    }
    if (r->o->coc && !prepare_coc(r, p))
        return false;
    r->work.dst = r->input.image;
    r->work.dst.data = pixels_allocate(picture_bytes(&r->input.image));
    return r->work.dst.data ||
           problem_set(p, "%s: not enough memory for a second picture of %d x %d", r->o->input,
                       r->input.image.width, r->input.image.height);
}

/* Writes the image into the file; tells the library that encoded it, or NULL. */
static const char *encode(const run *r, const codec *format, const satb_image *image,
                          const char *name, problem *p)
{
    const encode_settings settings = {.quality = r->o->quality,
                                      .compression = r->o->compression,
                                      .threads = r->o->engine.threads,
                                      .choice = r->o->codec};
    output out;
    problem inner;
    if (!output_begin(&out, name, p))
        return NULL;
    sink to = {.write = output_write, .user = &out};
    const char *const encoder = codec_encode(format, image, &settings, &to, &inner);
    if (!encoder) {
        output_abort(&out);
        problem_set(p, "%s: %.400s", name, inner.text);
        return NULL;
    }
    return output_commit(&out, p) ? encoder : NULL;
}

static bool write_pictures(run *r, problem *p)
{
    if (r->work.coc.data && !encode(r, codec_for_output(r->o->coc, p), &r->work.coc, r->o->coc, p))
        return false;
    if (!r->format)
        return true;
    r->times.encoder = encode(r, r->format, &r->work.dst, r->o->output, p);
    return r->times.encoder != NULL;
}

static bool print_stats(const run *r, problem *p)
{
    report_stats(stdout, &r->work);
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           problem_set(p, "the statistics cannot be printed: %s", strerror(errno));
}

static bool process(run *r, problem *p)
{
    const double start = engine_clock();
    if (!decode(r, p))
        return false;
    r->times.decode = engine_clock() - start;
    r->times.decoder = r->input.library;
    r->times.map_decoder = r->map.library;
    if (!prepare_output(r, p) || !engine_run(&r->work, p))
        return false;
    if (r->map.image.data)
        report_map(&r->work);
    picture_free(&r->input); /* encoding needs memory too */
    picture_free(&r->map);
    r->work.src.data = r->work.map.data = NULL;
    if (r->o->stats && !print_stats(r, p))
        return false;
    const double encoding = engine_clock();
    if (r->o->histogram && !histogram_figure_write(&r->work, p))
        return false;
    if (!write_pictures(r, p))
        return false;
    r->times.encode = engine_clock() - encoding;
    r->times.total = engine_clock() - start;
    if (r->work.verified)
        say_note(false, "verify: %zu bytes equal on cpu and %s", r->work.verified, r->work.device);
    if (r->o->given[OPT_TIMINGS])
        report_timings(stderr, &r->work, &r->times);
    return true;
}

static int run_options(const options *o, problem *p)
{
    run r = {.o = o};
    if (o->output) {
        r.format = codec_for_output(o->output, p);
        if (!r.format)
            return EXIT_USAGE;
        if (!output_check(o->output, p))
            return EXIT_FAILED;
    }
    if (o->coc && !output_check(o->coc, p))
        return EXIT_FAILED;
    if (o->histogram && (!histogram_figure_check(p) || !output_check(o->histogram, p)))
        return EXIT_FAILED;
    const bool done = process(&r, p);
    picture_free(&r.input);
    picture_free(&r.map);
    free(r.work.dst.data);
    free(r.work.coc.data);
    return done ? EXIT_DONE : EXIT_FAILED;
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

int main(int argc, char **argv)
{
    options o;
    problem p;
    output_guard();
    const args_result what = args_parse(argc, argv, &o, &p);
    if (what == ARGS_HELP || what == ARGS_VERSION)
        return print_and_leave(what);
    if (what == ARGS_RUN)
        wait_asleep(argv);
    const int status = what == ARGS_WRONG ? EXIT_USAGE : run_options(&o, &p);
    if (status != EXIT_DONE)
        say_error(&p);
    return status;
}
