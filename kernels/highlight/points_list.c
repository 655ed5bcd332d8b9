/* Lists of points, and the spans of their discs. */
#include "highlight/points_list.h"

#include "common/parts.h"

#include <string.h>

/* --- Spans ------------------------------------------------------------------------------------ */

/* Both sides of an outline, from the middle to a height. */
typedef struct sides {
    int64_t left, right;
} sides;

SATK_FN sides sides_to(const satk_scaled_outline *s, int64_t y)
{
    return (sides){satk_side_to(s, s->of->left, y), satk_side_to(s, s->of->right, y)};
}

/* Returns the mean side in a part of a row. Most parts are whole rows, which need no division. */
SATK_FN int mean_side(int64_t sum, int64_t height)
{
    return 128 + (int)(height == 256 ? satk_scaled_down(sum, 8) : satk_divided(sum, height));
}

/* Does satk_span_of_row() for all rows: a row begins where the one above it ends. Returns their light. */
static int64_t find_level(const satk_scaled_outline *s, satk_range rows, satk_row_span *spans)
{
    int64_t from = -s->half, area = 0;
    sides above = sides_to(s, from);

    for (int row = rows.lo; row < rows.hi; row++, spans++) {
        const int64_t below = (int64_t)row * 256 + 128 - s->middle;
        const int64_t to = below > s->half ? s->half : below, height = to - from;
        *spans = (satk_row_span){0, 0, 0};
        if (height <= 0)
            continue;
        const sides end = sides_to(s, to);
        const satk_row_span span = {mean_side(end.left - above.left, height),
                                    mean_side(end.right - above.right, height),
                                    s->of->weight * (int)height};
        from = to;
        above = end;
        if (span.lo >= span.hi)
            continue;
        *spans = span;
        area += (int64_t)(span.hi - span.lo) * span.weight;
    }
    return area;
}

/* Finds the spans of all levels. */
static void find_spans(const satk_points *job, satk_disc_spans *d)
{
    const int levels = job->outlines.levels;
    satk_scaled_outline scaled[SATK_OUTLINE_LEVELS];
    satk_row_span *spans = d->spans;
    int64_t area = 0;

    for (int i = 0; i < levels; i++) {
        scaled[i] = satk_scale_outline(&d->of[i], d->radius);
        const satk_range rows = satk_outline_rows(&scaled[i]);
        d->rows.lo = i == 0 || rows.lo < d->rows.lo ? rows.lo : d->rows.lo;
        d->rows.hi = i == 0 || rows.hi > d->rows.hi ? rows.hi : d->rows.hi;
    }
    for (int i = 0; i < levels; i++, spans += d->rows.hi - d->rows.lo)
        area += find_level(&scaled[i], d->rows, spans);
    d->area = area > 0 ? (uint64_t)area : 1;
}

/* Returns the spans that a disc has at most. */
static size_t most_spans(const satk_points *job)
{
    return (2 * (size_t)job->farthest + 3) * (size_t)job->outlines.levels;
}

/* Returns the number of a disc, whose spans are found unless they are known. */
static int disc_for(const satk_points *job, satk_point_list *l, const satk_point *p)
{
    int *const recent = &l->recent[p->disc->radius % SATK_LIST_DISCS];
    satk_disc_spans *d = &l->discs[*recent - (*recent > 0)];

    if (*recent > 0 && d->of == p->of && d->radius == p->disc->radius)
        return *recent - 1;
    d = &l->discs[l->found];
    *d = (satk_disc_spans){.of = p->of,
                           .radius = p->disc->radius,
                           .spans = l->spans + (size_t)l->found * most_spans(job)};
    find_spans(job, d);
    *recent = ++l->found;
    return l->found - 1;
}

/* --- Batches ---------------------------------------------------------------------------------- */

void satk_place_points(const satk_points *job, uint8_t *memory, size_t *bytes,
                       satk_point_list *list)
{
    const int most = satk_clipped((int)(SATK_MOST_SPANS / most_spans(job)), 1, SATK_LIST_DISCS);
    const size_t batches = satk_place(bytes, SATK_MOST_BATCHES, sizeof *list->batches);
    const size_t light = satk_place(bytes, SATK_MOST_LIGHT, sizeof *list->light);
    const size_t discs = satk_place(bytes, (size_t)most, sizeof *list->discs);
    const size_t spans = satk_place(bytes, (size_t)most * most_spans(job), sizeof *list->spans);

    if (!memory)
        return;
    list->batches = (satk_point_batch *)(void *)(memory + batches);
    list->light = (uint64_t *)(void *)(memory + light);
    list->discs = (satk_disc_spans *)(void *)(memory + discs);
    list->spans = (satk_row_span *)(void *)(memory + spans);
    list->most = most;
    satk_empty_points(list);
}

void satk_empty_points(satk_point_list *l)
{
    l->count = l->found = 0;
    memset(l->recent, 0, sizeof l->recent);
}

/* Returns 1 if the point is the next one of the last batch. */
static int is_next(const satk_points *job, const satk_point_list *l, const satk_point *p)
{
    if (l->count == 0 || job->outlines.along_columns)
        return 0;
    const satk_point_batch *const b = &l->batches[l->count - 1];
    const satk_disc_spans *const d = &l->discs[b->disc];

    return b->count < SATK_POINT_RUN && b->line == p->line && b->at + b->count == p->at &&
           b->group == p->disc->group && d->of == p->of && d->radius == p->disc->radius;
}

/* Returns the numbers of a batch. */
static size_t light_of_batch(int count, int colours)
{
    return (size_t)((count + 3) * colours) + SATK_LIGHT_PAD;
}

/* Appends an empty batch. Returns 0 if the list is full. */
static int begin_batch(const satk_points *job, satk_point_list *l, const satk_point *p, int colours)
{
    const size_t numbers = light_of_batch(SATK_POINT_RUN, colours);
    satk_point_batch *const b = &l->batches[l->count];
    size_t light = 0;

    if (l->count > 0)
        light = b[-1].light + light_of_batch(b[-1].count, colours);
    if (l->count == SATK_MOST_BATCHES || l->found == l->most || light + numbers > SATK_MOST_LIGHT)
        return 0;
    *b = (satk_point_batch){disc_for(job, l, p), p->disc->group, p->at, p->line, 0, light};
    memset(l->light + light, 0, numbers * sizeof *l->light);
    l->count++;
    return 1;
}

int satk_append_point(const satk_points *job, satk_point_list *l, const satk_point *p, int colours)
{
    if (!is_next(job, l, p) && !begin_batch(job, l, p, colours))
        return 0;
    satk_point_batch *const b = &l->batches[l->count - 1];
    uint64_t *const light = l->light + b->light;
    b->count++;
    for (int c = 0; c < colours; c++) {
        const uint64_t own = satk_light_by(job, p->light[c], l->discs[b->disc].area);
        light[c] += own;
        light[(b->count + 1) * colours + c] = own;
    }
    return 1;
}
