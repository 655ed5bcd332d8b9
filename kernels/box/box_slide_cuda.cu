/* Box blur with the same radii for all pixels, from column sums that slide down the picture: a row of it
 * enters the windows, another leaves them, and the sums, scanned along the row, are a table of one row (M.
 * McDonnell, "Box-filtering techniques", 1981; box_slide.c is the CPU's, of whole radii). A block slides down a
 * band of rows; at its first row it finds the windows' sums from the sums over bands:
 *   1. add_bands    the sums of each column, over each band
 *   2. scan_bands   over all bands above
 *   3. slide
 * A row is read less than four times, whatever the radius, and nothing but a word per column and band is
 * written beside the means. Pictures too wide for a block are cut into segments, whose windows overlap. */
#include "box/box_slide_means.cuh"
#include "common/launch.cuh"

namespace
{

/* --- Bands ------------------------------------------------------------------------------------ */

/* Returns the place of the sums over all rows above a band. */
template <typename FORM>
__device__ __forceinline__ typename FORM::column *sums_above(const sliding &job, int band)
{
    return (typename FORM::column *)job.sums + (size_t)band * FORM::sums * job.width;
}

template <typename FORM>
__global__ void __launch_bounds__(SATK_BAND_THREADS) add_bands(const __grid_constant__ sliding job)
{
    extern __shared__ uint4 memory[];
    sample_table *const samples = (sample_table *)memory;
    const place at = place_at(job, (int)(blockIdx.x * SATK_BAND_THREADS + threadIdx.x) * own);
    const int first = (int)blockIdx.y * job.rows;
    typename FORM::column *const out = sums_above<FORM>(job, (int)blockIdx.y) + at.column;
    column_sums<FORM> sums = {};

    if constexpr (FORM::has_samples) {
        fill_samples(job.box.tone, samples);
        __syncthreads();
    }
    if (at.there == 0)
        return;
    add_rows<FORM, true>(job, at, first, min(first + job.rows, job.box.src.height), samples, &sums);
#pragma unroll
    for (int c = 0; c < FORM::sums; c++)
#pragma unroll
        for (int i = 0; i < own; i += (int)(sizeof(uint4) / sizeof *out)) {
            uint4 v;
            memcpy(&v, &sums.sum[c][i], sizeof v);
            *(uint4 *)(out + c * job.width + i) = v;
        }
}

/* Scans the bands' sums in place, exclusively; behind the last band are the sums of all. */
template <typename T>
__global__ void __launch_bounds__(SATK_BAND_THREADS) scan_bands(T *sums, size_t words, int bands)
{
    constexpr int ahead = SATK_BAND_LOADS;
    const size_t at = (size_t)blockIdx.x * SATK_BAND_THREADS + threadIdx.x;
    T *const own_sums = sums + at;
    T above = 0;

    if (at >= words)
        return;
    for (int band = 0; band < bands; band += ahead) {
        T next[ahead];
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
template <typename FORM, bool ADD>
__device__ __forceinline__ void add_above(const sliding &job, const place &at, int y,
                                          const sample_table *samples, column_sums<FORM> *sums)
{
    const int band = (y + job.rows / 2) / job.rows;
    const int from = min(band * job.rows, job.box.src.height);
    const typename FORM::column *const above = sums_above<FORM>(job, band) + at.column;

    if (at.there > 0) {
#pragma unroll
        for (int c = 0; c < FORM::sums; c++)
#pragma unroll
            for (int i = 0; i < own; i++)
                sums->sum[c][i] += ADD ? above[c * job.width + i] : 0 - above[c * job.width + i];
    }
    add_rows<FORM, ADD>(job, at, from, y, samples, sums);
    add_rows<FORM, !ADD>(job, at, y, from, samples, sums);
}

/* Finds the sums before the first step_down(): over the rows that it takes for those of the window above, the one that is about
 * to leave among them, each with both weights. */
template <typename FORM>
__device__ __forceinline__ void begin_sums(const sliding &job, const place &at, satk_range rows,
                                           const sample_table *samples, column_sums<FORM> *sums)
{
    const satk_range there = satk_clip(rows, job.box.src.height);

    add_above<FORM, true>(job, at, there.hi, samples, sums);
    add_above<FORM, false>(job, at, there.lo, samples, sums);
    if constexpr (FORM::fraction) {
#pragma unroll
        for (int c = 0; c < FORM::sums; c++)
#pragma unroll
            for (int i = 0; i < own; i++)
                sums->sum[c][i] *= job.down.one();
    }
}

/* --- Slide ------------------------------------------------------------------------------------ */

/* Loads row y's codes; a row outside the picture has zeros, whose samples are 0. */
template <int PIXEL>
__device__ __forceinline__ void load_row(const sliding &job, const place &at, int y,
                                         codes_of<PIXEL> *codes)
{
    const satk_plane &src = job.box.src;
    const bool is_there = y >= 0 && y < src.height;

    codes->load(satk_pixel_of(src, at.column, is_there ? y : 0, PIXEL), is_there ? at.there : 0,
                job.wide);
}

template <typename FORM>
__global__ void __launch_bounds__(FORM::most_threads, 1) slide(const __grid_constant__ sliding job)
{
    extern __shared__ uint4 memory[];
    sample_table *const samples = (sample_table *)memory;
    row_table<FORM> *const table = (row_table<FORM> *)(samples + FORM::has_samples);
    const int first = (int)blockIdx.x * job.segment;
    const int left = max(first - job.across.radius - FORM::fraction, 0) / own * own;
    const place at = place_at(job, left + (int)threadIdx.x * own);
    const int begin = (int)blockIdx.y * job.rows, end = min(begin + job.rows, job.box.src.height);
    const int below = job.down.radius + FORM::fraction, above = -job.down.radius - 1;
    column_sums<FORM> sums = {}, later = {};
    codes_of<FORM::bytes> enter, leave;

    if constexpr (FORM::has_samples) {
        fill_samples(job.box.tone, samples);
        __syncthreads();
    }
    begin_sums<FORM>(job, at, {begin + above, begin + below}, samples, &sums);
    load_row(job, at, begin + below, &enter);
    load_row(job, at, begin + above, &leave);
    for (int y = begin; y < end; y++) {
        uint32_t before[FORM::planes];

        step_down(job.down, enter, leave, samples, &sums, &later);
        load_row(job, at, y + 1 < end ? y + 1 + below : -1, &enter); /* on their way */
        load_row(job, at, y + 1 < end ? y + 1 + above : -1, &leave);
        scan_row(sums, table, before);
        put_row(sums, before, table);
        __syncthreads();
        put_means(job, first, left, y, table);
    }
}

/* --- Plan ------------------------------------------------------------------------------------- */

int parts_of(int64_t count, int64_t each)
{
    return (int)((count + each - 1) / each);
}

template <typename FORM> size_t sample_bytes()
{
    return FORM::has_samples ? sizeof(sample_table) : 0;
}

/* Returns the shared memory of a block that slides. */
template <typename FORM> size_t shared_bytes(int threads)
{
    return sample_bytes<FORM>() + sizeof(row_table<FORM>) +
           (size_t)FORM::planes * (size_t)slots_of(threads) * sizeof(uint32_t);
}

/* Returns the blocks that the device holds at a time; 0: it holds none, or cannot be asked. */
template <typename FORM> int blocks_of(int threads)
{
    const int bytes = (int)shared_bytes<FORM>(threads), system = 1024; /* of each block */
    int device, processors, most;

    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) !=
            cudaSuccess)
        return 0;
    const int by_memory = (most + system) / (bytes + system);
    const int by_threads = FORM::most_threads / threads;
    return processors * (by_memory < by_threads ? by_memory : by_threads);
}

/* Returns the largest sample of a job, with its weight. */
uint64_t most_sample(const satk_box *job, uint64_t most_weight)
{
    return (job->tone.decode ? (1u << SATK_LINEAR_BITS(8)) - 1 : 255) * most_weight;
}

/* Returns the weights of an axis of n pixels. No radius is larger than the axis. */
nested nested_of(uint32_t radius, int n)
{
    uint32_t fraction = radius % SATK_ONE, one = SATK_ONE;

    for (; fraction % 2 == 0 && one > 1; one /= 2)
        fraction /= 2;
    return {radius / SATK_ONE < (uint32_t)n ? (int)(radius / SATK_ONE) : n, one - fraction,
            fraction};
}

/* Returns the weighted length of the longest window of an axis of n pixels. */
uint64_t longest(const nested &axis, int n)
{
    const uint64_t full = axis.full(), all = (uint64_t)n * axis.one();

    return full < all ? full : all;
}

/* Returns true if windows are not too large for the form, and a column's sum, or two of them, fit 32 bits. Alpha's are not
 * split. Samples of half floats have 32 bits, so the upper parts over a window add up to 32 bits if it has up to 2^upper
 * pixels. */
template <typename FORM> bool windows_fit(const sliding &job)
{
    const satk_box *const box = &job.box;
    const uint64_t nx = longest(job.across, box->src.width);
    const uint64_t ny = longest(job.down, box->src.height);
    const uint64_t column = ny * most_sample(box, FORM::weighted ? 255 : 1);
    const uint64_t most = FORM::fraction && FORM::split && !FORM::weighted ? INT32_MAX : largest;

    if (FORM::half)
        return nx * ny <= 1 << upper;
    return nx * ny <= most && column << FORM::fraction <= UINT32_MAX;
}

/* Plans the segments and bands. Returns false if windows are too large, or too little is left
 * between them. */
template <typename FORM> bool plan(const satk_box *job, sliding *out)
{
    const satk_plane *const src = &job->src;

    *out = {};
    out->box = *job;
    out->across = nested_of(job->radius_x, src->width);
    out->down = nested_of(job->radius_y, src->height);
    const int64_t reach = out->across.radius + FORM::fraction;
    const int64_t segment =
        src->width <= FORM::most_columns ? src->width : FORM::most_columns - own - 2 * reach;
    const int64_t columns = segment < src->width ? FORM::most_columns : src->width;
    const int64_t least = FORM::most_columns / 2;

    if (job->map.data || !windows_fit<FORM>(*out) ||
        segment < (src->width < least ? src->width : least))
        return false;
    out->segment = (int)segment;
    out->segments = parts_of(src->width, segment);
    out->threads = parts_of(columns, own * SATK_WARP) * SATK_WARP;
    out->blocks = blocks_of<FORM>(out->threads);
    const int across = out->blocks / out->segments;
    const int rows = parts_of(src->height, across > 0 ? across : 1);
    out->rows = rows > SATK_SLIDE_ROWS ? rows : SATK_SLIDE_ROWS;
    out->bands = parts_of(src->height, out->rows);
    out->width = (size_t)parts_of(src->width, own) * own;
    return out->blocks > 0;
}

/* Returns the bytes of scratch. A lower picture never asks for more: its bands are no more than fit
 * the device, or than there are of the smallest. */
template <typename FORM> size_t scratch_bytes(const sliding &job)
{
    const int smallest = parts_of(job.box.src.height, SATK_SLIDE_ROWS);
    const int bands = smallest < job.blocks ? smallest : job.blocks;

    return (size_t)(bands + 1) * FORM::sums * job.width * sizeof(typename FORM::column);
}

/* --- Forms ------------------------------------------------------------------------------------ */

/* Returns true if windows may add up to more than mean_of() takes in 32 bits. Windows are not cut at the
 * lower edge here, so that a picture with fewer rows has the same form. */
bool is_split(const satk_box *job, uint64_t most_weight)
{
    const int width = job->src.width;
    const uint64_t nx = longest(nested_of(job->radius_x, width), width);
    const uint64_t ny = nested_of(job->radius_y, INT32_MAX).full();

    return nx * ny * (2 * most_sample(job, most_weight) + most_weight) > UINT32_MAX;
}

/* Calls act with the form of the job. Sums of codes are not split if radii are whole: largest is too small for it. */
template <int CHANNELS, way WAY, typename ACT>
auto with_sums_of(const satk_box *job, const ACT &act)
{
    const bool split = is_split(job, WAY == WEIGHTED ? 255 : 1);

    if ((job->radius_x | job->radius_y) % SATK_ONE)
        return split ? act(form<CHANNELS, WAY, true, true>())
                     : act(form<CHANNELS, WAY, false, true>());
    return split && WAY != CODES ? act(form<CHANNELS, WAY, WAY != CODES, false>())
                                 : act(form<CHANNELS, WAY, false, false>());
}

template <int CHANNELS, typename ACT> auto with_form_of(const satk_box *job, const ACT &act)
{
    if (job->tone.half)
        return act(form<CHANNELS, HALVES, true, false>());
    if constexpr (satk_opaque<CHANNELS>::colours < CHANNELS)
        if (job->tone.weighted && !job->tone.opaque)
            return with_sums_of<CHANNELS, WEIGHTED>(job, act);
    return job->tone.decode ? with_sums_of<CHANNELS, SAMPLES>(job, act)
                            : with_sums_of<CHANNELS, CODES>(job, act);
}

template <typename ACT> auto with_form(const satk_box *job, const ACT &act)
{
    switch (job->src.channels) {
    case 1: return with_form_of<1>(job, act);
    case 2: return with_form_of<2>(job, act);
    case 3: return with_form_of<3>(job, act);
    default: return with_form_of<4>(job, act);
    }
}

/* --- Launch ----------------------------------------------------------------------------------- */

template <typename FORM> int launch(const sliding &job, cudaStream_t stream)
{
    const size_t bytes = shared_bytes<FORM>(job.threads), words = FORM::sums * job.width;
    const int blocks = parts_of(job.box.src.width, own * SATK_BAND_THREADS);
    int error = satk_allow_shared(slide<FORM>);

    if (error)
        return error;
    add_bands<typename FORM::plain>
        <<<dim3(blocks, job.bands), SATK_BAND_THREADS, sample_bytes<FORM>(), stream>>>(job);
    error = satk_launched(stream);
    if (error)
        return error;
    scan_bands<<<parts_of((int64_t)words, SATK_BAND_THREADS), SATK_BAND_THREADS, 0, stream>>>(
        (typename FORM::column *)job.sums, words, job.bands);
    error = satk_launched(stream);
    if (error)
        return error;
    slide<FORM><<<dim3(job.segments, job.bands), job.threads, bytes, stream>>>(job);
    return satk_launched(stream);
}

} // namespace

bool satk_box_slide_suits(const satk_box *job)
{
    return with_form(
        job,
        [job](auto f) {
            sliding s;
            return plan<decltype(f)>(job, &s);
        });
}

size_t satk_box_slide_scratch(const satk_box *job)
{
    return with_form(
        job,
        [job](auto f) {
            sliding s;
            return plan<decltype(f)>(job, &s) ? scratch_bytes<decltype(f)>(s) : 0;
        });
}

int satk_box_slide(const satk_box *job, void *scratch, cudaStream_t stream)
{
    return with_form(
        job,
        [job, scratch, stream](auto f) {
            sliding s;

            if (!plan<decltype(f)>(job, &s))
                return (int)cudaErrorInvalidValue;
            s.sums = scratch;
            s.wide = ((uintptr_t)job->src.data | (uintptr_t)job->src.pitch) % 16 == 0;
            return launch<decltype(f)>(s, stream);
        });
}
