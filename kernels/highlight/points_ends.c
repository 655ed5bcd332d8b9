/* Adds the ends of the spans of a list's points to the lines of a tile. */
#include "highlight/points_list.h"

#include <string.h>

enum { BAND_BYTES = 1 << 18 }; /* of lines that stay in the cache */

#ifdef __AVX512BW__
enum { WORDS = 8 };
#elif defined(__AVX2__)
enum { WORDS = 4 };
#else
enum { WORDS = 1 };
#endif
typedef uint64_t words __attribute__((vector_size(8 * WORDS)));

/* Adds numbers times `in`, and those a pixel before times `rest`. Vectors read zeros behind them. */
SATK_FN void add_products(uint64_t *to, const uint64_t *light, uint64_t in, uint64_t rest,
                          int count, int colours)
{
    for (int i = 0; i < count; i += WORDS) {
        words sum, own, before;
        memcpy(&sum, to + i, sizeof sum);
        memcpy(&own, light + i + colours, sizeof own);
        memcpy(&before, light + i, sizeof before);
        sum += own * in + before * rest;
        memcpy(to + i, &sum, sizeof sum);
    }
}

/* Adds an end of a batch's spans to a line: `end` is the first point's. Places before the tile are its first one; those behind
 * it do not count. */
SATK_FN void add_end(const satk_point_tile *t, uint64_t *line, int64_t end,
                     const satk_point_batch *b, int weight, int colours)
{
    const uint64_t *const light = t->list->light + b->light + colours;
    const int64_t at = end >> 8, part = end & 255;
    const uint64_t in = (uint64_t)((256 - part) * weight), rest = (uint64_t)(part * weight);
    const int numbers = (b->count + 1) * colours;

    if (at >= t->along)
        return;
    if (at >= 0 && at + b->count <= t->along) {
        add_products(line + at * colours, light, in, rest, numbers, colours);
        return;
    }
    for (int i = 0; i < numbers; i++) {
        const int64_t place = at + i / colours;
        const int64_t column = place < 0 ? 0 : place < t->along ? place : t->along;
        line[column * colours + i % colours] += in * light[i + colours] + rest * light[i];
    }
}

/* Widens a range of a line to hold places first <= i < end, as far as they are in the tile. Places of ends have one more. */
SATK_FN void touch(const satk_point_tile *t, satk_range *range, int first, int end)
{
    range->lo = satk_smaller(range->lo, satk_clipped(first, 0, t->along));
    range->hi = satk_larger(range->hi, satk_clipped(end, 1, t->along + 1));
}

/* Adds a span of a batch to line y. */
SATK_FN void add_span(const satk_point_tile *t, const satk_point_batch *b, const satk_row_span *s,
                      int y, int colours)
{
    const int lo = b->at + (s->lo >> 8), hi = b->at + (s->hi >> 8) + b->count + 1;
    const size_t own = (size_t)b->group * (size_t)t->lines + (size_t)y;
    uint64_t *const line = t->ends + own * satk_point_line(t, colours);
    const uint64_t *const all = t->list->light + b->light;

    if (s->weight == 0 || lo >= t->along || hi <= 0)
        return;
    if (t->touched[own].hi == 0)
        memset(line, 0, satk_point_line(t, colours) * sizeof *line);
    if (lo + b->count < 0)
        for (int c = 0; c < colours; c++)
            line[c] += (uint64_t)((int64_t)s->weight * 256) * all[c];
    else
        add_end(t, line, (int64_t)b->at * 256 + s->lo, b, s->weight, colours);
    add_end(t, line, (int64_t)b->at * 256 + s->hi, b, -s->weight, colours);
    touch(t, &t->touched[own], lo, hi);
}

/* Adds a batch to some lines. */
SATK_FN void add_batch(const satk_point_tile *t, const satk_point_batch *b, satk_range lines,
                       int levels, int colours)
{
    const satk_disc_spans *const d = &t->list->discs[b->disc];
    const int count = d->rows.hi - d->rows.lo, top = b->line + d->rows.lo;
    const int first = satk_larger(top, lines.lo), end = satk_smaller(top + count, lines.hi);

    for (int i = 0; i < levels; i++)
        for (int y = first; y < end; y++)
            add_span(t, b, &d->spans[i * count + y - top], y, colours);
}

SATK_FN void add_list(const satk_points *job, const satk_point_tile *whole, int colours)
{
    const satk_point_tile copy = *whole, *const t = &copy; /* no store changes it */
    const satk_point_list *const l = t->list;
    const int each = BAND_BYTES / (int)(satk_point_line(t, colours) * sizeof *t->ends) + 1;

    for (int y = 0; y < t->lines; y += each)
        for (int i = 0; i < l->count; i++)
            add_batch(t, &l->batches[i], (satk_range){y, satk_smaller(y + each, t->lines)},
                      job->outlines.levels, colours);
}

void SATK_LEVELED(satk_points_ends)(const satk_points *job, const satk_point_tile *t, int colours)
{
    if (colours == 1)
        add_list(job, t, 1);
    else
        add_list(job, t, 3);
}
