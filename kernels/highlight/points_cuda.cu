/* Two steps: warps list the points of runs, and a block gathers the light of all points that reach a tile. Points are few and
 * lie close together: so a block's threads look for them, and its warps then share them out. Additions modulo 2^64 give the
 * same sums in any order. */
#include "highlight/points_list.cuh"

enum {
    LINES = 16,              /* of a tile: a lane of a warp has an end of spans in one of them */
    ALONG = 96,              /* places of a line */
    OWN = ALONG / SATK_WARP, /* of a lane, beside each other */
    WARPS = SATK_POINTS_THREADS / SATK_WARP,
    OWN_LINES = LINES / WARPS, /* of a warp */
    TILES = 3,                 /* that a multiprocessor has at once */
    QUEUE = 384                /* batches: with the ends of three colours less than 48 KB */
};

/* --- Tiles ------------------------------------------------------------------------------------ */

/* The ends of spans in a tile, in shared memory: lower and upper halves. Those before it are at its first place, and those
 * behind it are left out. Lines are not a multiple of all banks apart. */
template <int COLOURS> struct tile_ends {
    uint2 at[LINES][COLOURS * ALONG + 1];
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

/* A batch; count: its points. */
struct point_batch {
    int x, y;
    uint16_t code;
    uint8_t group, count;
};

/* The batches that may reach the tile, as far as there is room. */
struct batch_queue {
    point_batch batch[QUEUE];
    uint32_t count; /* those for which there was no room, too */
};

/* The runs where a block looks for batches, and how far a thread has looked. */
struct run_search {
    int left, top, across, count;
    int own;       /* the thread's run */
    uint32_t rest; /* of the batches of its run */
    bool is_begun; /* whether rest is known */
};

static __device__ __forceinline__ run_search begin_search(const satk_points &job,
                                                          const point_list &list,
                                                          const tile_place &t)
{
    const int far = job.farthest;
    const int left = max(t.x - far, 0) / SATK_POINT_RUN, top = max(t.y - far, 0);
    const int across = min((t.x + t.width + far) / SATK_POINT_RUN + 1, list.across) - left;
    const int down = min(t.y + t.height + far, job.src.height) - top;

    return {left, top, across, across * down, (int)threadIdx.x, 0, false};
}

/* Returns the batch that begins at a place of a run. */
static __device__ __forceinline__ point_batch batch_at(const satk_points &job,
                                                       const point_list &list, uint2 run, int x,
                                                       int y, int place)
{
    const uint32_t behind = ~((2u << place) - 1);
    /* up to the next batch, or the first pixel that is no point */
    const uint32_t after = (run.y | ~run.x) & behind;
    const uint32_t begin = list.begin[(size_t)y * (size_t)job.src.width + (size_t)(x + place)];

    return {x + place, y, (uint16_t)begin, (uint8_t)(begin >> 16),
            (uint8_t)((after ? __ffs((int)after) - 1 : SATK_POINT_RUN) - place)};
}

/* Puts batches of `groups` into the queue, until it is full or a thread has no more. Returns a bit for each group of these. */
static __device__ __forceinline__ uint32_t fill_queue(const satk_points &job,
                                                      const point_list &list, uint32_t groups,
                                                      run_search &search, batch_queue &queue)
{
    uint32_t found = 0;

    for (; search.own < search.count; search.own += SATK_POINTS_THREADS, search.is_begun = false) {
        const int y = search.top + search.own / search.across;
        const int run = search.left + search.own % search.across;
        const uint2 bits = list.runs[(size_t)y * (size_t)list.across + (size_t)run];
        if (!search.is_begun)
            search.rest = bits.y;
        search.is_begun = true;
        for (; search.rest; search.rest &= search.rest - 1) {
            const point_batch batch =
                batch_at(job, list, bits, run * SATK_POINT_RUN, y, __ffs((int)search.rest) - 1);
            if (!(groups >> batch.group & 1))
                continue;
            const uint32_t at = atomicAdd(&queue.count, 1u);
            if (at >= QUEUE)
                return found;
            queue.batch[at] = batch;
            found |= 1u << batch.group;
        }
    }
    return found;
}

/* Adds to a sum of two halves: shared memory adds only 32 bits at once. */
static __device__ __forceinline__ void add_to_sum(uint2 *sum, uint64_t value)
{
    const uint32_t low = (uint32_t)value, before = atomicAdd(&sum->x, low);
    const uint32_t carry = before + low < before;

    atomicAdd(&sum->y, (uint32_t)(value >> 32) + carry);
}

/* Adds an end of the spans of a batch to a line: `end` is that of the first. */
template <int COLOURS>
static __device__ __forceinline__ void add_end(uint2 *line, int64_t end, const uint64_t *light,
                                               int count, int weight)
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
        }
        if (at + i < 0 && i < count)
            continue; /* all of these are at the first place */
#pragma unroll
        for (int c = 0; c < COLOURS; c++) {
            add_to_sum(line + c * ALONG + max(at + i, 0), sum[c]);
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

/* Adds the batches of a group that are in the queue. */
template <int COLOURS>
static __device__ __forceinline__ void add_queue(const satk_points &job, const point_list &list,
                                                 const tile_place &t, const batch_queue &queue,
                                                 int group, tile_ends<COLOURS> &ends)
{
    const uint32_t count = min(queue.count, (uint32_t)QUEUE);

    for (uint32_t i = threadIdx.x / SATK_WARP; i < count; i += WARPS)
        if (queue.batch[i].group == group)
            add_batch<COLOURS>(job, list, t, queue.batch[i], ends);
}

/* Turns the ends of a warp's lines into sums, and adds the parts that pixels see. */
template <int COLOURS>
static __device__ __forceinline__ void see_group(const satk_points &job, const tile_place &t,
                                                 const tile_ends<COLOURS> &ends, int group,
                                                 uint64_t (*seen)[OWN][COLOURS])
{
    const int lane = threadIdx.x % SATK_WARP, first = threadIdx.x / SATK_WARP * OWN_LINES;
    const bool turned = job.outlines.along_columns;
    const satk_plane left = satk_left_of(&job, group);

#pragma unroll
    for (int k = 0; k < OWN_LINES; k++) {
        if (!ends.touched[first + k])
            continue; /* the whole warp */
#pragma unroll
        for (int c = 0; c < COLOURS; c++) {
            const uint2 *const end = ends.at[first + k] + c * ALONG + lane * OWN;
            unsigned long long all = 0, own[OWN];
#pragma unroll
            for (int i = 0; i < OWN; i++)
                all += own[i] = (unsigned long long)end[i].y << 32 | end[i].x;
            uint64_t sum = satk_warp_scan(all) - all;
#pragma unroll
            for (int i = 0; i < OWN; i++) {
                const int at = lane * OWN + i;
                const int x = turned ? t.x + first + k : t.x + at;
                const int y = turned ? t.y + at : t.y + first + k;
                sum += own[i];
                if (x < job.src.width && y < job.src.height)
                    seen[k][i][c] += satk_seen_part(&left, sum, x, y);
            }
        }
    }
}

/* Adds to a warp's pixels what they see. */
template <int CHANNELS, int BITS, int COLOURS>
static __device__ __forceinline__ void light_pixels(const satk_points &job, const tile_place &t,
                                                    const uint64_t (*seen)[OWN][COLOURS])
{
    const int lane = threadIdx.x % SATK_WARP, first = threadIdx.x / SATK_WARP * OWN_LINES;
    const bool turned = job.outlines.along_columns;

#pragma unroll
    for (int k = 0; k < OWN_LINES; k++)
#pragma unroll
        for (int i = 0; i < OWN; i++) {
            const int at = lane * OWN + i;
            const int x = turned ? t.x + first + k : t.x + at;
            const int y = turned ? t.y + at : t.y + first + k;
            uint64_t any = 0;
            for (int c = 0; c < COLOURS; c++)
                any |= seen[k][i][c];
            if (any) /* so it is in the picture */
                satk_add_to_pixel(&job, x, y, seen[k][i], CHANNELS, BITS);
        }
}

/* A block lights a tile, group by group. If the queue has no room for all batches, each group fills it anew, time after time. */
template <int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_POINTS_THREADS, TILES)
    light_tiles(const __grid_constant__ satk_points job, const point_list list)
{
    constexpr int colours = CHANNELS == 2 || CHANNELS == 4 ? CHANNELS - 1 : CHANNELS;
    __shared__ tile_ends<colours> ends;
    __shared__ batch_queue queue;
    const tile_place t = place_of_tile(job);
    uint64_t seen[OWN_LINES][OWN][colours] = {};
    run_search search = begin_search(job, list, t);

    if (threadIdx.x == 0)
        queue.count = ends.groups = 0;
    __syncthreads();
    const uint32_t found = fill_queue(job, list, job.lit, search, queue);
    if (found)
        atomicOr(&ends.groups, found);
    const bool has_all = !__syncthreads_or(search.own < search.count);
    const uint32_t groups = has_all ? ends.groups : job.lit;
    for (int group = 0; group < SATK_POINT_GROUPS; group++) {
        if (!(groups >> group & 1))
            continue;
        for (int i = threadIdx.x; i < LINES * (colours * ALONG + 1); i += SATK_POINTS_THREADS)
            (&ends.at[0][0])[i] = make_uint2(0, 0);
        if (threadIdx.x < LINES)
            ends.touched[threadIdx.x] = 0;
        search = begin_search(job, list, t);
        do {
            if (!has_all) {
                __syncthreads(); /* all have added the batches before */
                if (threadIdx.x == 0)
                    queue.count = 0;
                __syncthreads();
                fill_queue(job, list, 1u << group, search, queue);
            }
            __syncthreads();
            add_queue<colours>(job, list, t, queue, group, ends);
        } while (__syncthreads_or(!has_all && search.own < search.count));
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
    const size_t warps =
        ((size_t)list.across * (size_t)job->src.height + SATK_OWN_RUNS - 1) / SATK_OWN_RUNS;
    list_points<CHANNELS, BITS>
        <<<(unsigned)((warps + WARPS - 1) / WARPS), SATK_POINTS_THREADS, 0, stream>>>(*job, list);
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
