/* A pixel per thread, but for the tables. Lights are few: most threads that look for one do no more. Additions
 * modulo 2^64 give the same planes in any order. */
#include "highlight/highlight_find_rule.h"
#include "sat/sat_rows_columns.cuh"

#define SATK_HIGHLIGHT_THREADS 256 /* pixels of a row, one a thread */

static size_t pixels_of(const satk_highlight *job)
{
    return (size_t)job->src.width * (size_t)job->src.height;
}

/* Finds a thread's pixel: blocks are runs of a row. */
static __device__ __forceinline__ bool find_pixel(const satk_plane &plane, int *x, int *y)
{
    const unsigned across =
        ((unsigned)plane.width + SATK_HIGHLIGHT_THREADS - 1) / SATK_HIGHLIGHT_THREADS;

    *x = (int)(blockIdx.x % across * SATK_HIGHLIGHT_THREADS + threadIdx.x);
    *y = (int)(blockIdx.x / across);
    return *x < plane.width;
}

static unsigned blocks_of(const satk_highlight *job)
{
    const unsigned across =
        ((unsigned)job->src.width + SATK_HIGHLIGHT_THREADS - 1) / SATK_HIGHLIGHT_THREADS;

    return across * (unsigned)job->src.height;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* The source of the table of lamps. */
template <int CHANNELS, int BITS> struct from_lamps {
    satk_highlight job;

    __device__ __forceinline__ void load(int x, int y, uint64_t *out) const
    {
        satk_lamp_words(&job, x, y, CHANNELS, BITS, out);
    }
};

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_HIGHLIGHT_THREADS)
    find_lights(const __grid_constant__ satk_highlight job)
{
    const satk_lamp_table table = {
        (const uint64_t *)job.scratch, job.src.width, job.src.height, 0, SATK_LAMP_WORDS, 1};
    satk_sure sure = {0, 0};
    int x, y;

    if (!find_pixel(job.src, &x, &y))
        return;
    const int side = satk_find_pixel(&job, &table, x, y, CHANNELS, BITS, &sure);
    if (side)
        job.found[side > 0] = 1; /* all store the same, in any order */
}

/* Counts the lamps in the rows that count. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_HIGHLIGHT_THREADS)
    count_points(const __grid_constant__ satk_highlight job)
{
    int x, y;

    if (!(job.found[0] | job.found[1]) || !find_pixel(job.src, &x, &y) || y < job.counted.lo ||
        y >= job.counted.hi)
        return;
    const int points = satk_points_at(&job, x, y, CHANNELS, BITS);
    if (points)
        atomicAdd(&job.found[2], (uint32_t)points);
}

/* Planes of deltas, one for each colour. */
template <int COLOURS>
static __device__ __forceinline__ void add_delta(const satk_plane &src, unsigned long long *deltas,
                                                 int x, int y, const uint64_t *light, bool negative)
{
    const size_t pixels = (size_t)src.width * (size_t)src.height;
    const int column = max(x, 0), row = max(y, 0);

    if (column >= src.width || row >= src.height)
        return;
#pragma unroll
    for (int c = 0; c < COLOURS; c++)
        atomicAdd(deltas + c * pixels + (size_t)row * src.width + column,
                  negative ? 0 - light[c] : light[c]);
}

/* Adds a box of a light at x, y. light: each pixel's share. */
template <int COLOURS>
static __device__ __forceinline__ void add_box(const satk_plane &src, unsigned long long *deltas,
                                               int radius, const satk_form_box &box, int x, int y,
                                               const uint64_t *light)
{
    const satk_range columns = satk_form_columns(&box, radius, x);
    const satk_range rows = satk_form_rows(&box, radius, y);
    uint64_t weighted[COLOURS];

    if (columns.lo >= columns.hi || rows.lo >= rows.hi)
        return;
#pragma unroll
    for (int c = 0; c < COLOURS; c++)
        weighted[c] = light[c] * (uint64_t)(int64_t)box.weight;
    add_delta<COLOURS>(src, deltas, columns.lo, rows.lo, weighted, false);
    add_delta<COLOURS>(src, deltas, columns.hi, rows.lo, weighted, true);
    add_delta<COLOURS>(src, deltas, columns.lo, rows.hi, weighted, true);
    add_delta<COLOURS>(src, deltas, columns.hi, rows.hi, weighted, false);
}

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_HIGHLIGHT_THREADS)
    add_lights(const __grid_constant__ satk_highlight job, unsigned long long *deltas)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    uint64_t light[4];
    int x, y;

    if (!find_pixel(job.src, &x, &y))
        return;
    if (!satk_light_of(&job, x, y, CHANNELS, BITS, light))
        return;
    const satk_disc disc = satk_disc_of_light(&job, x, y, CHANNELS, BITS);
    if (disc.side != job.side)
        return;
    const satk_form_box *const form = satk_disc_form(&job, x, y);
    const uint64_t share = satk_disc_share(form, job.forms.count, disc.radius);
#pragma unroll
    for (int c = 0; c < colours; c++)
        light[c] *= share;
#pragma unroll 1
    for (int i = 0; i < job.forms.count; i++)
        add_box<colours>(job.src, deltas, disc.radius, form[i], x, y, light);
}

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_HIGHLIGHT_THREADS)
    add_sums(const __grid_constant__ satk_highlight job, const uint64_t *tables)
{
    const size_t pixels = (size_t)job.src.width * (size_t)job.src.height;
    uint64_t sums[4];
    int x, y;

    if (!find_pixel(job.src, &x, &y))
        return;
#pragma unroll
    for (int c = 0; c < satk_light_colours(CHANNELS); c++)
        sums[c] = tables[c * pixels + (size_t)y * job.src.width + x];
    satk_add_to_pixel(&job, x, y, sums, CHANNELS, BITS);
}

/* --- Launches --------------------------------------------------------------------------------- */

static size_t planes_bytes(const satk_highlight *job)
{
    return pixels_of(job) * (size_t)satk_light_colours(job->src.channels) * sizeof(uint64_t);
}

static size_t table_bytes(const satk_highlight *job)
{
    return pixels_of(job) * SATK_LAMP_WORDS * sizeof(uint64_t);
}

size_t satk_highlight_scratch_cuda(const satk_highlight *job)
{
    const int width = job->src.width, height = job->src.height;
    const size_t add =
        planes_bytes(job) + satk_rows_columns_scratch(width, height, 1) * sizeof(uint64_t);
    const size_t find =
        table_bytes(job) +
        satk_rows_columns_scratch(width, height, SATK_LAMP_WORDS) * sizeof(uint64_t);

    return add > find ? add : find;
}

template <int CHANNELS, int BITS> static int find(const satk_highlight *job, cudaStream_t stream)
{
    const from_lamps<CHANNELS, BITS> source = {*job};
    uint64_t *const table = (uint64_t *)job->scratch;
    const unsigned blocks = blocks_of(job);

    int error = (int)cudaMemsetAsync(job->found, 0, 3 * sizeof *job->found, stream);
    if (!error)
        error = satk_build_rows_columns<uint64_t, SATK_LAMP_WORDS>(
            source, table, table + pixels_of(job) * SATK_LAMP_WORDS, job->src.width,
            job->src.height, stream);
    if (error)
        return error;
    find_lights<CHANNELS, BITS><<<blocks, SATK_HIGHLIGHT_THREADS, 0, stream>>>(*job);
    error = satk_launched(stream);
    if (error)
        return error;
    count_points<CHANNELS, BITS><<<blocks, SATK_HIGHLIGHT_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}

/* Turns deltas into their sums, plane by plane, in place. All planes share the scratch memory
 * behind them. */
static int build_tables(const satk_highlight *job, uint64_t *planes, int count, cudaStream_t stream)
{
    const int width = job->src.width, height = job->src.height;
    int error = 0;

    for (int c = 0; c < count && !error; c++) {
        uint64_t *const plane = planes + c * pixels_of(job);
        const from_sums<uint64_t, 1> source = {plane, width};
        error = satk_build_rows_columns<uint64_t, 1>(source, plane, planes + count * pixels_of(job),
                                                     width, height, stream);
    }
    return error;
}

template <int CHANNELS, int BITS> static int add(const satk_highlight *job, cudaStream_t stream)
{
    uint64_t *const planes = (uint64_t *)job->scratch;
    const unsigned blocks = blocks_of(job);

    int error = (int)cudaMemsetAsync(planes, 0, planes_bytes(job), stream);
    if (error)
        return error;
    add_lights<CHANNELS, BITS>
        <<<blocks, SATK_HIGHLIGHT_THREADS, 0, stream>>>(*job, (unsigned long long *)planes);
    error = satk_launched(stream);
    if (!error)
        error = build_tables(job, planes, satk_light_colours(CHANNELS), stream);
    if (error)
        return error;
    add_sums<CHANNELS, BITS><<<blocks, SATK_HIGHLIGHT_THREADS, 0, stream>>>(*job, planes);
    return satk_launched(stream);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

typedef int function(const satk_highlight *job, cudaStream_t stream);

int satk_highlight_find_cuda(const satk_highlight *job, void *stream)
{
    static function *const finds[2][4] = {{find<1, 8>, find<2, 8>, find<3, 8>, find<4, 8>},
                                          {find<1, 16>, find<2, 16>, find<3, 16>, find<4, 16>}};

    return finds[job->src.bits == 16][job->src.channels - 1](job, (cudaStream_t)stream);
}

int satk_highlight_add_cuda(const satk_highlight *job, void *stream)
{
    static function *const adds[2][4] = {{add<1, 8>, add<2, 8>, add<3, 8>, add<4, 8>},
                                         {add<1, 16>, add<2, 16>, add<3, 16>, add<4, 16>}};

    return adds[job->src.bits == 16][job->src.channels - 1](job, (cudaStream_t)stream);
}
