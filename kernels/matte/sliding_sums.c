#include "matte/sliding_sums.h"

#include <omp.h>
#include <string.h>

enum { TILE = 128 }; /* rows and columns of the smallest tile with wanted pixels */

/* The columns x0 <= x < x1 of the rows y0 <= y < y1. */
typedef struct part {
    int x0, x1, y0, y1;
} part;

/* A thread's rows, of the columns that its windows reach. */
typedef struct strip {
    satk_range columns;
    uint64_t *sums, *table;
    uint32_t *row;
} strip;

/* --- A part ----------------------------------------------------------------------------------- */

static size_t samples_of(const satk_sliding_sums *s, const strip *own)
{
    return (size_t)(own->columns.hi - own->columns.lo) * (size_t)s->planes;
}

/* Adds a row of the planes to the columns' sums, `times` times: once, or once less. */
static void move_row(const satk_sliding_sums *s, int y, int times, strip *own)
{
    const size_t samples = samples_of(s, own);

    if (y < 0 || y >= s->height)
        return;
    s->read(s->job, y, own->columns.lo, own->columns.hi, own->row);
    for (size_t i = 0; i < samples; i++)
        own->sums[i] += (uint64_t)(times * (int64_t)own->row[i]);
}

static void scan_row(const satk_sliding_sums *s, strip *own)
{
    const size_t planes = (size_t)s->planes, samples = samples_of(s, own);

    memset(own->table, 0, planes * sizeof *own->table);
    for (size_t i = 0; i < samples; i++)
        own->table[i + planes] = own->table[i] + own->sums[i];
}

static void sum_part(const satk_sliding_sums *s, part p, strip *own)
{
    const satk_range reached = {p.x0 - s->radius, p.x1 + s->radius};
    satk_sliding_row row = {.x0 = p.x0, .x1 = p.x1, .table = own->table};

    own->columns = satk_clip(reached, s->width);
    row.first = own->columns.lo;
    memset(own->sums, 0, samples_of(s, own) * sizeof *own->sums);
    for (int y = p.y0 - s->radius; y < p.y0 + s->radius; y++)
        move_row(s, y, 1, own);
    for (row.y = p.y0; row.y < p.y1; row.y++) {
        move_row(s, row.y + s->radius, 1, own);
        scan_row(s, own);
        s->take(s->job, &row);
        move_row(s, row.y - s->radius, -1, own);
    }
}

/* --- All parts -------------------------------------------------------------------------------- */

/* Returns the words of 64 bits that a thread has, for sums and table. */
static size_t longs_of(int width, int planes)
{
    return (2 * (size_t)width + 1) * (size_t)planes;
}

size_t satk_sliding_sums_scratch(int width, int planes, int threads)
{
    return (size_t)threads * (longs_of(width, planes) * sizeof(uint64_t) +
                              (size_t)width * (size_t)planes * sizeof(uint32_t));
}

/* Returns a thread's part of the scratch. */
static strip strip_of(const satk_sliding_sums *s, int thread, int threads)
{
    const size_t samples = (size_t)s->width * (size_t)s->planes;
    const size_t longs = longs_of(s->width, s->planes);
    uint64_t *const all = s->scratch;
    uint32_t *const rows = (uint32_t *)(all + (size_t)threads * longs);

    return (strip){.sums = all + (size_t)thread * longs,
                   .table = all + (size_t)thread * longs + samples,
                   .row = rows + (size_t)thread * samples};
}

/* Returns the number of strips: a strip reads 2 radius rows more than it has. */
static int strips_of(const satk_sliding_sums *s, int threads)
{
    const int most = 1 + s->height / (2 * s->radius + 1);

    return threads < most ? threads : most;
}

void satk_sliding_sums_run(const satk_sliding_sums *s, int threads)
{
    const int strips = strips_of(s, threads);
    const int64_t all = s->height;

#pragma omp parallel for num_threads(strips)
    for (int i = 0; i < strips; i++) {
        strip own = strip_of(s, i, strips);
        const part p = {0, s->width, (int)(all * i / strips), (int)(all * (i + 1) / strips)};
        sum_part(s, p, &own);
    }
}

/* Returns the first byte of a row that is 1 or 2, or NULL. */
static const uint8_t *find_sought(const uint8_t *row, size_t count)
{
    const uint8_t *const one = memchr(row, 1, count);
    const uint8_t *const two = memchr(row, 2, one ? (size_t)(one - row) : count);

    return two ? two : one;
}

/* Narrows a part to the pixels that are sought. Returns whether there are any. */
static int narrow(const satk_sliding_sums *s, const uint8_t *sought, part *p)
{
    part of = {p->x1, p->x0, p->y1, p->y0};

    for (int y = p->y0; y < p->y1; y++) {
        const uint8_t *const row = sought + (size_t)y * (size_t)s->width;
        const uint8_t *next = find_sought(row + p->x0, (size_t)(p->x1 - p->x0));
        if (!next)
            continue;
        of.y0 = y < of.y0 ? y : of.y0;
        of.y1 = y + 1;
        of.x0 = next - row < of.x0 ? (int)(next - row) : of.x0;
        while (of.x1 < p->x1 && (next = find_sought(row + of.x1, (size_t)(p->x1 - of.x1))))
            of.x1 = (int)(next - row) + 1;
    }
    *p = of;
    return of.y0 < of.y1;
}

/* Returns the sides of the tiles: a part reads 2 radius rows and columns more than it has. */
static int tile_of(const satk_sliding_sums *s)
{
    const int longest = satk_larger(s->width, s->height);

    return s->radius > longest / 8 ? longest : s->radius > TILE / 8 ? 8 * s->radius : TILE;
}

int satk_sliding_sums_seek(const satk_sliding_sums *s, const uint8_t *sought, int threads)
{
    const int side = tile_of(s);
    const int across = (s->width - 1) / side + 1, down = (s->height - 1) / side + 1;
    int found = 0;

#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(| : found)
    for (int64_t i = 0; i < (int64_t)across * down; i++) {
        const int x = (int)(i % across) * side, y = (int)(i / across) * side;
        part p = {x, s->width - x < side ? s->width : x + side, y,
                  s->height - y < side ? s->height : y + side};
        strip own = strip_of(s, omp_get_thread_num(), threads);
        if (!narrow(s, sought, &p))
            continue;
        sum_part(s, p, &own);
        found = 1;
    }
    return found;
}

void satk_sliding_sums_widen(satk_sliding_sums *s, const uint8_t *sought, int threads)
{
    const int longest = satk_larger(s->width, s->height);

    for (int had = 0; had < longest && satk_sliding_sums_seek(s, sought, threads);) {
        had = s->radius;
        s->radius *= 2;
    }
}
