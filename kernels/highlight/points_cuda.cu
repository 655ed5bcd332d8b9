/* Two steps: a warp lists the points of a run, and a block gathers the light of all points that reach a tile. Points are few:
 * most threads that look for one do no more. Additions modulo 2^64 give the same sums in any order. */
#include "highlight/points.cuh"
#include "highlight/points_rule.h"

enum {
    LINES = 16, /* of a tile: a lane of a warp has an end of spans in one of them */
    ALONG =
        96, /* places of a line: a tile with three colours takes less than 48 KB of shared memory */
    CHUNKS = ALONG / SATK_WARP,
    WARPS = SATK_POINTS_THREADS / SATK_WARP,
    OWN_LINES = LINES / WARPS /* of a warp */
};

/* The list. Batches are points beside each other in a run, of one disc and outline. Along columns each point is one. */
struct point_list {
    uint2 *runs; /* a bit for each of its points, and for each that begins a batch */
    uint32_t *
        begin; /* by pixel, of those that begin one: the disc's code, and its group above 16 bits */
    uint64_t *light; /* by pixel and colour, of points: for a 65536th of a pixel */
    int across;      /* runs of a row */
};

/* --- List ------------------------------------------------------------------------------------- */

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

template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    list_points(const __grid_constant__ satk_points job, const point_list list)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    const int lane = threadIdx.x % SATK_WARP;
    const satk_disc *disc = job.disc;
    const satk_outline *of = job.outlines.of;
    uint64_t light[4];
    bool is_point = false;
    int x, y;
    const bool inside = satk_points_pixel(job.src, &x, &y);
    const int run = (x - lane) / SATK_POINT_RUN;

    if (run >= list.across)
        return; /* the whole warp */
    if (satk_points_row(&job.runs, y)[run] && inside &&
        satk_light_of(&job, x, y, CHANNELS, BITS, light)) {
        disc = satk_disc_of_point(&job, x, y, CHANNELS, BITS);
        of = outline_of(job, disc, x, y);
        is_point = job.lit >> disc->group & 1;
    }
    const unsigned points = __ballot_sync(0xffffffffu, is_point);
    const unsigned begins = points ? find_batches(job, points, disc, of) : 0;
    const uint64_t area = area_of_batch(job, begins, disc, of);
    const size_t at = (size_t)y * (size_t)job.src.width + (size_t)x;
    for (int c = 0; c < colours && is_point; c++)
        list.light[at * colours + c] = satk_light_by(&job, light[c], area);
    if (begins >> lane & 1)
        list.begin[at] = (uint32_t)(disc - job.disc) | (uint32_t)disc->group << 16;
    if (lane == 0)
        list.runs[(size_t)y * (size_t)list.across + (size_t)run] = make_uint2(points, begins);
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* The ends of spans in a tile, in shared memory. Those before it are at its first place, and those behind it are left out. Lines
 * are not a multiple of all banks apart. */
template <int COLOURS> struct tile_ends {
    unsigned long long at[LINES][COLOURS * ALONG + 1];
    uint32_t touched[LINES]; /* 1: the line has some */
    uint32_t groups;         /* a bit for each that has points near the tile */
};

/* A block's tile, by its first pixel, line and place. */
struct tile_place {
    int x, y, width, height;
    int line, along;
};

static __device__ __forceinline__ tile_place place_of_tile(const satk_points &job)
{
    const bool turned = job.outlines.along_columns;
    const int length = turned ? job.src.height : job.src.width;
    const unsigned across = ((unsigned)length + ALONG - 1) / ALONG;
    const int along = (int)(blockIdx.x % across) * ALONG, line = (int)(blockIdx.x / across) * LINES;

    if (turned)
        return {line, along, LINES, ALONG, line, along};
    return {along, line, ALONG, LINES, line, along};
}

/* A batch, in all lanes of a warp. */
struct point_batch {
    int x, y, count;
    uint32_t code, group;
};

/* Calls a function for each batch that may reach the tile. Warps share them out. */
template <typename DO>
static __device__ __forceinline__ void for_batches(const satk_points &job, const point_list &list,
                                                   const tile_place &t, DO what)
{
    const int lane = threadIdx.x % SATK_WARP, far = job.farthest;
    const int left = max(t.x - far, 0) / SATK_POINT_RUN, top = max(t.y - far, 0);
    const int right = min((t.x + t.width + far) / SATK_POINT_RUN + 1, list.across);
    const int bottom = min(t.y + t.height + far, job.src.height);
    const int across = right - left, count = across * (bottom - top);

    for (int first = (int)threadIdx.x - lane; first < count; first += SATK_POINTS_THREADS) {
        const int own = first + lane, y = top + own / across, run = left + own % across;
        const uint2 bits =
            own < count ? list.runs[(size_t)y * list.across + run] : make_uint2(0, 0);
        for (unsigned rest = __ballot_sync(0xffffffffu, bits.y != 0); rest; rest &= rest - 1) {
            const int from = __ffs((int)rest) - 1;
            const unsigned points = __shfl_sync(0xffffffffu, bits.x, from);
            point_batch b;
            b.y = __shfl_sync(0xffffffffu, y, from);
            const int begin = __shfl_sync(0xffffffffu, run, from) * SATK_POINT_RUN;
            for (unsigned begins = __shfl_sync(0xffffffffu, bits.y, from); begins;) {
                const int at = __ffs((int)begins) - 1;
                begins &= begins - 1;
                /* up to the next batch, or the first pixel that is no point */
                const unsigned after = (begins | ~points) & ~((2u << at) - 1);
                b.x = begin + at;
                b.count = (after ? __ffs((int)after) - 1 : SATK_POINT_RUN) - at;
                const uint32_t disc = list.begin[(size_t)b.y * job.src.width + b.x];
                b.code = disc & UINT16_MAX, b.group = disc >> 16;
                what(b);
            }
        }
    }
}

/* Adds an end of the spans of a batch to a line: `end` is that of the first. */
template <int COLOURS>
static __device__ __forceinline__ void add_end(unsigned long long *line, int64_t end,
                                               const uint64_t *light, int count, int weight)
{
    const int at = (int)(end >> 8), part = (int)(end & 255);
    const uint64_t in = (uint64_t)(int64_t)((256 - part) * weight);
    const uint64_t rest = (uint64_t)(int64_t)(part * weight);
    uint64_t sum[COLOURS] = {}, before[COLOURS] = {};

    for (int i = 0; i <= count && at + i < ALONG; i++) {
#pragma unroll
        for (int c = 0; c < COLOURS; c++) {
            const uint64_t own = i < count ? light[i * COLOURS + c] : 0;
            sum[c] += in * own + rest * before[c];
            before[c] = own;
            if (at + i < 0 && i < count)
                continue; /* all of these are at the first place */
            atomicAdd(line + c * ALONG + max(at + i, 0), (unsigned long long)sum[c]);
            sum[c] = 0;
        }
    }
}

/* Adds the spans of a batch: a lane has an end in one line of the tile. */
template <int COLOURS>
static __device__ __forceinline__ void add_batch(const satk_points &job, const point_list &list,
                                                 const tile_place &t, const point_batch &b,
                                                 tile_ends<COLOURS> &ends)
{
    const int line = threadIdx.x % SATK_WARP / 2, is_second = threadIdx.x % 2;
    const bool turned = job.outlines.along_columns;
    const satk_disc *const disc = &job.disc[b.code];
    const satk_outline *const of = outline_of(job, disc, b.x, b.y);
    const int own = (turned ? b.x : b.y) - t.line, at = (turned ? b.y : b.x) - t.along;
    const uint64_t *const light = list.light + ((size_t)b.y * job.src.width + b.x) * COLOURS;

#pragma unroll 1
    for (int i = 0; i < job.outlines.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&of[i], disc->radius);
        const satk_range rows = satk_outline_rows(&s);
        satk_row_span span;
        if (own + rows.lo >= LINES || own + rows.hi <= 0)
            continue;
        satk_span_of_row(&s, line - own, &span);
        if (span.weight == 0)
            continue;
        ends.touched[line] = 1;
        add_end<COLOURS>(ends.at[line], (int64_t)at * 256 + (is_second ? span.hi : span.lo), light,
                         b.count, is_second ? -span.weight : span.weight);
    }
}

/* Turns the ends of a warp's lines into sums, and adds the parts that pixels see. */
template <int COLOURS>
static __device__ __forceinline__ void see_group(const satk_points &job, const tile_place &t,
                                                 const tile_ends<COLOURS> &ends, int group,
                                                 uint64_t (*seen)[CHUNKS][COLOURS])
{
    const int lane = threadIdx.x % SATK_WARP, first = threadIdx.x / SATK_WARP * OWN_LINES;
    const bool turned = job.outlines.along_columns;
    const satk_plane left = satk_left_of(&job, group);

#pragma unroll
    for (int k = 0; k < OWN_LINES; k++) {
        uint64_t carry[COLOURS] = {};
        if (!ends.touched[first + k])
            continue; /* the whole warp */
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            const int at = i * SATK_WARP + lane;
            const int x = turned ? t.x + first + k : t.x + at;
            const int y = turned ? t.y + at : t.y + first + k;
#pragma unroll
            for (int c = 0; c < COLOURS; c++) {
                const uint64_t sum =
                    carry[c] +
                    satk_warp_scan((unsigned long long)ends.at[first + k][c * ALONG + at]);
                carry[c] = __shfl_sync(0xffffffffu, (unsigned long long)sum, SATK_WARP - 1);
                if (x < job.src.width && y < job.src.height)
                    seen[k][i][c] += satk_seen_part(&left, sum, x, y);
            }
        }
    }
}

/* Adds to a warp's pixels what they see. */
template <int CHANNELS, int BITS, int COLOURS>
static __device__ __forceinline__ void light_pixels(const satk_points &job, const tile_place &t,
                                                    const uint64_t (*seen)[CHUNKS][COLOURS])
{
    const int lane = threadIdx.x % SATK_WARP, first = threadIdx.x / SATK_WARP * OWN_LINES;
    const bool turned = job.outlines.along_columns;

#pragma unroll
    for (int k = 0; k < OWN_LINES; k++)
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            const int at = i * SATK_WARP + lane;
            const int x = turned ? t.x + first + k : t.x + at;
            const int y = turned ? t.y + at : t.y + first + k;
            uint64_t any = 0;
            for (int c = 0; c < COLOURS; c++)
                any |= seen[k][i][c];
            if (any) /* so it is in the picture */
                satk_add_to_pixel(&job, x, y, seen[k][i], CHANNELS, BITS);
        }
}

/* A block lights a tile. Barriers: before a group's ends are cleared, before they are added, and before they are summed. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS)
    light_tiles(const __grid_constant__ satk_points job, const point_list list)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    __shared__ tile_ends<colours> ends;
    const tile_place t = place_of_tile(job);
    uint64_t seen[OWN_LINES][CHUNKS][colours] = {};

    if (threadIdx.x == 0)
        ends.groups = 0;
    __syncthreads();
    for_batches(job, list, t, [&](const point_batch &b) {
        if (threadIdx.x % SATK_WARP == 0)
            atomicOr(&ends.groups, 1u << b.group);
    });
    __syncthreads();
    const unsigned groups = ends.groups;
    for (int group = 0; group < SATK_POINT_GROUPS; group++) {
        if (!(groups >> group & 1))
            continue;
        for (int i = threadIdx.x; i < LINES * (colours * ALONG + 1); i += SATK_POINTS_THREADS)
            (&ends.at[0][0])[i] = 0;
        if (threadIdx.x < LINES)
            ends.touched[threadIdx.x] = 0;
        __syncthreads();
        for_batches(job, list, t, [&](const point_batch &b) {
            if (b.group == (uint32_t)group)
                add_batch<colours>(job, list, t, b, ends);
        });
        __syncthreads();
        see_group<colours>(job, t, ends, group, seen);
        __syncthreads();
    }
    light_pixels<CHANNELS, BITS, colours>(job, t, seen);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Places the list in the scratch memory. Returns its bytes. */
static size_t place_list(const satk_points *job, point_list *list)
{
    const size_t pixels = (size_t)job->src.width * (size_t)job->src.height;
    const size_t colours = (size_t)satk_light_colours(job->src.channels);

    list->across = (job->src.width + SATK_POINT_RUN - 1) / SATK_POINT_RUN;
    const size_t runs = (size_t)list->across * (size_t)job->src.height;
    list->light = (uint64_t *)job->scratch;
    list->runs = (uint2 *)(list->light + pixels * colours);
    list->begin = (uint32_t *)(list->runs + runs);
    return pixels * (colours * sizeof *list->light + sizeof *list->begin) +
           runs * sizeof *list->runs;
}

size_t satk_points_scratch_cuda(const satk_points *job)
{
    const size_t find = satk_points_find_scratch_cuda(job);
    satk_points placeless = *job;
    point_list list;

    placeless.scratch = NULL;
    const size_t add = place_list(&placeless, &list);
    return add > find ? add : find;
}

template <int CHANNELS, int BITS> static int add(const satk_points *job, cudaStream_t stream)
{
    const bool turned = job->outlines.along_columns;
    const unsigned along = (unsigned)(turned ? job->src.height : job->src.width);
    const unsigned lines = (unsigned)(turned ? job->src.width : job->src.height);
    const unsigned tiles = (along + ALONG - 1) / ALONG * ((lines + LINES - 1) / LINES);
    point_list list;

    place_list(job, &list);
    list_points<CHANNELS, BITS>
        <<<satk_points_blocks(job) * (unsigned)job->src.height, SATK_POINTS_THREADS, 0, stream>>>(
            *job, list);
    const int error = satk_launched(stream);
    if (error)
        return error;
    light_tiles<CHANNELS, BITS><<<tiles, SATK_POINTS_THREADS, 0, stream>>>(*job, list);
    return satk_launched(stream);
}

int satk_points_add_cuda(const satk_points *job, void *stream)
{
    static int (*const adds[2][4])(const satk_points *job, cudaStream_t stream) = {
        {add<1, 8>, add<2, 8>, add<3, 8>, add<4, 8>},
        {add<1, 16>, add<2, 16>, add<3, 16>, add<4, 16>}};

    return adds[job->src.bits == 16][job->src.channels - 1](job, (cudaStream_t)stream);
}
