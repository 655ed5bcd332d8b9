#include "matte/sliding_sums.h"

#include <string.h>

/* A thread's rows. */
typedef struct strip {
    uint64_t *columns, *table;
    uint32_t *row;
} strip;

/* Adds a row of the planes to the columns' sums, `times` times: once, or once less. */
static void move_row(const satk_sliding_sums *s, int y, int times, strip *own)
{
    const size_t samples = (size_t)s->width * (size_t)s->planes;

    if (y < 0 || y >= s->height)
        return;
    s->read(s->job, y, own->row);
    for (size_t i = 0; i < samples; i++)
        own->columns[i] += (uint64_t)(times * (int64_t)own->row[i]);
}

static void scan_row(const satk_sliding_sums *s, strip *own)
{
    const size_t planes = (size_t)s->planes, samples = (size_t)s->width * planes;

    memset(own->table, 0, planes * sizeof *own->table);
    for (size_t i = 0; i < samples; i++)
        own->table[i + planes] = own->table[i] + own->columns[i];
}

/* Sums the rows y0 <= y < y1. */
static void sum_strip(const satk_sliding_sums *s, int y0, int y1, strip *own)
{
    memset(own->columns, 0, (size_t)s->width * (size_t)s->planes * sizeof *own->columns);
    for (int y = y0 - s->radius; y < y0 + s->radius; y++)
        move_row(s, y, 1, own);
    for (int y = y0; y < y1; y++) {
        move_row(s, y + s->radius, 1, own);
        scan_row(s, own);
        s->take(s->job, y, own->table);
        move_row(s, y - s->radius, -1, own);
    }
}

/* Returns the number of strips: a strip reads 2 radius rows more than it has. */
static int strips_of(const satk_sliding_sums *s, int threads)
{
    const int most = 1 + (s->y1 - s->y0) / (2 * s->radius + 1);

    return threads < most ? threads : most;
}

/* Returns the words of 64 bits that a strip has, for columns and table. */
static size_t longs_of(int width, int planes)
{
    return (2 * (size_t)width + 1) * (size_t)planes;
}

size_t satk_sliding_sums_scratch(int width, int planes, int threads)
{
    return (size_t)threads * (longs_of(width, planes) * sizeof(uint64_t) +
                              (size_t)width * (size_t)planes * sizeof(uint32_t));
}

void satk_sliding_sums_run(const satk_sliding_sums *s, int threads)
{
    const int strips = strips_of(s, threads);
    const size_t samples = (size_t)s->width * (size_t)s->planes;
    const size_t longs = longs_of(s->width, s->planes);
    uint64_t *const sums = s->scratch;
    uint32_t *const rows = (uint32_t *)(sums + (size_t)strips * longs);
    const int64_t all = s->y1 - s->y0;

#pragma omp parallel for num_threads(strips)
    for (int i = 0; i < strips; i++) {
        strip own = {.columns = sums + (size_t)i * longs,
                     .table = sums + (size_t)i * longs + samples,
                     .row = rows + (size_t)i * samples};
        sum_strip(s, s->y0 + (int)(all * i / strips), s->y0 + (int)(all * (i + 1) / strips), &own);
    }
}

/* Narrows the rows to those with pixels that are sought. Returns whether there are any. */
static int narrow_rows(satk_sliding_sums *s, const uint8_t *sought)
{
    const size_t width = (size_t)s->width;

    while (s->y0 < s->y1 && !memchr(sought + (size_t)(s->y1 - 1) * width, 1, width))
        s->y1--;
    while (s->y0 < s->y1 && !memchr(sought + (size_t)s->y0 * width, 1, width))
        s->y0++;
    return s->y0 < s->y1;
}

void satk_sliding_sums_widen(satk_sliding_sums *s, const uint8_t *sought, int threads)
{
    const int longest = s->width > s->height ? s->width : s->height;

    for (int had = 0; had < longest && narrow_rows(s, sought);) {
        satk_sliding_sums_run(s, threads);
        had = s->radius;
        s->radius *= 2;
    }
}
