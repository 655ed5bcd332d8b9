#include "video/track.h"

#include "image/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CELLS = TRACK_PATCH * TRACK_PATCH,
    NEAR = 24,        /* cells that are searched on each side of the last place */
    WIDEN = 4,        /* more of them for each frame since the loss */
    OWN_DEPTH = 16,   /* of 255: a cell of the template this far from its middle is another's */
    FEWEST = 12,      /* of its own cells; with fewer all count */
    DEPTH_WEIGHT = 2, /* a step of depth counts as steps of colour */
    LEAST = 36,       /* contrast of a plain template, as noise has differences, too */
    WORST = 3,        /* a cell's difference counts up to that many contrasts */
};
/* Differences, in contrasts: the place is lost, the template learns, a cell is not its own; and the price of the search's rim,
 * so that of equals the nearest place counts. */
static const double lost_at = 0.7, good_at = 0.5, covers_at = 0.5, far_costs = 0.1;
static const float learning = 1.0F / 8;

/* --- Views ------------------------------------------------------------------------------------ */

/* The samples that belong to cell i of n, of which there is at least one. */
typedef struct part {
    int from, to;
} part;

static part part_of(int i, int n, int samples)
{
    const int from = (int)((int64_t)i * samples / n), to = (int)((int64_t)(i + 1) * samples / n);
    return (part){from, to > from ? to : from + 1};
}

/* Returns the mean of a channel in a block, 0 to 255. */
static uint8_t mean_of(const satb_image *image, part across, part down, int channel)
{
    uint64_t sum = 0;
    const uint64_t count = (uint64_t)(across.to - across.from) * (uint64_t)(down.to - down.from);
    for (int y = down.from; y < down.to; y++) {
        const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
        for (int x = across.from; x < across.to; x++)
            sum +=
                picture_sample(image, row, (size_t)x * (size_t)image->channels + (size_t)channel);
    }
    const uint64_t mean = sum / count >> (image->bits == 8 ? 0 : image->half ? 7 : 8);
    return (uint8_t)(mean < UINT8_MAX ? mean : UINT8_MAX); /* halves below 0 are bright */
}

bool track_view_make(track_view *v, const satb_image *picture, const satb_image *map, problem *p)
{
    const int w = picture->width, h = picture->height, side = w > h ? w : h;
    const int cells = side < TRACK_CELLS ? side : TRACK_CELLS;
    *v = (track_view){.picture_width = w, .picture_height = h};
    v->width = (int)((int64_t)w * cells / side) + ((int64_t)w * cells < side);
    v->height = (int)((int64_t)h * cells / side) + ((int64_t)h * cells < side);
    v->cells = malloc((size_t)v->width * (size_t)v->height * 4);
    if (!v->cells)
        return problem_set(p, "not enough memory to follow the focus");
    uint8_t *cell = v->cells;
    for (int y = 0; y < v->height; y++)
        for (int x = 0; x < v->width; x++, cell += 4) {
            const part across = part_of(x, v->width, w), down = part_of(y, v->height, h);
            for (int c = 0; c < 3; c++)
                cell[c] = mean_of(picture, across, down, picture->channels < 3 ? 0 : c);
            cell[3] = !map->data ? 0
                                 : mean_of(map, part_of(x, v->width, map->width),
                                           part_of(y, v->height, map->height), 0);
        }
    return true;
}

void track_view_free(track_view *v)
{
    free(v->cells);
    v->cells = NULL;
}

/* Returns a cell of the view; NULL: it is outside. */
static const uint8_t *cell_at(const track_view *v, int x, int y)
{
    const bool is_inside = x >= 0 && y >= 0 && x < v->width && y < v->height;
    return is_inside ? v->cells + 4 * ((size_t)y * (size_t)v->width + (size_t)x) : NULL;
}

/* --- The template ----------------------------------------------------------------------------- */

/* Returns whether cell i is known, and as deep as the middle. */
static bool is_own(const track *t, int i)
{
    return t->knows[i] && abs(t->patch[i][3] - t->patch[CELLS / 2][3]) <= OWN_DEPTH;
}

/* Rounds the template, and lists the cells that count. */
static void settle(track *t)
{
    int own = 0;
    for (int i = 0; i < CELLS; i++)
        for (int c = 0; c < 4; c++)
            t->patch[i][c] = (uint8_t)(t->cells[i][c] + 0.5F);
    for (int i = 0; i < CELLS; i++)
        own += is_own(t, i);
    t->used = 0;
    for (int i = 0; i < CELLS; i++) {
        if (own < FEWEST ? !t->knows[i] : !is_own(t, i))
            continue;
        track_cell *const cell = &t->own[t->used++];
        cell->across = (int8_t)(i % TRACK_PATCH - TRACK_RADIUS);
        cell->down = (int8_t)(i / TRACK_PATCH - TRACK_RADIUS);
        memcpy(cell->shows, t->patch[i], sizeof cell->shows);
    }
}

/* Measures the contrast: the mean distance of the colours from their mean. */
static void measure_contrast(track *t)
{
    double mean[3] = {0}, sum = 0;
    for (int i = 0; i < t->used; i++)
        for (int c = 0; c < 3; c++)
            mean[c] += (double)t->own[i].shows[c] / t->used;
    for (int i = 0; i < t->used; i++)
        for (int c = 0; c < 3; c++)
            sum += fabs(t->own[i].shows[c] - mean[c]);
    t->contrast = sum / t->used + LEAST;
}

/* Returns how much two cells differ. */
static int difference(const uint8_t *a, const uint8_t *b)
{
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) + DEPTH_WEIGHT * abs(a[3] - b[3]);
}

/* Takes a share of the cells around x, y into the template, and the whole of those that it did not know. Cells outside the
 * view leave it as it is, and so do cells of another look: something covers the place there. */
static void learn(track *t, const track_view *v, int x, int y)
{
    for (int i = 0; i < CELLS; i++) {
        const uint8_t *const cell =
            cell_at(v, x + i % TRACK_PATCH - TRACK_RADIUS, y + i / TRACK_PATCH - TRACK_RADIUS);
        if (!cell || (t->knows[i] && difference(t->patch[i], cell) > covers_at * t->contrast))
            continue;
        const float share = t->knows[i] ? learning : 1;
        for (int c = 0; c < 4; c++)
            t->cells[i][c] += share * ((float)cell[c] - t->cells[i][c]);
        t->knows[i] = true;
    }
    settle(t);
    measure_contrast(t);
}

/* Starts with a pixel. */
static void begin(track *t, const track_view *v, int x, int y)
{
    *t = (track){.has_begun = true, .first_x = x, .first_y = y, .frames = 1};
    t->origin_x = t->x = (int)((int64_t)x * v->width / v->picture_width);
    t->origin_y = t->y = (int)((int64_t)y * v->height / v->picture_height);
    learn(t, v, t->x, t->y);
}

/* --- The search ------------------------------------------------------------------------------- */

typedef struct match {
    int x, y;
    double cost; /* contrasts, with what the way costs */
} match;

/* Returns the mean difference at a place, in contrasts; INFINITY: it is more than `most`, or the half of it is outside. */
static double cost_at(const track *t, const track_view *v, int x, int y, double most)
{
    const int worst = (int)(WORST * t->contrast);
    const double limit = most * t->contrast * t->used;
    int sum = 0, seen = 0;
    for (int i = 0; i < t->used; i++) {
        const track_cell *const own = &t->own[i];
        const uint8_t *const cell = cell_at(v, x + own->across, y + own->down);
        if (!cell)
            continue;
        const int d = difference(own->shows, cell);
        sum += d < worst ? d : worst;
        seen++;
        if (sum > limit)
            return INFINITY;
    }
    return 2 * seen < t->used ? INFINITY : sum / t->contrast / seen;
}

/* Finds the best place up to that far from the last one. limit: the least that is too much; the cost is that if all places
 * cost more. */
static match find(const track *t, const track_view *v, int reach, double limit)
{
    match best = {t->x, t->y, fmin(limit, cost_at(t, v, t->x, t->y, limit))};
    for (int down = -reach; down <= reach; down++)
        for (int across = -reach; across <= reach; across++) {
            const double way = far_costs * sqrt(across * across + down * down) / reach;
            if (way >= best.cost || !cell_at(v, t->x + across, t->y + down))
                continue;
            const double here = way + cost_at(t, v, t->x + across, t->y + down, best.cost - way);
            if (here < best.cost)
                best = (match){t->x + across, t->y + down, here};
        }
    return best;
}

/* Returns how far the search goes: farther the longer the place is lost, and everywhere at a cut. */
static int reach_of(const track *t, const track_view *v, bool is_cut)
{
    const int all = v->width > v->height ? v->width : v->height;
    const uint64_t wide = NEAR + WIDEN * t->lost_for;
    return is_cut || wide > (uint64_t)all ? all : (int)wide;
}

static void note_loss(track *t)
{
    if (t->lost_for++ == 0 && t->losses++ == 0)
        t->lost_from = t->frames;
    if (t->losses == 1)
        t->lost_until = t->frames;
}

/* Returns the pixel of a cell, which lies to it as the first pixel did to its own. */
static int pixel_of(int first, int origin, int at, int pixels, int cells)
{
    const int64_t moved = first + ((int64_t)at - origin) * pixels / cells;
    return (int)(moved < 0 ? 0 : moved < pixels ? moved : pixels - 1);
}

bool track_follow(track *t, const track_view *v, bool is_cut, int *x, int *y)
{
    if (!t->has_begun) {
        begin(t, v, *x, *y);
        return true;
    }
    const double limit = t->lost_for > 0 || is_cut ? good_at : lost_at;
    const match m = find(t, v, reach_of(t, v, is_cut), limit);
    const bool is_seen = m.cost < limit;
    t->x = m.x; /* as before, if it is lost */
    t->y = m.y;
    if (is_seen)
        t->lost_for = 0;
    else
        note_loss(t);
    if (m.cost < good_at)
        learn(t, v, m.x, m.y);
    t->frames++;
    *x = pixel_of(t->first_x, t->origin_x, t->x, v->picture_width, v->width);
    *y = pixel_of(t->first_y, t->origin_y, t->y, v->picture_height, v->height);
    return is_seen;
}
