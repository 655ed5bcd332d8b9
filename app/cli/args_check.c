/* Which options go together. */
#include "cli/args.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const int whats[] = {OPT_DEPTH, OPT_DEPTH_DIR, OPT_RADIUS, OPT_RADIUS_MAP, OPT_EQUALIZE};

bool args_writes(const options *o)
{
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++)
        if (o->given[whats[i]])
            return true;
    return false;
}

static bool one_what(const options *o, problem *p)
{
    int first = -1;
    for (size_t i = 0; i < sizeof whats / sizeof *whats; i++) {
        if (!o->given[whats[i]])
            continue;
        if (first >= 0) {
            return problem_set(p, "--%s and --%s exclude each other; give one of them",
                               args_rows[first].name, args_rows[whats[i]].name);
        }
        first = whats[i];
    }
    if (first < 0 && !o->stats && !o->histogram) {
        return problem_set(
            p, "nothing to do: give --depth MAP, --radius R, --radius-map MAP, --equalize, --stats "
               "or --histogram FILE; 'satblur --help' explains them");
    }
    return true;
}

/* Either may be NULL. */
static bool two_files(const char *a, const char *b, const char *which, problem *p)
{
    return !a || !b || strcmp(a, b) != 0 ||
           problem_set(p, "%s are both '%s'; name two files", which, a);
}

static bool files(const options *o, problem *p)
{
    if (!o->input && !o->files_from) {
        return problem_set(
            p, "INPUT is missing: satblur INPUT OUTPUT --depth MAP; see 'satblur --help'");
    }
    if (args_writes(o) && !o->output && o->files_from)
        return problem_set(p, "OUTPUT is missing: name the folder to write into");
    if (args_writes(o) && !o->output)
        return problem_set(p, "OUTPUT is missing: name the file to write after '%s'", o->input);
    if (!args_writes(o) && o->output) {
        return problem_set(
            p,
            "--%s alone writes no picture; leave out '%s', or add --depth, --radius, --radius-map "
            "or --equalize",
            o->stats ? "stats" : "histogram", o->output);
    }
    return two_files(o->histogram, o->output, "OUTPUT and --histogram", p) &&
           two_files(o->coc, o->output, "OUTPUT and --dump-coc", p) &&
           two_files(o->coc, o->histogram, "--histogram and --dump-coc", p);
}

static bool companions(const options *o, problem *p)
{
    const bool depth = o->given[OPT_DEPTH] || o->given[OPT_DEPTH_DIR];
    const unsigned have = NEEDS_BATCH | (depth ? NEEDS_DEPTH : 0u) |
                          (o->given[OPT_RADIUS] ? NEEDS_RADIUS : 0u) |
                          (o->given[OPT_RADIUS_MAP] ? NEEDS_MAP : 0u) |
                          (o->given[OPT_EQUALIZE] ? NEEDS_EQUALIZE : 0u);
    for (int i = 0; i < OPT_COUNT; i++) {
        const unsigned needs = args_rows[i].needs;
        if (!o->given[i] || needs == 0 || (needs & have))
            continue;
        const char *what = needs == NEEDS_DEPTH                 ? "--depth MAP"
                           : needs == (NEEDS_DEPTH | NEEDS_MAP) ? "--depth MAP or --radius-map MAP"
                           : needs == NEEDS_BLUR
                               ? "a blur: --depth, --radius or --radius-map"
                               : "an OUTPUT: --depth, --radius, --radius-map or --equalize";
        return problem_set(p, "--%s needs %s", args_rows[i].name, what);
    }
    if (o->given[OPT_RADIUS_MAP] && !o->given[OPT_MAX_RADIUS]) {
        return problem_set(p,
                           "--radius-map needs --max-radius PX, the radius where the map is white");
    }
    return true;
}

static bool lens(const options *o, problem *p)
{
    const bool asked = o->given[OPT_FSTOP] || o->given[OPT_FOCAL] || o->given[OPT_SENSOR];
    if (!asked)
        return true;
    if (o->given[OPT_MAX_RADIUS]) {
        return problem_set(
            p, "--max-radius and the lens options (--fstop, --focal, --sensor) exclude each other; "
               "give one or the other");
    }
    if (!o->given[OPT_FSTOP] || !o->given[OPT_FOCAL] || !o->given[OPT_DISTANCE]) {
        const char *missing = !o->given[OPT_FSTOP]   ? "--fstop N"
                              : !o->given[OPT_FOCAL] ? "--focal MM"
                                                     : "--distance NEAR,FAR";
        return problem_set(p, "a lens needs --fstop, --focal and --distance; %s is missing",
                           missing);
    }
    return true;
}

static bool focus(const options *o, problem *p)
{
    if (o->given[OPT_FOCUS] && o->given[OPT_FOCUS_AT])
        return problem_set(p, "--focus and --focus-at exclude each other; give one of them");
    if (o->dof.depth_type == SATB_DEPTH_LINEAR && isinf(o->dof.distance_far)) {
        return problem_set(
            p, "--depth-type linear needs a far distance that is not inf; give one in metres");
    }
    if (!o->focus_in_metres)
        return true;
    if (!o->given[OPT_DISTANCE]) {
        return problem_set(
            p,
            "--focus %gm needs --distance NEAR,FAR, the metres that the ends of the map stand for",
            o->dof.focus);
    }
    if (o->dof.focus < o->dof.distance_near || o->dof.focus > o->dof.distance_far) {
        return problem_set(p, "--focus %gm is outside --distance %g,%g; focus between the two",
                           o->dof.focus, o->dof.distance_near, o->dof.distance_far);
    }
    return true;
}

static bool highlights(const options *o, problem *p)
{
    if (!o->given[OPT_HIGHLIGHTS])
        return true;
    if (o->dof.method == SATB_METHOD_GATHER || o->dof.method == SATB_METHOD_SPREAD) {
        return problem_set(
            p, "--highlights and --method %s exclude each other, as only layers have them",
            o->dof.method == SATB_METHOD_GATHER ? "gather" : "spread");
    }
    return o->look.edge == SATB_EDGE_SHRINK ||
           problem_set(
               p, "--highlights has no --edge %s, which makes the method gather; give one of them",
               args_edges[o->look.edge]);
}

static bool method(const options *o, problem *p)
{
    const bool shrinks = o->look.edge == SATB_EDGE_SHRINK;
    const bool spreads = o->dof.method == SATB_METHOD_SPREAD;
    if ((o->dof.method == SATB_METHOD_LAYERED || spreads) && !shrinks) {
        return problem_set(
            p, "--method %s has no --edge %s; leave out --edge, or take --method gather",
            spreads ? "spread" : "layered", args_edges[o->look.edge]);
    }
    if (!o->given[OPT_BOKEH] || o->dof.bokeh == SATB_BOKEH_SQUARE)
        return true;
    const char *const bokeh = o->dof.bokeh == SATB_BOKEH_SMOOTH ? "smooth" : "disc";
    if (o->dof.method == SATB_METHOD_GATHER || spreads) {
        const char *const name = spreads ? "spread" : "gather";
        return problem_set(p,
                           "--bokeh %s and --method %s exclude each other, as %s has squares "
                           "only; give one of them",
                           bokeh, name, name);
    }
    return shrinks || problem_set(p,
                                  "--bokeh %s has no --edge %s, which makes the method gather; "
                                  "give one of them",
                                  bokeh, args_edges[o->look.edge]);
}

static bool codec_is_there(const options *o, problem *p)
{
    return o->codec != CODEC_GPU || nvjpeg_name() ||
           problem_set(p, "--codec gpu: nvJPEG is not built in; leave it out");
}

bool args_check(const options *o, problem *p)
{
    return one_what(o, p) && files(o, p) && companions(o, p) && lens(o, p) && focus(o, p) &&
           method(o, p) && highlights(o, p) && codec_is_there(o, p);
}

static bool maps(const options *o, problem *p)
{
    if (o->depth_suffix && !o->depth_dir && !o->radius_map)
        return problem_set(p, "--depth-suffix needs --depth-dir DIR");
    return true;
}

bool args_check_batch(const options *o, bool folder, problem *p)
{
    for (int i = 0; i < OPT_COUNT && !folder; i++) {
        if (o->given[i] && args_rows[i].needs == NEEDS_BATCH) {
            return problem_set(p, "--%s is for whole folders, and '%s' is none", args_rows[i].name,
                               o->input);
        }
    }
    if (!folder)
        return !o->all_devices || problem_set(p, "--device cuda:all is for whole folders; "
                                                 "take --device cuda");
    if (o->given[OPT_TIMINGS])
        return problem_set(p,
                           "--timings are of one picture; --report FILE.jsonl has those of each");
    if (o->histogram)
        return problem_set(p, "--histogram draws the figure of one picture; name one as INPUT");
    if (o->coc)
        return problem_set(p, "--dump-coc draws the circles of one picture; name one as INPUT");
    if (o->stats && !o->report)
        return problem_set(p, "--stats of a folder needs --report FILE.jsonl, or --report -");
    if (o->given[OPT_RESUME] && !o->output)
        return problem_set(p, "--resume needs an OUTPUT, whose list says what is done");
    return maps(o, p);
}
