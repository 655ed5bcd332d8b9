/* Refusals of options that contradict each other, or that lack another. Each message has the problem and the remedy. */
#include "cli/args.h"

#include "base/line.h"
#include "base/paths.h"
#include "engine/source.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *args_word(int option, int value)
{
    for (const option_choice *c = args_rows[option].choices; c && c->word; c++)
        if (c->value == value)
            return c->word;
    return "?";
}

/* Checks that the names of all files that are written differ, and have no *. */
static bool check_figure_names(const options *o, problem *p)
{
    const char *const *const names = o->written;
    for (int i = 0; i < WRITTEN; i++)
        if (names[i] && path_is_star(names[i]))
            return problem_set(p,
                               "%s %s: * stands for files that are there; leave it out, or name "
                               "files like out/####.png",
                               written_words[i], names[i]);
    for (int i = 0; i < WRITTEN; i++)
        for (int k = 0; k < i; k++)
            if (names[i] && names[k] && strcmp(names[i], names[k]) == 0)
                return problem_set(p, "%s and %s are both '%s'; name two files", written_words[k],
                                   written_words[i], names[i]);
    return true;
}

/* Returns whether --depth only names a map to measure: nothing that is given needs a blur. */
static bool only_measures(const options *o)
{
    bool blurs = !o->stats || !(args_given_operations(o) & NEEDS_DEPTH) || o->given[OPT_MATTE];
    for (int i = 0; i < OPT_COUNT; i++)
        blurs |= o->given[i] && (args_rows[i].needs & NEEDS_MATTE);
    return !blurs;
}

static bool check_names(const options *o, problem *p)
{
    if (!o->input && !options_have_list(o))
        return problem_set(p, "INPUT is missing; name the picture to read (see 'satblur --help')");
    const bool writes = args_writes(o) && !only_measures(o);
    if (writes && !o->output && o->files_from)
        return problem_set(p, "OUTPUT is missing; name the folder to write into");
    if (writes && !o->output && (!o->focus_view || o->coc))
        return problem_set(p, "OUTPUT is missing; give its name after '%s'", o->input);
    if (!args_writes(o) && o->output) {
        return problem_set(p, "--%s writes no picture; leave out '%s', or add %s",
                           o->stats ? "stats" : "histogram", o->output,
                           args_operation_words(NEEDS_OUTPUT).text);
    }
    return check_figure_names(o, p);
}

/* Standard input is read once, and standard output takes one thing. */
static bool check_streams(const options *o, problem *p)
{
    const char *first = NULL;
    for (source_role r = SOURCE_INPUT; r <= SOURCES; r++) { /* the last is --files-from */
        const bool is_list = r == SOURCES;
        const char *const words = is_list ? "--files-from" : source_row_of(o, r)->words;
        if (is_list ? !o->files_from || strcmp(o->files_from, "-") != 0
                    : o->source[r] != path_stdin)
            continue;
        if (first)
            return problem_set(p,
                               "%s and %s are both -, but standard input can be read only once; "
                               "name a file for one",
                               first, words);
        first = words;
    }
    const bool reports = o->report && strcmp(o->report, "-") == 0;
    return o->output != path_stdout || (!o->stats && !reports) ||
           problem_set(
               p, "OUTPUT is -, but --%s also prints to standard output; name a file as OUTPUT",
               o->stats ? "stats" : "report -");
}

static bool check_needs(const options *o, problem *p)
{
    const unsigned met = NEEDS_BATCH | NEEDS_CLIP | args_given_operations(o);
    for (int i = 0; i < OPT_COUNT; i++) {
        const unsigned needs = args_rows[i].needs;
        if (o->given[i] && needs != 0 && !(needs & met))
            return args_lack_operation(p, args_rows[i].name, needs);
    }
    return !o->given[OPT_RADIUS_MAP] || o->given[OPT_MAX_RADIUS] ||
           problem_set(p, "--radius-map needs --max-radius PX, the radius where the map is white");
}

/* Refuses what says otherwise what is in focus. */
static bool check_tilt_shift(const options *o, problem *p)
{
    const tilt_shift *const t = &o->tilt;
    if (!o->given[OPT_TILT_SHIFT])
        return true;
    for (int i = 0; i < OPT_COUNT; i++)
        if (o->given[i] && args_rows[i].needs == NEEDS_FOCUS)
            return problem_set(p,
                               "--%s has no effect with --%s, which sets the focus; leave out --%s",
                               args_rows[i].name,
                               o->by_preset[OPT_TILT_SHIFT] ? "dof-preset miniature" : "tilt-shift",
                               args_rows[i].name);
    return t->width / 2 < fmax(t->position, 1 - t->position) ||
           problem_set(p, "--tilt-shift: the sharp band covers the whole picture; give a smaller "
                          "width");
}

static bool check_focus_plane(const options *o, problem *p)
{
    static const int others[] = {OPT_FOCUS, OPT_FOCUS_AT, OPT_STATS};
    if (!o->given[OPT_FOCUS_PLANE])
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (o->given[others[i]])
            return args_exclude(p, args_rows[others[i]].name, "focus-plane");
    return !o->given[OPT_FSTOP] ||
           problem_set(
               p, "--fstop needs one focus distance, and --focus-plane has none; use --max-radius");
}

static bool has_distances(const options *o)
{
    return o->given[OPT_DISTANCE] || o->in_millimetres;
}

/* Returns whether the map may tell its distances itself: job/map_numbers.c checks again once the map is read. */
static bool may_have_metres(const options *o)
{
    return o->given[OPT_DEPTH_SCALE] || o->given[OPT_DEPTH_FROM] || o->given[OPT_DEPTH_DIR] ||
           o->map == path_stdin || source_is_embedded(o, SOURCE_MAP) ||
           (o->given[OPT_DEPTH] && codec_may_hold_numbers(o->map));
}

static bool check_scale(const options *o, problem *p)
{
    if (!o->given[OPT_DEPTH_SCALE])
        return true;
    if (o->given[OPT_DEPTH_TYPE] && o->dof.depth_type != SATB_DEPTH_LINEAR)
        return problem_set(
            p, "--depth-scale is for distances, and --depth-type is disparity; give one of them");
    if (o->given[OPT_NEAR] && !o->dof.near_black)
        return problem_set(
            p,
            "--depth-scale is for distances, and the smallest is nearest; leave out --near white");
    return !o->given[OPT_DISTANCE] || args_exclude(p, "depth-scale", "distance");
}

static bool check_lens(const options *o, problem *p)
{
    const bool lens = o->given[OPT_FSTOP] || o->given[OPT_FOCAL] || o->given[OPT_SENSOR];
    if (!lens)
        return true;
    if (o->given[OPT_MAX_RADIUS]) {
        return problem_set(p, "--max-radius and the lens options (--fstop, --focal, --sensor) "
                              "exclude each other; give one or the other");
    }
    const char *const missing = !o->given[OPT_FSTOP]                       ? "--fstop N"
                                : !o->given[OPT_FOCAL]                     ? "--focal MM"
                                : !has_distances(o) && !may_have_metres(o) ? "--distance NEAR,FAR"
                                                                           : NULL;
    return !missing ||
           problem_set(p, "a lens needs --fstop, --focal and --distance; %s is missing", missing);
}

static bool check_focus(const options *o, problem *p)
{
    if (o->given[OPT_FOCUS] && o->given[OPT_FOCUS_AT])
        return args_exclude(p, "focus", "focus-at");
    if (o->dof.depth_type == SATB_DEPTH_LINEAR && isinf(o->dof.distance_far)) {
        return problem_set(
            p,
            "--depth-type linear needs a finite far distance; give --distance NEAR,FAR in metres");
    }
    if (o->focus_in_codes && o->given[OPT_MATTE] && !(args_given_operations(o) & NEEDS_DEPTH))
        return problem_set(p, "--focus %gc is a code of a map, and there is none; give --depth MAP",
                           o->dof.focus);
    if (!o->focus_in_metres || (!o->given[OPT_DISTANCE] && may_have_metres(o)))
        return true;
    if (!has_distances(o)) {
        return problem_set(
            p, "--focus %gm needs --distance NEAR,FAR, the metres at the ends of the map",
            o->dof.focus);
    }
    return (o->dof.focus >= o->dof.distance_near && o->dof.focus <= o->dof.distance_far) ||
           problem_set(p, "--focus %gm is outside --%s, %g to %g m; focus between the two",
                       o->dof.focus, o->in_millimetres ? "depth-range" : "distance",
                       o->dof.distance_near, o->dof.distance_far);
}

static bool is_layered(const options *o)
{
    return o->dof.method != SATB_METHOD_GATHER && o->dof.method != SATB_METHOD_SPREAD;
}

/* Refuses an option of layers beside an --edge that makes gather the default. */
static bool refuse_edge(const options *o, const char *name, const char *value, problem *p)
{
    return problem_set(p,
                       "--%s%s%s cannot be combined with --edge %s, which implies --method gather; "
                       "give one of them",
                       name, value ? " " : "", value ? value : "",
                       args_word(OPT_EDGE, (int)o->look.edge));
}

static bool check_method(const options *o, problem *p)
{
    const bool takes_all = o->dof.method == SATB_METHOD_GATHER || !o->given[OPT_METHOD];
    const bool wraps = o->dof.method == SATB_METHOD_LAYERED && o->look.edge == SATB_EDGE_WRAP;
    return takes_all || wraps || o->look.edge == SATB_EDGE_SHRINK ||
           problem_set(p,
                       "--method %s cannot be combined with --edge %s; leave out --edge, or give "
                       "--method gather",
                       args_word(OPT_METHOD, (int)o->dof.method),
                       args_word(OPT_EDGE, (int)o->look.edge));
}

static bool check_bokeh(const options *o, problem *p)
{
    const char *const bokeh = args_word(OPT_BOKEH, (int)o->dof.bokeh);
    if (!o->given[OPT_BOKEH] || o->dof.bokeh == SATB_BOKEH_SQUARE)
        return true;
    if (!is_layered(o)) {
        const char *const method = args_word(OPT_METHOD, (int)o->dof.method);
        return problem_set(p,
                           "--bokeh %s and --method %s exclude each other, because %s has only "
                           "squares; give one of them",
                           bokeh, method, method);
    }
    return options_are_layered(o) || refuse_edge(o, "bokeh", bokeh, p);
}

/* Checks the options of an aperture that only layered has. */
static bool check_aperture(const options *o, problem *p)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *const name = args_rows[i].name;
        if (!o->given[i] || !args_rows[i].layered)
            continue;
        if (!is_layered(o))
            return problem_set(p,
                               "--%s and --method %s exclude each other, because %s has only "
                               "squares; give one of them",
                               name, args_word(OPT_METHOD, (int)o->dof.method),
                               args_word(OPT_METHOD, (int)o->dof.method));
        if (!options_are_layered(o))
            return refuse_edge(o, name, NULL, p);
    }
    if (o->dof.vignette > 0 && o->look.edge == SATB_EDGE_WRAP)
        return args_exclude(p, "vignette", "edge wrap");
    if (o->dof.blades > 0 && o->dof.bokeh != SATB_BOKEH_DISC)
        return problem_set(p, "--blades and --bokeh %s exclude each other; give one of them",
                           args_word(OPT_BOKEH, (int)o->dof.bokeh));
    const int edge = o->dof.bokeh_edge != 0  ? OPT_BOKEH_EDGE
                     : o->dof.spherical != 0 ? OPT_SPHERICAL
                                             : 0;
    if (edge && o->dof.bokeh == SATB_BOKEH_SMOOTH)
        return problem_set(p, "--%s and --bokeh smooth exclude each other; give one of them",
                           args_rows[edge].name);
    const int detail = o->given[OPT_BLADE_ROTATION]    ? OPT_BLADE_ROTATION
                       : o->given[OPT_BLADE_CURVATURE] ? OPT_BLADE_CURVATURE
                                                       : 0;
    return !detail || o->dof.blades > 0 ||
           problem_set(p, "--%s needs --blades N", args_rows[detail].name);
}

static bool check_highlights(const options *o, problem *p)
{
    const int detail = o->given[OPT_HIGHLIGHT_THRESHOLD] ? OPT_HIGHLIGHT_THRESHOLD
                       : o->given[OPT_HIGHLIGHT_SIZE]    ? OPT_HIGHLIGHT_SIZE
                                                         : 0;
    if (o->dof.highlights == 0)
        return !detail || problem_set(p, "--%s needs --highlights K", args_rows[detail].name);
    if (!is_layered(o)) {
        return problem_set(p,
                           "--highlights and --method %s exclude each other, because only layered "
                           "has highlights; give one of them",
                           args_word(OPT_METHOD, (int)o->dof.method));
    }
    return options_are_layered(o) || refuse_edge(o, "highlights", NULL, p);
}

/* Refuses a map or a matte that no program makes. With a program of mattes alone, a map that is implied may be missing. */
static bool check_programs(const options *o, problem *p)
{
    const source_row *const maps = source_program_of(o, SOURCE_MAP);
    const bool makes_mattes = source_program_of(o, SOURCE_MATTE) || (maps && maps->stays);
    if (o->given[OPT_DEPTH_PROCESS] && o->given[OPT_DEPTH_COMMAND])
        return args_exclude(p, "depth-process", "depth-command");
    if (source_may_be_made(o, SOURCE_MAP) && !maps && !o->depth_implied)
        return problem_set(p, "--depth auto needs a program; give --depth-process CMD, or "
                              "--depth-command CMD");
    return !source_may_be_made(o, SOURCE_MATTE) || makes_mattes ||
           problem_set(p, "--matte auto needs a program; give --matte-command CMD, or "
                          "--depth-process CMD");
}

bool args_check(const options *o, problem *p)
{
    if (o->given[OPT_QUIET] && o->given[OPT_VERBOSE])
        return args_exclude(p, "quiet", "verbose");
    if (o->given[OPT_ONNXRUNTIME])
        return problem_set(p, "--onnxruntime needs --page DIR");
    return args_check_preset(o, p) && args_check_operations(o, p) && check_names(o, p) &&
           check_streams(o, p) && check_tilt_shift(o, p) && check_needs(o, p) &&
           check_focus_plane(o, p) && check_scale(o, p) && check_lens(o, p) && check_focus(o, p) &&
           check_programs(o, p) && check_method(o, p) && check_bokeh(o, p) &&
           check_aperture(o, p) && check_highlights(o, p);
}
