/* Box blur with whole radii, the same for all pixels, from column sums that slide down the picture: a row
 * of it enters the windows, another leaves them, and the sums, scanned along the row, are a table of one
 * row (M. McDonnell, "Box-filtering techniques", 1981; box_slide.c is the CPU's). A block slides down a
 * band of rows; at its first row it finds the windows' sums from the sums over bands:
 *   1. add_bands    the sums of each column, over each band
 *   2. scan_bands   over all bands above
 *   3. slide
 * A row is read less than four times, whatever the radius, and nothing but a word per column and band is
 * written beside the means. Pictures too wide for a block are cut into segments, whose windows overlap. */
#include "box/box_slide.cuh"
#include "common/launch.cuh"

namespace
{

/* --- Bands ------------------------------------------------------------------------------------ */

/* Returns the place of the sums over all rows above a band. */
__device__ __forceinline__ uint32_t *sums_above(const sliding &job, int band, int colours)
{
    return job.sums + (size_t)band * colours * job.width;
}

template <int CHANNELS>
__global__ void __launch_bounds__(SATK_BAND_THREADS) add_bands(const __grid_constant__ sliding job)
{
    constexpr int colours = satk_opaque<CHANNELS>::colours;
    const place at = place_at(job, (int)(blockIdx.x * SATK_BAND_THREADS + threadIdx.x) * own);
    const int first = (int)blockIdx.y * job.rows;
    uint32_t *const out = sums_above(job, (int)blockIdx.y, colours) + at.column;
    column_sums<CHANNELS> sums = {};

    if (at.there == 0)
        return;
    add_rows<CHANNELS, true>(job, at, first, min(first + job.rows, job.box.src.height), &sums);
#pragma unroll
    for (int c = 0; c < colours; c++)
#pragma unroll
        for (int i = 0; i < own; i += 4)
            *(uint4 *)(out + c * job.width + i) = {sums.sum[c][i], sums.sum[c][i + 1],
                                                   sums.sum[c][i + 2], sums.sum[c][i + 3]};
}

/* Scans the bands' sums in place, exclusively; behind the last band are the sums of all. */
__global__ void __launch_bounds__(SATK_BAND_THREADS)
    scan_bands(uint32_t *sums, size_t words, int bands)
{
    constexpr int ahead = SATK_BAND_LOADS;
    const size_t at = (size_t)blockIdx.x * SATK_BAND_THREADS + threadIdx.x;
    uint32_t *const own_sums = sums + at;
    uint32_t above = 0;

    if (at >= words)
        return;
    for (int band = 0; band < bands; band += ahead) {
        uint32_t next[ahead];
#pragma unroll
        for (int i = 0; i < ahead; i++)
            next[i] = band + i < bands ? own_sums[(band + i) * words] : 0;
#pragma unroll
        for (int i = 0; i < ahead; i++) {
            if (band + i < bands)
                own_sums[(band + i) * words] = above;
            above += next[i];
        }
    }
    own_sums[bands * words] = above;
}

/* Adds the sums above row y, or subtracts them: those of the nearest band, and the rows between. */
template <int CHANNELS, bool ADD>
__device__ __forceinline__ void add_above(const sliding &job, const place &at, int y,
                                          column_sums<CHANNELS> *sums)
{
    constexpr int colours = satk_opaque<CHANNELS>::colours;
    const int band = (y + job.rows / 2) / job.rows;
    const int from = min(band * job.rows, job.box.src.height);
    const uint32_t *const above = sums_above(job, band, colours) + at.column;

    if (at.there > 0) {
#pragma unroll
        for (int c = 0; c < colours; c++)
#pragma unroll
            for (int i = 0; i < own; i++)
                sums->sum[c][i] += ADD ? above[c * job.width + i] : 0 - above[c * job.width + i];
    }
    add_rows<CHANNELS, ADD>(job, at, from, y, sums);
    add_rows<CHANNELS, !ADD>(job, at, y, from, sums);
}

/* --- Means ------------------------------------------------------------------------------------ */

/* Returns 2^32 / area or up to 2^-20 of it less, but not more. */
__device__ __forceinline__ uint32_t inverse_of(uint32_t area)
{
    return (uint32_t)(4294967296.0f * (1 - 0x1p-21f) * satk_nearly_inverse((float)area));
}

/* Returns the mean, rounded half up. The product is less than 1 below the mean, so its whole part
 * is the mean or one less. */
__device__ __forceinline__ uint32_t mean_of(uint32_t sum, uint32_t area, uint32_t inverse)
{
    const uint32_t up = sum + area / 2, quotient = __umulhi(up, inverse);

    return quotient + (up - quotient * area >= area);
}

/* Stores the means of row y of a segment. */
template <int COLOURS, int CHANNELS>
__device__ __forceinline__ void put_means(const sliding &job, int first, int left, int y,
                                          const row_table<COLOURS> *table)
{
    const satk_plane &src = job.box.src;
    const satk_range rows = satk_clip(satk_window(y, job.radius_y), src.height);
    const uint32_t height = (uint32_t)(rows.hi - rows.lo);
    const uint32_t full = (uint32_t)(2 * job.radius_x + 1) * height;
    const uint32_t full_inverse = inverse_of(full);
    const int last = min(first + job.segment, src.width), slots = slots_of((int)blockDim.x);
    uint8_t *const to = satk_pixel_of(job.box.dst, 0, y, CHANNELS);

#pragma unroll 2
    for (int x = first + (int)threadIdx.x; x < last; x += (int)blockDim.x) {
        const satk_range columns = satk_clip(satk_window(x, job.radius_x), src.width);
        const int hi = slot_of(columns.hi - left), lo = slot_of(columns.lo - left);
        const uint32_t area = (uint32_t)(columns.hi - columns.lo) * height;
        const uint32_t inverse = area == full ? full_inverse : inverse_of(area);
        uint32_t codes[COLOURS];
#pragma unroll
        for (int c = 0; c < COLOURS; c++)
            codes[c] = mean_of(table->prefix[c * slots + hi] - table->prefix[c * slots + lo], area,
                               inverse);
        satk_put_opaque<CHANNELS>(to + (ptrdiff_t)x * CHANNELS, codes);
    }
}

/* --- Slide ------------------------------------------------------------------------------------ */

/* Loads row y's codes; a row outside the picture has zeros. */
template <int CHANNELS>
__device__ __forceinline__ void load_row(const sliding &job, const place &at, int y,
                                         codes_of<CHANNELS> *codes)
{
    const satk_plane &src = job.box.src;
    const bool is_there = y >= 0 && y < src.height;

    codes->load(satk_pixel_of(src, at.column, is_there ? y : 0, CHANNELS), is_there ? at.there : 0,
                job.wide);
}

template <int CHANNELS>
__global__ void __launch_bounds__(most_threads, 1) slide(const __grid_constant__ sliding job)
{
    constexpr int colours = satk_opaque<CHANNELS>::colours;
    extern __shared__ uint4 memory[];
    row_table<colours> *const table = (row_table<colours> *)memory;
    const int first = (int)blockIdx.x * job.segment;
    const int left = max(first - job.radius_x, 0) / own * own;
    const place at = place_at(job, left + (int)threadIdx.x * own);
    const int begin = (int)blockIdx.y * job.rows, end = min(begin + job.rows, job.box.src.height);
    const satk_range rows = satk_clip(satk_window(begin, job.radius_y), job.box.src.height);
    column_sums<CHANNELS> sums = {};

    add_above<CHANNELS, true>(job, at, rows.hi, &sums);
    add_above<CHANNELS, false>(job, at, rows.lo, &sums);
    for (int y = begin; y < end; y++) {
        codes_of<CHANNELS> enter, leave;
        uint32_t before[colours];

        load_row(job, at, y + 1 < end ? y + job.radius_y + 1 : -1, &enter); /* on their way */
        load_row(job, at, y + 1 < end ? y - job.radius_y : -1, &leave);
        scan_row(sums, table, before);
        put_row(sums, before, table);
        __syncthreads();
        put_means<colours, CHANNELS>(job, first, left, y, table);
        sums.template add<true>(enter);
        sums.template add<false>(leave);
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

int parts_of(int64_t count, int64_t each)
{
    return (int)((count + each - 1) / each);
}

/* Returns the blocks that the device holds at a time; 0: it cannot be asked. */
int blocks_of(int threads)
{
    int device, processors;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
        return 0;
    return processors * (most_threads / threads);
}

/* Plans the segments and bands. Returns false if windows are too large, or too little is left
 * between them. */
bool plan(const satk_box *job, sliding *out)
{
    const satk_plane *const src = &job->src;
    const int64_t rx = job->radius_x / SATK_ONE, ry = job->radius_y / SATK_ONE;
    const int64_t nx = 2 * rx + 1 < src->width ? 2 * rx + 1 : src->width;
    const int64_t ny = 2 * ry + 1 < src->height ? 2 * ry + 1 : src->height;
    const int64_t segment = src->width <= most_columns ? src->width : most_columns - own - 2 * rx;
    const int64_t columns = segment < src->width ? most_columns : src->width;

    if (job->map.data || (job->radius_x | job->radius_y) % SATK_ONE || nx * ny > largest ||
        segment < (src->width < most_columns / 2 ? src->width : most_columns / 2))
        return false;
    *out = {};
    out->box = *job;
    out->radius_x = (int)(rx < src->width ? rx : src->width);
    out->radius_y = (int)(ry < src->height ? ry : src->height);
    out->segment = (int)segment;
    out->segments = parts_of(src->width, segment);
    out->threads = parts_of(columns, own * SATK_WARP) * SATK_WARP;
    const int blocks = blocks_of(out->threads) / out->segments;
    const int rows = parts_of(src->height, blocks > 0 ? blocks : 1);
    out->rows = rows > SATK_SLIDE_ROWS ? rows : SATK_SLIDE_ROWS;
    out->bands = parts_of(src->height, out->rows);
    out->width = (size_t)parts_of(src->width, own) * own;
    return true;
}

template <int CHANNELS> int launch(const sliding *job, cudaStream_t stream)
{
    constexpr int colours = satk_opaque<CHANNELS>::colours;
    const size_t bytes = sizeof(row_table<colours>) +
                         (size_t)colours * (size_t)slots_of(job->threads) * sizeof(uint32_t);
    const size_t words = colours * job->width;
    const int blocks = parts_of(job->box.src.width, own * SATK_BAND_THREADS);
    int error = (int)cudaFuncSetAttribute(slide<CHANNELS>,
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);

    if (error)
        return error;
    add_bands<CHANNELS><<<dim3(blocks, job->bands), SATK_BAND_THREADS, 0, stream>>>(*job);
    error = satk_launched(stream);
    if (error)
        return error;
    scan_bands<<<parts_of((int64_t)words, SATK_BAND_THREADS), SATK_BAND_THREADS, 0, stream>>>(
        job->sums, words, job->bands);
    error = satk_launched(stream);
    if (error)
        return error;
    slide<CHANNELS><<<dim3(job->segments, job->bands), job->threads, bytes, stream>>>(*job);
    return satk_launched(stream);
}

bool can_hold_row()
{
    int device, most;

    return cudaGetDevice(&device) == cudaSuccess &&
           cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) ==
               cudaSuccess &&
           (size_t)most >= sizeof(row_table<3>) + 3 * slots_of(most_threads) * sizeof(uint32_t);
}

} // namespace

bool satk_box_slide_suits(const satk_box *job)
{
    sliding s;

    return plan(job, &s) && can_hold_row();
}

/* Returns the bytes of scratch. A lower picture never asks for more: its bands are no more than fit
 * the device, or than there are of the smallest. */
size_t satk_box_slide_scratch(const satk_box *job)
{
    const int colours = job->src.channels < 3 ? 1 : 3;
    sliding s;

    if (!plan(job, &s))
        return 0;
    const int smallest = parts_of(job->src.height, SATK_SLIDE_ROWS), blocks = blocks_of(s.threads);
    const int bands = smallest < blocks || !blocks ? smallest : blocks;
    return (size_t)(bands + 1) * (size_t)colours * s.width * sizeof(uint32_t);
}

int satk_box_slide(const satk_box *job, void *scratch, cudaStream_t stream)
{
    sliding s;

    if (!plan(job, &s))
        return (int)cudaErrorInvalidValue;
    s.sums = (uint32_t *)scratch;
    s.wide = ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch) % 16 == 0;
    switch (job->src.channels) {
    case 1: return launch<1>(&s, stream);
    case 2: return launch<2>(&s, stream);
    case 3: return launch<3>(&s, stream);
    default: return launch<4>(&s, stream);
    }
}
