/* A pixel per thread, but for the spans: a warp has the rows of one point after another. Points are few: most threads that look
 * for one do no more. Additions modulo 2^64 give the same planes in any order. */
#include "highlight/points.cuh"
#include "highlight/points_rule.h"

static size_t pixels_of(const satk_points *job)
{
    return (size_t)job->src.width * (size_t)job->src.height;
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Planes of the ends of spans, with two columns more than spans have places, and of what pixels see, one for each colour. `along`
 * and `lines`: as in points_tile.c. touched: of each line, whether it has ends. */
struct span_planes {
    unsigned long long *ends;
    uint64_t *sums;
    uint32_t *touched;
    int along, lines;
};

/* A point, in all lanes of a warp. */
struct warp_point {
    int radius, at, line;
    const satk_outline *of;
    uint64_t light[3];
};

/* Returns the light of all spans of a point. */
static __device__ __forceinline__ uint64_t area_of(const satk_points &job, const warp_point &p)
{
    const int lane = threadIdx.x % SATK_WARP;
    uint64_t area = 0;

#pragma unroll 1
    for (int i = 0; i < job.outlines.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&p.of[i], p.radius);
        const satk_range rows = satk_outline_rows(&s);
        satk_row_span span;
#pragma unroll 1
        for (int row = rows.lo + lane; row < rows.hi; row += SATK_WARP)
            area += (uint64_t)satk_span_of_row(&s, row, &span);
    }
    area = satk_warp_reduce(area);
    return (int64_t)area > 0 ? area : 1;
}

/* Adds an end of a span. */
template <int COLOURS>
static __device__ __forceinline__ void add_end(const span_planes &planes, int line, int64_t end,
                                               const uint64_t *light, int weight)
{
    const size_t pitch = (size_t)planes.along + 2, plane = pitch * (size_t)planes.lines;
    const int64_t at = end >> 8, part = end & 255;

#pragma unroll
    for (int second = 0; second < 2; second++) {
        const int64_t place = at + second;
        const size_t column = place < 0              ? 0
                              : place < planes.along ? (size_t)place
                                                     : (size_t)planes.along;
        const uint64_t by = (uint64_t)((second ? part : 256 - part) * weight);
#pragma unroll
        for (int c = 0; c < COLOURS; c++)
            atomicAdd(planes.ends + c * plane + (size_t)line * pitch + column, light[c] * by);
    }
}

/* Adds the spans of a point. */
template <int COLOURS>
static __device__ __forceinline__ void add_spans(const satk_points &job, const span_planes &planes,
                                                 warp_point &p)
{
    const int lane = threadIdx.x % SATK_WARP;
    const uint64_t area = area_of(job, p);

#pragma unroll
    for (int c = 0; c < COLOURS; c++)
        p.light[c] = satk_light_by(&job, p.light[c], area);
#pragma unroll 1
    for (int i = 0; i < job.outlines.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&p.of[i], p.radius);
        const satk_range rows = satk_outline_rows(&s);
        const int first = max(rows.lo, -p.line), end = min(rows.hi, planes.lines - p.line);
#pragma unroll 1
        for (int row = first + lane; row < end; row += SATK_WARP) {
            satk_row_span span;
            satk_span_of_row(&s, row, &span);
            if (span.weight == 0)
                continue;
            planes.touched[p.line + row] = 1;
            add_end<COLOURS>(planes, p.line + row, (int64_t)p.at * 256 + span.lo, p.light,
                             span.weight);
            add_end<COLOURS>(planes, p.line + row, (int64_t)p.at * 256 + span.hi, p.light,
                             -span.weight);
        }
    }
}

/* Returns the point of a lane, in all lanes. */
static __device__ __forceinline__ warp_point point_of(const warp_point &own, int lane, int colours)
{
    warp_point p = {__shfl_sync(0xffffffffu, own.radius, lane),
                    __shfl_sync(0xffffffffu, own.at, lane),
                    __shfl_sync(0xffffffffu, own.line, lane),
                    (const satk_outline *)(uintptr_t)__shfl_sync(
                        0xffffffffu, (unsigned long long)(uintptr_t)own.of, lane),
                    {0, 0, 0}};

    for (int c = 0; c < colours; c++)
        p.light[c] = __shfl_sync(0xffffffffu, (unsigned long long)own.light[c], lane);
    return p;
}

/* Adds the points of a group. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    add_points(const __grid_constant__ satk_points job, const span_planes planes, int group)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    warp_point own = {0, 0, 0, nullptr, {0, 0, 0}};
    uint64_t light[4];
    int x, y;
    const bool inside = satk_points_pixel(job.src, &x, &y);
    const int first = x - (int)(threadIdx.x % SATK_WARP);
    bool is_own = false;

    if (first >= job.src.width || !satk_points_row(&job.runs, y)[first / SATK_POINT_RUN])
        return; /* the whole warp */
    if (inside && satk_light_of(&job, x, y, CHANNELS, BITS, light)) {
        const satk_disc *const disc = satk_disc_of_point(&job, x, y, CHANNELS, BITS);
        const bool turned = job.outlines.along_columns;
        is_own = disc->group == group;
        own.radius = disc->radius;
        own.at = turned ? y : x, own.line = turned ? x : y;
        own.of = satk_outlines_at(&job.outlines, disc->side > 0, x, y + job.row);
        for (int c = 0; c < colours; c++)
            own.light[c] = light[c];
    }
    for (unsigned rest = __ballot_sync(0xffffffffu, is_own); rest; rest &= rest - 1) {
        warp_point p = point_of(own, __ffs((int)rest) - 1, colours);
        add_spans<colours>(job, planes, p);
    }
}

/* A block turns the ends of a line into sums, adds the parts that pixels see, and clears the ends. */
template <int COLOURS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    see_group(const __grid_constant__ satk_points job, const span_planes planes, int group)
{
    __shared__ uint64_t totals[COLOURS][SATK_POINTS_THREADS / SATK_WARP];
    const int line = (int)blockIdx.x, warp = threadIdx.x / SATK_WARP;
    const size_t pitch = (size_t)planes.along + 2, plane = pitch * (size_t)planes.lines;
    const size_t pixels = (size_t)planes.along * (size_t)planes.lines;
    const bool turned = job.outlines.along_columns;
    uint64_t carry[COLOURS] = {};

    if (!planes.touched[line])
        return;
    const satk_plane left = satk_left_of(&job, group);
    for (int begin = 0; begin < planes.along + 2; begin += SATK_POINTS_THREADS) {
        const int i = begin + (int)threadIdx.x;
        uint64_t sum[COLOURS];
        for (int c = 0; c < COLOURS; c++) {
            unsigned long long *const end = planes.ends + c * plane + (size_t)line * pitch + i;
            sum[c] = i < planes.along + 2 ? *end : 0;
            if (sum[c])
                *end = 0;
            sum[c] = satk_warp_scan(sum[c]);
            if (threadIdx.x % SATK_WARP == SATK_WARP - 1)
                totals[c][warp] = sum[c];
        }
        __syncthreads();
        for (int c = 0; c < COLOURS; c++) {
            const uint64_t all = carry[c] + satk_warps_before(totals[c]) + sum[c];
            for (int w = 0; w < SATK_POINTS_THREADS / SATK_WARP; w++)
                carry[c] += totals[c][w];
            if (i < planes.along)
                planes.sums[c * pixels + (size_t)line * planes.along + i] +=
                    satk_seen_part(&left, all, turned ? line : i, turned ? i : line);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
        planes.touched[line] = 0;
}

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    add_sums(const __grid_constant__ satk_points job, const span_planes planes)
{
    const size_t pixels = (size_t)planes.along * (size_t)planes.lines;
    uint64_t sums[4], any = 0;
    int x, y;

    if (!satk_points_pixel(job.src, &x, &y))
        return;
    const bool turned = job.outlines.along_columns;
    const size_t at = (size_t)(turned ? x : y) * planes.along + (size_t)(turned ? y : x);
#pragma unroll
    for (int c = 0; c < satk_light_colours(CHANNELS); c++) {
        sums[c] = planes.sums[c * pixels + at];
        any |= sums[c];
    }
    if (any)
        satk_add_to_pixel(&job, x, y, sums, CHANNELS, BITS);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Places the planes in the scratch memory. Returns their bytes. */
static size_t place_planes(const satk_points *job, span_planes *p)
{
    const size_t colours = (size_t)satk_light_colours(job->src.channels);
    const bool turned = job->outlines.along_columns;

    p->along = turned ? job->src.height : job->src.width;
    p->lines = turned ? job->src.width : job->src.height;
    const size_t ends = ((size_t)p->along + 2) * (size_t)p->lines * colours;
    const size_t sums = pixels_of(job) * colours;
    p->ends = (unsigned long long *)job->scratch;
    p->sums = (uint64_t *)job->scratch + ends;
    p->touched = (uint32_t *)((uint64_t *)job->scratch + ends + sums);
    return (ends + sums) * sizeof(uint64_t) + (size_t)p->lines * sizeof(uint32_t);
}

size_t satk_points_scratch_cuda(const satk_points *job)
{
    const size_t find = satk_points_find_scratch_cuda(job);
    satk_points placeless = *job;
    span_planes planes;

    placeless.scratch = NULL;
    const size_t add = place_planes(&placeless, &planes);
    return add > find ? add : find;
}

/* Adds the points of a group to what pixels see. */
template <int CHANNELS, int BITS>
static int add_group(const satk_points *job, const span_planes &planes, int group,
                     cudaStream_t stream)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;

    add_points<CHANNELS, BITS>
        <<<satk_points_blocks(job) * (unsigned)job->src.height, SATK_POINTS_THREADS, 0, stream>>>(
            *job, planes, group);
    const int error = satk_launched(stream);
    if (error)
        return error;
    see_group<colours>
        <<<(unsigned)planes.lines, SATK_POINTS_THREADS, 0, stream>>>(*job, planes, group);
    return satk_launched(stream);
}

template <int CHANNELS, int BITS> static int add(const satk_points *job, cudaStream_t stream)
{
    span_planes planes;
    const size_t bytes = place_planes(job, &planes);

    int error = (int)cudaMemsetAsync(job->scratch, 0, bytes, stream);
    for (int i = 0; i < SATK_POINT_GROUPS && !error; i++)
        if (job->lit >> i & 1)
            error = add_group<CHANNELS, BITS>(job, planes, i, stream);
    if (error)
        return error;
    add_sums<CHANNELS, BITS>
        <<<satk_points_blocks(job) * (unsigned)job->src.height, SATK_POINTS_THREADS, 0, stream>>>(
            *job, planes);
    return satk_launched(stream);
}

int satk_points_add_cuda(const satk_points *job, void *stream)
{
    static int (*const adds[2][4])(const satk_points *job, cudaStream_t stream) = {
        {add<1, 8>, add<2, 8>, add<3, 8>, add<4, 8>},
        {add<1, 16>, add<2, 16>, add<3, 16>, add<4, 16>}};

    return adds[job->src.bits == 16][job->src.channels - 1](job, (cudaStream_t)stream);
}
