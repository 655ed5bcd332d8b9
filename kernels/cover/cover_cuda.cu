#include "common/launch.cuh"
#include "common/parts.h"
#include "cover/cover_rule.h"
#include "surface/surface_stages.cuh"

static constexpr int ROWS
= SATK_SURFACE_ROWS; /* of a tile, which is a warp wide */

/* What a plane of 8 bits says of each pixel. */
enum { NO_MARK, DOUBTFUL, SHARP, STRANGER };

/* Doubtful rims, and the sum of their samples. */
enum { COUNT, SAMPLES, COUNTS };

/* The work of all steps. Those behind `mark` end at once where no rim is doubtful. */
struct doubting {
    satk_cover job;
    uint8_t *marks;   /* of rims and sharp pixels, in the end with strangers by colour */
    uint8_t *doubt;   /* of all, when doubt has spread */
    uint16_t *near;   /* the code before a doubtful pixel */
    uint8_t *tiles;   /* 1: doubtful rims are in it */
    uint64_t *counts; /* [COUNTS] */
    int across, down; /* tiles */
};

static __device__ __forceinline__ size_t index_of(const satk_plane &map, int x, int y)
{
    return (size_t)y * map.width + x;
}

static __device__ __forceinline__ uint32_t code_at(const satk_plane &map, int x, int y)
{
    return satk_code((const uint8_t *)map.data + y * map.pitch, x, map.bits);
}

static __device__ __forceinline__ bool has_doubt(const doubting &d)
{
    return d.counts[COUNT] > 0;
}

static __device__ __forceinline__ int reach_of(const doubting &d)
{
    return satk_reach_of_doubt(&d.job.map, d.counts[SAMPLES], d.counts[COUNT]);
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* alike: the largest difference, root mean square. */
static __device__ __forceinline__ bool are_alike(const satk_plane &src, int colours, satk_pixel a,
                                                 satk_pixel b, int alike)
{
    const uint8_t *const one = (const uint8_t *)src.data + a.y * src.pitch;
    const uint8_t *const other = (const uint8_t *)src.data + b.y * src.pitch;
    const int high = src.bits - 8;
    int apart = 0;

    for (int c = 0; c < colours; c++) {
        const int difference =
            (int)(satk_code(one, (size_t)a.x * src.channels + c, src.bits) >> high) -
            (int)(satk_code(other, (size_t)b.x * src.channels + c, src.bits) >> high);
        apart += difference * difference;
    }
    return apart <= alike * alike * colours;
}

/* Returns whether a pixel on the far side of an edge looks like the near surface beside it. */
static __device__ bool looks_near(const satk_cover &job, satk_pixel p, size_t at)
{
    const uint32_t near = job.rims.near[at], far = job.rims.far[at];
    const int colours = satk_colours_in(job.src.channels);
    bool is_alike = false;

    if (code_at(job.map, p.x, p.y) != far)
        return false;
    for (int k = 0; k < 9; k++) {
        const satk_pixel q = {p.x + k % 3 - 1, p.y + k / 3 - 1};
        if (q.x >= 0 && q.y >= 0 && satk_is_inside(job.map, q) &&
            satk_is_nearer(code_at(job.map, q.x, q.y), near, far))
            is_alike |= are_alike(job.src, colours, p, q, SATK_ALIKE_BESIDE);
    }
    return is_alike;
}

/* --- Rims ------------------------------------------------------------------------------------- */

/* Lays the rims that show, and marks rims and sharp pixels. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    lay_rims(const __grid_constant__ doubting d)
{
    const satk_cover &job = d.job;
    const satk_pixel tile = satk_find_tile(job.map, blockIdx.x), strip = satk_find_strip(tile);
    int count = 0, samples = 0;

#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
        const satk_pixel p = {strip.x, strip.y + j};
        if (!satk_is_inside(job.map, p))
            continue;
        const size_t at = index_of(job.map, p.x, p.y);
        const int kind = job.rims.kind[at];
        uint32_t code = code_at(job.map, p.x, p.y);
        uint8_t cover = UINT8_MAX, side = SATK_COLOUR_KEEP, mark = NO_MARK;
        if (kind != SATK_RIM_NONE) {
            const satk_fate fate = satk_fate_at(&job, at);
            if (fate == SATK_COVERED || (fate == SATK_BESIDE && looks_near(job, p, at))) {
                code = job.rims.near[at];
                cover = satk_shown_cover(&job.rims, at, fate);
                side = (uint8_t)satk_side_of(kind);
            } else if (fate == SATK_DOUBTED && job.doubts) {
                mark = DOUBTFUL;
                d.near[at] = job.rims.near[at];
                count++;
                samples += job.rims.sample[at];
            }
        } else if (job.doubts && satk_size_of(job.radius[code]) < SATK_SHARP)
            mark = SHARP;
        satk_put_code((uint8_t *)job.dst.data + p.y * job.dst.pitch, p.x, job.dst.bits, code);
        ((uint8_t *)job.cover.data)[p.y * job.cover.pitch + p.x] = cover;
        if (job.sides.data)
            ((uint8_t *)job.sides.data)[p.y * job.sides.pitch + p.x] = side;
        if (job.doubts)
            d.marks[at] = mark;
    }
    if (!job.doubts)
        return;
    const int some = __syncthreads_or(count > 0);
    if (threadIdx.x == 0)
        d.tiles[blockIdx.x] = (uint8_t)(some != 0);
    satk_add_up(d.counts, COUNT, count);
    satk_add_up(d.counts, SAMPLES, samples);
}

/* --- Doubt ------------------------------------------------------------------------------------ */

struct sums {
    uint32_t count, codes; /* doubtful pixels, and the sum of the codes before them */
};

/* Returns whether a tile has doubtful rims within reach. All threads of the block call it. */
static __device__ __forceinline__ bool is_near_doubt(const doubting &d, int reach)
{
    const int column = (int)blockIdx.x % d.across, row = (int)blockIdx.x / d.across;
    const int beside = (reach + SATK_WARP - 1) / SATK_WARP, above = (reach + ROWS - 1) / ROWS;
    const int wide = 2 * beside + 1, all = wide * (2 * above + 1);
    int found = 0;

    for (int k = (int)threadIdx.x; k < all; k += SATK_SURFACE_THREADS) {
        const int i = column - beside + k % wide, j = row - above + k / wide;
        if (i >= 0 && j >= 0 && i < d.across && j < d.down)
            found |= d.tiles[j * d.across + i];
    }
    return __syncthreads_or(found);
}

/* Adds a doubtful pixel to a column's sums, or takes it away. */
static __device__ __forceinline__ void add_pixel(const doubting &d, int x, int y, uint32_t sign,
                                                 sums *to)
{
    if (y < 0 || y >= d.job.map.height)
        return;
    const size_t at = index_of(d.job.map, x, y);
    if (d.marks[at] != DOUBTFUL)
        return;
    to->count += sign;
    to->codes += sign * d.near[at];
}

/* Finds the sums of the columns that the windows of SATK_DOUBT_ROWS rows reach, from x0 to x1: they slide down. */
static __device__ __forceinline__ void sum_columns(const doubting &d, int top, int reach, int x0,
                                                   int x1, sums *columns)
{
    for (int x = x0 + (int)threadIdx.x; x < x1; x += SATK_SURFACE_THREADS) {
        sums column = {0, 0};
        for (int y = top - reach; y < top + reach; y++)
            add_pixel(d, x, y, 1, &column);
#pragma unroll
        for (int j = 0; j < SATK_DOUBT_ROWS; j++) {
            add_pixel(d, x, top + j + reach, 1, &column);
            columns[j * (x1 - x0) + x - x0] = column;
            add_pixel(d, x, top + j - reach, ~0u, &column);
        }
    }
}

/* Makes a sharp pixel doubtful if doubtful ones are in its window. row: the sums of its columns, from x0 to x1. */
static __device__ __forceinline__ void spread_to(const doubting &d, satk_pixel p, int reach, int x0,
                                                 int x1, const sums *row)
{
    const size_t at = index_of(d.job.map, p.x, p.y);
    const int mark = d.marks[at];
    sums window = {0, 0};

    if (mark == SHARP)
        for (int x = max(p.x - reach, x0); x <= min(p.x + reach, x1 - 1); x++) {
            window.count += row[x - x0].count;
            window.codes += row[x - x0].codes;
        }
    d.doubt[at] = (uint8_t)(window.count ? DOUBTFUL : mark);
    if (window.count)
        d.near[at] = (uint16_t)((window.codes + (uint64_t)window.count / 2) / window.count);
}

static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    spread_doubt(const __grid_constant__ doubting d)
{
    extern __shared__ sums columns[]; /* of SATK_DOUBT_ROWS rows */
    const satk_plane &map = d.job.map;
    const satk_pixel tile = satk_find_tile(map, blockIdx.x);
    const int right = min(tile.x + SATK_WARP, map.width), bottom = min(tile.y + ROWS, map.height);

    if (!has_doubt(d))
        return;
    const int reach = reach_of(d);
    const int x0 = max(tile.x - reach, 0), x1 = min(right + reach, map.width);
    const bool is_near = is_near_doubt(d, reach);
    for (int top = tile.y; top < bottom; top += SATK_DOUBT_ROWS) {
        if (is_near)
            sum_columns(d, top, reach, x0, x1, columns);
        __syncthreads();
        for (int k = (int)threadIdx.x; k < SATK_WARP * SATK_DOUBT_ROWS; k += SATK_SURFACE_THREADS) {
            const int j = k / SATK_WARP;
            const satk_pixel p = {tile.x + k % SATK_WARP, top + j};
            if (!satk_is_inside(map, p))
                continue;
            if (is_near)
                spread_to(d, p, reach, x0, x1, columns + j * (x1 - x0));
            else
                d.doubt[index_of(map, p.x, p.y)] = d.marks[index_of(map, p.x, p.y)];
        }
        __syncthreads();
    }
}

/* --- Strangers -------------------------------------------------------------------------------- */

/* Returns whether sharp pixels are around a doubtful one, and none of them has its colour. A warp looks at them. */
static __device__ __forceinline__ bool is_stranger(const doubting &d, satk_pixel p, int step)
{
    constexpr int SIDE = 2 * SATK_LOOK + 1, ALL = SIDE * SIDE;
    const satk_plane &src = d.job.src;
    const int colours = satk_colours_in(src.channels), lane = (int)(threadIdx.x % SATK_WARP);
    bool seen = false;

    for (int first = 0; first < ALL; first += SATK_WARP) {
        const int k = first + lane;
        const satk_pixel at = {p.x + (k % SIDE - SATK_LOOK) * step,
                               p.y + (k / SIDE - SATK_LOOK) * step};
        const bool is_sharp = k < ALL && at.x >= 0 && at.y >= 0 && satk_is_inside(src, at) &&
                              d.doubt[index_of(src, at.x, at.y)] == SHARP;
        seen |= is_sharp;
        if (__any_sync(~0u, is_sharp && are_alike(src, colours, p, at, SATK_ALIKE)))
            return false;
    }
    return __any_sync(~0u, seen);
}

/* Marks the strangers by colour. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    find_strangers(const __grid_constant__ doubting d)
{
    __shared__ satk_few few;
    const satk_cover &job = d.job;
    const satk_pixel tile = satk_find_tile(job.map, blockIdx.x), strip = satk_find_strip(tile);

    if (!has_doubt(d))
        return;
    const int step = (reach_of(d) + 1) / 2;
    satk_gather_none(few);
#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
        const satk_pixel p = {strip.x, strip.y + j};
        const bool is_inside = satk_is_inside(job.map, p);
        const size_t at = is_inside ? index_of(job.map, p.x, p.y) : 0;
        const int doubt = is_inside ? d.doubt[at] : NO_MARK;
        if (is_inside)
            d.marks[at] = (uint8_t)doubt;
        satk_gather_row(few, satk_strip_row() + j, __ballot_sync(~0u, doubt == DOUBTFUL));
    }
    const int count = satk_gathered(few);
    for (int i = (int)threadIdx.x / SATK_WARP; i < count; i += SATK_SURFACE_THREADS / SATK_WARP) {
        const satk_pixel p = satk_gathered_at(few, i, tile);
        if (is_stranger(d, p, step) && threadIdx.x % SATK_WARP == 0)
            d.marks[index_of(job.map, p.x, p.y)] = STRANGER;
    }
}

/* Returns whether most pixels around a doubtful one are strangers by colour. */
static __device__ bool is_among_strangers(const doubting &d, satk_pixel p)
{
    const satk_plane &map = d.job.map;
    const int left = max(p.x - SATK_AROUND, 0), right = min(p.x + SATK_AROUND, map.width - 1);
    const int top = max(p.y - SATK_AROUND, 0), bottom = min(p.y + SATK_AROUND, map.height - 1);
    int strangers = 0, all = 0;

    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const int mark = d.marks[index_of(map, x, y)];
            strangers += mark == STRANGER;
            all += mark != NO_MARK;
        }
    return satk_is_among(strangers, all);
}

static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    lay_strangers(const __grid_constant__ doubting d)
{
    const satk_cover &job = d.job;
    const satk_pixel strip = satk_find_strip(satk_find_tile(job.map, blockIdx.x));

    if (!has_doubt(d))
        return;
#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
        const satk_pixel p = {strip.x, strip.y + j};
        if (!satk_is_inside(job.map, p))
            continue;
        const size_t at = index_of(job.map, p.x, p.y);
        if (d.doubt[at] != DOUBTFUL || (d.marks[at] != STRANGER && !is_among_strangers(d, p)))
            continue;
        satk_put_code((uint8_t *)job.dst.data + p.y * job.dst.pitch, p.x, job.dst.bits, d.near[at]);
        ((uint8_t *)job.cover.data)[p.y * job.cover.pitch + p.x] = 0;
    }
}

/* --- Run -------------------------------------------------------------------------------------- */

static void *take(void *memory, size_t *at, size_t count, size_t element)
{
    const size_t begin = satk_place(at, count, element);

    return memory ? (uint8_t *)memory + begin : NULL;
}

/* *bytes: of all of it. */
static doubting lay_out(const satk_cover *job, void *memory, size_t *bytes)
{
    const size_t pixels = (size_t)job->map.width * job->map.height;
    doubting d = {};

    *bytes = 0;
    d.job = *job;
    d.across = (job->map.width + SATK_WARP - 1) / SATK_WARP;
    d.down = (job->map.height + ROWS - 1) / ROWS;
    d.counts = (uint64_t *)take(memory, bytes, COUNTS, sizeof *d.counts);
    d.marks = (uint8_t *)take(memory, bytes, pixels, 1);
    d.doubt = (uint8_t *)take(memory, bytes, pixels, 1);
    d.near = (uint16_t *)take(memory, bytes, pixels, sizeof *d.near);
    d.tiles = (uint8_t *)take(memory, bytes, (size_t)d.across * d.down, 1);
    return d;
}

size_t satk_cover_scratch_cuda(const satk_cover *job)
{
    size_t bytes = 0;

    if (job->doubts)
        lay_out(job, NULL, &bytes);
    return bytes;
}

int satk_cover_cuda(const satk_cover *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const unsigned tiles = satk_tiles_of(job->map);
    const size_t shared =
        SATK_DOUBT_ROWS * (SATK_WARP + 2 * (size_t)satk_most_reach(&job->map)) * sizeof(sums);
    size_t bytes;
    const doubting d = lay_out(job, job->scratch, &bytes);
    int error = 0;

    if (job->doubts)
        error = (int)cudaMemsetAsync(d.counts, 0, COUNTS * sizeof *d.counts, stream);
    if (error)
        return error;
    lay_rims<<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(d);
    error = satk_launched(stream);
    if (error || !job->doubts)
        return error;
    spread_doubt<<<tiles, SATK_SURFACE_THREADS, shared, stream>>>(d);
    error = satk_launched(stream);
    if (error)
        return error;
    find_strangers<<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(d);
    error = satk_launched(stream);
    if (error)
        return error;
    lay_strangers<<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(d);
    return satk_launched(stream);
}
