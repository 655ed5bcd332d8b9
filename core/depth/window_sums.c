#include "depth/window_sums.h"

#include "base/memory.h"

#include <string.h>

/* A thread's rows. */
typedef struct strip {
    uint64_t *columns, *table;
    uint32_t *row;
} strip;

/* Adds a row of the planes to the columns' sums, `times` times: once, or once less. */
static void move_row(const satb_windows *w, int y, int times, strip *s)
{
    const size_t samples = (size_t)w->width * (size_t)w->planes;

    if (y < 0 || y >= w->height)
        return;
    w->read(w->job, y, s->row);
    for (size_t i = 0; i < samples; i++)
        s->columns[i] += (uint64_t)(times * (int64_t)s->row[i]);
}

static void scan_row(const satb_windows *w, strip *s)
{
    const size_t planes = (size_t)w->planes, samples = (size_t)w->width * planes;

    memset(s->table, 0, planes * sizeof *s->table);
    for (size_t i = 0; i < samples; i++)
        s->table[i + planes] = s->table[i] + s->columns[i];
}

/* Sums the rows y0 <= y < y1. */
static void sum_strip(const satb_windows *w, int y0, int y1, strip *s)
{
    memset(s->columns, 0, (size_t)w->width * (size_t)w->planes * sizeof *s->columns);
    for (int y = y0 - w->radius; y < y0 + w->radius; y++)
        move_row(w, y, 1, s);
    for (int y = y0; y < y1; y++) {
        move_row(w, y + w->radius, 1, s);
        scan_row(w, s);
        w->take(w->job, y, s->table);
        move_row(w, y - w->radius, -1, s);
    }
}

/* Returns the number of strips: a strip reads 2 radius rows more than it has. */
static int strips_of(const satb_windows *w, int threads)
{
    const int most = 1 + (w->y1 - w->y0) / (2 * w->radius + 1);

    return threads < most ? threads : most;
}

static void sum_strips(const satb_windows *w, int strips, uint64_t *sums, uint32_t *rows)
{
    const size_t samples = (size_t)w->width * (size_t)w->planes;
    const size_t longs = 2 * samples + (size_t)w->planes;
    const int64_t all = w->y1 - w->y0;

#pragma omp parallel for num_threads(strips)
    for (int i = 0; i < strips; i++) {
        strip s = {.columns = sums + (size_t)i * longs,
                   .table = sums + (size_t)i * longs + samples,
                   .row = rows + (size_t)i * samples};
        sum_strip(w, w->y0 + (int)(all * i / strips), w->y0 + (int)(all * (i + 1) / strips), &s);
    }
}

satb_status satb_sum_windows(satb_context *context, const satb_windows *w)
{
    const int strips = strips_of(w, context->threads);
    const size_t samples = (size_t)strips * (size_t)w->width * (size_t)w->planes;
    const size_t longs = 2 * samples + (size_t)strips * (size_t)w->planes;
    uint64_t *const sums = satb_take(&context->spares, longs * sizeof *sums);
    uint32_t *const rows = satb_take(&context->spares, samples * sizeof *rows);
    const int whole = sums && rows;

    if (whole)
        sum_strips(w, strips, sums, rows);
    satb_give(&context->spares, sums);
    satb_give(&context->spares, rows);
    return whole ? SATB_OK : satb_fail(context, SATB_ERR_NOMEM, "out of memory for sums");
}

/* Narrows the rows to those with pixels that are sought. Returns whether there are any. */
static int narrow_rows(satb_windows *w, const uint8_t *sought)
{
    const size_t width = (size_t)w->width;

    while (w->y0 < w->y1 && !memchr(sought + (size_t)(w->y1 - 1) * width, 1, width))
        w->y1--;
    while (w->y0 < w->y1 && !memchr(sought + (size_t)w->y0 * width, 1, width))
        w->y0++;
    return w->y0 < w->y1;
}

satb_status satb_widen_windows(satb_context *context, satb_windows *w, const uint8_t *sought)
{
    const int longest = w->width > w->height ? w->width : w->height;
    satb_status status = SATB_OK;

    for (int had = 0; status == SATB_OK && had < longest && narrow_rows(w, sought);) {
        status = satb_sum_windows(context, w);
        had = w->radius;
        w->radius *= 2;
    }
    return status;
}
