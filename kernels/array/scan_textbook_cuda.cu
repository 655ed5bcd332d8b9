/* Scans in three phases, as the textbooks teach them: tiles are scanned, their sums are scanned,
 * recursively while they outgrow one tile, and the offsets are added. */
#include "array/scan_textbook.cuh"
#include "array/scan_tile.cuh"
#include "common/launch.cuh"

/* --- Phase 1: tiles in registers -------------------------------------------------------------- */

/* One block a tile. */
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

/* --- Phase 1: tiles in shared memory ---------------------------------------------------------- */

/* Each of these kernels is one block a tile, blockDim a power of two (Hwu, Kirk, El Hajj, "Programming
 * Massively Parallel Processors", 4th ed., chapter 11). It leaves `out` scanned within the tile, and the
 * tile's sum. Words beyond count are 0. */

/* Hillis and Steele: n log n additions, every step adds the word 2^k to the left. Two buffers, so that no
 * thread reads a word that its neighbour has replaced. */
template <typename T, typename OP>
static __global__ void scan_hillis_steele(const T *in, T *out, uint64_t count, int exclusive,
                                          T *sums)
{
    __shared__ T words[2][SATK_SCAN_TEXTBOOK_THREADS];
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned t = threadIdx.x;
    int from = 0;

    words[from][t] = i < count ? in[i] : 0;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        words[!from][t] =
            t >= stride ? OP()(words[from][t - stride], words[from][t]) : words[from][t];
        from = !from;
    }
    __syncthreads();
    if (t == blockDim.x - 1)
        sums[blockIdx.x] = words[from][t];
    if (i < count)
        out[i] = !exclusive ? words[from][t] : t > 0 ? words[from][t - 1] : 0;
}

/* Two words per thread, a blockDim apart so that accesses are coalesced. */
template <typename T> static __device__ void load_tile(const T *in, uint64_t count, T *words)
{
    const uint64_t first = (uint64_t)blockIdx.x * 2 * blockDim.x;

    for (unsigned t = threadIdx.x; t < 2 * blockDim.x; t += blockDim.x)
        words[t] = first + t < count ? in[first + t] : 0;
    __syncthreads();
}

/* The up-sweep, a reduction in place: afterwards every word whose index ends in k ones holds the
 * sum of its 2^k last ones. */
template <typename T, typename OP> static __device__ void sweep_up(T *words)
{
    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        const unsigned at = (threadIdx.x + 1) * 2 * stride - 1;
        if (at < 2 * blockDim.x)
            words[at] = OP()(words[at - stride], words[at]);
        __syncthreads();
    }
}

/* Blelloch: the root becomes the identity, and the down-sweep hands every node the sum to its left: to the
 * left child as it is, to the right one with the left child's sum. An exclusive scan. */
template <typename T, typename OP>
static __global__ void scan_blelloch(const T *in, T *out, uint64_t count, int exclusive, T *sums)
{
    __shared__ T words[2 * SATK_SCAN_TEXTBOOK_THREADS];
    const unsigned last = 2 * blockDim.x - 1;

    load_tile(in, count, words);
    sweep_up<T, OP>(words);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = words[last];
        words[last] = 0;
    }
    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        __syncthreads();
        const unsigned at = (threadIdx.x + 1) * 2 * stride - 1;
        if (at <= last) {
            const T left = words[at - stride];
            words[at - stride] = words[at];
            words[at] = OP()(words[at], left);
        }
    }
    __syncthreads();
    for (unsigned t = threadIdx.x; t <= last; t += blockDim.x) {
        const uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + t;
        if (i < count)
            out[i] = exclusive ? words[t] : OP()(words[t], in[i]);
    }
}

/* Brent and Kung: after the same up-sweep the reverse tree adds a finished word to the middle of
 * the gap behind it. An inclusive scan, with 2n - 2 - log2 n additions. */
template <typename T, typename OP>
static __global__ void scan_brent_kung(const T *in, T *out, uint64_t count, int exclusive, T *sums)
{
    __shared__ T words[2 * SATK_SCAN_TEXTBOOK_THREADS];
    const unsigned last = 2 * blockDim.x - 1;

    load_tile(in, count, words);
    sweep_up<T, OP>(words);
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        const unsigned at = (threadIdx.x + 1) * 2 * stride - 1;
        if (at + stride <= last)
            words[at + stride] = OP()(words[at], words[at + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = words[last];
    for (unsigned t = threadIdx.x; t <= last; t += blockDim.x) {
        const uint64_t i = (uint64_t)blockIdx.x * 2 * blockDim.x + t;
        if (i < count)
            out[i] = !exclusive ? words[t] : t > 0 ? words[t - 1] : 0;
    }
}

/* --- Phase 3: the sums of all tiles before ---------------------------------------------------- */

template <typename T, typename OP>
static __global__ void add_offsets(T *out, uint64_t count, const T *offsets, unsigned log_size)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && i >> log_size > 0)
        out[i] = OP()(offsets[i >> log_size], out[i]);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Threads of a block, and words of its tile: 2^log_size. In shared memory, an array shorter than a
 * tile takes only the threads that it needs. */
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

/* Launches phase 1 of one level, and phases 2 and 3 by recursion. `sums` has room for this level's
 * and those above. */
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

template <typename T, typename OP> static int scan(const satk_scan *job, cudaStream_t stream)
{
    return scan_levels<T, OP>(job, (const T *)job->in, (T *)job->out, job->count, job->exclusive,
                              (T *)job->scratch, stream);
}

size_t satk_scan_textbook_scratch(const satk_scan *job)
{
    uint64_t words = 0, level = job->count;

    do {
        level = tiles_of(job, level);
        words += level;
    } while (level > 1);
    return (size_t)words * (size_t)(job->word / 8);
}

int satk_scan_textbook_cuda(const satk_scan *job, cudaStream_t stream)
{
    if (job->op == SATK_SCAN_ADD)
        return job->word == 32 ? scan<uint32_t, satk_add>(job, stream)
                               : scan<uint64_t, satk_add>(job, stream);
    return job->word == 32 ? scan<uint32_t, satk_max>(job, stream)
                           : scan<uint64_t, satk_max>(job, stream);
}
