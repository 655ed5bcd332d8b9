/* Tiles scanned in registers (or as taught: scan_textbook.cuh), and the three ways to join tiles:
 * three phases, a chain, look-back. */
#include "common/launch.cuh"
#include "common/lookback.cuh"
#include "array/scan.h"
#include "array/scan_textbook.cuh"

/* --- Tiles in registers ----------------------------------------------------------------------- */

/* A block's tile: each warp has SATK_SCAN_LOADS runs of 32 loads of 16 bytes. */
template <typename T> struct tile_words {
    enum { PER_LOAD = 16 / sizeof(T), WARPS = SATK_SCAN_THREADS / SATK_WARP };
    enum { RUN = SATK_WARP * PER_LOAD, SIZE = WARPS * SATK_SCAN_LOADS * RUN };
    T word[SATK_SCAN_LOADS][PER_LOAD];

    static __device__ __forceinline__ uint64_t first_of(uint64_t tile, int load)
    {
        const int warp = threadIdx.x / SATK_WARP, lane = threadIdx.x % SATK_WARP;
        return tile * SIZE + (warp * SATK_SCAN_LOADS + load) * RUN + lane * PER_LOAD;
    }
};

/* wide: whole tiles of 16-byte aligned arrays move 16 bytes at a time, past the caches' other
 * contents. */
template <typename T>
static __device__ __forceinline__ void read_tile(const T *in, uint64_t count, uint64_t tile,
                                                 bool wide, tile_words<T> *t)
{
    if (wide) {
#pragma unroll
        for (int k = 0; k < SATK_SCAN_LOADS; k++) {
            const uint4 v = __ldcs((const uint4 *)(in + tile_words<T>::first_of(tile, k)));
            memcpy(t->word[k], &v, sizeof v);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++) {
        const uint64_t at = tile_words<T>::first_of(tile, k);
#pragma unroll
        for (int i = 0; i < tile_words<T>::PER_LOAD; i++)
            t->word[k][i] = at + i < count ? in[at + i] : 0;
    }
}

/* A lane's words of one load become their scan, which begins with `before`. */
template <typename T, typename OP>
static __device__ __forceinline__ void scan_load(T *word, T before, int exclusive)
{
#pragma unroll
    for (int i = 0; i < tile_words<T>::PER_LOAD; i++) {
        const T next = OP()(before, word[i]);
        word[i] = exclusive ? before : next;
        before = next;
    }
}

/* Scans what was loaded, in place and as far as the warp sees; `warps` receives each warp's sum. */
template <typename T, typename OP>
static __device__ __forceinline__ void scan_warps(tile_words<T> *t, int exclusive, T *warps)
{
    const int lane = threadIdx.x % SATK_WARP;
    T carry = 0;

#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++) {
        T sum = t->word[k][0];
#pragma unroll
        for (int i = 1; i < tile_words<T>::PER_LOAD; i++)
            sum = OP()(sum, t->word[k][i]);
        sum = satk_warp_scan<T, OP>(sum);
        const T left = __shfl_up_sync(0xffffffffu, sum, 1);
        scan_load<T, OP>(t->word[k], lane > 0 ? OP()(carry, left) : carry, exclusive);
        carry = OP()(carry, __shfl_sync(0xffffffffu, sum, SATK_WARP - 1));
    }
    if (lane == 0)
        warps[threadIdx.x / SATK_WARP] = carry;
    __syncthreads();
}

/* The scanned words, `before` being what precedes the warp's first one. */
template <typename T, typename OP>
static __device__ __forceinline__ void write_tile(tile_words<T> *t, T before, T *out,
                                                  uint64_t count, uint64_t tile, bool wide)
{
#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++)
#pragma unroll
        for (int i = 0; i < tile_words<T>::PER_LOAD; i++)
            t->word[k][i] = OP()(before, t->word[k][i]);
    if (wide) {
#pragma unroll
        for (int k = 0; k < SATK_SCAN_LOADS; k++) {
            uint4 v;
            memcpy(&v, t->word[k], sizeof v);
            __stcs((uint4 *)(out + tile_words<T>::first_of(tile, k)), v);
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < SATK_SCAN_LOADS; k++) {
        const uint64_t at = tile_words<T>::first_of(tile, k);
#pragma unroll
        for (int i = 0; i < tile_words<T>::PER_LOAD; i++)
            if (at + i < count)
                out[at + i] = t->word[k][i];
    }
}

template <typename T>
static __device__ __forceinline__ bool is_wide(const T *in, const T *out, uint64_t count,
                                               uint64_t tile)
{
    return ((uintptr_t)in | (uintptr_t)out) % 16 == 0 && (tile + 1) * tile_words<T>::SIZE <= count;
}

/* Phase 1 of three. */
template <typename T, typename OP>
static __global__ void __launch_bounds__(SATK_SCAN_THREADS)
    scan_tiles(const T *in, T *out, uint64_t count, int exclusive, T *sums)
{
    __shared__ T warps[tile_words<T>::WARPS];
    const uint64_t tile = blockIdx.x;
    const bool wide = is_wide(in, out, count, tile);
    tile_words<T> words;

    read_tile(in, count, tile, wide, &words);
    scan_warps<T, OP>(&words, exclusive, warps);
    const T before = satk_warps_before<T, OP>(warps);
    if (threadIdx.x == SATK_SCAN_THREADS - 1)
        sums[tile] = OP()(before, warps[tile_words<T>::WARPS - 1]);
    write_tile<T, OP>(&words, before, out, count, tile, wide);
}

/* --- Phase 3: the sums of what is before a tile ----------------------------------------------- */

template <typename T, typename OP>
static __global__ void add_offsets(T *out, uint64_t count, const T *offsets, unsigned log_size)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && i >> log_size > 0)
        out[i] = OP()(offsets[i >> log_size], out[i]);
}

/* --- One pass --------------------------------------------------------------------------------- */

/* What precedes the tile whose sum is given, by either protocol. Called by one warp. */
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

/* Threads of a block, and words of its tile: 2^log_size. The taught variants take a whole array
 * that is shorter than their tile with as many threads as it needs. */
typedef struct tiling {
    unsigned threads, log_size;
} tiling;

static unsigned log2_of(unsigned power)
{
    unsigned log = 0;

    while (power >> log > 1)
        log++;
    return log;
}

static tiling tiling_of(const satk_scan *job, uint64_t count)
{
    const unsigned per_thread = job->variant == SATK_SCAN_HILLIS_STEELE ? 1 : 2;
    unsigned threads = 1;

    switch (job->variant) {
    case SATK_SCAN_HILLIS_STEELE:
    case SATK_SCAN_BLELLOCH:
    case SATK_SCAN_BRENT_KUNG:
        while (threads < SATK_SCAN_TEXTBOOK_THREADS && (uint64_t)threads * per_thread < count)
            threads *= 2;
        return (tiling){threads, log2_of(threads * per_thread)};
    default:
        return (tiling){SATK_SCAN_THREADS,
                        log2_of(SATK_SCAN_THREADS * SATK_SCAN_LOADS * 128 / (unsigned)job->word)};
    }
}

static uint64_t tiles_of(const satk_scan *job, uint64_t count) /* of at least one word */
{
    const unsigned log_size = tiling_of(job, count).log_size;

    return ((count - 1) >> log_size) + 1;
}

/* Phase 1 of one level, phases 2 and 3 by recursion: `sums` has room for this level's and those
 * above. */
template <typename T, typename OP>
static int scan_levels(const satk_scan *job, const T *in, T *out, uint64_t count, int exclusive,
                       T *sums, cudaStream_t stream)
{
    const tiling t = tiling_of(job, count);
    const uint64_t tiles = tiles_of(job, count);
    const unsigned blocks = (unsigned)tiles, threads = t.threads;

    switch (job->variant) {
    case SATK_SCAN_HILLIS_STEELE:
        scan_hillis_steele<T, OP><<<blocks, threads, 0, stream>>>(in, out, count, exclusive, sums);
        break;
    case SATK_SCAN_BLELLOCH:
        scan_blelloch<T, OP><<<blocks, threads, 0, stream>>>(in, out, count, exclusive, sums);
        break;
    case SATK_SCAN_BRENT_KUNG:
        scan_brent_kung<T, OP><<<blocks, threads, 0, stream>>>(in, out, count, exclusive, sums);
        break;
    default:
        scan_tiles<T, OP><<<blocks, threads, 0, stream>>>(in, out, count, exclusive, sums);
        break;
    }
    int error = satk_launched(stream);
    if (!error && tiles > 1)
        error = scan_levels<T, OP>(job, sums, sums, tiles, 1, sums + tiles, stream);
    if (error || tiles == 1)
        return error;
    add_offsets<T, OP>
        <<<(unsigned)((count + SATK_SCAN_TEXTBOOK_THREADS - 1) / SATK_SCAN_TEXTBOOK_THREADS),
           SATK_SCAN_TEXTBOOK_THREADS, 0, stream>>>(out, count, sums, t.log_size);
    return satk_launched(stream);
}

static int is_one_pass(const satk_scan *job)
{
    return job->variant == SATK_SCAN_LOOK_BACK || job->variant == SATK_SCAN_CHAINED;
}

/* A counter in 16 bytes, and the tiles' states. */
static size_t states_bytes(const satk_scan *job)
{
    return 16 + (size_t)tiles_of(job, job->count) * (size_t)(job->word / 32) *
                    sizeof(unsigned long long);
}

template <typename T, typename OP> static int scan_once(const satk_scan *job, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)tiles_of(job, job->count);
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

template <typename T, typename OP> static int scan(const satk_scan *job, cudaStream_t stream)
{
    return is_one_pass(job) ? scan_once<T, OP>(job, stream)
                            : scan_levels<T, OP>(job, (const T *)job->in, (T *)job->out, job->count,
                                                 job->exclusive, (T *)job->scratch, stream);
}

size_t satk_scan_scratch_cuda(const satk_scan *job)
{
    uint64_t words = 0, level = job->count;

    if (level == 0)
        return 0;
    if (is_one_pass(job))
        return states_bytes(job);
    do {
        level = tiles_of(job, level);
        words += level;
    } while (level > 1);
    return (size_t)words * (size_t)(job->word / 8);
}

int satk_scan_cuda(const satk_scan *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (job->count == 0)
        return 0;
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
