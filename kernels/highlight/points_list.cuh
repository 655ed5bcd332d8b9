/* The list of points that satk_points_add_cuda() makes first. */
#ifndef SATK_POINTS_LIST_CUH
#define SATK_POINTS_LIST_CUH

#include "highlight/points.cuh"
#include "highlight/points_rule.h"

#define SATK_OWN_RUNS 4 /* of a warp: few, since runs with points are beside each other */

/* Batches are points beside each other in a run, of one disc and outline. Along columns each point is one. */
struct point_list {
    uint2 *runs; /* a bit for each of its points, and for each that begins a batch */
    /* By pixel, of those that begin one: the disc's code, and its group above 16 bits. */
    uint32_t *begin;
    uint64_t *light; /* by pixel and colour, of points: for a 65536th of a pixel */
    int across;      /* runs of a row */
};

/* Returns the light of all spans of a point, in all lanes. */
static __device__ __forceinline__ uint64_t area_of(const satk_points &job, const satk_outline *of,
                                                   int radius)
{
    const int lane = threadIdx.x % SATK_WARP;
    uint64_t area = 0;

#pragma unroll 1
    for (int i = 0; i < job.outlines.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&of[i], radius);
        const satk_range rows = satk_outline_rows(&s);
        satk_row_span span;
#pragma unroll 1
        for (int row = rows.lo + lane; row < rows.hi; row += SATK_WARP)
            area += (uint64_t)satk_span_of_row(&s, row, &span);
    }
    area = satk_warp_reduce(area);
    return (int64_t)area > 0 ? area : 1;
}

static __device__ __forceinline__ const satk_outline *
outline_of(const satk_points &job, const satk_disc *disc, int x, int y)
{
    return satk_outlines_at(&job.outlines, disc->side > 0, x, y + job.row);
}

/* Returns a bit for each lane that begins a batch. points: a bit for each that has a point. */
static __device__ __forceinline__ unsigned
find_batches(const satk_points &job, unsigned points, const satk_disc *disc, const satk_outline *of)
{
    const int lane = threadIdx.x % SATK_WARP;
    const unsigned long long own_disc = (uintptr_t)disc, own_outline = (uintptr_t)of;
    const bool is_other_disc = __shfl_up_sync(0xffffffffu, own_disc, 1) != own_disc;
    const bool is_other =
        __shfl_up_sync(0xffffffffu, own_outline, 1) != own_outline || is_other_disc;
    const bool begins = job.outlines.along_columns || is_other || !(points << 1 >> lane & 1);

    return __ballot_sync(0xffffffffu, points >> lane & 1 && begins);
}

/* Returns the area of the lane's batch. */
static __device__ __forceinline__ uint64_t area_of_batch(const satk_points &job, unsigned begins,
                                                         const satk_disc *disc,
                                                         const satk_outline *of)
{
    const int lane = threadIdx.x % SATK_WARP, radius = disc->radius;
    uint64_t own = 1;

    for (; begins; begins &= begins - 1) {
        const int first = __ffs((int)begins) - 1;
        const uint64_t outline = __shfl_sync(0xffffffffu, (unsigned long long)(uintptr_t)of, first);
        const uint64_t area = area_of(job, (const satk_outline *)(uintptr_t)outline,
                                      __shfl_sync(0xffffffffu, radius, first));
        own = lane >= first ? area : own;
    }
    return own;
}

/* Lists the points of a run. Returns those, and those that begin batches. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ uint2 list_run(const satk_points &job, const point_list &list,
                                                 int run, int y)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    const int lane = threadIdx.x % SATK_WARP, x = run * SATK_POINT_RUN + lane;
    const satk_disc *disc = job.disc;
    const satk_outline *of = job.outlines.of;
    uint64_t light[4];
    bool is_point = false;

    if (x < job.src.width && satk_light_of(&job, x, y, CHANNELS, BITS, light)) {
        disc = satk_disc_of_point(&job, x, y, CHANNELS, BITS);
        of = outline_of(job, disc, x, y);
        is_point = job.lit >> disc->group & 1;
    }
    const unsigned points = __ballot_sync(0xffffffffu, is_point);
    const unsigned begins = find_batches(job, points, disc, of);
    const uint64_t area = area_of_batch(job, begins, disc, of);
    const size_t at = (size_t)y * (size_t)job.src.width + (size_t)x;
    for (int c = 0; c < colours && is_point; c++)
        list.light[at * colours + c] = satk_light_by(&job, light[c], area);
    if (begins >> lane & 1)
        list.begin[at] = (uint32_t)(disc - job.disc) | (uint32_t)disc->group << 16;
    return make_uint2(points, begins);
}

/* Lanes look at a run each; their warp lists those that have points, one after another. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    list_points(const __grid_constant__ satk_points job, const point_list list)
{
    const int lane = threadIdx.x % SATK_WARP;
    const size_t warp = ((size_t)blockIdx.x * SATK_POINTS_THREADS + threadIdx.x) / SATK_WARP;
    const size_t at = warp * SATK_OWN_RUNS + (size_t)lane;
    const int y = (int)(at / (size_t)list.across), run = (int)(at % (size_t)list.across);
    const bool is_own = lane < SATK_OWN_RUNS && y < job.src.height;
    const bool has_points = is_own && satk_points_row(&job.runs, y)[run];
    uint2 own = make_uint2(0, 0);

    for (unsigned rest = __ballot_sync(0xffffffffu, has_points); rest; rest &= rest - 1) {
        const int from = __ffs((int)rest) - 1;
        const uint2 listed = list_run<CHANNELS, BITS>(
            job, list, __shfl_sync(0xffffffffu, run, from), __shfl_sync(0xffffffffu, y, from));
        own = lane == from ? listed : own;
    }
    if (is_own)
        list.runs[at] = own;
}

#endif
