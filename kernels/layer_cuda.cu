/* Batches of slabs, nearest first: the tables of all slabs of a batch where they are needed, then
 * every tile of the picture lays them in turn, with its light in registers. A tile has to do with few
 * batches: it begins its light in the first, and stores its pixels in the last or once all light is
 * used up. Nothing waits for the host: it does not know where slabs are, only which are used. */
#include "launch.cuh"
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

/* --- Memory ----------------------------------------------------------------------------------- */

static satk_tiling tiling_of(const satk_layer *job)
{
    const satk_tiling t = {(job->src.width + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE,
                           (job->src.height + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE};
    return t;
}

static size_t tiles_of(const satk_layer *job)
{
    const satk_tiling t = tiling_of(job);
    return (size_t)t.across * (size_t)t.down;
}

/* Every part of the scratch memory begins at a multiple of 16. */
static size_t rounded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Of one slab in a batch: its rows' and its columns' sums, each; what is left of its tiles; the
 * planes of its table. */
static size_t sums_bytes(const satk_layer *job, words w)
{
    return tiles_of(job) * (size_t)(job->src.channels + 2) * SATK_LAYER_SIDE * word_bytes(w);
}

static size_t left_bytes(const satk_layer *job, words w)
{
    return rounded(tiles_of(job) * (size_t)(job->src.channels + 2) * word_bytes(w));
}

static size_t colour_bytes(const satk_layer *job, words w)
{
    return satk_pixels_of(*job) * (size_t)satk_colour_lanes(job->src.channels) * word_bytes(w);
}

static size_t counts_bytes(const satk_layer *job, words w)
{
    return satk_pixels_of(*job) * 2 * count_bytes(w);
}

static size_t slab_bytes(const satk_layer *job, words w)
{
    return 2 * sums_bytes(job, w) + left_bytes(job, w) + rounded(colour_bytes(job, w)) +
           rounded(counts_bytes(job, w));
}

static size_t lights_bytes(const satk_layer *job)
{
    return satk_pixels_of(*job) * ((size_t)job->src.channels * sizeof(uint64_t) + sizeof(uint32_t));
}

/* Sets of slabs by tile: own, laid, needed, and the latter two on the way. */
enum { SET_ARRAYS = 5 };

static size_t sets_bytes(const satk_layer *job)
{
    return tiles_of(job) * sizeof(satk_slab_set);
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The next batch: slabs down to first in use, with words of one kind. */
struct plan {
    words kind;
    int count, slab[SATK_LAYER_BATCH];
};

/* 0: there is none below slab `below`. */
static int next_batch(const satk_layer *job, int below, plan *p)
{
    size_t most = SATK_LAYER_BATCH;

    p->count = 0;
    for (int k = below - 1; k >= 0 && (size_t)p->count < most; k--) {
        if (!job->slabs[k].used)
            continue;
        const words kind = words_for(job, &job->slabs[k]);
        if (p->count == 0) {
            p->kind = kind;
            most = smaller(most, SATK_LAYER_BYTES / slab_bytes(job, kind) + 1);
        }
        if (kind != p->kind)
            break;
        p->slab[p->count++] = k;
    }
    return p->count;
}

size_t satk_layer_scratch_cuda(const satk_layer *job)
{
    size_t most = 0;
    plan p;

    for (int below = job->count; next_batch(job, below, &p); below = p.slab[p.count - 1]) {
        const size_t bytes = (size_t)p.count * slab_bytes(job, p.kind);
        most = bytes > most ? bytes : most;
    }
    return SET_ARRAYS * sets_bytes(job) + rounded(lights_bytes(job)) + most;
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Scratch memory that all batches share. */
struct memory {
    satk_slab_set *sets[SET_ARRAYS];
    light_planes lights;
    uint8_t *tables;
};

static memory divide_scratch(const satk_layer *job)
{
    uint8_t *at = (uint8_t *)job->scratch;
    memory m;

    for (int i = 0; i < SET_ARRAYS; i++, at += sets_bytes(job))
        m.sets[i] = (satk_slab_set *)at;
    m.lights.pixels = satk_pixels_of(*job);
    m.lights.sums = (uint64_t *)at;
    m.lights.left = (uint32_t *)(m.lights.sums + (size_t)job->src.channels * m.lights.pixels);
    m.tables = at + rounded(lights_bytes(job));
    return m;
}

/* Distances in tiles: a pixel is at least 32 (d - 1) + 1 from those d tiles away; a prefix may be one
 * pixel beyond the window. */
static satk_tile_reaches reaches_of(const satk_layer *job)
{
    satk_tile_reaches r;

    for (int k = 0; k < SATK_MAX_SLABS; k++) {
        r.laid[k] = r.needed[k] = -1;
        if (k >= job->count || !job->slabs[k].used)
            continue;
        const int reach = satk_reach(&job->slabs[k]);
        r.laid[k] = (reach + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE;
        r.needed[k] = r.laid[k] + (reach + SATK_LAYER_SIDE) / SATK_LAYER_SIDE;
    }
    return r;
}

static int find_sets(const satk_layer *job, satk_slab_set *const *sets, cudaStream_t stream)
{
    const satk_tiling t = tiling_of(job);
    const satk_tile_reaches reaches = reaches_of(job);
    const unsigned tiles = (unsigned)tiles_of(job), each = SATK_ARRAY_THREADS / SATK_WARP;
    const unsigned blocks = (tiles + each - 1) / each;

    satk_find_own<<<tiles, SATK_TILE_PIXELS, 0, stream>>>(*job, t.across, sets[0]);
    int error = satk_launched(stream);
    if (error)
        return error;
    satk_spread_sets<<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(reaches, t, 1, sets[0], sets[0],
                                                                sets[3], sets[4]);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_spread_sets<<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(reaches, t, 0, sets[3], sets[4],
                                                                sets[1], sets[2]);
    return satk_launched(stream);
}

template <typename T, typename COUNT>
static satk_batch<T, COUNT> make_batch(const satk_layer *job, const plan *p, const memory *m)
{
    satk_batch<T, COUNT> b = {};
    uint8_t *at = m->tables;

    b.job = *job;
    b.tiles = tiling_of(job);
    b.own = m->sets[0], b.laid = m->sets[1], b.needed = m->sets[2];
    b.count = p->count;
    for (int i = 0; i < p->count; i++) {
        b.slab[i] = p->slab[i];
        b.shape[i] = job->slabs[p->slab[i]];
    }
    b.colours = (T *)at, at += rounded(p->count * colour_bytes(job, p->kind));
    b.counts = (COUNT *)at, at += rounded(p->count * counts_bytes(job, p->kind));
    b.rows = (T *)at, at += p->count * sums_bytes(job, p->kind);
    b.columns = (T *)at, at += p->count * sums_bytes(job, p->kind);
    b.left = (T *)at;
    return b;
}

template <typename T, typename COUNT, int CHANNELS, int BITS>
static int run_batch(const satk_layer *job, const plan *p, const memory *m, cudaStream_t stream)
{
    const satk_batch<T, COUNT> b = make_batch<T, COUNT>(job, p, m);
    const unsigned tiles = (unsigned)tiles_of(job), threads = SATK_LAYER_SIDE * SATK_RUNS;
    const unsigned lines = SATK_LAYER_SCAN_WARPS * SATK_WARP, count = (unsigned)p->count;

    satk_sum_tiles<T, COUNT, CHANNELS, BITS><<<tiles, threads, 0, stream>>>(b);
    int error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_rows<T, COUNT, CHANNELS><<<count *(unsigned)b.tiles.down, lines, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_columns<T, COUNT, CHANNELS><<<count *(unsigned)b.tiles.across, lines, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_fill_tiles<T, COUNT, CHANNELS, BITS><<<tiles, threads, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    lay_batch<T, COUNT, CHANNELS, BITS><<<tiles, SATK_TILE_PIXELS, 0, stream>>>(b, m->lights);
    return satk_launched(stream);
}

template <int CHANNELS, int BITS> static int blur(const satk_layer *job, cudaStream_t stream)
{
    const memory m = divide_scratch(job);
    int error = find_sets(job, m.sets, stream);
    plan p;

    for (int below = job->count; !error && next_batch(job, below, &p); below = p.slab[p.count - 1])
        switch (p.kind) {
        case WORDS_NARROW:
            error = run_batch<uint32_t, uint32_t, CHANNELS, BITS>(job, &p, &m, stream);
            break;
        case WORDS_MIXED:
            error = run_batch<uint64_t, uint32_t, CHANNELS, BITS>(job, &p, &m, stream);
            break;
        default: error = run_batch<uint64_t, uint64_t, CHANNELS, BITS>(job, &p, &m, stream); break;
        }
    return error;
}

template <int BITS> static int blur_channels(const satk_layer *job, cudaStream_t stream)
{
    switch (job->src.channels) {
    case 1: return blur<1, BITS>(job, stream);
    case 2: return blur<2, BITS>(job, stream);
    case 3: return blur<3, BITS>(job, stream);
    default: return blur<4, BITS>(job, stream);
    }
}

int satk_layer_cuda(const satk_layer *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    return job->src.bits == 8 ? blur_channels<8>(job, s) : blur_channels<16>(job, s);
}
