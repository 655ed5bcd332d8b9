/* Finds points of light: threads share rows of cells. */
#include "common/parts.h"
#include "common/pool.h"
#include "highlight/points_tile.h"

#include <string.h>

/* --- Find ------------------------------------------------------------------------------------- */

static satk_gray_table table_of(const satk_points *job)
{
    return (satk_gray_table){satk_points_grid(job), job->scratch, job->groups};
}

static size_t row_words(const satk_gray_table *t)
{
    return (size_t)t->grid.columns * (size_t)t->groups;
}

static size_t table_bytes(const satk_gray_table *t)
{
    return row_words(t) * (size_t)t->grid.rows * sizeof(uint64_t);
}

/* Returns the cells of a row, behind the table. */
static satk_gray_cell *cells_of(const satk_points *job, const satk_gray_table *t, int row)
{
    uint8_t *const cells = (uint8_t *)job->scratch + table_bytes(t);

    return (satk_gray_cell *)(void *)cells + (size_t)row * (size_t)t->grid.columns;
}

/* What surrounds a cell, for the pixels of one disc after another. */
typedef struct around {
    int group, cells;
    satk_gray_sums sums;
} around;

/* Returns 1 if a pixel of that brightness, with that disc, is surely ground. */
SATK_FN int is_ground(const satk_points *job, const satk_gray_table *t, int column, int row,
                      const satk_disc *disc, uint32_t gray, around *known)
{
    if (disc->cells == 0)
        return 1;
    if (disc->group != known->group || disc->cells != known->cells)
        *known = (around){disc->group, disc->cells, satk_sum_gray(t, column, row, disc)};
    return satk_is_ground(job, &known->sums, gray);
}

/* Takes the excess out of a cell. */
SATK_FN void split_cell(const satk_points *job, const satk_gray_table *t, int column, int row,
                        around *known, int channels, int bits)
{
    const satk_range columns = {satk_column_begin(&t->grid, column),
                                satk_column_begin(&t->grid, column + 1)};
    const satk_range rows = {satk_row_begin(&t->grid, row), satk_row_begin(&t->grid, row + 1)};
    uint32_t codes[4];

    for (int y = rows.lo; y < rows.hi; y++)
        for (int x = columns.lo; x < columns.hi; x++) {
            const satk_disc *const disc = satk_disc_at(job->disc, &job->map, x, y);
            satk_get_pixel(satk_points_row(&job->from, y), x, channels, bits, codes);
            const uint32_t gray = satk_gray_of(job, codes, channels, bits).gray;
            if (is_ground(job, t, column, row, disc, gray, known))
                continue;
            const uint32_t ground = satk_ground_of(job, &known->sums);
            if (gray <= ground)
                continue;
            satk_take_excess(job, gray, ground, disc->fade, channels, codes);
            satk_put_pixel((uint8_t *)job->base.data + y * job->base.pitch, x, channels, bits,
                           codes);
        }
}

/* Returns 1 if base differs from src in pixels first to last of row y. */
SATK_FN int has_point(const satk_points *job, int y, int first, int last, int channels, int bits)
{
    const size_t pixel = (size_t)(channels * bits / 8), begin = (size_t)first * pixel;

    return memcmp(satk_points_row(&job->src, y) + begin, satk_points_row(&job->base, y) + begin,
                  (size_t)(last - first) * pixel) != 0;
}

/* Stores the runs of a row. Returns the groups of its points, a bit each. */
SATK_FN unsigned mark_runs(const satk_points *job, int y, int channels, int bits)
{
    uint8_t *const runs = (uint8_t *)job->runs.data + y * job->runs.pitch;
    unsigned found = 0;

    for (int i = 0; i < job->runs.width; i++) {
        const int first = i * SATK_POINT_RUN;
        const int last = satk_smaller(first + SATK_POINT_RUN, job->src.width);
        runs[i] = 0;
        if (!has_point(job, y, first, last, channels, bits))
            continue;
        for (int x = first; x < last; x++)
            if (satk_is_light(&job->src, &job->base, x, y, channels, bits)) {
                found |= 1u << satk_disc_at(job->disc, &job->map, x, y)->group;
                runs[i] = 1;
            }
    }
    return found;
}

/* Returns 1 if a cell may have points: if its brightest pixel, with some disc of its pixels, is not surely ground. */
SATK_FN int has_points(const satk_points *job, const satk_gray_table *t, int column, int row,
                       const satk_gray_cell *c, around *known)
{
    const satk_grid *const g = &t->grid;

    if (!c->is_mixed)
        return !is_ground(job, t, column, row, &job->disc[c->code], c->most, known);
    for (int y = satk_row_begin(g, row); y < satk_row_begin(g, row + 1); y++)
        for (int x = satk_column_begin(g, column); x < satk_column_begin(g, column + 1); x++)
            if (!is_ground(job, t, column, row, satk_disc_at(job->disc, &job->map, x, y), c->most,
                           known))
                return 1;
    return 0;
}

/* Makes base what it is without points, in rows first <= y < end. */
static void begin_base(const satk_points *job, int first, int end)
{
    for (int y = first; y < end && job->from.data != job->base.data; y++)
        memcpy((uint8_t *)job->base.data + y * job->base.pitch, satk_points_row(&job->from, y),
               satk_row_bytes(&job->src));
}

/* Finds the points of a row of cells. Returns their groups, a bit each. Without points a row of base stays unknown, unless it is
 * `from`. */
SATK_FN unsigned find_row(const satk_points *all, const satk_gray_table *t, int row, int channels,
                          int bits)
{
    const satk_points copy = *all, *const job = &copy;
    const int first = satk_row_begin(&t->grid, row), end = satk_row_begin(&t->grid, row + 1);
    const int is_in_place = job->from.data == job->base.data;
    const satk_gray_cell *const cells = cells_of(job, t, row);
    unsigned found = 0;
    int any = is_in_place;

    for (int x = 0; x < t->grid.columns; x++) {
        around known = {-1, 0, {0, 1}};
        if (!has_points(job, t, x, row, &cells[x], &known))
            continue;
        if (!any)
            begin_base(job, first, end);
        any = 1;
        split_cell(job, t, x, row, &known, channels, bits);
    }
    for (int y = first; y < end; y++)
        if (any)
            found |= mark_runs(job, y, channels, bits);
        else
            memset((uint8_t *)job->runs.data + y * job->runs.pitch, 0, (size_t)job->runs.width);
    return found;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Each kind of picture has a function with constant channels and bits. */
#define KIND(channels, bits)                                                                       \
    static unsigned find_##channels##_##bits(const satk_points *job, const satk_gray_table *t,     \
                                             int row)                                              \
    {                                                                                              \
        return find_row(job, t, row, channels, bits);                                              \
    }
#define KINDS(bits) KIND(1, bits) KIND(2, bits) KIND(3, bits) KIND(4, bits)
KINDS(8)
KINDS(16)

static unsigned (*const finds[2][4])(const satk_points *job, const satk_gray_table *t, int row) = {
    {find_1_8, find_2_8, find_3_8, find_4_8}, {find_1_16, find_2_16, find_3_16, find_4_16}};

/* --- Run -------------------------------------------------------------------------------------- */

typedef struct rows {
    const satk_points *job;
    satk_gray_table table;
    atomic_uint *found;
    uint8_t *is_lit; /* rows of cells */
} rows;

static void sum_cells(const void *of, int row)
{
    const rows *const r = of;

    satk_points_sum_cells(r->job, &r->table.grid, row, cells_of(r->job, &r->table, row),
                          (uint64_t *)r->job->scratch + (size_t)row * row_words(&r->table));
}

enum { BLOCK = 512 }; /* words of a row, which a thread adds up downwards */

static void add_downwards(const void *of, int block)
{
    const rows *const r = of;
    const size_t words = row_words(&r->table), begin = (size_t)block * BLOCK;
    const size_t end = begin + BLOCK < words ? begin + BLOCK : words;
    uint64_t *row = r->job->scratch;

    for (int y = 1; y < r->table.grid.rows; y++, row += words)
        for (size_t i = begin; i < end; i++)
            row[words + i] += row[i];
}

static void find_in_row(const void *of, int row)
{
    const rows *const r = of;
    const unsigned found =
        finds[r->job->src.bits == 16][r->job->src.channels - 1](r->job, &r->table, row);

    if (found)
        atomic_fetch_or(r->found, found);
    r->is_lit[row] = found != 0;
}

/* Makes the rows of base that have no point. */
static void end_row(const void *of, int row)
{
    const rows *const r = of;
    const satk_grid *const g = &r->table.grid;

    if (!r->is_lit[row])
        begin_base(r->job, satk_row_begin(g, row), satk_row_begin(g, row + 1));
}

void satk_points_find_cpu(const satk_points *job, int threads)
{
    atomic_uint found = 0;
    const satk_gray_table t = table_of(job);
    const rows r = {job, t, &found, (uint8_t *)cells_of(job, &t, t.grid.rows)};

    satk_for(threads, r.table.grid.rows, 0, sum_cells, &r);
    satk_for(threads, satk_parts_of((int)row_words(&r.table), BLOCK), 0, add_downwards, &r);
    satk_for(threads, r.table.grid.rows, 0, find_in_row, &r);
    if (found)
        satk_for(threads, r.table.grid.rows, 0, end_row, &r);
    for (int i = 0; i < SATK_POINT_GROUPS; i++)
        job->found[i] = found >> i & 1;
}

size_t satk_points_scratch_cpu(const satk_points *job, int threads)
{
    const satk_gray_table t = table_of(job);
    const size_t rows_of_cells = (size_t)t.grid.rows;
    const size_t find =
        table_bytes(&t) + rows_of_cells * ((size_t)t.grid.columns * sizeof(satk_gray_cell) + 1);
    const size_t add = satk_points_add_scratch(job, threads);

    return add > find ? add : find;
}
