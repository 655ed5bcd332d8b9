/* satblur: options, files in, work, file out. Every step returns false with one line to print. */
#include "args.h"
#include "codec.h"
#include "engine.h"
#include "output.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static bool decode(run *r, problem *p)
{
    const options *o = r->o;
    const char *map = o->depth ? o->depth : o->radius_map;
    if (!picture_load(&r->input, o->input, p) || (map && !picture_load(&r->map, map, p)))
        return false;
    r->work = (job){.o = o, .dof = o->dof, .src = r->input.image, .map = r->map.image};
    return resolve_range(o, &r->map.image, &r->work.dof, p);
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
                 "%s: is stored turned (EXIF orientation %d); it is blurred as stored, and the "
                 "output carries no EXIF",
                 r->o->input, r->input.orientation);
    }
    r->work.dst = r->input.image;
    r->work.dst.data = malloc(picture_bytes(&r->input.image));
    return r->work.dst.data ||
           problem_set(p, "%s: not enough memory for a second picture of %d x %d", r->o->input,
                       r->input.image.width, r->input.image.height);
}

static bool encode(run *r, problem *p)
{
    const encode_settings settings = {.quality = r->o->quality, .compression = r->o->compression};
    output out;
    problem inner;
    if (!output_begin(&out, r->o->output, p))
        return false;
    sink to = {.write = output_write, .user = &out};
    if (!codec_encode(r->format, &r->work.dst, &settings, &to, &inner)) {
        output_abort(&out);
        return problem_set(p, "%s: %.400s", r->o->output, inner.text);
    }
    return output_commit(&out, p);
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
    if (r->format && !encode(r, p))
        return false;
    r->times.encode = r->format ? engine_clock() - encoding : 0;
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
    const bool done = process(&r, p);
    picture_free(&r.input);
    picture_free(&r.map);
    free(r.work.dst.data);
    return done ? EXIT_DONE : EXIT_FAILED;
}

static int print_and_leave(args_result what)
{
    if (what == ARGS_HELP)
        args_help(stdout);
    else
        printf("satblur %s\n", satb_version());
    return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_DONE : EXIT_FAILED;
}

int main(int argc, char **argv)
{
    options o;
    problem p;
    output_guard();
    const args_result what = args_parse(argc, argv, &o, &p);
    if (what == ARGS_HELP || what == ARGS_VERSION)
        return print_and_leave(what);
    const int status = what == ARGS_WRONG ? EXIT_USAGE : run_options(&o, &p);
    if (status != EXIT_DONE)
        say_error(&p);
    return status;
}
