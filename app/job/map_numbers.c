#include "job/map_numbers.h"

#include "depth/depth_codes.h"
#include "image/shape.h"
#include "job/map_colours.h"

#include <math.h>

/* --- What the numbers mean -------------------------------------------------------------------- */

/* Returns the meaning by --depth-type: a distance is in metres unless --distance tells its ends. */
static depth_meaning meaning_by_type(const options *o, const depth_meaning *preset, bool numbers)
{
    const depth_meaning disparity = {DEPTH_DISPARITY, 0}, relative = {DEPTH_RELATIVE, 0};
    if (o->dof.depth_type == SATB_DEPTH_DISPARITY)
        return disparity;
    if (o->given[OPT_DISTANCE])
        return relative;
    if (preset && preset->kind != DEPTH_DISPARITY)
        return *preset;
    return numbers ? (depth_meaning){DEPTH_METRES, 1} : relative;
}

/* Returns the meaning by the options, or else by the file. */
static depth_meaning meaning_of(const options *o, const picture *map)
{
    const bool numbers = map->values.data != NULL;
    const depth_preset *const from = depth_preset_of(o->depth_from);
    const depth_meaning *const preset = !from ? NULL : numbers ? &from->numbers : &from->codes;
    if (o->given[OPT_DEPTH_SCALE])
        return (depth_meaning){DEPTH_METRES, o->depth_scale};
    if (o->given[OPT_DEPTH_TYPE])
        return meaning_by_type(o, preset, numbers);
    if (preset)
        return *preset;
    return map->values.is_metres ? (depth_meaning){DEPTH_METRES, 1}
                                 : (depth_meaning){DEPTH_DISPARITY, 0};
}

/* Refuses options that metres contradict. */
static bool accept_metres(const options *o, const depth_meaning *m, problem *p)
{
    if (m->kind != DEPTH_METRES)
        return true;
    if (o->given[OPT_NEAR] && !o->dof.near_black)
        return problem_set(p,
                           "%s: is a map in metres, in which the smallest value is nearest; leave "
                           "out --near white, or give --depth-type disparity",
                           o->map);
    return !o->given[OPT_DISTANCE] ||
           problem_set(p,
                       "%s: is a map in metres, which has the distances; leave out --distance, or "
                       "add --depth-type linear if its numbers are not metres",
                       o->map);
}

/* --- Numbers to codes ------------------------------------------------------------------------- */

/* Makes numbers of the first channel's codes: those of the file. */
static bool number_codes(satb_image *map, unsigned white, values *v, problem *p)
{
    const uint64_t full = map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    if (!pixels_bring(map, p) || !values_allocate(v, map->width, map->height, p))
        return false;
    float *to = v->data;
    for (int y = 0; y < map->height; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        for (size_t x = 0; x < (size_t)map->width; x++) {
            const uint64_t code = picture_sample(map, row, x * (size_t)map->channels);
            *to++ = (float)((code * white + full / 2) / full);
        }
    }
    return true;
}

/* Replaces the request's map by codes of the numbers, which are freed. */
static bool take_codes(const options *o, engine_request *q, values *v, problem *p)
{
    const depth_request request = {.meaning = q->origin.meaning,
                                   .has_ends = o->given[OPT_DEPTH_RANGE],
                                   .ends = {o->range_a, o->range_b},
                                   .is_percent = o->range_in_percent,
                                   .may_miss = o->range_of_clip};
    if (!depth_codes_make(&q->origin.codes, v, &request, p))
        return false;
    pixels_free(v->data);
    v->data = NULL;
    pixels_drop(&q->map);
    q->map = q->origin.codes.image;
    q->map_white = UINT16_MAX;
    return true;
}

/* Sets what the codes mean. Code 0 is kept for unknown samples, so the scale begins at code 1 if there are any. */
static void set_meaning(const options *o, engine_request *q)
{
    const depth_codes *const c = &q->origin.codes;
    satb_dof_params *const dof = &q->dof;
    const depth_kind kind = q->origin.meaning.kind;
    const bool holes = c->unknown > 0;
    dof->depth_type = kind == DEPTH_RELATIVE ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    dof->near_black = kind == DEPTH_METRES ? 0
                      : o->given[OPT_NEAR] ? o->dof.near_black
                                           : depth_is_near_black(kind);
    dof->range_low = holes ? 1.0 / UINT16_MAX : 0;
    dof->range_high = holes ? 1 : 0;
    dof->holes = !holes                      ? SATB_HOLES_NONE
                 : o->given[OPT_DEPTH_HOLES] ? o->dof.holes
                                             : SATB_HOLES_FILL;
    if (kind == DEPTH_METRES) {
        dof->distance_near = c->least;
        dof->distance_far = c->reaches_infinity ? INFINITY : c->most;
    } else if (!o->given[OPT_DISTANCE]) {
        dof->distance_near = dof->distance_far = 0;
    }
}

/* Doubts metres that a channel's name says, where the numbers look like 1/z: none is above 1, or many are 0, which then is
 * infinitely far. */
static void doubt_metres(const picture_job *j)
{
    enum { MANY = 10 }; /* one in so many */
    const values *const v = &j->map.values;
    const size_t all = (size_t)v->width * (size_t)v->height;
    size_t zeros = 0, large = 0;
    for (size_t i = 0; i < all; i++) {
        zeros += v->data[i] == 0;
        large += v->data[i] > 1;
    }
    if (large == 0 && zeros <= all / MANY)
        message_note(
            j->o->given[OPT_QUIET],
            "%s: none of its numbers is above 1; if they are 1/z, with the largest "
            "nearest, give --depth-from nuke; if they are distances scaled to 0 .. 1, give "
            "--depth-type linear --distance NEAR,FAR",
            j->o->map);
    else if (large == 0 || zeros > all / MANY)
        message_note(j->o->given[OPT_QUIET],
                     "%s: %.2g%% of its numbers are 0 and %s; if they are 1/z, with the largest "
                     "nearest, give --depth-from nuke",
                     j->o->map, 100.0 * (double)zeros / (double)all,
                     large == 0 ? "none is above 1" : "are read as unknown");
}

static bool settle_numbers(picture_job *j, const depth_meaning *meaning, problem *p)
{
    const options *const o = j->o;
    engine_request *const q = &j->request;
    problem inner;
    const bool numbers = j->map.values.data != NULL;
    if (!accept_metres(o, meaning, p))
        return false;
    q->origin = (depth_origin){
        .is_made = true, .has_numbers = numbers, .format = j->map.format, .meaning = *meaning};
    q->origin.is_assumed = j->map.values.is_assumed && !o->given[OPT_DEPTH_TYPE] &&
                           !o->given[OPT_DEPTH_SCALE] && !o->given[OPT_DEPTH_FROM];
    if (q->origin.is_assumed)
        doubt_metres(j);
    snprintf(q->origin.from, sizeof q->origin.from, "%s", j->map.values.from);
    if ((!numbers && !number_codes(&q->map, q->map_white, &j->map.values, &inner)) ||
        !take_codes(o, q, &j->map.values, &inner))
        return problem_at(p, o->map, &inner);
    set_meaning(o, q);
    return true;
}

/* --- Codes without a unit --------------------------------------------------------------------- */

/* Sets what --depth-from says of codes; other options come before it. */
static void set_preset(const options *o, satb_dof_params *dof)
{
    const depth_preset *const from = depth_preset_of(o->depth_from);
    if (!from)
        return;
    const depth_kind kind = from->codes.kind;
    if (!o->given[OPT_DEPTH_TYPE])
        dof->depth_type = kind == DEPTH_RELATIVE ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    if (!o->given[OPT_NEAR])
        dof->near_black = depth_is_near_black(kind);
    if (!o->given[OPT_DEPTH_HOLES])
        dof->holes = from->zero_is_unknown ? SATB_HOLES_FILL : SATB_HOLES_NONE;
}

/* Leaves the distances in millimetres to maps of 16 bits. */
static bool resolve_distances(const options *o, const satb_image *map, satb_dof_params *dof,
                              problem *p)
{
    if (!o->in_millimetres || map->bits == 16)
        return true;
    dof->distance_near = dof->distance_far = 0;
    return (!o->focus_in_metres && dof->strength != SATB_STRENGTH_LENS) ||
           problem_set(p,
                       "%s: its 8 bits cannot be millimetres; give --distance NEAR,FAR in metres",
                       o->map);
}

/* Makes numbers of the codes, of which percentiles are taken. In 16 bits, 0 counts as unknown. */
static bool number_known_codes(satb_image *map, unsigned white, values *v, problem *p)
{
    if (!number_codes(map, white, v, p))
        return false;
    for (size_t i = 0; map->bits == 16 && i < (size_t)v->width * (size_t)v->height; i++)
        v->data[i] = v->data[i] > 0 ? v->data[i] : NAN;
    return true;
}

/* Sets the range to percentiles of the codes. */
static bool resolve_percent(const options *o, satb_image *map, satb_dof_params *dof, problem *p)
{
    problem inner;
    values v = {0};
    double ends[2];
    const unsigned full = map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    if (!number_known_codes(map, full, &v, &inner))
        return problem_at(p, o->map, &inner);
    const double per_cent[2] = {o->range_a, o->range_b};
    const bool done = depth_percentiles(&v, per_cent, ends, &inner);
    pixels_free(v.data);
    if (!done)
        return problem_at(p, o->map, &inner);
    dof->range_low = ends[0] / full;
    dof->range_high = ends[1] / full;
    return ends[0] < ends[1] ||
           problem_set(p, "%s: --depth-range %g%%,%g%%: both are the code %g; give a wider range",
                       o->map, o->range_a, o->range_b, ends[0]);
}

/* Converts --depth-range, which is in fractions of the full scale or in the map's own numbers, once these are known. */
static bool resolve_range(const options *o, engine_request *q, problem *p)
{
    satb_dof_params *const dof = &q->dof;
    if (!o->given[OPT_DEPTH_RANGE])
        return true;
    if (o->range_in_percent)
        return resolve_percent(o, &q->map, dof, p);
    const double white = o->range_b <= 1 ? 1 : q->map_white;
    dof->range_low = o->range_a / white;
    dof->range_high = o->range_b / white;
    if (dof->range_high > 1 || dof->range_low < 0)
        return problem_set(p,
                           "--depth-range %g,%g: %s has codes up to %g; give a range within 0,%g",
                           o->range_a, o->range_b, o->map, white, white);
    return resolve_distances(o, &q->map, dof, p);
}

/* --- Many maps -------------------------------------------------------------------------------- */

bool map_span_is_needed(const options *o, const picture *map)
{
    const bool by_extremes = map->values.data || meaning_of(o, map).kind == DEPTH_METRES;
    return o->given[OPT_DEPTH] && (o->given[OPT_DEPTH_RANGE] ? o->range_in_percent : by_extremes);
}

bool map_span_add(const options *o, picture *map, depth_span *s, problem *p)
{
    const depth_meaning meaning = meaning_of(o, map);
    engine_request q = {.o = o, .dof = o->dof, .map = map->image, .map_white = map->white};
    satb_colours unused;
    problem inner;
    if (!map->values.data) {
        map->image.data = NULL; /* the request has it */
        const bool read = map_read_colours(&q, &unused, p);
        const bool numbered =
            read && (number_known_codes(&q.map, q.map_white, &map->values, &inner) ||
                     problem_at(p, o->map, &inner));
        pixels_drop(&q.map);
        if (!numbered)
            return false;
    }
    depth_span_add(s, &map->values, &meaning);
    return true;
}

/* --- Any map ---------------------------------------------------------------------------------- */

bool map_metres_check(const options *o, const satb_dof_params *dof, problem *p)
{
    const char *const metres = "give --distance NEAR,FAR, or --depth-scale N for a map in metres";
    if (!o->focus_in_metres && dof->strength != SATB_STRENGTH_LENS)
        return true;
    if (dof->distance_near <= 0 && !o->focus_in_metres)
        return problem_set(p, "%s: has no known distances, but a lens needs them; %s", o->map,
                           metres);
    if (dof->distance_near <= 0)
        return problem_set(p, "%s: has no known distances, but --focus %gm needs them; %s", o->map,
                           dof->focus, metres);
    return !o->focus_in_metres ||
           (dof->focus >= dof->distance_near && dof->focus <= dof->distance_far) ||
           problem_set(p, "--focus %gm is outside %s, %.4g to %.4g m; focus between the two",
                       dof->focus, o->map, dof->distance_near, dof->distance_far);
}

double map_disparity(const satb_dof_params *dof, double z)
{
    if (dof->range_high > 0)
        z = fmin(1, fmax(0, (z - dof->range_low) / (dof->range_high - dof->range_low)));
    z = dof->near_black ? 1 - z : z;
    if (dof->depth_type == SATB_DEPTH_DISPARITY)
        return z;
    const bool known = dof->distance_near > 0;
    const double near = known ? dof->distance_near : 1, far = known ? dof->distance_far : 10;
    return (1 / (far + z * (near - far)) - 1 / far) / (1 / near - 1 / far);
}

satb_holes map_holes(const satb_dof_params *dof, const satb_image *map)
{
    const bool sensor = map->bits == 16 && dof->depth_type == SATB_DEPTH_LINEAR && dof->near_black;
    return dof->holes != SATB_HOLES_DEFAULT ? dof->holes
           : sensor                         ? SATB_HOLES_FILL
                                            : SATB_HOLES_NONE;
}

/* Makes a disparity of a focus that is a code or a number of the map. */
static bool settle_focus(const options *o, engine_request *q, problem *p)
{
    satb_dof_params made = q->dof; /* whose range only keeps a code for holes */
    made.range_high = 0;
    if (o->focus_in_codes && !q->origin.is_made &&
        !(o->dof.focus >= 0 && o->dof.focus <= q->map_white))
        return problem_set(p, "--focus %gc: %s has codes from 0 to %u; give one of them",
                           o->dof.focus, o->map, q->map_white);
    if (o->focus_in_codes)
        q->dof.focus =
            q->origin.is_made
                ? map_disparity(
                      &made, depth_codes_find(&q->origin.codes, &q->origin.meaning, o->dof.focus))
                : map_disparity(&q->dof, o->dof.focus / q->map_white);
    return true;
}

bool map_numbers_settle(picture_job *j, problem *p)
{
    const options *const o = j->o;
    engine_request *const q = &j->request;
    const depth_meaning meaning = meaning_of(o, &j->map);
    if (j->map.values.data || meaning.kind == DEPTH_METRES) {
        if (!settle_numbers(j, &meaning, p))
            return false;
    } else {
        set_preset(o, &q->dof);
        if (!resolve_range(o, q, p))
            return false;
    }
    return settle_focus(o, q, p) && map_metres_check(o, &q->dof, p);
}
