#include "common/parts.h"
#include "matte/matte.cuh"
#include "matte/matte_plane_rule.h"

/* The scratch. */
struct plane_work {
    uint32_t *varies; /* 1: alpha is not the same everywhere */
    satk_matte_tap *columns, *rows;
};

static size_t divide(const satk_matte_plane *job, plane_work *w)
{
    const int is_resized = satk_matte_is_resized(job);
    uint8_t *const base = (uint8_t *)job->scratch;
    size_t bytes = 0;

    w->varies = (uint32_t *)(base + satk_place(&bytes, 1, sizeof *w->varies));
    w->columns = (satk_matte_tap *)(base + satk_place(&bytes, is_resized ? job->dst.width : 0,
                                                      sizeof *w->columns));
    w->rows = (satk_matte_tap *)(base + satk_place(&bytes, is_resized ? job->dst.height : 0,
                                                   sizeof *w->rows));
    return bytes;
}

/* Compares alpha with that of the first pixel. A block that sees that another has found a difference ends. */
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    compare_alpha(const __grid_constant__ satk_plane src, volatile uint32_t *varies)
{
    const satk_matte_area tile = satk_matte_tile(src);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile), alpha = src.channels - 1;

    if (x >= tile.x1 || *varies)
        return;
    const uint32_t wanted = satk_sample_at(&src, 0, 0, alpha);
    for (int y = first; y < min(first + SATK_MATTE_STRIP, tile.y1); y++)
        if (satk_sample_at(&src, x, y, alpha) != wanted)
            *varies = 1;
}

/* Threads have the columns' taps, and then the rows'. */
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    find_taps(const __grid_constant__ satk_matte_plane job, plane_work work)
{
    const int i = (int)(blockIdx.x * SATK_MATTE_THREADS + threadIdx.x), width = job.dst.width;

    if (i < width)
        work.columns[i] = satk_matte_tap_at(i, width, job.src.width);
    else if (i - width < job.dst.height)
        work.rows[i - width] = satk_matte_tap_at(i - width, job.dst.height, job.src.height);
}

template <bool RESIZED>
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    make(const __grid_constant__ satk_matte_plane job, plane_work work)
{
    const satk_matte_area tile = satk_matte_tile(job.dst);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile);
    const int channel = *work.varies ? job.src.channels - 1 : 0;
    unsigned sum = 0;

#pragma unroll
    for (int j = 0; j < SATK_MATTE_STRIP; j++) {
        const int y = first + j;
        if (x >= tile.x1 || y >= tile.y1)
            continue;
        const uint8_t cover =
            RESIZED ? satk_matte_cover_between(&job.src, channel, work.columns[x], work.rows[y])
                    : satk_matte_cover(satk_sample_at(&job.src, x, y, channel), job.src.bits);
        ((uint8_t *)satk_row_of(&job.dst, y))[x] = cover;
        sum += cover;
    }
    satk_matte_add(&job.counts[SATK_MATTE_SUM], sum);
}

size_t satk_matte_plane_scratch_cuda(const satk_matte_plane *job)
{
    plane_work work;

    return divide(job, &work);
}

static int make_plane(const satk_matte_plane *job, plane_work work, cudaStream_t stream)
{
    const unsigned blocks = satk_matte_blocks(&job->dst);

    if (!satk_matte_is_resized(job)) {
        make<false><<<blocks, SATK_MATTE_THREADS, 0, stream>>>(*job, work);
        return satk_launched(stream);
    }
    const unsigned taps = (unsigned)job->dst.width + (unsigned)job->dst.height;
    find_taps<<<(taps + SATK_MATTE_THREADS - 1) / SATK_MATTE_THREADS, SATK_MATTE_THREADS, 0,
                stream>>>(*job, work);
    const int error = satk_launched(stream);
    if (error)
        return error;
    make<true><<<blocks, SATK_MATTE_THREADS, 0, stream>>>(*job, work);
    return satk_launched(stream);
}

int satk_matte_plane_cuda(const satk_matte_plane *job, void *of)
{
    cudaStream_t const stream = (cudaStream_t)of;
    plane_work work;

    (void)divide(job, &work);
    int error =
        (int)cudaMemsetAsync(job->counts, 0, SATK_MATTE_COUNTS * sizeof *job->counts, stream);
    if (!error)
        error = (int)cudaMemsetAsync(work.varies, 0, sizeof *work.varies, stream);
    if (!error && satk_has_alpha(job->src.channels)) {
        compare_alpha<<<satk_matte_blocks(&job->src), SATK_MATTE_THREADS, 0, stream>>>(job->src,
                                                                                       work.varies);
        error = satk_launched(stream);
    }
    return error ? error : make_plane(job, work, stream);
}
