/* Three steps: every pixel adds its window's differences to planes of deltas, one for each lane, so that
 * neighbours with the same radius add to neighbouring words; each plane becomes its own table; every
 * pixel divides its sums. Additions modulo 2^64 give the same planes in any order. */
#include "spread/spread_rule.h"
#include "sat/sat_rows_columns.cuh"

#define SATK_SPREAD_THREADS 256 /* pixels of a row, one a thread */

static size_t pixels_of(const satk_spread *job)
{
    return (size_t)job->src.width * (size_t)job->src.height;
}

static int lanes_of(const satk_spread *job)
{
    return satk_spread_lanes(job->src.channels, job->tone.opaque);
}

/* Finds a thread's pixel: blocks are runs of a row. */
static __device__ __forceinline__ bool find_pixel(const satk_plane &plane, int *x, int *y)
{
    const unsigned across = ((unsigned)plane.width + SATK_SPREAD_THREADS - 1) / SATK_SPREAD_THREADS;

    *x = (int)(blockIdx.x % across * SATK_SPREAD_THREADS + threadIdx.x);
    *y = (int)(blockIdx.x / across);
    return *x < plane.width;
}

/* --- Deltas ----------------------------------------------------------------------------------- */

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_SPREAD_THREADS)
    add_sources(const __grid_constant__ satk_spread job, unsigned long long *deltas)
{
    const size_t pixels = (size_t)job.src.width * (size_t)job.src.height;
    const int lanes = satk_spread_lanes(CHANNELS, job.tone.opaque);
    uint64_t samples[SATK_SPREAD_MOST_LANES], kind[SATK_KINDS];
    int x, y;

    if (!find_pixel(job.src, &x, &y))
        return;
    const satk_splat splat = *satk_splat_of(&job, x, y);
    const uint8_t *const src = (const uint8_t *)job.src.data + y * job.src.pitch;
    satk_spread_samples(&job, src, x, CHANNELS, BITS, samples);
    satk_kinds(&splat, kind);
#pragma unroll
    for (int j = 0; j < SATK_PLACES; j++) {
        const int row = max(satk_place_at(&splat, y, j), 0);
#pragma unroll
        for (int i = 0; i < SATK_PLACES; i++) {
            const int column = max(satk_place_at(&splat, x, i), 0);
            const uint64_t weight = kind[satk_kind_at(i, j)];
            if (satk_kind_at(i, j) < 2 && !splat.ring)
                continue;
            if (row >= job.src.height || column >= job.src.width)
                continue;
#pragma unroll
            for (int c = 0; c < satk_spread_lanes(CHANNELS, 0); c++)
                if (c < lanes)
                    atomicAdd(deltas + c * pixels + (size_t)row * job.src.width + column,
                              satk_is_negative(i, j) ? 0 - weight * samples[c]
                                                     : weight * samples[c]);
        }
    }
}

/* --- Pixels ----------------------------------------------------------------------------------- */

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_SPREAD_THREADS)
    divide_sums(const __grid_constant__ satk_spread job, const uint64_t *tables)
{
    const size_t pixels = (size_t)job.src.width * (size_t)job.src.height;
    const int lanes = satk_spread_lanes(CHANNELS, job.tone.opaque);
    uint64_t sums[SATK_SPREAD_MOST_LANES];
    int x, y;

    if (!find_pixel(job.src, &x, &y))
        return;
#pragma unroll
    for (int c = 0; c < satk_spread_lanes(CHANNELS, 0); c++)
        if (c < lanes)
            sums[c] = tables[c * pixels + (size_t)y * job.src.width + x];
    satk_spread_pixel(&job, x, y, sums, CHANNELS, BITS, job.tone.opaque);
}

/* --- Launches --------------------------------------------------------------------------------- */

static size_t planes_bytes(const satk_spread *job)
{
    return pixels_of(job) * (size_t)lanes_of(job) * sizeof(uint64_t);
}

/* Turns deltas into their sums, plane by plane, in place. All planes share the scratch memory
 * `sums`. */
static int build_tables(const satk_spread *job, uint64_t *planes, uint64_t *sums,
                        cudaStream_t stream)
{
    const int width = job->src.width, height = job->src.height;
    int error = 0;

    for (int c = 0; c < lanes_of(job) && !error; c++) {
        uint64_t *const plane = planes + c * pixels_of(job);
        const from_sums<uint64_t, 1> source = {plane, width};
        error = satk_build_rows_columns<uint64_t, 1>(source, plane, sums, width, height, stream);
    }
    return error;
}

template <int CHANNELS, int BITS> static int spread(const satk_spread *job, cudaStream_t stream)
{
    uint64_t *const planes = (uint64_t *)job->scratch;
    const unsigned across =
        ((unsigned)job->src.width + SATK_SPREAD_THREADS - 1) / SATK_SPREAD_THREADS;
    const unsigned blocks = across * (unsigned)job->src.height;

    int error = (int)cudaMemsetAsync(planes, 0, planes_bytes(job), stream);
    if (error)
        return error;
    add_sources<CHANNELS, BITS>
        <<<blocks, SATK_SPREAD_THREADS, 0, stream>>>(*job, (unsigned long long *)planes);
    error = satk_launched(stream);
    if (!error)
        error = build_tables(job, planes, planes + lanes_of(job) * pixels_of(job), stream);
    if (error)
        return error;
    divide_sums<CHANNELS, BITS><<<blocks, SATK_SPREAD_THREADS, 0, stream>>>(*job, planes);
    return satk_launched(stream);
}

size_t satk_spread_scratch_cuda(const satk_spread *job)
{
    return planes_bytes(job) +
           satk_rows_columns_scratch(job->src.width, job->src.height, 1) * sizeof(uint64_t);
}

template <int BITS> static int spread_channels(const satk_spread *job, cudaStream_t stream)
{
    switch (job->src.channels) {
    case 1: return spread<1, BITS>(job, stream);
    case 2: return spread<2, BITS>(job, stream);
    case 3: return spread<3, BITS>(job, stream);
    default: return spread<4, BITS>(job, stream);
    }
}

int satk_spread_cuda(const satk_spread *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    return job->src.bits == 8 ? spread_channels<8>(job, s) : spread_channels<16>(job, s);
}
