/* Sort, eight bits a pass, every pass one read and one write (A. Adinets, D. Merrill, "Onesweep: A
 * Faster Least Significant Digit Radix Sort for GPUs", 2022). A key's place in the next pass is
 *     how many keys have a smaller digit                       one histogram of all, scanned
 *   + how many of its digit are in the tiles before its own    decoupled look-back, per digit
 *   + how many of its digit are before it in its tile          ballots, counters of the warps */
#include "common/launch.cuh"
#include "common/lookback.cuh"
#include "array/sort.cuh"

enum { DIGITS = 256, DIGIT_BITS = 8, WARPS = SATK_DIGITS_WARPS, THREADS = WARPS * SATK_WARP };
static_assert((int)THREADS == (int)DIGITS, "every thread owns one digit");

template <typename K> static __device__ __forceinline__ unsigned digit_of(K key, int shift)
{
    return (unsigned)(key >> shift) & (DIGITS - 1);
}

/* --- Histograms ------------------------------------------------------------------------------- */

/* Bins of all digit places, 16 KiB. Neighbouring lanes count in different copies, so that equal keys
 * do not all queue for one word. */
template <typename K> struct bin_copies {
    enum { PLACES = sizeof(K), COPIES = 16 / PLACES };
    unsigned bin[PLACES * DIGITS][COPIES];
};

template <typename K> static __device__ __forceinline__ void count_key(K key, bin_copies<K> *bins)
{
    const int copy = threadIdx.x % bin_copies<K>::COPIES;

#pragma unroll
    for (int p = 0; p < bin_copies<K>::PLACES; p++)
        atomicAdd(&bins->bin[p * DIGITS + digit_of(key, p * DIGIT_BITS)][copy], 1u);
}

/* Counts the histograms of all digit places, in one read of the keys. */
template <typename K>
static __global__ void count_digits(const K *keys, uint64_t count, unsigned long long *histograms)
{
    constexpr int BINS = bin_copies<K>::PLACES * DIGITS, COPIES = bin_copies<K>::COPIES;
    constexpr int ITEMS = SATK_COUNT_ITEMS;
    __shared__ bin_copies<K> bins;
    const uint64_t stride = (uint64_t)gridDim.x * THREADS * ITEMS;

    for (int i = threadIdx.x; i < BINS * COPIES; i += THREADS)
        bins.bin[i / COPIES][i % COPIES] = 0;
    __syncthreads();

    for (uint64_t first = (uint64_t)blockIdx.x * THREADS * ITEMS + threadIdx.x; first < count;
         first += stride) {
        K key[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            key[i] = first + i * THREADS < count ? keys[first + i * THREADS] : 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            if (first + i * THREADS < count)
                count_key(key[i], &bins);
    }
    __syncthreads();

    for (int i = threadIdx.x; i < BINS; i += THREADS) {
        unsigned long long sum = 0;
        for (int c = 0; c < COPIES; c++)
            sum += bins.bin[i][c];
        if (sum)
            atomicAdd(&histograms[i], sum);
    }
}

/* Returns the block's exclusive scan, a value per thread. It has a barrier. */
template <typename T> static __device__ __forceinline__ T scan_block(T value)
{
    __shared__ T totals[WARPS];
    const T scanned = satk_warp_scan(value);

    if (threadIdx.x % SATK_WARP == SATK_WARP - 1)
        totals[threadIdx.x / SATK_WARP] = scanned;
    __syncthreads();
    return satk_warps_before(totals) + scanned - value;
}

/* Turns the counts of each digit's keys into the places where they begin. A block is a digit
 * place. */
static __global__ void scan_histograms(unsigned long long *histograms)
{
    unsigned long long *const own = histograms + blockIdx.x * DIGITS + threadIdx.x;

    *own = scan_block(*own);
}

/* --- Passes ----------------------------------------------------------------------------------- */

template <typename K> struct pass {
    satk_pairs<K> from, to;
    uint64_t count;
    const unsigned long long *starts; /* where each digit's keys begin */
    unsigned long long *states;       /* of every tile and digit */
    unsigned long long *counter;      /* of tiles */
    int number;
};

/* The digit and tile states are those of lookback.cuh in one word: flag << 56 | count. A pass has
 * flags of its own, so the states are cleared once and not before every pass. */
enum { FLAG_SHIFT = 56 };

static __device__ __forceinline__ unsigned sum_flag(int pass)
{
    return 2 * pass + 1; /* the tile's own count */
}

static __device__ __forceinline__ unsigned prefix_flag(int pass)
{
    return 2 * pass + 2; /* and those of all tiles before */
}

static __device__ __forceinline__ void publish(unsigned long long *state, unsigned flag,
                                               uint64_t count)
{
    *(volatile unsigned long long *)state = (unsigned long long)flag << FLAG_SHIFT | count;
}

/* Returns the keys of the thread's digit in the tiles before this one. */
static __device__ __forceinline__ uint64_t look_back(const unsigned long long *states,
                                                     uint64_t tile, int pass)
{
    const volatile unsigned long long *state = states + tile * DIGITS + threadIdx.x;
    const uint64_t mask = ((uint64_t)1 << FLAG_SHIFT) - 1;
    uint64_t before = 0;

    while (tile > 0) {
        const unsigned long long word = *(state - DIGITS);
        const unsigned flag = (unsigned)(word >> FLAG_SHIFT);
        if (flag != sum_flag(pass) && flag != prefix_flag(pass)) {
            __nanosleep(20); /* nothing of this pass yet */
            continue;
        }
        before += word & mask;
        if (flag == prefix_flag(pass))
            break;
        state -= DIGITS;
        tile--;
    }
    return before;
}

/* Returns the lanes that have the same digit: one ballot per bit. */
static __device__ __forceinline__ unsigned same_digit(unsigned digit)
{
    unsigned same = 0xffffffffu;

#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; bit++) {
        const bool set = digit >> bit & 1;
        const unsigned lanes = __ballot_sync(0xffffffffu, set);
        same &= set ? lanes : ~lanes;
    }
    return same;
}

/* Returns the number of keys of the same digit before a key in its warp: those of earlier items,
 * from the warp's counters, and those of lower lanes. */
static __device__ __forceinline__ unsigned rank_in_warp(unsigned digit, unsigned *counts)
{
    const unsigned same = same_digit(digit), before = counts[digit];
    const unsigned lower = __popc(same & ((1u << threadIdx.x % SATK_WARP) - 1));

    __syncwarp(); /* all have read */
    if (lower == 0)
        counts[digit] = before + __popc(same);
    __syncwarp();
    return before + lower;
}

typedef unsigned warp_counts[SATK_DIGITS_WARPS][DIGITS]; /* of a tile's keys, in shared memory */

template <int ITEMS, typename K>
static __device__ __forceinline__ void rank_in_warps(const K *key, int shift, warp_counts &counts,
                                                     unsigned *rank)
{
    unsigned *const own = counts[threadIdx.x / SATK_WARP];

    for (int digit = threadIdx.x % SATK_WARP; digit < DIGITS; digit += SATK_WARP)
        own[digit] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        rank[i] = rank_in_warp(digit_of(key[i], shift), own);
}

/* Returns the tile's count of the thread's digit. The warps' counts become those of the warps
 * before. */
static __device__ __forceinline__ unsigned add_warps(warp_counts &counts)
{
    unsigned total = 0;

#pragma unroll
    for (int w = 0; w < WARPS; w++) {
        const unsigned here = counts[w][threadIdx.x];
        counts[w][threadIdx.x] = total;
        total += here;
    }
    return total;
}

/* Moves the values as their keys were moved. key: the keys that the thread has written, a block's width
 * apart; rank: the places in the sorted tile of the values that it reads from `own` on. */
template <int ITEMS, typename K>
static __device__ __forceinline__ void move_values(const pass<K> &p, uint64_t first, int size,
                                                   const K *key, const unsigned *rank,
                                                   const uint64_t *places, uint32_t *staged)
{
    const int own = threadIdx.x / SATK_WARP * SATK_WARP * ITEMS + threadIdx.x % SATK_WARP;

    __syncthreads(); /* the keys have been read from where the values go */
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (own + i * SATK_WARP < size)
            staged[rank[i]] = p.from.values[first + own + i * SATK_WARP];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = threadIdx.x + i * THREADS;
        if (at < size)
            p.to.values[places[digit_of(key[i], p.number * DIGIT_BITS)] + at] = staged[at];
    }
}

/* A block's tile in shared memory. */
template <typename K, bool VALUES, int TILE> struct tile_memory {
    union {
        K keys[TILE];
        uint32_t values[VALUES ? TILE : 1];
    } staged;
    warp_counts counts;      /* then: where in the sorted tile they begin */
    uint64_t places[DIGITS]; /* of the sorted tile's first key, had it the digit */
};

/* Finds where the thread's digit begins, in the sorted tile and in the next pass: publishes the tile's
 * count at once, puts the beginnings into `counts`, sorts the tile in shared memory by them, and looks
 * back. Called by all threads behind a barrier; has barriers. */
template <int ITEMS, typename K, typename MEMORY>
static __device__ __forceinline__ void place_digits(const pass<K> &p, uint64_t tile, const K *key,
                                                    unsigned *rank, MEMORY *memory)
{
    const int shift = p.number * DIGIT_BITS, warp = threadIdx.x / SATK_WARP;
    unsigned long long *const state = p.states + tile * DIGITS + threadIdx.x;
    const unsigned total = add_warps(memory->counts);

    publish(state, tile > 0 ? sum_flag(p.number) : prefix_flag(p.number), total);
    const unsigned begin = scan_block(total);
#pragma unroll
    for (int w = 0; w < WARPS; w++)
        memory->counts[w][threadIdx.x] += begin;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        rank[i] += memory->counts[warp][digit_of(key[i], shift)];
        memory->staged.keys[rank[i]] = key[i];
    }
    const uint64_t before = look_back(p.states, tile, p.number);
    if (tile > 0)
        publish(state, prefix_flag(p.number), before + total);
    memory->places[threadIdx.x] = p.starts[threadIdx.x] + before - begin;
    __syncthreads();
}

/* One block, one tile. A warp has ITEMS runs of 32 neighbouring keys. A tile that is not full is the
 * last one, and padded with the largest key: the stable order keeps the pads behind all keys. */
template <typename K, bool VALUES>
static __global__ void __launch_bounds__(THREADS, SATK_DIGITS_BLOCKS)
    move_tiles(const __grid_constant__ pass<K> p)
{
    constexpr int ITEMS = SATK_DIGITS_ITEMS(8 * sizeof(K)), TILE = THREADS * ITEMS;
    __shared__ tile_memory<K, VALUES, TILE> memory;
    const uint64_t tile = satk_draw_tile(p.counter), first = tile * TILE;
    const int size = (int)min((uint64_t)TILE, p.count - first), shift = p.number * DIGIT_BITS;
    const int own = threadIdx.x / SATK_WARP * SATK_WARP * ITEMS + threadIdx.x % SATK_WARP;
    const K pad = ~(K)0;
    K key[ITEMS];
    unsigned rank[ITEMS];

    /* All loads before the first use: they overlap. */
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        key[i] = own + i * SATK_WARP < size ? p.from.keys[first + own + i * SATK_WARP] : pad;
    rank_in_warps<ITEMS>(key, shift, memory.counts, rank);
    __syncthreads();
    place_digits<ITEMS>(p, tile, key, rank, &memory);

    /* Neighbouring threads write neighbouring words as long as the digit is the same. */
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = threadIdx.x + i * THREADS;
        key[i] = memory.staged.keys[at];
        if (at < size)
            p.to.keys[memory.places[digit_of(key[i], shift)] + at] = key[i];
    }
    if (VALUES)
        move_values<ITEMS>(p, first, size, key, rank, memory.places, memory.staged.values);
}

/* --- Launchers -------------------------------------------------------------------------------- */

typedef struct layout {
    satk_sort_copy copy;
    size_t histograms, counters, states; /* zero before the first launch */
    size_t bytes;
} layout;

static uint64_t tiles_of(const satk_sort *job)
{
    const uint64_t tile = SATK_DIGITS_TILE(job->word);

    return job->count / tile + (job->count % tile > 0);
}

static layout layout_of(const satk_sort *job)
{
    const int passes = job->word / DIGIT_BITS;
    layout l = {};

    l.copy = satk_place_copy(job, &l.bytes);
    l.histograms = satk_place(&l.bytes, passes * DIGITS, sizeof(unsigned long long));
    l.counters = satk_place(&l.bytes, passes, sizeof(unsigned long long));
    l.states = satk_place(&l.bytes, tiles_of(job), DIGITS * sizeof(unsigned long long));
    return l;
}

size_t satk_sort_digits_scratch(const satk_sort *job)
{
    return layout_of(job).bytes;
}

/* Returns the blocks that fill the device: at least enough that a block's counts fit 32 bits, and
 * at most one a tile. */
static int count_grid(uint64_t count, unsigned *blocks)
{
    const uint64_t tile = THREADS * SATK_COUNT_ITEMS;
    int device = 0, processors = 0;

    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    const uint64_t full = (uint64_t)processors * SATK_COUNT_BLOCKS, least = (count >> 31) + 1;
    const uint64_t wanted = full > least ? full : least, most = (count - 1) / tile + 1;
    *blocks = (unsigned)(wanted < most ? wanted : most);
    return (int)error;
}

template <typename K>
static int count_all(const satk_sort *job, unsigned long long *histograms, cudaStream_t stream)
{
    unsigned blocks = 0;
    int error = count_grid(job->count, &blocks);

    if (error)
        return error;
    count_digits<<<blocks, THREADS, 0, stream>>>((const K *)job->keys, job->count, histograms);
    error = satk_launched(stream);
    if (error)
        return error;
    scan_histograms<<<sizeof(K), DIGITS, 0, stream>>>(histograms);
    return satk_launched(stream);
}

/* The number of passes is even: the last one ends in the job's arrays. */
template <typename K, bool VALUES> static int sort(const satk_sort *job, cudaStream_t stream)
{
    const layout l = layout_of(job);
    uint8_t *const scratch = (uint8_t *)job->scratch;
    unsigned long long *const histograms = (unsigned long long *)(scratch + l.histograms);
    const unsigned blocks = (unsigned)tiles_of(job);
    pass<K> p = {};
    int error = (int)cudaMemsetAsync(scratch + l.histograms, 0, l.bytes - l.histograms, stream);

    if (!error)
        error = count_all<K>(job, histograms, stream);
    p.from = satk_sort_arrays<K>(job);
    p.to = satk_copy_arrays<K>(job, l.copy);
    p.count = job->count;
    p.states = (unsigned long long *)(scratch + l.states);
    for (p.number = 0; p.number < (int)sizeof(K) && !error; p.number++) {
        p.starts = histograms + p.number * DIGITS;
        p.counter = (unsigned long long *)(scratch + l.counters) + p.number;
        move_tiles<K, VALUES><<<blocks, THREADS, 0, stream>>>(p);
        error = satk_launched(stream);
        const satk_pairs<K> last = p.from;
        p.from = p.to, p.to = last;
    }
    return error;
}

int satk_sort_digits_cuda(const satk_sort *job, cudaStream_t stream)
{
    if (job->word == 32)
        return job->values ? sort<uint32_t, true>(job, stream) : sort<uint32_t, false>(job, stream);
    return job->values ? sort<uint64_t, true>(job, stream) : sort<uint64_t, false>(job, stream);
}
