/* Lists of points, and the spans of their discs. */
#include "highlight/points_list.h"

#include <string.h>

/* Returns the mean side in a part of a row. Most parts are whole rows, which need no division. */
SATK_FN int mean_side(int64_t sum, int64_t height)
{
    return 128 + (int)(height == 256 ? satk_scaled_down(sum, 8) : satk_divided(sum, height));
}

/* Does satk_span_of_row() for all rows: a row begins where the one above it ends. Returns their light. */
static int64_t find_level(const satk_scaled_outline *s, satk_range rows, satk_row_span *spans)
{
    int64_t from = -s->half, area = 0;
    int64_t left = satk_side_to(s, s->of->left, from), right = satk_side_to(s, s->of->right, from);

    for (int row = rows.lo; row < rows.hi; row++, spans++) {
        const int64_t below = (int64_t)row * 256 + 128 - s->middle;
        const int64_t to = below > s->half ? s->half : below, height = to - from;
        *spans = (satk_row_span){0, 0, 0};
        if (height <= 0)
            continue;
        const int64_t left_to = satk_side_to(s, s->of->left, to);
        const int64_t right_to = satk_side_to(s, s->of->right, to);
        const satk_row_span span = {mean_side(left_to - left, height),
                                    mean_side(right_to - right, height),
                                    s->of->weight * (int)height};
        from = to, left = left_to, right = right_to;
        if (span.lo < span.hi)
            *spans = span;
        area += (int64_t)(spans->hi - spans->lo) * spans->weight;
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

/* Returns the number of a disc, whose spans are found unless they are known. */
static int disc_for(const satk_points *job, satk_point_list *l, const satk_point *p)
{
    int *const recent = &l->recent[p->disc->radius % SATK_MOST_DISCS];
    const satk_disc_spans *const known = &l->discs[*recent - (*recent > 0)];
    satk_disc_spans *const d = &l->discs[l->found];

    if (*recent > 0 && known->of == p->of && known->radius == p->disc->radius)
        return *recent - 1;
    *d = (satk_disc_spans){.of = p->of,
                           .radius = p->disc->radius,
                           .spans = l->spans + (size_t)l->found * satk_spans_of_disc(job)};
    find_spans(job, d);
    *recent = ++l->found;
    return l->found - 1;
}

void satk_empty_points(satk_point_list *l)
{
    l->count = l->found = 0;
    l->used = 0;
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

/* Appends an empty batch. Returns 0 if the list is full. */
static int begin_batch(const satk_points *job, satk_point_list *l, const satk_point *p, int colours)
{
    const size_t numbers = (size_t)((SATK_POINT_RUN + 3) * colours) + SATK_LIGHT_PAD;

    if (l->count == SATK_MOST_BATCHES || l->found == satk_discs_of_list(job) ||
        l->used + numbers > SATK_MOST_LIGHT)
        return 0;
    l->batches[l->count++] =
        (satk_point_batch){disc_for(job, l, p), p->disc->group, p->at, p->line, 0, l->used};
    memset(l->light + l->used, 0, numbers * sizeof *l->light);
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
    l->used = b->light + (size_t)((b->count + 3) * colours) + SATK_LIGHT_PAD;
    return 1;
}
