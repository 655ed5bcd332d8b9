/* A pixel's way through the slabs of a batch, on the device: the windows' sums from the tables, and what
 * is laid of them. The numbers of layer_rule.h. */
#ifndef SATK_LAYER_LAY_CUH
#define SATK_LAYER_LAY_CUH

#include "layer_table.cuh"

/* --- Windows ---------------------------------------------------------------------------------- */

/* Where the four prefixes of a clipped box are; -1: there is nothing before it. */
struct corners {
    int left, right, above, last;
    uint32_t area; /* 0: none of it is in the picture */
};

static __device__ __forceinline__ corners find_corners(const satk_layer &job, satk_range columns,
                                                       satk_range rows)
{
    columns = satk_clip(columns, job.src.width);
    rows = satk_clip(rows, job.src.height);
    corners c = {columns.lo - 1, columns.hi - 1, rows.lo - 1, rows.hi - 1, 0};
    if (rows.lo < rows.hi)
        c.area = (uint32_t)(columns.hi - columns.lo) * (uint32_t)(rows.hi - rows.lo);
    return c;
}

/* The boxes of a stack. */
struct boxes {
    corners box[3];
    int count;
};

static __device__ __forceinline__ boxes find_boxes(const satk_layer &job, const satk_stack &s,
                                                   int x, int y)
{
    const satk_range outer = satk_window(x, s.outer);
    const satk_range above = {y - s.rows, y - s.middle_rows};
    const satk_range below = {y + s.middle_rows + 1, y + s.rows + 1};
    boxes b;

    b.box[0] = find_corners(job, satk_window(x, s.middle), satk_window(y, s.middle_rows));
    b.count = s.rows > s.middle_rows ? 3 : 1;
    b.box[1] = find_corners(job, outer, above);
    b.box[2] = find_corners(job, outer, below);
    return b;
}

static __device__ __forceinline__ uint32_t area_of(const boxes &b)
{
    return b.box[0].area + (b.count == 3 ? b.box[1].area + b.box[2].area : 0);
}

/* sums += or -= the prefix at column x of a row. */
template <typename T, int LANES, bool PLUS>
static __device__ __forceinline__ void add_prefix(const T *row, int x, T *sums)
{
    T value[LANES];

    satk_load_pixel<T, LANES>(row + (size_t)x * LANES, value);
#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] += PLUS ? value[l] : 0 - value[l];
}

/* The sums of one plane of a table over boxes. */
template <typename T, int LANES>
static __device__ __forceinline__ void sum_boxes(const T *plane, size_t pitch, const boxes &b,
                                                 T *sums)
{
#pragma unroll
    for (int l = 0; l < LANES; l++)
        sums[l] = 0;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const corners c = b.box[i];
        if (i >= b.count || c.area == 0)
            continue;
        const T *const last = plane + c.last * pitch * LANES;
        const T *const above = plane + c.above * pitch * LANES;
        add_prefix<T, LANES, true>(last, c.right, sums);
        if (c.left >= 0)
            add_prefix<T, LANES, false>(last, c.left, sums);
        if (c.above >= 0)
            add_prefix<T, LANES, false>(above, c.right, sums);
        if (c.above >= 0 && c.left >= 0)
            add_prefix<T, LANES, true>(above, c.left, sums);
    }
}

/* The boxes of the narrowest of a slab's windows in which enough can be seen; its counts. */
template <typename COUNT>
static __device__ __forceinline__ boxes find_window(const satk_layer &job, const satk_slab &slab,
                                                    const COUNT *plane, size_t pitch, int x, int y,
                                                    COUNT *counts)
{
    boxes b;

#pragma unroll 1
    for (int i = 0; i < SATK_WINDOWS; i++) {
        b = find_boxes(job, slab.window[i], x, y);
        sum_boxes<COUNT, 2>(plane, pitch, b, counts);
        if (satk_is_visible(counts[1], area_of(b)))
            break;
    }
    return b;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

template <typename T, typename COUNT, int CHANNELS>
static __device__ __forceinline__ void lay_slab(const satk_batch<T, COUNT> &b, int i, int x, int y,
                                                satk_light *light)
{
    constexpr int lanes = satk_colour_lanes(CHANNELS);
    const size_t pitch = b.job.src.width, table = i * satk_pixels_of(b.job);
    COUNT counts[2];
    T colours[lanes];

    const boxes window =
        find_window<COUNT>(b.job, b.shape[i], b.counts + 2 * table, pitch, x, y, counts);
    if (counts[0] == 0)
        return;
    sum_boxes<T, lanes>(b.colours + lanes * table, pitch, window, colours);
    if constexpr (sizeof(T) == 4) {
        satk_lay_under_narrow(light, colours, counts[0], counts[1], CHANNELS);
    } else {
        const satk_divisor by = satk_divide_by(counts[0], 0);
        uint64_t sums[CHANNELS + 2];
        for (int c = 0; c < CHANNELS; c++)
            sums[c] = colours[c];
        sums[CHANNELS] = counts[0];
        sums[CHANNELS + 1] = counts[1];
        satk_lay_under(light, sums, &by, CHANNELS);
    }
}

enum { SATK_TILE_PIXELS = SATK_LAYER_SIDE * SATK_LAYER_SIDE };

/* The lights of tiles that several batches have to do with, in planes: neighbours in the picture
 * are neighbours in memory. */
struct light_planes {
    uint64_t *sums; /* [channel][pixel] */
    uint32_t *left; /* [pixel] */
    size_t pixels;
};

template <int CHANNELS>
static __device__ __forceinline__ void save_light(const light_planes &planes, size_t at,
                                                  const satk_light &light)
{
    for (int c = 0; c < CHANNELS; c++)
        planes.sums[c * planes.pixels + at] = light.sum[c];
    planes.left[at] = light.left;
}

template <int CHANNELS>
static __device__ __forceinline__ satk_light load_light(const light_planes &planes, size_t at)
{
    satk_light light = satk_no_light();

    for (int c = 0; c < CHANNELS; c++)
        light.sum[c] = planes.sums[c * planes.pixels + at];
    light.left = planes.left[at];
    return light;
}

/* A block is a tile, a thread a pixel. */
template <typename T, typename COUNT, int CHANNELS, int BITS>
static __global__ void __launch_bounds__(SATK_TILE_PIXELS)
    lay_batch(const __grid_constant__ satk_batch<T, COUNT> b, const light_planes planes)
{
    const unsigned tile = blockIdx.x;
    const satk_slab_set laid = b.laid[tile];
    const int nearest = b.slab[0], farthest = b.slab[b.count - 1];
    const int x = (int)(tile % b.tiles.across) * SATK_LAYER_SIDE + threadIdx.x % SATK_LAYER_SIDE;
    const int y = (int)(tile / b.tiles.across) * SATK_LAYER_SIDE + threadIdx.x / SATK_LAYER_SIDE;
    const bool inside = x < b.job.src.width && y < b.job.src.height;
    const size_t at = (size_t)y * b.job.src.width + x;

    if (!satk_has_any(laid, b))
        return;
    satk_light light = satk_no_light();
    if (!inside)
        light.left = 0;
    else if (satk_has_between(laid, nearest + 1, SATK_MAX_SLABS))
        light = load_light<CHANNELS>(planes, at);
    for (int i = 0; i < b.count && light.left > 0; i++)
        if (satk_has_slab(laid, b.slab[i]))
            lay_slab<T, COUNT, CHANNELS>(b, i, x, y, &light);

    const bool is_over = !satk_has_between(laid, 0, farthest);
    if (__syncthreads_or(light.left > 0) && !is_over) {
        if (inside)
            save_light<CHANNELS>(planes, at, light);
        return;
    }
    if (threadIdx.x < SATK_MAX_SLABS / 32)
        b.laid[tile].word[threadIdx.x] = 0; /* the batches to come have nothing to do here */
    if (!inside)
        return;
    uint32_t codes[4];
    satk_light_codes(&b.job, &light, (const uint8_t *)b.job.src.data + y * b.job.src.pitch, x,
                     CHANNELS, BITS, codes);
    satk_put_pixel((uint8_t *)b.job.dst.data + y * b.job.dst.pitch, x, CHANNELS, BITS, codes);
}

/* --- Words ------------------------------------------------------------------------------------ */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Most pixels of a slab's windows that are in the picture. */
static uint64_t largest_area(const satk_layer *job, const satk_slab *slab)
{
    const uint64_t w = (uint64_t)job->src.width, h = (uint64_t)job->src.height;
    uint64_t largest = 0;

    for (int i = 0; i < SATK_WINDOWS; i++) {
        const satk_stack *const s = &slab->window[i];
        const uint64_t rows = smaller(2 * (uint64_t)s->rows + 1, h);
        const uint64_t middle_rows = smaller(2 * (uint64_t)s->middle_rows + 1, h);
        const uint64_t area = middle_rows * smaller(2 * (uint64_t)s->middle + 1, w) +
                              (rows - middle_rows) * smaller(2 * (uint64_t)s->outer + 1, w);
        largest = area > largest ? area : largest;
    }
    return largest;
}

/* The words of a slab's table. The job's word is what its largest window takes; most slabs do with
 * less. */
enum words { WORDS_NARROW, WORDS_MIXED, WORDS_WIDE };

static words words_for(const satk_layer *job, const satk_slab *slab)
{
    const satk_tone *const tone = &job->tone;
    const int bits = tone->decode ? SATK_LINEAR_BITS(job->src.bits) : job->src.bits;
    const uint64_t count = SATK_SLAB * largest_area(job, slab);

    if (count > SATK_NARROW_COUNT)
        return WORDS_WIDE;
    const uint64_t sum = count << (bits + (tone->weighted ? job->src.bits : 0));
    return count < 1 << 23 && sum <= UINT32_MAX ? WORDS_NARROW : WORDS_MIXED;
}

static size_t word_bytes(words w)
{
    return w == WORDS_NARROW ? 4 : 8;
}

static size_t count_bytes(words w)
{
    return w == WORDS_WIDE ? 8 : 4;
}

#endif
