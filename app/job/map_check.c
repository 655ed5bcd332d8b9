#include "job/map_check.h"

#include "depth/colour_scale.h"
#include "engine/source.h"
#include "job/map_colours.h"
#include "job/view.h"

/* --- Maps ------------------------------------------------------------------------------------- */

/* Judges the map by the pixels themselves, if they lie on a GPU and count. Few maps have colours or room for the picture, so
 * they are hardly ever fetched. */
static bool judge_views(const engine_request *q, const satb_judge_params *how, satb_judgement *j,
                        problem *p)
{
    satb_image src, map;
    if (!(j->signs & SATB_SIGN_UNSEEN))
        return true;
    if (!view_open(&q->src, &src, q->o->input, p))
        return false;
    const bool done = view_open(&q->map, &map, q->o->map, p);
    if (done) {
        (void)satb_judge_map(&src, &map, how, j);
        view_close(&q->map, &map);
    }
    view_close(&q->src, &src);
    return done;
}

static bool refuse_colours(const engine_request *q, problem *p)
{
    if (!q->o->given[OPT_DEPTH]) {
        return problem_set(p,
                           "%s: is a false-colour map or a photo, because its channels differ "
                           "much; give a gray map",
                           q->o->map);
    }
    if (q->src.channels < 3) {
        return problem_set(
            p,
            "%s: is in colour, and %s is gray; if they are swapped, give the photo "
            "as INPUT and the gray map by --depth; if not, name the map's colours by "
            "--depth-colormap",
            q->o->map, q->o->input);
    }
    return problem_set(p,
                       "%s: is a photo or a false-colour map, but its colours are not those of %s, "
                       "or are too few to tell; give a gray map, or name the scale by "
                       "--depth-colormap ('none' takes the first channel)",
                       q->o->map, map_scale_words().text);
}

static bool refuse_turned(const engine_request *q, const satb_image *map, const char *name,
                          problem *p)
{
    return problem_set(p,
                       "%s: has the proportions of %s turned by 90 degrees, %d x %d instead of %d "
                       "x %d; rotate it, or scale it if it is only squeezed",
                       name, q->o->input, map->width, map->height, q->src.width, q->src.height);
}

static void doubt_proportions(const engine_request *q, const satb_image *map, const char *name)
{
    message_note(q->o->given[OPT_QUIET],
                 "%s: %d x %d does not have the proportions of %s, %d x %d, so it is stretched",
                 name, map->width, map->height, q->o->input, q->src.width, q->src.height);
}

/* Refuses what is no map. */
static bool refuse(const engine_request *q, unsigned signs, problem *p)
{
    const char *const name = q->o->map;
    if (signs & SATB_SIGN_TURNED)
        return refuse_turned(q, &q->map, name, p);
    if (signs & SATB_SIGN_PICTURE)
        return problem_set(p, "%s: is the picture itself, not a gray map; give the picture's map",
                           name);
    if (signs & SATB_SIGN_BESIDE)
        return problem_set(p, "%s: shows %s beside a map; cut out the map", name, q->o->input);
    return !(signs & SATB_SIGN_COLOURED) || refuse_colours(q, p);
}

static void doubt(const engine_request *q, unsigned signs)
{
    const char *const name = q->o->map;
    const bool quiet = q->o->given[OPT_QUIET];
    if (signs & SATB_SIGN_TINTED)
        message_note(quiet,
                     "%s: may be a false-colour map or a photo, because its channels differ; its "
                     "first channel is used, as for a gray map",
                     name);
    if (signs & SATB_SIGN_ALIKE && q->o->given[OPT_DEPTH])
        message_note(quiet, "%s: looks like %s in gray; a depth map shows depth, not light", name,
                     q->o->input);
    if (signs & SATB_SIGN_STRETCHED)
        doubt_proportions(q, &q->map, name);
}

bool map_accept(const engine_request *q, const satb_colours *known, problem *p)
{
    satb_colours found;
    satb_judge_params how = {.colours = known};
    satb_judgement j = {0};
    unsigned signs;
    if (!known && !colours_find(&q->map, &found, q->o->map, p))
        return false;
    if (!known)
        how.colours = &found;
    (void)satb_judge_map(&q->src, &q->map, &how, &j);
    const bool chosen =
        q->o->given[OPT_DEPTH] && q->o->colormap == COLORMAP_NONE; /* whatever it shows */
    if (!chosen && !judge_views(q, &how, &j, p))
        return false;
    signs = chosen ? j.signs & (SATB_SIGN_TURNED | SATB_SIGN_STRETCHED) : j.signs;
    if (!refuse(q, signs, p))
        return false;
    doubt(q, signs);
    return true;
}

/* --- Near and far ----------------------------------------------------------------------------- */

bool map_near_is_assumed(const engine_request *q)
{
    const options *const o = q->o;
    return o->given[OPT_DEPTH] && q->map.data && !o->given[OPT_NEAR] && !o->given[OPT_DEPTH_FROM] &&
           q->origin.meaning.kind != DEPTH_METRES;
}

void map_doubt_near(const engine_request *q)
{
    enum { ROWS = 128 }; /* at least as many are looked at, of a map that has more */
    const int step = q->map.height > ROWS
    ? q->map.height / ROWS : 1;
    const satb_judge_params how = {.colours = &(satb_colours){0},
                                   .orientation = q->dof.orientation,
                                   .near_black = q->dof.near_black};
    satb_image rows = q->map;
    satb_judgement j;
    if (!map_near_is_assumed(q) || rows.on_device)
        return;
    rows.height /= step;
    rows.stride *= step;
    if (satb_judge_map(NULL, &rows, &how, &j) == SATB_OK && j.signs & SATB_SIGN_SWAPPED)
        message_note(q->o->given[OPT_QUIET],
                     "%s: is farther below than above, as if near and far were swapped; --near %s "
                     "swaps them",
                     q->o->map, q->dof.near_black ? "white" : "black");
}

/* --- Range ------------------------------------------------------------------------------------ */

/* Returns a code in the map's own numbers. */
static unsigned own_number(const engine_request *q, unsigned code)
{
    const unsigned full = q->map.bits == 16 ? UINT16_MAX : UINT8_MAX;
    return (unsigned)(((uint64_t)code * q->map_white + full / 2) / full);
}

static bool are_millimetres(const engine_request *q)
{
    return q->map.bits == 16 && q->dof.depth_type == SATB_DEPTH_LINEAR && q->dof.near_black &&
           !q->o->given[OPT_DISTANCE];
}

/* Returns whether the map uses more than an eighth of its scale, by the report of the work alone. Between known codes no
 * step of the work widens the range that occurs; holes get codes of their own. */
static bool is_wide(const satb_dof_report *r)
{
    return r->unknown == 0 && 8 * (r->most - r->least) > 1;
}

void map_doubt_range(const engine_request *q)
{
    const options *const o = q->o;
    const satb_image *const map = &q->map;
    const satb_judge_params range_alone = {.colours = &(satb_colours){0}};
    satb_judgement j = {0};
    satb_image view;
    problem ignored;
    if (!o->given[OPT_DEPTH] || o->given[OPT_DEPTH_RANGE] || is_wide(&q->report) ||
        !view_open(map, &view, o->map, &ignored))
        return;
    (void)satb_judge_map(NULL, &view, &range_alone, &j);
    view_close(map, &view);
    if (!(j.signs & SATB_SIGN_NARROW))
        return;
    const unsigned least = own_number(q, j.least), most = own_number(q, j.most);
    const double white = most > 1 ? 1 : q->map_white; /* up to 1, --depth-range has fractions */
    message_note(o->given[OPT_QUIET],
                 "%s: uses only the codes %u to %u of %u, so little is blurred; --depth-range "
                 "%.10g,%.10g stretches them to the whole scale%s",
                 o->map, least, most, q->map_white, least / white, most / white,
                 are_millimetres(q) ? ", and distances in millimetres" : "");
}

/* --- Mattes ----------------------------------------------------------------------------------- */

bool mask_accept(const engine_request *q, source_role role, problem *p)
{
    const satb_image *const mask = &q->images[role];
    const char *const name = q->o->source[role];
    satb_colours found = {0};
    satb_judge_params how = {.is_mask = true};
    satb_judgement j = {0};
    if (mask->on_device && !colours_find(mask, &found, name, p))
        return false;
    if (mask->on_device)
        how.colours = &found;
    (void)satb_judge_map(&q->src, mask, &how, &j);
    if (j.signs & SATB_SIGN_TURNED)
        return refuse_turned(q, mask, name, p);
    if (j.signs & SATB_SIGN_TINTED)
        return problem_set(p,
                           "%s: is a colour picture, not a %s; give a gray mask, or a cut-out "
                           "whose alpha is the %s",
                           name, source_noun(role), role == SOURCE_MATTE ? "subject's" : "mask");
    if (j.signs & SATB_SIGN_STRETCHED)
        doubt_proportions(q, mask, name);
    return true;
}

bool matte_doubt(const engine_request *q, problem *p)
{
    const char *const name = q->o->matte;
    const char *const all = q->report.subject == 0   ? "black"
                            : q->report.subject == 1 ? "white"
                                                     : NULL;
    if (!all)
        return true;
    if (!q->map.data)
        return problem_set(
            p, "%s: is all %s, so it marks no subject; give another matte, or --depth MAP", name,
            all);
    message_note(q->o->given[OPT_QUIET],
                 "%s: is all %s, so it marks no subject, and %s is used unchanged", name, all,
                 q->o->map);
    return true;
}
