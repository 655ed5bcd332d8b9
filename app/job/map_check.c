#include "job/map_check.h"

#include "depth/colour_scale.h"
#include "image/pixels.h"
#include "image/shape.h"
#include "job/likeness.h"
#include "job/map_colours.h"

/* Returns whether w1 : h1 and w2 : h2 differ by more than 2 % and by more than the rounding of a side to whole pixels. */
static bool proportions_differ(int w1, int h1, int w2, int h2)
{
    const double a = (double)w1 * h2, b = (double)w2 * h1, most = a > b ? a : b;
    const double rounding = (w1 > h1 ? w1 : h1);
    const double difference = a > b ? a - b : b - a;
    return difference > 0.02 * most && difference > rounding;
}

static const char *map_name(const engine_request *q)
{
    return q->o->depth ? q->o->depth : q->o->radius_map;
}

static const uint8_t *row_of(const satb_image *map, int y)
{
    return (const uint8_t *)map->data + y * map->stride;
}

/* Returns whether the map's proportions are the picture's, turned by 90 degrees. */
static bool is_turned(const satb_image *src, const satb_image *map)
{
    return proportions_differ(src->width, src->height, map->width, map->height) &&
           (src->width > src->height) != (map->width > map->height) &&
           !proportions_differ(src->width, src->height, map->height, map->width);
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Returns whether the map is so much wider or higher than the picture that one side of it, of the picture's proportions, may
 * be the picture: some programs draw the map beside or below it. */
static bool has_side(const satb_image *src, const satb_image *map, satb_image *side)
{
    const double wide = (double)map->height * src->width / src->height;
    const double high = (double)map->width * src->height / src->width;
    *side = *map;
    if (4 * wide < 3 * map->width)
        side->width = (int)(wide + 0.5);
    else if (4 * high < 3 * map->height)
        side->height = (int)(high + 0.5);
    else
        return false;
    return side->width >= LIKENESS_SIDE && side->height >= LIKENESS_SIDE;
}

/* Returns whether one side of the map looks like the picture. */
static bool shows_picture(const satb_image *src, const satb_image *map, bool gray)
{
    satb_image side;
    if (!has_side(src, map, &side))
        return false;
    satb_image other = side;
    other.data = (uint8_t *)map->data + (map->height - side.height) * map->stride +
                 (ptrdiff_t)(map->width - side.width) * map->channels * (map->bits / 8);
    return likeness_find(src, &side, 1, gray) || likeness_find(src, &other, 1, gray);
}

static bool refuse_likeness(const engine_request *q, const satb_image *src, const satb_image *map,
                            bool coloured, problem *p)
{
    const char *const name = map_name(q);
    if (coloured && likeness_find(src, map, 1, false))
        return problem_set(p, "%s: is no gray map but the picture itself; give its map", name);
    return !shows_picture(src, map, !coloured) ||
           problem_set(p, "%s: shows %s beside a map; cut out the map", name, q->o->input);
}

/* Refuses a map that shows the picture. Few maps have colours or room for the picture, so pixels on a GPU are hardly ever
 * fetched. */
static bool refuse_picture(const engine_request *q, bool coloured, problem *p)
{
    satb_image src, map, side;
    bool done = false;
    if (!coloured && !has_side(&q->src, &q->map, &side))
        return true;
    if (!view_open(&q->src, &src, q->o->input, p))
        return false;
    if (view_open(&q->map, &map, map_name(q), p)) {
        done = refuse_likeness(q, &src, &map, coloured, p);
        view_close(&q->map, &map);
    }
    view_close(&q->src, &src);
    return done;
}

static bool refuse_colours(const engine_request *q, problem *p)
{
    if (!q->o->depth) {
        return problem_set(p,
                           "%s: its channels differ much, so it is a false-colour map or a photo; "
                           "give a gray map",
                           map_name(q));
    }
    return problem_set(
        p,
        "%s: its channels differ much, and its colours are not those of %s, or are "
        "too few to tell; give a gray map, or name the scale by --depth-colormap ('none' takes "
        "the first channel)",
        map_name(q), map_scale_words().text);
}

static bool accept_colours(const engine_request *q, const colouring *known, problem *p)
{
    const char *const name = map_name(q);
    const bool quiet = q->o->given[OPT_QUIET], host = !q->src.on_device && !q->map.on_device;
    colouring c;
    if (q->o->depth && q->o->colormap == COLORMAP_NONE)
        return true;
    if (known)
        c = *known;
    else if (!colouring_find(&q->map, &c, name, p))
        return false;
    const bool coloured = colouring_is_real(&c);
    if (!refuse_picture(q, coloured, p))
        return false;
    if (c.strong > 0.1)
        return refuse_colours(q, p);
    if (coloured) {
        message_note(quiet,
                     "%s: its channels differ, so it may be a false-colour map or a photo; "
                     "its first channel is used, which is right for gray maps only",
                     name);
    } else if (q->o->depth && host && likeness_find(&q->src, &q->map, 1, true)) {
        message_note(quiet, "%s: looks like %s in gray; a depth map shows depths, not light", name,
                     q->o->input);
    }
    return true;
}

/* --- Range ------------------------------------------------------------------------------------ */

typedef struct extremes {
    unsigned least, most;
} extremes;

/* Widens the extremes by the first channel of a row. In 16 bits, 0 counts as unknown. */
static void widen(extremes *e, const satb_image *map, const uint8_t *row)
{
    for (size_t x = 0; x < (size_t)map->width; x++) {
        const unsigned code = picture_sample(map, row, x * (size_t)map->channels);
        if (code == 0 && map->bits == 16)
            continue;
        e->least = code < e->least ? code : e->least;
        e->most = code > e->most ? code : e->most;
    }
}

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

/* Most maps use more of their scale in their first rows, and then the rest is not read. */
static extremes extremes_of(const satb_image *map)
{
    const unsigned full = map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    extremes e = {.least = full, .most = 0};
    for (int y = 0; y < map->height && !(e.most > e.least && 8 * (e.most - e.least) > full); y++)
        widen(&e, map, row_of(map, y));
    return e;
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
    const unsigned full = map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    satb_image view;
    problem ignored;
    if (!o->depth || o->given[OPT_DEPTH_RANGE] || is_wide(&q->report) ||
        !view_open(map, &view, o->depth, &ignored))
        return;
    const extremes e = extremes_of(&view);
    view_close(map, &view);
    if (e.most <= e.least || 8 * (e.most - e.least) > full)
        return;
    const unsigned least = own_number(q, e.least), most = own_number(q, e.most);
    message_note(o->given[OPT_QUIET],
                 "%s: uses only the codes %u to %u of %u, so little is blurred; "
                 "--depth-range %u,%u makes them the whole scale%s",
                 o->depth, least, most, q->map_white, least, most,
                 are_millimetres(q) ? ", and distances in millimetres" : "");
}

/* --- Proportions ------------------------------------------------------------------------------ */

static bool refuse_turned(const engine_request *q, const satb_image *map, const char *name,
                          problem *p)
{
    const satb_image *const src = &q->src;
    return !is_turned(src, map) ||
           problem_set(p,
                       "%s: has the proportions of %s turned, %d x %d for %d x %d; rotate it, or "
                       "scale it to those if it is only squeezed",
                       name, q->o->input, map->width, map->height, src->width, src->height);
}

static void doubt_proportions(const engine_request *q, const satb_image *map, const char *name)
{
    const satb_image *const src = &q->src;
    if (proportions_differ(src->width, src->height, map->width, map->height))
        message_note(q->o->given[OPT_QUIET],
                     "%s: %d x %d has other proportions than %s, %d x %d; it is stretched to them",
                     name, map->width, map->height, q->o->input, src->width, src->height);
}

bool map_accept(const engine_request *q, const colouring *known, problem *p)
{
    const char *const name = map_name(q);
    if (!refuse_turned(q, &q->map, name, p) || !accept_colours(q, known, p))
        return false;
    doubt_proportions(q, &q->map, name);
    return true;
}

/* --- Mattes ----------------------------------------------------------------------------------- */

/* Returns whether the matte, which is on the host if it has an alpha, has one that is not the same everywhere. */
static bool has_alpha(const satb_image *matte)
{
    const size_t channels = (size_t)matte->channels;
    if (channels % 2 == 1)
        return false;
    const unsigned first = picture_sample(matte, row_of(matte, 0), channels - 1);
    for (int y = 0; y < matte->height; y++)
        for (size_t x = 0; x < (size_t)matte->width; x++)
            if (picture_sample(matte, row_of(matte, y), x * channels + channels - 1) != first)
                return true;
    return false;
}

bool matte_accept(const engine_request *q, const satb_image *matte, const char *name, problem *p)
{
    if (!refuse_turned(q, matte, name, p))
        return false;
    colouring c = {0};
    if (!has_alpha(matte) && !colouring_find(matte, &c, name, p))
        return false;
    if (colouring_is_real(&c)) {
        return problem_set(p,
                           "%s: is a picture in colours, not a %s; give a mask in gray, or a "
                           "cut-out whose alpha is the %s",
                           name, matte == &q->matte ? "matte" : "mask",
                           matte == &q->matte ? "subject's" : "mask");
    }
    doubt_proportions(q, matte, name);
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
        return problem_set(p, "%s: is all %s, so it marks no subject; give another, or --depth MAP",
                           name, all);
    message_note(q->o->given[OPT_QUIET],
                 "%s: is all %s, so it marks no subject, and %s is used as it is", name, all,
                 q->o->depth);
    return true;
}
