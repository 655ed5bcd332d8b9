#include "job/map_view.h"

#include "image/orientation.h"
#include "image/pixels.h"
#include "job/view.h"

#include <string.h>

/* Places in a file: of the picture, and as large, of its map. */
typedef struct places {
    int width, height, top, left_of_map;
} places;

/* Returns whether the picture and its map may stand below a strip of that height, with a gap between them. */
static bool fits_below(const satb_image *map, int width, int height, int strip, places *found)
{
    const int rest = map->height - strip;
    const int part = (int)((double)rest * width / height + 0.5);
    const int gap = map->width - 2 * part, most = part / 4 > 64 ? part / 4 : 64;
    *found = (places){part, rest, strip, map->width - part};
    return part >= SATB_ALIKE_SIDE && rest >= SATB_ALIKE_SIDE && gap >= 0 && gap <= most;
}

/* Returns whether the file is wide enough for both. A strip, of captions, is known by the picture's own height, or is one of
 * 60 rows. */
static bool find_places(const satb_image *map, int width, int height, places *found)
{
    enum { USUAL = 60, MOST = 100 };
    const int over = map->height - height;
    return (over > 0 && over <= MOST && fits_below(map, width, height, over, found)) ||
           fits_below(map, width, height, 0, found) || fits_below(map, width, height, USUAL, found);
}

static satb_image part_of(const satb_image *map, const places *at, int left)
{
    satb_image part = *map;
    part.data = (uint8_t *)map->data + at->top * map->stride +
                (ptrdiff_t)left * map->channels * (map->bits / 8);
    part.width = at->width;
    part.height = at->height;
    return part;
}

/* Copies a part of a view, as the request's map. */
static bool take_part(engine_request *q, const satb_image *part, problem *p)
{
    satb_image copy = *part;
    if (!pixels_make(&copy, NULL))
        return problem_set(p, "%s: not enough memory to cut out the map", q->o->map);
    for (int y = 0; y < part->height; y++)
        memcpy((uint8_t *)copy.data + y * copy.stride,
               (const uint8_t *)part->data + y * part->stride, (size_t)copy.stride);
    q->map = copy;
    return true;
}

/* Takes the map from the view if the picture stands at its left. */
static bool cut_out(engine_request *q, const satb_image *src, int orientation,
                    const satb_image *view, const places *at, problem *p)
{
    const satb_image left = part_of(view, at, 0), right = part_of(view, at, at->left_of_map);
    if (!satb_are_alike(&left, src, orientation, view->channels < 3))
        return true;
    if (!take_part(q, &right, p))
        return false;
    message_note(q->o->given[OPT_QUIET],
                 "%s: shows %s and its map side by side; the map, %d x %d at %d,%d, is cut out",
                 q->o->map, q->o->input, at->width, at->height, at->left_of_map, at->top);
    return true;
}

bool map_cut_view(engine_request *q, int orientation, problem *p)
{
    const bool swapped = orientation_swaps(orientation);
    const int width = swapped ? q->src.height : q->src.width;
    const int height = swapped ? q->src.width : q->src.height;
    satb_image src, view;
    places at;
    bool done = false;
    if (!find_places(&q->map, width, height, &at))
        return true;
    if (!view_open(&q->src, &src, q->o->input, p))
        return false;
    satb_image whole = q->map;
    if (view_open(&whole, &view, q->o->map, p)) {
        done = cut_out(q, &src, orientation, &view, &at, p);
        view_close(&whole, &view);
        if (q->map.data != whole.data)
            pixels_drop(&whole);
    }
    view_close(&q->src, &src);
    return done;
}
