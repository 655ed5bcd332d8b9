/* Most cells have no point, and one look says so for all their pixels: a thread has a column of a cell. */
#include "highlight/points.cuh"
#include "highlight/points_rule.h"
#include "sat/sat_rows_columns.cuh"

enum { COPIED = 16 }; /* bytes that a thread copies */

static_assert(SATK_POINT_RUN % COPIED == 0, "a thread copies bytes of one run");

/* Returns the blocks whose threads have the columns of a row of cells. */
static __host__ __device__ __forceinline__ unsigned cell_blocks_across(const satk_gray_table *t)
{
    return ((unsigned)t->grid.columns * SATK_GRAY_CELL + SATK_POINTS_THREADS - 1) /
           SATK_POINTS_THREADS;
}

/* Returns the blocks that copy a row. */
static __host__ __device__ __forceinline__ unsigned copy_blocks_across(const satk_points *job)
{
    const size_t each = (size_t)SATK_POINTS_THREADS * COPIED;

    return (unsigned)((satk_row_bytes(&job->src) + each - 1) / each);
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Returns the square of an axis that a pixel lies in. */
static __device__ __forceinline__ int cell_of(const satk_cut &cut, int pixel)
{
    return satk_centre_of(&cut, SATK_GRAY_CELL, pixel) / (2 * SATK_GRAY_CELL);
}

/* A column of a cell: its pixels' codes of the map, and what surroundings have of them. Behind its last row are that row's code,
 * and 0. */
struct cell_column {
    uint32_t code[SATK_GRAY_CELL];
    satk_gray pixel[SATK_GRAY_CELL];
};

/* Loads column x in the rows first <= y < end, all of it before its first use. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ void load_column(const satk_points &job, int x, int first,
                                                   int end, cell_column *c)
{
    uint32_t codes[SATK_GRAY_CELL][4];

#pragma unroll
    for (int i = 0; i < SATK_GRAY_CELL; i++) {
        const int y = min(first + i, end - 1);
        c->code[i] = satk_code(satk_points_row(&job.map, y), (size_t)x * (size_t)job.map.channels,
                               job.map.bits);
        satk_get_pixel(satk_points_row(&job.from, y), x, CHANNELS, BITS, codes[i]);
    }
#pragma unroll
    for (int i = 0; i < SATK_GRAY_CELL; i++) {
        const satk_gray pixel = satk_gray_of(&job, codes[i], CHANNELS, BITS), none = {};
        c->pixel[i] = first + i < end ? pixel : none;
    }
}

/* Numbers of a cell's discs that differ. */
enum { CELLS_DIFFER = 1, GROUPS_DIFFER = 2 };

/* Finds one more than the groups of a column's `count` pixels, in 4 bits each, 0 below them. own: the disc of code. Returns
 * the numbers that differ from its own. */
static __device__ __forceinline__ uint32_t find_groups(const satk_points &job, const cell_column &c,
                                                       int count, uint32_t code,
                                                       const satk_disc &own, uint32_t *groups)
{
    const uint32_t present = 0xffffffffu >> 4 * (SATK_GRAY_CELL - count);
    uint32_t others = 0, differs = 0;

#pragma unroll
    for (int i = 0; i < SATK_GRAY_CELL; i++)
        others |= c.code[i] ^ code;
    *groups = present & 0x11111111u * (own.group + 1u);
    if (others == 0)
        return 0;
    *groups = 0;
#pragma unroll
    for (int i = 0; i < SATK_GRAY_CELL; i++) {
        const satk_disc *const disc = &job.disc[c.code[i]];
        differs |= (disc->cells != own.cells ? CELLS_DIFFER : 0) |
                   (disc->group != own.group ? GROUPS_DIFFER : 0);
        *groups |= (disc->group + 1u) << 4 * i;
    }
    *groups &= present;
    return differs;
}

/* Adds up what threads of a cell have found, in all of them. */
static __device__ __forceinline__ uint32_t sum_of_cell(uint32_t own)
{
#pragma unroll
    for (int by = 1; by < SATK_GRAY_CELL; by *= 2)
        own += __shfl_xor_sync(0xffffffffu, own, by);
    return own;
}

/* Returns the word of a cell's pixels whose group is not below one. */
static __device__ __forceinline__ uint64_t word_of_group(const satk_points &job,
                                                         const cell_column &c, uint32_t groups,
                                                         int group)
{
    const int shift = satk_gray_shift(&job);
    satk_gray sum = {};

#pragma unroll
    for (int i = 0; i < SATK_GRAY_CELL; i++)
        if ((int)(groups >> 4 * i & 15) > group)
            satk_add_gray(&sum, c.pixel[i], shift);
    return satk_gray_word(&job, {sum_of_cell(sum.gray), sum_of_cell(sum.count)});
}

/* Makes the words of cells, not yet summed. SATK_GRAY_CELL threads have the columns of a cell. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    look_at_cells(const __grid_constant__ satk_points job, const satk_gray_table table,
                  uint64_t *words, satk_gray_cell *cells)
{
    const satk_grid &g = table.grid;
    const unsigned across = cell_blocks_across(&table);
    const int at = (int)(blockIdx.x % across * SATK_POINTS_THREADS + threadIdx.x);
    const int column = at / SATK_GRAY_CELL, own = at % SATK_GRAY_CELL;
    const int row = (int)(blockIdx.x / across);
    const int left = satk_column_begin(&g, column), right = satk_column_begin(&g, column + 1);
    const int first = satk_row_begin(&g, row), end = satk_row_begin(&g, row + 1);
    const bool inside = left + own < right;
    const size_t cell = (size_t)row * g.columns + column;
    const bool exists = column < g.columns;
    const uint32_t code = exists ? satk_code(satk_points_row(&job.map, first),
                                             (size_t)left * job.map.channels, job.map.bits)
                                 : 0;
    const satk_disc disc = job.disc[code];
    cell_column c = {};
    uint32_t most = 0, differs = 0, groups = 0;

    if (inside) {
        load_column<CHANNELS, BITS>(job, left + own, first, end, &c);
        differs = find_groups(job, c, end - first, code, disc, &groups);
    }
#pragma unroll
    for (int i = 0; i < SATK_GRAY_CELL; i++)
        most = max(most, c.pixel[i].gray);
#pragma unroll
    for (int by = 1; by < SATK_GRAY_CELL; by *= 2) {
        most = max(most, __shfl_xor_sync(0xffffffffu, most, by));
        differs |= __shfl_xor_sync(0xffffffffu, differs, by);
    }
    const bool any_mixed = __any_sync(0xffffffffu, differs & GROUPS_DIFFER);
    const uint64_t all = word_of_group(job, c, groups, 0);
#pragma unroll 1
    for (int group = 0; group < table.groups; group++) {
        const uint64_t some = any_mixed ? word_of_group(job, c, groups, group) : 0;
        const uint64_t word = differs & GROUPS_DIFFER ? some : group <= disc.group ? all : 0;
        if (own == group && exists)
            words[cell * table.groups + group] = word;
    }
    if (own == 0 && exists)
        cells[cell] = {most, (uint16_t)code, (uint8_t)(differs != 0)};
}

static_assert(SATK_POINT_GROUPS < 15 && SATK_GRAY_CELL == 8, "groups of a column fit 32 bits");
static_assert(SATK_POINT_GROUPS <= SATK_GRAY_CELL, "a thread of a cell stores a group's word");

/* Returns true if a cell may have a pixel with an excess. */
static __device__ __forceinline__ bool has_points(const satk_points &job,
                                                  const satk_gray_table &table,
                                                  const satk_gray_cell *cells, int column, int row)
{
    const satk_gray_cell cell = cells[(size_t)row * table.grid.columns + column];
    const satk_disc *const disc = &job.disc[cell.code];

    if (cell.is_mixed || disc->cells == 0)
        return cell.is_mixed;
    const satk_gray_sums around = satk_sum_gray(&table, column, row, disc);
    return !satk_is_ground(&job, &around, cell.most);
}

/* Takes the excess out of the codes of pixel (x, y). Returns true if it has some. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ bool split_pixel(const satk_points &job,
                                                   const satk_gray_table &table, int x, int y,
                                                   int column, int row, uint32_t *codes)
{
    const satk_disc *const disc = satk_disc_at(job.disc, &job.map, x, y);
    const uint32_t gray = satk_gray_of(&job, codes, CHANNELS, BITS).gray;

    if (disc->cells == 0)
        return false;
    const satk_gray_sums around = satk_sum_gray(&table, column, row, disc);
    if (satk_is_ground(&job, &around, gray))
        return false;
    const uint32_t ground = satk_ground_of(&job, &around);
    if (gray > ground)
        satk_take_excess(&job, gray, ground, disc->fade, CHANNELS, codes);
    return gray > ground;
}

/* Returns true if pixel (x, y) is a point. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ bool is_point(const satk_points &job, int x, int y)
{
    if (!satk_is_light(&job.src, &job.base, x, y, CHANNELS, BITS))
        return false;
    job.found[satk_disc_at(job.disc, &job.map, x, y)->group] =
        1; /* all store the same, in any order */
    return true;
}

/* Makes base in runs that have an excess, and marks those with points. A warp has the rows of a run that are of one row of
 * cells. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    find_points(const __grid_constant__ satk_points job, const satk_gray_table table,
                const satk_gray_cell *cells)
{
    int x, row;
    const bool inside = satk_points_pixel(job.src, &x, &row);
    const int lane = threadIdx.x % SATK_WARP;
    const int column = cell_of(table.grid.across, x), end = satk_row_begin(&table.grid, row + 1);
    const bool is_first = __shfl_up_sync(0xffffffffu, column, 1) != column || lane == 0;
    const unsigned first = __ballot_sync(0xffffffffu, is_first);
    /* the first lane of a cell asks for all */
    const bool its = inside && is_first && has_points(job, table, cells, column, row);
    const int asked = SATK_WARP - 1 - __clz((int)(first & (2u << lane) - 1));
    const bool may = __shfl_sync(0xffffffffu, its, asked) && inside;
    const bool in_place = job.from.data == job.base.data;
    const bool any = __any_sync(0xffffffffu, may);

    for (int y = satk_row_begin(&table.grid, row); y < end; y++) {
        uint32_t codes[4];
        if (any && inside)
            satk_get_pixel(satk_points_row(&job.from, y), x, CHANNELS, BITS, codes);
        const bool split = may && split_pixel<CHANNELS, BITS>(job, table, x, y, column, row, codes);
        const bool is_made = any && __any_sync(0xffffffffu, split);
        if (is_made && inside)
            satk_put_pixel((uint8_t *)job.base.data + y * job.base.pitch, x, CHANNELS, BITS, codes);
        const unsigned points =
            is_made || in_place
                ? __ballot_sync(0xffffffffu, inside && is_point<CHANNELS, BITS>(job, x, y))
                : 0;
        if (inside && threadIdx.x % SATK_WARP == 0)
            ((uint8_t *)job.runs.data)[y * job.runs.pitch + x / SATK_POINT_RUN] = points != 0;
    }
}

/* Makes base in the runs without points, if there is one at all. A thread has COPIED bytes of a row. */
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    copy_rest(const __grid_constant__ satk_points job)
{
    const size_t bytes = satk_row_bytes(&job.src), pixel = job.src.channels * job.src.bits / 8;
    const unsigned across = copy_blocks_across(&job);
    const size_t at = ((size_t)(blockIdx.x % across) * SATK_POINTS_THREADS + threadIdx.x) * COPIED;
    const int y = (int)(blockIdx.x / across);
    uint32_t any = 0;

    for (int i = 0; i < SATK_POINT_GROUPS; i++)
        any |= job.found[i];
    if (!any || at >= bytes || satk_points_row(&job.runs, y)[at / (SATK_POINT_RUN * pixel)])
        return;
    const uint8_t *const from = satk_points_row(&job.src, y) + at;
    uint8_t *const to = (uint8_t *)job.base.data + y * job.base.pitch + at;
    if (at + COPIED <= bytes && ((uintptr_t)from | (uintptr_t)to) % COPIED == 0)
        *(uint4 *)to = *(const uint4 *)from;
    else
        for (size_t i = 0; i < COPIED && at + i < bytes; i++)
            to[i] = from[i];
}

/* --- Launches --------------------------------------------------------------------------------- */

static satk_gray_table table_of(const satk_points *job)
{
    const satk_gray_table t = {satk_points_grid(job), (const uint64_t *)job->scratch, job->groups};
    return t;
}

static size_t cells_of(const satk_gray_table *t)
{
    return (size_t)t->grid.columns * (size_t)t->grid.rows;
}

/* Returns the words of a table of `groups`, and of what its scans need. */
static size_t table_words(const satk_gray_table *t, int groups)
{
    return cells_of(t) * (size_t)groups +
           satk_rows_columns_scratch(t->grid.columns, t->grid.rows, groups);
}

size_t satk_points_find_scratch_cuda(const satk_points *job)
{
    const satk_gray_table t = table_of(job);

    return table_words(&t, SATK_POINT_GROUPS) * sizeof(uint64_t) +
           cells_of(&t) * sizeof(satk_gray_cell);
}

/* Makes a table of the words of cells, in place. */
template <int GROUPS> static int sum_words(const satk_gray_table *t, cudaStream_t stream)
{
    uint64_t *const words = (uint64_t *)t->words;
    const from_sums<uint64_t, GROUPS> source = {words, t->grid.columns};

    return satk_build_rows_columns<uint64_t, GROUPS>(source, words, words + cells_of(t) * GROUPS,
                                                     t->grid.columns, t->grid.rows, stream);
}

static int (*const sums[SATK_POINT_GROUPS])(const satk_gray_table *t, cudaStream_t stream) = {
    sum_words<1>, sum_words<2>, sum_words<3>, sum_words<4>, sum_words<5>};

template <int CHANNELS, int BITS> static int find(const satk_points *job, cudaStream_t stream)
{
    const satk_gray_table t = table_of(job);
    const unsigned rows = (unsigned)t.grid.rows;
    uint64_t *const words = (uint64_t *)job->scratch;
    satk_gray_cell *const cells = (satk_gray_cell *)(words + table_words(&t, t.groups));

    int error = (int)cudaMemsetAsync(job->found, 0, SATK_POINT_GROUPS * sizeof *job->found, stream);
    if (error)
        return error;
    look_at_cells<CHANNELS, BITS>
        <<<cell_blocks_across(&t) * rows, SATK_POINTS_THREADS, 0, stream>>>(*job, t, words, cells);
    error = satk_launched(stream);
    if (!error)
        error = sums[t.groups - 1](&t, stream);
    if (error)
        return error;
    find_points<CHANNELS, BITS>
        <<<satk_points_blocks(job) * rows, SATK_POINTS_THREADS, 0, stream>>>(*job, t, cells);
    error = satk_launched(stream);
    if (error || job->from.data == job->base.data)
        return error;
    copy_rest<<<copy_blocks_across(job) * (unsigned)job->src.height, SATK_POINTS_THREADS, 0,
                stream>>>(*job);
    return satk_launched(stream);
}

int satk_points_find_cuda(const satk_points *job, void *stream)
{
    static int (*const finds[2][4])(const satk_points *job, cudaStream_t stream) = {
        {find<1, 8>, find<2, 8>, find<3, 8>, find<4, 8>},
        {find<1, 16>, find<2, 16>, find<3, 16>, find<4, 16>}};

    return finds[job->src.bits == 16][job->src.channels - 1](job, (cudaStream_t)stream);
}
