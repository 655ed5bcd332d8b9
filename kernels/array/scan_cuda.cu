/* Scans in one pass over tiles in registers: by look-back, as the product runs them, or by a chain.
 * The variants of three phases are in scan_textbook_cuda.cu. */
#include "array/scan_textbook.cuh"
#include "array/scan_tile.cuh"
#include "common/launch.cuh"
#include "common/lookback.cuh"

/* --- One pass --------------------------------------------------------------------------------- */

/* Publishes the tile's sum, by either protocol. Returns the result over all tiles before it. Called by one
 * warp. */
template <typename T, typename OP, bool LOOK_BACK>
static __device__ __forceinline__ T join(satk_tile_state<T> *states, uint64_t tile, T sum)
{
    const bool first_lane = threadIdx.x % SATK_WARP == 0;
    T before = 0;

    if (LOOK_BACK) {
        if (first_lane && tile > 0)
            satk_publish(states + tile, SATK_SUM, sum);
        before = satk_look_back<T, OP>(states, (int64_t)tile);
    } else if (tile > 0) {
        uint32_t flag;
        do
            flag = satk_peek(states + tile - 1, &before);
        while (__any_sync(0xffffffffu, flag != SATK_PREFIX));
    }
    if (first_lane)
        satk_publish(states + tile, SATK_PREFIX, OP()(before, sum));
    return before;
}

template <typename T, typename OP, bool LOOK_BACK>
static __global__ void __launch_bounds__(SATK_SCAN_THREADS, SATK_SCAN_BLOCKS(8 * sizeof(T)))
    scan_in_one_pass(const T *in, T *out, uint64_t count, int exclusive,
                     unsigned long long *counter, satk_tile_state<T> *states)
{
    enum { WARPS = tile_words<T>::WARPS };
    __shared__ T warps[WARPS], prefix;
    const uint64_t tile = satk_draw_tile(counter);
    const bool wide = is_wide(in, out, count, tile);
    tile_words<T> words;

    read_tile(in, count, tile, wide, &words);
    scan_warps<T, OP>(&words, exclusive, warps);
    const T in_tile = satk_warps_before<T, OP>(warps);
    if (threadIdx.x / SATK_WARP == WARPS - 1) { /* it knows the tile's sum */
        const T before = join<T, OP, LOOK_BACK>(states, tile, OP()(in_tile, warps[WARPS - 1]));
        if (threadIdx.x == SATK_SCAN_THREADS - 1)
            prefix = before;
    }
    __syncthreads();
    write_tile<T, OP>(&words, OP()(prefix, in_tile), out, count, tile, wide);
}

/* --- Launches --------------------------------------------------------------------------------- */

static uint64_t tiles_of(const satk_scan *job)
{
    const uint64_t size = SATK_SCAN_THREADS * SATK_SCAN_LOADS * 128 / (uint64_t)job->word;

    return (job->count - 1) / size + 1;
}

static int is_one_pass(const satk_scan *job)
{
    return job->variant == SATK_SCAN_LOOK_BACK || job->variant == SATK_SCAN_CHAINED;
}

/* Returns the bytes of a counter, in 16, and of the tiles' states. */
static size_t states_bytes(const satk_scan *job)
{
    return 16 + (size_t)tiles_of(job) * (size_t)(job->word / 32) * sizeof(unsigned long long);
}

template <typename T, typename OP> static int scan(const satk_scan *job, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)tiles_of(job);
    unsigned long long *const counter = (unsigned long long *)job->scratch;
    satk_tile_state<T> *const states = (satk_tile_state<T> *)(counter + 2);
    const T *const in = (const T *)job->in;
    T *const out = (T *)job->out;

    const int error = (int)cudaMemsetAsync(job->scratch, 0, states_bytes(job), stream);
    if (error)
        return error;
    if (job->variant == SATK_SCAN_LOOK_BACK)
        scan_in_one_pass<T, OP, true><<<blocks, SATK_SCAN_THREADS, 0, stream>>>(
            in, out, job->count, job->exclusive, counter, states);
    else
        scan_in_one_pass<T, OP, false><<<blocks, SATK_SCAN_THREADS, 0, stream>>>(
            in, out, job->count, job->exclusive, counter, states);
    return satk_launched(stream);
}

size_t satk_scan_scratch_cuda(const satk_scan *job)
{
    if (job->count == 0)
        return 0;
    return is_one_pass(job) ? states_bytes(job) : satk_scan_textbook_scratch(job);
}

int satk_scan_cuda(const satk_scan *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (job->count == 0)
        return 0;
    if (!is_one_pass(job))
        return satk_scan_textbook_cuda(job, s);
    if (job->op == SATK_SCAN_ADD)
        return job->word == 32 ? scan<uint32_t, satk_add>(job, s)
                               : scan<uint64_t, satk_add>(job, s);
    return job->word == 32 ? scan<uint32_t, satk_max>(job, s) : scan<uint64_t, satk_max>(job, s);
}

/* --- Inclusive and exclusive ------------------------------------------------------------------ */

template <typename T, typename OP>
static __global__ void convert(const T *scan, const T *values, T *out, uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    if (values)
        out[i] = OP()(scan[i], values[i]);
    else
        out[i] = i > 0 ? scan[i - 1] : 0;
}

template <typename T, typename OP>
static int convert_all(const satk_scan_convert *job, cudaStream_t stream)
{
    const uint64_t blocks = (job->count + SATK_SCAN_THREADS - 1) / SATK_SCAN_THREADS;

    convert<T, OP><<<(unsigned)blocks, SATK_SCAN_THREADS, 0, stream>>>(
        (const T *)job->scan, (const T *)job->values, (T *)job->out, job->count);
    return satk_launched(stream);
}

int satk_scan_convert_cuda(const satk_scan_convert *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (job->count == 0)
        return 0;
    if (job->op == SATK_SCAN_ADD)
        return job->word == 32 ? convert_all<uint32_t, satk_add>(job, s)
                               : convert_all<uint64_t, satk_add>(job, s);
    return job->word == 32 ? convert_all<uint32_t, satk_max>(job, s)
                           : convert_all<uint64_t, satk_max>(job, s);
}
