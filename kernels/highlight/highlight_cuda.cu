/* A pixel per thread, but for the table. */
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
    satk_find_pixel(&job, &table, x, y, CHANNELS, BITS, &sure);
}

/* Counts the lamps in the rows that count. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_HIGHLIGHT_THREADS)
    count_points(const __grid_constant__ satk_highlight job)
{
    int x, y;

    if (!find_pixel(job.src, &x, &y) || y < job.counted.lo || y >= job.counted.hi)
        return;
    const int points = satk_points_at(&job, x, y, CHANNELS, BITS);
    if (points)
        atomicAdd(job.found, (uint32_t)points);
}

/* --- Launches --------------------------------------------------------------------------------- */

static size_t table_bytes(const satk_highlight *job)
{
    return pixels_of(job) * SATK_LAMP_WORDS * sizeof(uint64_t);
}

size_t satk_highlight_scratch_cuda(const satk_highlight *job)
{
    return table_bytes(job) + satk_rows_columns_scratch(job->src.width, job->src.height,
                                                        SATK_LAMP_WORDS) *
                                  sizeof(uint64_t);
}

template <int CHANNELS, int BITS> static int find(const satk_highlight *job, cudaStream_t stream)
{
    const from_lamps<CHANNELS, BITS> source = {*job};
    uint64_t *const table = (uint64_t *)job->scratch;
    const unsigned blocks = blocks_of(job);

    int error = (int)cudaMemsetAsync(job->found, 0, sizeof *job->found, stream);
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

/* --- Kinds ------------------------------------------------------------------------------------ */

typedef int function(const satk_highlight *job, cudaStream_t stream);

int satk_highlight_find_cuda(const satk_highlight *job, void *stream)
{
    static function *const finds[2][4] = {{find<1, 8>, find<2, 8>, find<3, 8>, find<4, 8>},
                                          {find<1, 16>, find<2, 16>, find<3, 16>, find<4, 16>}};

    return finds[job->src.bits == 16][job->src.channels - 1](job, (cudaStream_t)stream);
}
