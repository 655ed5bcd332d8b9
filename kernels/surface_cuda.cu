/* A strip of pixels below each other per thread, a warp's strips side by side, so that what is known of the pixels of
 * a row is a word of bits. Most pixels are on no edge, and it takes only a look around them to know. */
#include "launch.cuh"
#include "surface.h"
#include "surface_rule.h"
#include "tune.cuh"

static constexpr int REACH = 2, SIDE = 2 * REACH + 1; /* of the 5 x 5 */
static constexpr int WIDE = 4;                        /* of the 9 x 9 */
static constexpr int BINS = 8;
static constexpr int STRIP = SATK_SURFACE_STRIP;

/* Rows of bits: pixel x is bit x % 32 of word x / 32. */
struct bit_plane {
    uint32_t *words;
    int pitch;

    __device__ __forceinline__ bool at(int x, int y) const
    {
        return words[(size_t)y * pitch + x / SATK_WARP] >> x % SATK_WARP & 1;
    }
};

static size_t words_of(const satk_plane &map)
{
    return ((size_t)map.width + SATK_WARP - 1) / SATK_WARP;
}

static bit_plane bits_of(const satk_surface *job, int i)
{
    const size_t words = words_of(job->map);

    return {(uint32_t *)job->scratch + i * words * (size_t)job->map.height, (int)words};
}

static unsigned blocks_of(const satk_plane &map)
{
    return (unsigned)words_of(map) *
           (((unsigned)map.height + SATK_SURFACE_ROWS - 1) / SATK_SURFACE_ROWS);
}

struct place {
    int x, y;
};

/* The first of a thread's pixels; all threads of a warp have the same rows. */
static __device__ __forceinline__ place find_strip(const satk_plane &map)
{
    const unsigned across = ((unsigned)map.width + SATK_WARP - 1) / SATK_WARP;

    return {(int)(blockIdx.x % across * SATK_WARP + threadIdx.x % SATK_WARP),
            (int)(blockIdx.x / across * SATK_SURFACE_ROWS + threadIdx.x / SATK_WARP * STRIP)};
}

static __device__ __forceinline__ place below(const place &p, int rows)
{
    return {p.x, p.y + rows};
}

static __device__ __forceinline__ bool is_inside(const satk_plane &map, const place &p)
{
    return p.x < map.width && p.y < map.height;
}

/* The bits of a warp's pixels; all its threads take part. */
static __device__ __forceinline__ void store_bits(const bit_plane &to, const satk_plane &map,
                                                  const place &p, bool bit)
{
    const uint32_t word = __ballot_sync(~0u, bit);

    if (threadIdx.x % SATK_WARP == 0 && p.y < map.height)
        to.words[(size_t)p.y * to.pitch + p.x / SATK_WARP] = word;
}

/* A warp's; all its threads take part. */
static __device__ __forceinline__ void add_up(uint64_t *counts, int which, int sum)
{
    for (int step = SATK_WARP / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % SATK_WARP == 0 && sum)
        atomicAdd((unsigned long long *)&counts[which], (unsigned long long)sum);
}

template <typename CODE>
static __device__ __forceinline__ int code_at(const satk_plane &map, int x, int y)
{
    return ((const CODE *)((const uint8_t *)map.data + y * map.pitch))[x];
}

template <typename CODE>
static __device__ __forceinline__ void put_code(const satk_plane &map, int x, int y, int code)
{
    ((CODE *)((uint8_t *)map.data + y * map.pitch))[x] = (CODE)code;
}

static __device__ __forceinline__ int within(int i, int n)
{
    return min(max(i, 0), n - 1);
}

/* Such a map is the host's, and all that follows the marks is left out. */
static __device__ __forceinline__ bool is_left(const satk_surface &job)
{
    return satk_is_wide(job.map.width, job.counts[SATK_EDGES], job.counts[SATK_RAMPS]);
}

/* --- Mark ------------------------------------------------------------------------------------- */

/* Of the codes within `reach` of a sample; those beside the map are the closest ones again. */
template <typename CODE>
static __device__ __forceinline__ int range_of(const satk_plane &map, int x, int y, int reach)
{
    int low = 65535, high = 0;

    for (int j = y - reach; j <= y + reach; j++)
        for (int i = x - reach; i <= x + reach; i++) {
            const int code = code_at<CODE>(map, within(i, map.width), within(j, map.height));
            low = min(low, code);
            high = max(high, code);
        }
    return high - low;
}

/* The closest sample whose 9 x 9 lie within the map. */
static __device__ __forceinline__ int inner(int i, int n)
{
    return min(max(i, WIDE), n - 1 - WIDE);
}

/* Whether the middle is further than the margin from both of two opposite samples, and between them. */
template <typename CODE>
static __device__ __forceinline__ bool is_between(const satk_plane &map, const place &p, int across,
                                                  int down, int margin)
{
    const int x0 = p.x - across, x1 = p.x + across, y0 = p.y - down, y1 = p.y + down;

    if (min(x0, x1) < 0 || max(x0, x1) >= map.width || y0 < 0 || y1 >= map.height)
        return false;
    const int a = code_at<CODE>(map, x0, y0), b = code_at<CODE>(map, x1, y1);
    const int middle = code_at<CODE>(map, p.x, p.y);
    return middle - min(a, b) > margin && max(a, b) - middle > margin;
}

/* The extremes of three samples of a row around x. */
template <typename CODE>
static __device__ __forceinline__ void find_extremes(const satk_plane &map, int x, int y, int *low,
                                                     int *high)
{
    const CODE *const row = (const CODE *)((const uint8_t *)map.data + y * map.pitch);
    const int a = row[within(x - 1, map.width)], b = row[within(x, map.width)];
    const int c = row[within(x + 1, map.width)];

    *low = min(min(a, b), c);
    *high = max(max(a, b), c);
}

/* The ranges of the 3 x 3 around the samples of a strip. */
template <typename CODE>
static __device__ __forceinline__ void find_ranges(const satk_plane &map, const place &p,
                                                   int *range)
{
    int low[STRIP + 2], high[STRIP + 2];

#pragma unroll
    for (int j = 0; j < STRIP + 2; j++)
        find_extremes<CODE>(map, p.x, within(p.y + j - 1, map.height), &low[j], &high[j]);
#pragma unroll
    for (int j = 0; j < STRIP; j++)
        range[j] =
            max(max(high[j], high[j + 1]), high[j + 2]) - min(min(low[j], low[j + 1]), low[j + 2]);
}

/* range: of the 3 x 3 around. */
template <typename CODE>
static __device__ void mark_sample(const satk_plane &map, const place &p, int range, bool *is_edge,
                                   bool *is_ramp)
{
    const int around = range_of<CODE>(map, inner(p.x, map.width), inner(p.y, map.height), WIDE);
    const int margin = around / 16;

    *is_edge = 3 * range >= around;
    *is_ramp = *is_edge &&
               (is_between<CODE>(map, p, 1, 0, margin) || is_between<CODE>(map, p, 0, 1, margin) ||
                is_between<CODE>(map, p, 1, 1, margin) || is_between<CODE>(map, p, -1, 1, margin));
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    mark(const __grid_constant__ satk_surface job, bit_plane ramps)
{
    const place first = find_strip(job.map);
    int range[STRIP], edges = 0, ramps_here = 0;

    find_ranges<CODE>(job.map, first, range);
#pragma unroll
    for (int j = 0; j < STRIP; j++) {
        const place p = below(first, j);
        bool is_edge = false, is_ramp = false;
        if (range[j] > 1 << (8 * (int)sizeof(CODE) - 6) && is_inside(job.map, p))
            mark_sample<CODE>(job.map, p, range[j], &is_edge, &is_ramp);
        store_bits(ramps, job.map, p, is_ramp);
        edges += is_edge;
        ramps_here += is_ramp;
    }
    add_up(job.counts, SATK_EDGES, edges);
    add_up(job.counts, SATK_RAMPS, ramps_here);
}

/* --- Vote ------------------------------------------------------------------------------------- */

struct colour {
    int rgb[3];
};

/* By the higher byte of 16 bits. Gray is three equal ones. */
static __device__ __forceinline__ colour colour_at(const satk_plane &src, int x, int y)
{
    const int high = src.bits - 8;
    uint32_t codes[4];

    satk_get_pixel((const uint8_t *)src.data + y * src.pitch, x, src.channels, src.bits, codes);
    if (src.channels < 3)
        codes[1] = codes[2] = codes[0];
    return {{(int)(codes[0] >> high), (int)(codes[1] >> high), (int)(codes[2] >> high)}};
}

/* Which of the 5 x 5 vote: bits, row by row. */
static __device__ uint32_t voters_of(const satk_plane &map, const bit_plane &ramps, const place &p)
{
    uint32_t all = 0, loud = 0;

    for (int k = 0; k < SIDE * SIDE; k++) {
        const int x = p.x + k % SIDE - REACH, y = p.y + k / SIDE - REACH;
        if (x < 0 || x >= map.width || y < 0 || y >= map.height)
            continue;
        all |= 1u << k;
        loud |= ramps.at(x, y) ? 0 : 1u << k;
    }
    return loud ? loud : all;
}

/* Of voter i of five to a pixel in their middle, in 1/256. */
static __device__ __forceinline__ uint32_t closeness(int i)
{
    return (REACH + 1 - abs(i - REACH)) << 8;
}

static __device__ __forceinline__ uint32_t likeness(const satk_surface_tables *tables,
                                                    const colour &a, const colour &b)
{
    int away = 0;

#pragma unroll
    for (int c = 0; c < 3; c++)
        away += (a.rgb[c] - b.rgb[c]) * (a.rgb[c] - b.rgb[c]);
    return tables->alike[min(away >> 4, SATK_SURFACE_LIKENESSES - 1)];
}

/* The mean of the two neighbouring bins that have most votes, the higher ones of equals. */
static __device__ __forceinline__ int mean_of_best(const uint32_t *votes, const uint64_t *codes)
{
    uint32_t most = votes[0] + votes[1];
    uint64_t sum = codes[0] + codes[1];

#pragma unroll
    for (int b = 1; b < BINS - 1; b++)
        if (votes[b] + votes[b + 1] >= most) {
            most = votes[b] + votes[b + 1];
            sum = codes[b] + codes[b + 1];
        }
    return (int)((sum + most / 2) / most);
}

template <typename CODE>
static __device__ int decide(const satk_surface &job, const bit_plane &ramps, const place &p)
{
    const colour own = colour_at(job.src, p.x, p.y);
    const uint32_t voters = voters_of(job.map, ramps, p);
    uint32_t votes[BINS] = {0};
    uint64_t codes[BINS] = {0}; /* times votes */
    int low = 65535, high = 0;

    for (uint32_t left = voters; left; left &= left - 1) {
        const int k = __ffs((int)left) - 1;
        const int code = code_at<CODE>(job.map, p.x + k % SIDE - REACH, p.y + k / SIDE - REACH);
        low = min(low, code);
        high = max(high, code);
    }
    const uint32_t bins = (BINS << 16) / (uint32_t)(high - low + 1);
    for (uint32_t left = voters; left; left &= left - 1) {
        const int k = __ffs((int)left) - 1;
        const int x = p.x + k % SIDE - REACH, y = p.y + k / SIDE - REACH;
        const uint32_t code = (uint32_t)code_at<CODE>(job.map, x, y);
        const uint32_t vote = (closeness(k % SIDE) * closeness(k / SIDE) >> 8) *
                              likeness(job.tables, colour_at(job.src, x, y), own);
        const uint32_t bin = (code - (uint32_t)low) * bins >> 16;
#pragma unroll
        for (uint32_t b = 0; b < BINS; b++) { /* not at [bin]: these are registers */
            votes[b] += bin == b ? vote : 0;
            codes[b] += bin == b ? (uint64_t)vote * code : 0;
        }
    }
    return mean_of_best(votes, codes);
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    vote(const __grid_constant__ satk_surface job, bit_plane ramps)
{
    const place first = find_strip(job.map);

    if (is_left(job))
        return;
    for (int j = 0; j < STRIP; j++) {
        const place p = below(first, j);
        if (is_inside(job.map, p))
            put_code<CODE>(job.voted, p.x, p.y,
                           ramps.at(p.x, p.y) ? decide<CODE>(job, ramps, p)
                                              : code_at<CODE>(job.map, p.x, p.y));
    }
}

/* --- Join ------------------------------------------------------------------------------------- */

template <typename CODE>
static __device__ __forceinline__ int nearness(const satk_surface &job, int x, int y)
{
    const int code = code_at<CODE>(job.voted, x, y);

    return job.near_black ? (CODE)~code : code;
}

/* The nearest of the 3 x 3 around. */
template <typename CODE>
static __device__ __forceinline__ int nearest(const satk_surface &job, const place &p)
{
    const satk_plane &map = job.map;
    int most = 0;

    for (int j = p.y - 1; j <= p.y + 1; j++)
        for (int i = p.x - 1; i <= p.x + 1; i++)
            most = max(most, nearness<CODE>(job, within(i, map.width), within(j, map.height)));
    return most;
}

/* Which pixels are beside something nearer. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    find_beside(const __grid_constant__ satk_surface job, bit_plane beside)
{
    const satk_plane &map = job.voted;
    const place first = find_strip(map);
    int low[STRIP + 2], high[STRIP + 2];

    if (is_left(job))
        return;
#pragma unroll
    for (int j = 0; j < STRIP + 2; j++)
        find_extremes<CODE>(map, first.x, within(first.y + j - 1, map.height), &low[j], &high[j]);
#pragma unroll
    for (int j = 0; j < STRIP; j++) {
        const place p = below(first, j);
        int step = 0; /* to the nearest */
        if (is_inside(map, p)) {
            const int code = code_at<CODE>(map, p.x, p.y);
            step = job.near_black ? code - min(min(low[j], low[j + 1]), low[j + 2])
                                  : max(max(high[j], high[j + 1]), high[j + 2]) - code;
        }
        store_bits(beside, map, p, step > (int)satk_least_step(8 * sizeof(CODE)));
    }
}

static __device__ __forceinline__ void add_colour(const satk_surface &job, int x, int y,
                                                  satk_colour_sums *to)
{
    const colour own = colour_at(job.src, x, y);

#pragma unroll
    for (int c = 0; c < 3; c++) {
        const uint32_t light = job.tables->linear[own.rgb[c]];
        to->colour[c] += light;
        to->square += light * light;
    }
    to->count++;
}

template <typename CODE>
static __device__ bool is_mixed(const satk_surface &job, const bit_plane &beside, const place &p,
                                int most)
{
    const int half = (most + nearness<CODE>(job, p.x, p.y)) / 2;
    const colour own = colour_at(job.src, p.x, p.y);
    satk_colour_sums near = {{0}}, far = {{0}};
    int64_t light[3];

    for (int y = max(p.y - REACH, 0); y <= min(p.y + REACH, job.map.height - 1); y++)
        for (int x = max(p.x - REACH, 0); x <= min(p.x + REACH, job.map.width - 1); x++) {
            const bool is_near = nearness<CODE>(job, x, y) > half;
            if (is_near)
                add_colour(job, x, y, &near);
            else if (!beside.at(x, y))
                add_colour(job, x, y, &far);
        }
#pragma unroll
    for (int c = 0; c < 3; c++)
        light[c] = job.tables->linear[own.rgb[c]];
    return near.count && far.count && satk_is_outside(light, &far) &&
           satk_is_on_line(light, &near, &far);
}

/* The code that a pixel beside something nearer gets. */
template <typename CODE>
static __device__ int joined(const satk_surface &job, const bit_plane &beside, const place &p,
                             bool *is)
{
    const int most = nearest<CODE>(job, p);

    *is = is_mixed<CODE>(job, beside, p, most);
    if (!*is)
        return code_at<CODE>(job.voted, p.x, p.y);
    return job.near_black ? (CODE)~most : most;
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    join(const __grid_constant__ satk_surface job, bit_plane beside)
{
    const place first = find_strip(job.map);
    int mixed = 0;

    if (is_left(job))
        return;
    for (int j = 0; j < STRIP; j++) {
        const place p = below(first, j);
        bool is = false;
        if (is_inside(job.map, p))
            put_code<CODE>(job.dst, p.x, p.y,
                           beside.at(p.x, p.y) ? joined<CODE>(job, beside, p, &is)
                                               : code_at<CODE>(job.voted, p.x, p.y));
        mixed += is;
    }
    add_up(job.counts, SATK_MIXED, mixed);
}

/* --- Launch ----------------------------------------------------------------------------------- */

size_t satk_surface_scratch_cuda(const satk_surface *job)
{
    return 2 * words_of(job->map) * (size_t)job->map.height * sizeof(uint32_t);
}

template <typename CODE> static int run(const satk_surface *job, cudaStream_t stream)
{
    const unsigned blocks = blocks_of(job->map);
    const bit_plane ramps = bits_of(job, 0), beside = bits_of(job, 1);

    int error =
        (int)cudaMemsetAsync(job->counts, 0, SATK_SURFACE_COUNTS * sizeof *job->counts, stream);
    if (!error) {
        mark<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job, ramps);
        error = satk_launched(stream);
    }
    if (!error) {
        vote<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job, ramps);
        error = satk_launched(stream);
    }
    if (!error) {
        find_beside<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job, beside);
        error = satk_launched(stream);
    }
    if (!error) {
        join<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job, beside);
        error = satk_launched(stream);
    }
    return error;
}

int satk_surface_cuda(const satk_surface *job, void *stream)
{
    return (job->map.bits == 8 ? run<uint8_t> : run<uint16_t>)(job, (cudaStream_t)stream);
}
