/* Refusals of options that contradict each other, or that lack another. Each message has the problem and the remedy. */
#include "cli/args.h"

#include "base/line.h"
#include "base/paths.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Each writes a picture, and meets a need of other options. At most one is given, but --matte goes with a depth map. */
static const struct {
    int option;
    unsigned meets;
} operations[] = {{OPT_DEPTH, NEEDS_DEPTH},      {OPT_DEPTH_DIR, NEEDS_DEPTH},
                  {OPT_MATTE, NEEDS_MATTE},      {OPT_TILT_SHIFT, NEEDS_TILT_SHIFT},
                  {OPT_RADIUS, NEEDS_RADIUS},    {OPT_RADIUS_MAP, NEEDS_RADIUS_MAP},
                  {OPT_EQUALIZE, NEEDS_EQUALIZE}};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Returns the needs that the operations meet. */
static unsigned needs_met(const options *o)
{
    unsigned met = 0;
    for (int i = 0; i < OPERATIONS; i++)
        met |= o->given[operations[i].option] ? operations[i].meets : 0;
    return met;
}

bool args_writes(const options *o)
{
    return needs_met(o) != 0;
}

const char *args_word(int option, int value)
{
    for (const option_choice *c = args_rows[option].choices; c && c->word; c++)
        if (c->value == value)
            return c->word;
    return "?";
}

bool args_exclude(problem *p, const char *a, const char *b)
{
    return problem_set(p, "--%s and --%s exclude each other; give one of them", a, b);
}

static bool check_operation(const options *o, problem *p)
{
    int first = -1;
    for (int i = 0; i < OPERATIONS; i++) {
        const int option = operations[i].option;
        if (!o->given[option] || option == OPT_MATTE)
            continue;
        if (first >= 0)
            return args_exclude(p, args_rows[first].name, args_rows[option].name);
        first = option;
    }
    if (o->given[OPT_MATTE] && first >= 0 && first != OPT_DEPTH && first != OPT_DEPTH_DIR)
        return args_exclude(p, "matte", args_rows[first].name);
    return first >= 0 || o->given[OPT_MATTE] || o->stats || o->histogram ||
           problem_set(p, "there is nothing to do; give --depth MAP, --matte MASK, --tilt-shift "
                          "A,P,W, --radius R, --radius-map MAP, --equalize, --stats or "
                          "--histogram FILE (see 'satblur "
                          "--help')");
}

/* Checks that the names of all files that are written differ. */
static bool check_figure_names(const options *o, problem *p)
{
    const struct {
        const char *name, *words;
    } written[] = {{o->output, "OUTPUT"},
                   {o->histogram, "--histogram"},
                   {o->coc, "--dump-coc"},
                   {o->focus_view, "--focus-view"}};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        for (size_t k = 0; k < i; k++)
            if (written[i].name && written[k].name && strcmp(written[i].name, written[k].name) == 0)
                return problem_set(p, "%s and %s are both '%s'; name two files", written[k].words,
                                   written[i].words, written[i].name);
    return true;
}

static bool check_names(const options *o, problem *p)
{
    if (!o->input && !options_have_list(o))
        return problem_set(p, "INPUT is missing; name the picture to read (see 'satblur --help')");
    if (args_writes(o) && !o->output && o->files_from)
        return problem_set(p, "OUTPUT is missing; name the folder to write into");
    if (args_writes(o) && !o->output && (!o->focus_view || o->coc))
        return problem_set(p, "OUTPUT is missing; give its name after '%s'", o->input);
    if (!args_writes(o) && o->output) {
        return problem_set(p,
                           "--%s alone writes no picture; leave out '%s', or add --depth, "
                           "--matte, --radius, --radius-map or --equalize",
                           o->stats ? "stats" : "histogram", o->output);
    }
    return check_figure_names(o, p);
}

/* Standard input is read once, and standard output takes one thing. */
static bool check_streams(const options *o, problem *p)
{
    const struct {
        const char *name, *words;
    } read[] = {
        {o->input, "INPUT"},
        {o->depth, "--depth"},
        {o->radius_map, "--radius-map"},
        {o->matte, "--matte"},
        {o->protect, "--protect"},
        {o->files_from && strcmp(o->files_from, "-") == 0 ? path_stdin : NULL, "--files-from"}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        if (read[i].name != path_stdin)
            continue;
        if (first)
            return problem_set(p,
                               "%s and %s are both -, and standard input can be read once; name "
                               "a file for one",
                               first, read[i].words);
        first = read[i].words;
    }
    const bool reports = o->report && strcmp(o->report, "-") == 0;
    return o->output != path_stdout || (!o->stats && !reports) ||
           problem_set(p,
                       "OUTPUT is -, and --%s prints to standard output, too; name a file as "
                       "OUTPUT",
                       o->stats ? "stats" : "report -");
}

bool args_lack_operation(problem *p, const char *name, unsigned needs)
{
    const option_row *rows[OPERATIONS];
    int count = 0;
    line words = {.used = 0};
    for (int i = 0; i < OPERATIONS; i++)
        if ((operations[i].meets & needs) && operations[i].option != OPT_DEPTH_DIR)
            rows[count++] = &args_rows[operations[i].option];
    for (int i = 0; i < count; i++)
        line_add(&words, "%s--%s%s%s",
                 i == 0           ? ""
                 : i == count - 1 ? " or "
                                  : ", ",
                 rows[i]->name, rows[i]->argument ? " " : "",
                 rows[i]->argument ? rows[i]->argument : "");
    return problem_set(p, "--%s needs %s%s", name,
                       needs == NEEDS_BLUR     ? "a blur: "
                       : needs == NEEDS_OUTPUT ? "an OUTPUT: "
                                               : "",
                       words.text);
}

static bool check_needs(const options *o, problem *p)
{
    const unsigned met = NEEDS_BATCH | NEEDS_CLIP | needs_met(o);
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
                               "--%s is for depth maps, and --%s says itself what is in focus; "
                               "leave it out",
                               args_rows[i].name,
                               o->by_preset[OPT_TILT_SHIFT] ? "dof-preset miniature"
                                                            : "tilt-shift");
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
           problem_set(p, "--focus-plane has no one distance that a lens is focused at; leave out "
                          "--fstop, and give --max-radius");
}

static bool has_distances(const options *o)
{
    return o->given[OPT_DISTANCE] || o->in_millimetres;
}

/* Returns whether the map may tell its distances itself: job/map_numbers.c checks again once the map is read. */
static bool may_have_metres(const options *o)
{
    return o->given[OPT_DEPTH_SCALE] || o->given[OPT_DEPTH_FROM] || o->given[OPT_DEPTH_DIR] ||
           o->depth == path_stdin ||
           (o->depth && (options_is_embedded(o->depth) || codec_may_hold_numbers(o->depth)));
}

static bool check_scale(const options *o, problem *p)
{
    if (!o->given[OPT_DEPTH_SCALE])
        return true;
    if (o->given[OPT_DEPTH_TYPE] && o->dof.depth_type != SATB_DEPTH_LINEAR)
        return problem_set(p, "--depth-scale means distances, and --depth-type disparity none; "
                              "give one of them");
    if (o->given[OPT_NEAR] && !o->dof.near_black)
        return problem_set(p, "--depth-scale means distances, of which the smallest is nearest; "
                              "leave out --near white");
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
        return problem_set(p, "--depth-type linear needs a far distance that is not inf; give "
                              "--distance NEAR,FAR in metres");
    }
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
    const bool takes_edges = o->dof.method == SATB_METHOD_GATHER || !o->given[OPT_METHOD];
    return takes_edges || o->look.edge == SATB_EDGE_SHRINK ||
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
                           "--bokeh %s and --method %s exclude each other, as %s has squares "
                           "only; give one of them",
                           bokeh, method, method);
    }
    return o->look.edge == SATB_EDGE_SHRINK || refuse_edge(o, "bokeh", bokeh, p);
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
                               "--%s and --method %s exclude each other, as %s has squares only; "
                               "give one of them",
                               name, args_word(OPT_METHOD, (int)o->dof.method),
                               args_word(OPT_METHOD, (int)o->dof.method));
        if (o->look.edge != SATB_EDGE_SHRINK)
            return refuse_edge(o, name, NULL, p);
    }
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
    if (!o->given[OPT_HIGHLIGHTS])
        return !detail || problem_set(p, "--%s needs --highlights K", args_rows[detail].name);
    if (!is_layered(o)) {
        return problem_set(p,
                           "--highlights and --method %s exclude each other, as only layered has "
                           "highlights; give one of them",
                           args_word(OPT_METHOD, (int)o->dof.method));
    }
    return o->look.edge == SATB_EDGE_SHRINK || refuse_edge(o, "highlights", NULL, p);
}

bool args_check(const options *o, problem *p)
{
    if (o->given[OPT_QUIET] && o->given[OPT_VERBOSE])
        return args_exclude(p, "quiet", "verbose");
    return args_check_preset(o, p) && check_operation(o, p) && check_names(o, p) &&
           check_streams(o, p) && check_tilt_shift(o, p) && check_needs(o, p) &&
           check_focus_plane(o, p) && check_scale(o, p) && check_lens(o, p) && check_focus(o, p) &&
           check_method(o, p) && check_bokeh(o, p) && check_aperture(o, p) &&
           check_highlights(o, p);
}
