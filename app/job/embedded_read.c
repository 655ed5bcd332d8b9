#include "job/embedded_read.h"

#include "base/paths.h"
#include "cli/args.h"
#include "embedded/embedded.h"
#include "job/map_numbers.h"

#include <math.h>

bool embedded_is_wanted(const options *o)
{
    return source_is_embedded(o, SOURCE_MAP) || source_is_embedded(o, SOURCE_MATTE);
}

static bool tell_missing(const picture_job *j, embedded_kind kind, problem *p)
{
    const char *const input = j->o->input;
    const int lacking = args_lacking(j->o);
    problem inner;
    if (j->o->depth_implied && lacking >= 0) {
        args_lack_operation(&inner, args_rows[lacking].name, args_rows[lacking].needs);
        return problem_set(p, "%s: carries no depth map, and %s", input, inner.text);
    }
    if (j->o->depth_implied)
        return problem_set(
            p,
            "%s: there is nothing to do, because the file carries no depth map; "
            "give a map (--depth MAP), a matte (--matte MASK) or a program that makes "
            "maps (--depth-process CMD); see 'satblur --help=maps'",
            input);
    return kind == EMBEDDED_DEPTH
               ? problem_set(p, "%s: carries no depth map; give --depth MAP", input)
               : problem_set(p, "%s: carries no matte; give --matte MASK", input);
}

void embedded_take_meaning(options *o, const embedded_meaning *m)
{
    if (!o->given[OPT_DEPTH_TYPE])
        o->dof.depth_type = m->type;
    const bool is_kept =
        m->holes != SATB_HOLES_DEFAULT; /* by --keep-depth: not of the configuration's kind */
    if (is_kept ? !options_ask(o, OPT_NEAR) : !o->given[OPT_NEAR])
        o->dof.near_black = m->near_black;
    else if (m->is_turned) /* the option counts for the codes of the file */
        o->dof.near_black = !o->dof.near_black;
    o->given[OPT_DEPTH_TYPE] = true;
    o->given[OPT_NEAR] = o->given[OPT_NEAR] || !m->near_is_assumed;
    if (!o->given[OPT_DEPTH_HOLES] && is_kept)
        o->dof.holes = m->holes;
    if (!o->given[OPT_DEPTH_RANGE] && m->range_high > 0) {
        o->dof.range_low = m->range_low;
        o->dof.range_high = m->range_high;
    }
    const bool fits = o->dof.depth_type != SATB_DEPTH_LINEAR || !isinf(m->distance_far);
    if (o->given[OPT_DISTANCE] || o->given[OPT_DEPTH_RANGE] || m->distance_near <= 0 || !fits)
        return;
    o->dof.distance_near = m->distance_near;
    o->dof.distance_far = m->distance_far;
    o->given[OPT_DISTANCE] = true;
}

/* Returns whether both have the same proportions, to 1 %, and b at least half the size. */
static bool is_same_view(const satb_image *a, const satb_image *b)
{
    const double x = (double)b->width / a->width, y = (double)b->height / a->height;
    return x >= 0.5 && fabs(x / y - 1) < 0.01;
}

/* Replaces the pixels by those before the phone blurred them. The metadata stays. An original that is damaged, or shows
 * something else, is left with a note. False: memory ran out, which would leave the visible pixels only this time. */
static bool take_original(picture_job *j, bytes original, const decode_settings *settings,
                          problem *p)
{
    picture sharp;
    decode_settings plain = *settings;
    plain.keep_file = false;
    if (original.size == 0)
        return true;
    const bool read = picture_decode(&sharp, original.data, original.size, j->o->input, &plain, p);
    if (!read && (p->kind == PROBLEM_MEMORY || p->kind == PROBLEM_DEVICE_MEMORY))
        return false;
    const bool turned = read && sharp.orientation != 1 && sharp.orientation != j->input.orientation;
    const bool taken = read && !turned && is_same_view(&j->input.image, &sharp.image);
    if (taken)
        picture_swap_pixels(&j->input, &sharp);
    message_note(
        j->o->given[OPT_QUIET],
        taken ? "%s: the file also carries the original photo, which is blurred instead of the "
                "visible one"
              : "%s: the original photo in the file cannot be used, so the visible one is blurred",
        j->o->input);
    if (read)
        picture_free(&sharp);
    return true;
}

/* Gives the map the picture's orientation unless the map has its own: it is aligned with the stored pixels. */
static void take_picture(picture_job *j, picture *to, embedded_map *map)
{
    *to = map->picture;
    map->picture = (picture){.format = ""};
    if (to->orientation == 1)
        to->orientation = j->input.orientation;
}

/* Names the kind of file that the map was found in. */
static void tell_found(const picture_job *j, const embedded_map *map, bool depth)
{
    const char *const channel = depth ? j->map.values.from : "";
    const char *const why = depth && j->own.depth_implied ? "no operation is given, so " : "";
    const bool hides = why[0] ? j->own.given[OPT_QUIET] : !j->own.given[OPT_VERBOSE];
    if (channel[0])
        message_note(hides, "%s: %sits channel %s is used as its depth map", j->own.input, why,
                     channel);
    else
        message_note(hides, "%s: %s%s is used", j->own.input, why, map->source);
}

/* Finds one of the two. */
static bool take_kind(picture_job *j, embedded_kind kind, const decode_settings *settings,
                      problem *p)
{
    embedded_map map;
    problem inner;
    const bool depth = kind == EMBEDDED_DEPTH;
    const embedded_status status =
        embedded_find(blob_view(&j->input.file), kind, settings, &map, &inner);
    if (status == EMBEDDED_FAILED)
        return problem_at(p, j->o->input, &inner);
    const source_role role = depth ? SOURCE_MAP : SOURCE_MATTE;
    if (status == EMBEDDED_NONE)
        return source_may_be_made(j->o, role) || tell_missing(j, kind, p);
    char *const name = text_new("%s's own %s", j->own.input, depth ? "depth map" : "matte");
    take_picture(j, &j->pictures[role], &map);
    j->own.source[role] = j->own_names[role] = name;
    if (depth)
        j->own_meaning = map.means;
    const bool has_codes =
        depth && !j->map.values.data; /* the meaning of numbers is settled later */
    if (has_codes)
        embedded_take_meaning(&j->own, &map.means);
    bool done = (name || problem_set(p, "%s: not enough memory", j->own.input)) &&
                (!has_codes || map_metres_check(&j->own, &j->own.dof, p));
    if (done)
        tell_found(j, &map, depth);
    done = done && take_original(j, map.original, settings, p);
    embedded_free(&map);
    return done;
}

bool embedded_read(picture_job *j, const decode_settings *settings, problem *p)
{
    const options *const given = j->o;
    if (!embedded_is_wanted(given))
        return true;
    j->own = *given;
    j->o = &j->own;
    const bool done =
        (!source_is_embedded(given, SOURCE_MAP) || take_kind(j, EMBEDDED_DEPTH, settings, p)) &&
        (!source_is_embedded(given, SOURCE_MATTE) || take_kind(j, EMBEDDED_MATTE, settings, p));
    pixels_free(j->input.file.data);
    j->input.file = (blob){0};
    return done;
}
