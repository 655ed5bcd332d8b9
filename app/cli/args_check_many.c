/* The checks of folders and of clips, once it is known that INPUT is one. */
#include "cli/args.h"

#include "base/paths.h"
#include "engine/source.h"

#include <stddef.h>

/* --- Folders ---------------------------------------------------------------------------------- */

static bool check_file(const options *o, problem *p)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        if (i == OPT_FORMAT && o->output == path_stdout)
            continue;
        if (i == OPT_FORMAT && o->given[i])
            return problem_set(p, "--format is for folders and for OUTPUT -; choose the format by "
                                  "the ending of OUTPUT");
        if (options_ask(o, i) && args_rows[i].needs == NEEDS_CLIP)
            return problem_set(
                p,
                "--%s is for clips, and '%s' is not one; name a video, or frames like in/%%05d.png",
                args_rows[i].name, o->input);
        if (options_ask(o, i) && args_rows[i].needs == NEEDS_BATCH) {
            return problem_set(p,
                               "--%s is for folders, and '%s' is not one; leave out --%s, or name "
                               "a folder as INPUT",
                               args_rows[i].name, o->input, args_rows[i].name);
        }
    }
    return !o->all_devices ||
           problem_set(p, "--device cuda:all is for folders; give --device cuda");
}

bool args_check_batch(const options *o, bool folder, problem *p)
{
    for (source_role r = 0; r < SOURCES; r++)
        if (source_is_part(o, r))
            return problem_set(p, "%s %s is for clips, and INPUT and OUTPUT are none; name a map",
                               source_row_of(o, r)->words, o->source[r]);
    if (!folder)
        return check_file(o, p);
    for (source_role r = 0; r < SOURCES; r++)
        if (o->source[r] == path_stdin)
            return problem_set(p, "'-' can be only one picture; name a file or a folder");
    if (o->output == path_stdout)
        return problem_set(p, "standard output can take only one picture; name a folder as OUTPUT");
    if (o->given[OPT_RECURSIVE] && o->named)
        return problem_set(
            p,
            "--recursive is for folders, and INPUT is a list of pictures; leave out --recursive");
    const int lacking = args_lacking(o);
    const bool implies_map =
        o->depth_implied && !source_may_be_made(o, SOURCE_MAP) && (!o->named || o->named_count > 1);
    if (implies_map && lacking >= 0)
        return args_lack_operation(p, args_rows[lacking].name, args_rows[lacking].needs);
    if (implies_map)
        return problem_set(p, "there is nothing to do; give --depth embedded if the photos carry "
                              "maps, --depth-dir DIR, or " ARGS_FIRST_WAYS);
    if (o->given[OPT_TIMINGS])
        return problem_set(p, "--timings is for one picture; give --report FILE.jsonl for the "
                              "timings of each picture");
    if (o->histogram)
        return problem_set(p, "--histogram is for one picture; name a picture as INPUT");
    if (o->coc || o->focus_view)
        return problem_set(p, "--%s is for one picture; name a picture as INPUT",
                           o->coc ? "dump-coc" : "focus-view");
    if (o->stats && !o->report)
        return problem_set(p, "--stats of a folder needs --report FILE.jsonl, or --report -");
    if (o->given[OPT_RESUME] && !o->output)
        return problem_set(p, "--resume needs an OUTPUT, because the list of finished pictures is "
                              "there; name a folder");
    return !o->depth_suffix || o->map || problem_set(p, "--depth-suffix needs --depth-dir DIR");
}

/* --- Clips ------------------------------------------------------------------------------------ */

/* Refuses options that are for one picture or for folders. */
static bool check_clip_options(const options *o, problem *p)
{
    static const int of_one[] = {OPT_STATS, OPT_HISTOGRAM, OPT_KEEP_DEPTH};
    static const int of_both[] = {OPT_JOBS, OPT_SHARD, OPT_RESUME, OPT_FORMAT, OPT_REPORT};
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (options_ask(o, of_one[i]))
            return problem_set(
                p, "--%s is for one picture, and INPUT or OUTPUT is a clip; leave out --%s",
                args_rows[of_one[i]].name, args_rows[of_one[i]].name);
    for (int i = 0; i < OPT_COUNT; i++) {
        bool allowed = args_rows[i].needs != NEEDS_BATCH;
        for (size_t k = 0; k < sizeof of_both / sizeof *of_both; k++)
            allowed |= i == of_both[k];
        if (o->given[i] && !allowed)
            return problem_set(p,
                               "--%s is for folders, and INPUT or OUTPUT is a clip; leave out --%s",
                               args_rows[i].name, args_rows[i].name);
    }
    return !o->given[OPT_FORMAT] || o->output == path_stdout ||
           problem_set(p, "--format is for folders and for OUTPUT -; choose the format by the "
                          "ending of OUTPUT");
}

/* Refuses a focus that moves beside one that stays. */
static bool check_still_focus(const options *o, problem *p)
{
    static const int moving[] = {OPT_FOCUS_KEYS, OPT_FOCUS_TRACK};
    const char *const still = o->given[OPT_TILT_SHIFT]    ? "tilt-shift"
                              : o->given[OPT_FOCUS_PLANE] ? "focus-plane"
                                                          : NULL;
    for (int i = 0; i < 2; i++)
        if (still && o->given[moving[i]])
            return args_exclude(p, args_rows[moving[i]].name, still);
    return true;
}

static bool check_focus_track(const options *o, problem *p)
{
    static const int others[] = {OPT_FOCUS, OPT_FOCUS_AT, OPT_FOCUS_KEYS};
    if (!o->given[OPT_FOCUS_TRACK])
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (o->given[others[i]])
            return args_exclude(p, "focus-track", args_rows[others[i]].name);
    if (!options_have_depth(o))
        return args_lack_operation(p, "focus-track", NEEDS_FOCUS);
    return !o->given[OPT_SHARD] || problem_set(p, "--focus-track needs the clip's first frame, and "
                                                  "a shard may lack it; leave out --shard");
}

/* Refuses options beside those that choose frames for one picture. */
static bool check_frames(const options *o, problem *p)
{
    static const int others[] = {OPT_FRAMES, OPT_START, OPT_DURATION, OPT_SHARD, OPT_RESUME};
    const int one = o->given[OPT_FRAME] ? OPT_FRAME : OPT_FRAMES;
    for (size_t i = 0; i < sizeof others / sizeof *others && o->given[one]; i++)
        if (o->given[others[i]] && others[i] != one &&
            (one == OPT_FRAME || others[i] == OPT_SHARD || others[i] == OPT_RESUME))
            return args_exclude(p, args_rows[one].name, args_rows[others[i]].name);
    if (o->given[OPT_START] && o->given[OPT_SHARD])
        return args_exclude(p, "start", "shard");
    if (o->given[OPT_DURATION] && o->given[OPT_SHARD])
        return args_exclude(p, "duration", "shard");
    return !o->given[OPT_DURATION] || o->duration.at > 0 ||
           problem_set(p, "--duration 0 leaves no frames; give a time like 4s");
}

bool args_check_clip(const options *o, problem *p)
{
    for (source_role r = 0; r < SOURCES; r++)
        if (source_is_embedded(o, r) && !source_may_be_made(o, r))
            return problem_set(
                p, "a clip carries no depth map; give --depth with a clip of maps, or one map");
    if (!o->output && !o->given[OPT_FRAME])
        return problem_set(p, "OUTPUT is missing; name a video, or files like out/%%05d.png");
    if (o->focus_keys && (o->given[OPT_FOCUS] || o->given[OPT_FOCUS_AT]))
        return args_exclude(p, "focus-keys", o->given[OPT_FOCUS] ? "focus" : "focus-at");
    if (o->radius_keys && o->given[OPT_MAX_RADIUS])
        return args_exclude(p, "max-radius-keys", "max-radius");
    if (o->radius_keys && o->dof.strength == SATB_STRENGTH_LENS)
        return args_exclude(p, "max-radius-keys", "fstop");
    if ((o->focus_keys || o->radius_keys) && !options_have_depth(o))
        return o->focus_keys ? args_lack_operation(p, "focus-keys", NEEDS_FOCUS)
                             : args_lack_operation(p, "max-radius-keys", NEEDS_DOF);
    return check_frames(o, p) && check_still_focus(o, p) && check_focus_track(o, p) &&
           check_clip_options(o, p);
}
