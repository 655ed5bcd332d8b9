/* Refusals of options that contradict each other, or that lack another. Each message has the problem and the remedy. */
#include "cli/args.h"

#include "base/paths.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* At most one of these is given; each writes a picture. */
static const int operations[] = {OPT_DEPTH, OPT_DEPTH_DIR, OPT_RADIUS, OPT_RADIUS_MAP,
                                 OPT_EQUALIZE};

bool args_writes(const options *o)
{
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (o->given[operations[i]])
            return true;
    return o->given[OPT_MATTE];
}

const char *args_word(int option, int value)
{
    for (const option_choice *c = args_rows[option].choices; c && c->word; c++)
        if (c->value == value)
            return c->word;
    return "?";
}

static bool exclude(problem *p, const char *a, const char *b)
{
    return problem_set(p, "--%s and --%s exclude each other; give one of them", a, b);
}

static bool check_operation(const options *o, problem *p)
{
    int first = -1;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (!o->given[operations[i]])
            continue;
        if (first >= 0)
            return exclude(p, args_rows[first].name, args_rows[operations[i]].name);
        first = operations[i];
    }
    if (o->given[OPT_MATTE] && first >= 0 && first != OPT_DEPTH && first != OPT_DEPTH_DIR)
        return exclude(p, "matte", args_rows[first].name);
    return first >= 0 || o->given[OPT_MATTE] || o->stats || o->histogram ||
           problem_set(p, "there is nothing to do; give --depth MAP, --matte MASK, --radius R, "
                          "--radius-map MAP, --equalize, --stats or --histogram FILE (see 'satblur "
                          "--help')");
}

/* Checks that two names differ. Either may be NULL. */
static bool two_files(const char *a, const char *b, const char *which, problem *p)
{
    return !a || !b || strcmp(a, b) != 0 ||
           problem_set(p, "%s are both '%s'; name two files", which, a);
}

static bool check_figure_names(const options *o, problem *p)
{
    return two_files(o->histogram, o->output, "OUTPUT and --histogram", p) &&
           two_files(o->coc, o->output, "OUTPUT and --dump-coc", p) &&
           two_files(o->coc, o->histogram, "--histogram and --dump-coc", p);
}

static bool check_names(const options *o, problem *p)
{
    if (!o->input && !o->files_from)
        return problem_set(p, "INPUT is missing; name the picture to read (see 'satblur --help')");
    if (args_writes(o) && !o->output && o->files_from)
        return problem_set(p, "OUTPUT is missing; name the folder to write into");
    if (args_writes(o) && !o->output)
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

static const char *need_words(unsigned needs)
{
    switch (needs) {
    case NEEDS_DEPTH: return "--depth MAP";
    case NEEDS_DOF: return "--depth MAP or --matte MASK";
    case NEEDS_DOF | NEEDS_MAP: return "--depth MAP, --matte MASK or --radius-map MAP";
    case NEEDS_BLUR: return "a blur: --depth, --matte, --radius or --radius-map";
    default: return "an OUTPUT: --depth, --matte, --radius, --radius-map or --equalize";
    }
}

static bool check_needs(const options *o, problem *p)
{
    const bool depth = o->given[OPT_DEPTH] || o->given[OPT_DEPTH_DIR];
    const unsigned have = NEEDS_BATCH | NEEDS_CLIP | (depth ? NEEDS_DEPTH : 0u) |
                          (depth || o->given[OPT_MATTE] ? NEEDS_DOF : 0u) |
                          (o->given[OPT_RADIUS] ? NEEDS_RADIUS : 0u) |
                          (o->given[OPT_RADIUS_MAP] ? NEEDS_MAP : 0u) |
                          (o->given[OPT_EQUALIZE] ? NEEDS_EQUALIZE : 0u);
    for (int i = 0; i < OPT_COUNT; i++) {
        const unsigned needs = args_rows[i].needs;
        if (o->given[i] && needs != 0 && !(needs & have))
            return problem_set(p, "--%s needs %s", args_rows[i].name, need_words(needs));
    }
    return !o->given[OPT_RADIUS_MAP] || o->given[OPT_MAX_RADIUS] ||
           problem_set(p, "--radius-map needs --max-radius PX, the radius where the map is white");
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
    return !o->given[OPT_DISTANCE] || exclude(p, "depth-scale", "distance");
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
        return exclude(p, "focus", "focus-at");
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
    return check_operation(o, p) && check_names(o, p) && check_streams(o, p) && check_needs(o, p) &&
           check_scale(o, p) && check_lens(o, p) && check_focus(o, p) && check_method(o, p) &&
           check_bokeh(o, p) && check_highlights(o, p);
}

/* --- Folders ---------------------------------------------------------------------------------- */

static bool check_file(const options *o, problem *p)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        if (i == OPT_FORMAT && o->output == path_stdout)
            continue;
        if (i == OPT_FORMAT && o->given[i])
            return problem_set(p, "--format is for folders and for OUTPUT -; the ending of OUTPUT "
                                  "says the format");
        if (o->given[i] && args_rows[i].needs == NEEDS_CLIP)
            return problem_set(p,
                               "--%s is for clips, and '%s' is none; name a video, or frames like "
                               "in/%%05d.png",
                               args_rows[i].name, o->input);
        if (o->given[i] && args_rows[i].needs == NEEDS_BATCH) {
            return problem_set(p,
                               "--%s is for folders, and '%s' is none; leave out --%s, or name a "
                               "folder as INPUT",
                               args_rows[i].name, o->input, args_rows[i].name);
        }
    }
    return !o->all_devices ||
           problem_set(p, "--device cuda:all is for folders; give --device cuda");
}

bool args_check_batch(const options *o, bool folder, problem *p)
{
    if (!folder)
        return check_file(o, p);
    if (o->input == path_stdin || o->depth == path_stdin || o->radius_map == path_stdin ||
        o->matte == path_stdin)
        return problem_set(p,
                           "- is one picture, and this is a list of them; name a file or folder");
    if (o->output == path_stdout)
        return problem_set(p, "many pictures do not fit into standard output; name a folder as "
                              "OUTPUT");
    if (o->depth_implied)
        return problem_set(
            p, "there is nothing to do; give --depth embedded for photos that carry their maps, or "
               "--depth-dir DIR, --matte MASK, --radius R, --radius-map MAP or --equalize (see "
               "'satblur --help')");
    if (o->given[OPT_TIMINGS])
        return problem_set(p, "--timings is for one picture; --report FILE.jsonl has the timings "
                              "of each picture of a folder");
    if (o->histogram)
        return problem_set(p, "--histogram is for one picture; name a picture as INPUT");
    if (o->coc)
        return problem_set(p, "--dump-coc is for one picture; name a picture as INPUT");
    if (o->stats && !o->report)
        return problem_set(p, "--stats of a folder needs --report FILE.jsonl, or --report -");
    if (o->given[OPT_RESUME] && !o->output)
        return problem_set(p,
                           "--resume needs an OUTPUT, which holds the list of finished pictures");
    return !o->depth_suffix || o->depth_dir || o->radius_map ||
           problem_set(p, "--depth-suffix needs --depth-dir DIR");
}

/* --- Clips ------------------------------------------------------------------------------------ */

/* Refuses options that are for one picture or for folders. */
static bool check_clip_options(const options *o, problem *p)
{
    static const int of_one[] = {OPT_STATS, OPT_HISTOGRAM, OPT_DUMP_COC, OPT_TIMINGS};
    static const int of_both[] = {OPT_JOBS, OPT_SHARD, OPT_RESUME, OPT_FORMAT};
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (o->given[of_one[i]])
            return problem_set(p, "--%s is for one picture, and this is a clip; leave it out",
                               args_rows[of_one[i]].name);
    for (int i = 0; i < OPT_COUNT; i++) {
        bool allowed = args_rows[i].needs != NEEDS_BATCH;
        for (size_t k = 0; k < sizeof of_both / sizeof *of_both; k++)
            allowed |= i == of_both[k];
        if (o->given[i] && !allowed)
            return problem_set(p, "--%s is for folders, and this is a clip; leave it out",
                               args_rows[i].name);
    }
    return !o->given[OPT_FORMAT] || o->output == path_stdout ||
           problem_set(
               p, "--format is for folders and for OUTPUT -; the ending of OUTPUT says the format");
}

static bool check_focus_track(const options *o, problem *p)
{
    static const int others[] = {OPT_FOCUS, OPT_FOCUS_AT, OPT_FOCUS_KEYS};
    if (!o->given[OPT_FOCUS_TRACK])
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (o->given[others[i]])
            return exclude(p, "focus-track", args_rows[others[i]].name);
    if (!options_have_depth(o))
        return problem_set(p, "--focus-track needs %s", need_words(NEEDS_DOF));
    return !o->given[OPT_SHARD] ||
           problem_set(p, "--focus-track begins in the clip's first frame, which a shard may lack; "
                          "leave out --shard");
}

bool args_check_clip(const options *o, problem *p)
{
    if (o->depth_implied || options_is_embedded(o->depth) || options_is_embedded(o->matte))
        return problem_set(p,
                           "a clip carries no depth; give --depth with a clip of maps, or one map");
    if (!o->output)
        return problem_set(p, "OUTPUT is missing; name a video, or files like out/%%05d.png");
    if (o->focus_keys && (o->given[OPT_FOCUS] || o->given[OPT_FOCUS_AT]))
        return exclude(p, "focus-keys", o->given[OPT_FOCUS] ? "focus" : "focus-at");
    if (o->radius_keys && o->given[OPT_MAX_RADIUS])
        return exclude(p, "max-radius-keys", "max-radius");
    if (o->radius_keys && o->dof.strength == SATB_STRENGTH_LENS)
        return exclude(p, "max-radius-keys", "fstop");
    if ((o->focus_keys || o->radius_keys) && !options_have_depth(o))
        return problem_set(p, "--%s needs %s", o->focus_keys ? "focus-keys" : "max-radius-keys",
                           need_words(NEEDS_DOF));
    return check_focus_track(o, p) && check_clip_options(o, p);
}
