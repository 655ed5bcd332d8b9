/* Sort by merging: tiles are sorted in shared memory, then pairs of runs are merged until one is
 * left (N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore
 * GPUs", 2009). Every block, and in it every thread, merges an equal share of the output, whose
 * ends it finds on the merge path (O. Green, R. McColl, D. Bader, "GPU Merge Path", 2012). */
#include "common/launch.cuh"
#include "common/scan.cuh"
#include "array/sort.cuh"

enum { THREADS = SATK_MERGE_WARPS * SATK_WARP, ITEMS = SATK_MERGE_ITEMS, TILE = SATK_MERGE_TILE };

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Sorts the tile by one bit, stably: `key` and `value`, a warp's width apart from `own` on, by way of shared
 * memory. The names are those of sort_split_textbook_cuda.cu; in place of a scan there are ballots, and a
 * lane's f is the number of zeros before it. Called by all threads; has barriers. */
template <bool VALUES, typename K>
static __device__ __forceinline__ void split_tile(int bit, int own, K *key, uint32_t *value,
                                                  K *keys, uint32_t *values)
{
    const int lane = threadIdx.x % SATK_WARP;
    __shared__ unsigned zeros[SATK_MERGE_WARPS];
    unsigned e[ITEMS]; /* the lanes whose bit is 0 */
    unsigned mine = 0, total_falses = 0;

#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        e[i] = __ballot_sync(0xffffffffu, !(key[i] >> bit & 1));
        mine += __popc(e[i]);
    }
    if (lane == 0)
        zeros[threadIdx.x / SATK_WARP] = mine;
    __syncthreads();

    unsigned before = satk_warps_before(zeros);
#pragma unroll
    for (int w = 0; w < SATK_MERGE_WARPS; w++)
        total_falses += zeros[w];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned f = before + __popc(e[i] & ((1u << lane) - 1));
        const unsigned t = own + i * SATK_WARP - f + total_falses;
        const unsigned d = key[i] >> bit & 1 ? t : f;
        keys[d] = key[i];
        if (VALUES)
            values[d] = value[i];
        before += __popc(e[i]);
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        key[i] = keys[own + i * SATK_WARP];
        if (VALUES)
            value[i] = values[own + i * SATK_WARP];
    }
}

/* One block, one tile, sorted by all bits. A tile that is not full is padded with the largest key, which
 * the stable order keeps behind all keys of the array. */
template <typename K, bool VALUES>
static __global__ void sort_tiles(satk_pairs<K> from, satk_pairs<K> to, uint64_t count)
{
    __shared__ K keys[TILE];
    __shared__ uint32_t values[VALUES ? TILE : 1];
    const uint64_t first = (uint64_t)blockIdx.x * TILE;
    const int size = (int)min((uint64_t)TILE, count - first);
    const int own = threadIdx.x / SATK_WARP * SATK_WARP * ITEMS + threadIdx.x % SATK_WARP;
    K key[ITEMS];
    uint32_t value[ITEMS];

#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = own + i * SATK_WARP;
        key[i] = at < size ? from.keys[first + at] : (K) ~(K)0;
        if (VALUES)
            value[i] = at < size ? from.values[first + at] : 0;
    }
    for (int bit = 0; bit < (int)sizeof(K) * 8; bit++)
        split_tile<VALUES>(bit, own, key, value, keys, values);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int at = own + i * SATK_WARP;
        if (at < size) {
            to.keys[first + at] = key[i];
            if (VALUES)
                to.values[first + at] = value[i];
        }
    }
}

/* --- Merging ---------------------------------------------------------------------------------- */

/* Returns the number of the first `place` merged keys that come from a. Equal keys of a come before
 * those of b: the merge is stable. */
template <typename K, typename I>
static __device__ __forceinline__ I merge_path(const K *a, I a_size, const K *b, I b_size, I place)
{
    I low = place > b_size ? place - b_size : 0, high = min(place, a_size);

    while (low < high) {
        const I middle = low + (high - low) / 2;
        if (a[middle] <= b[place - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The part of two runs that a block merges: a[0..a_size) and b[0..b_size), their first key in the
 * array at a_first and b_first. */
struct share {
    uint64_t a_first, b_first;
    int a_size, b_size;
};

/* A pair of runs begins at every multiple of 2 run; the last run may be short or absent. Called by
 * all threads; has a barrier. */
template <typename K>
static __device__ __forceinline__ share find_share(const K *keys, uint64_t count, uint64_t run)
{
    __shared__ uint64_t from_a[2];
    const uint64_t first = (uint64_t)blockIdx.x * TILE, pair = first / (2 * run) * (2 * run);
    const uint64_t a_all = min(run, count - pair), b_all = min(run, count - pair - a_all);
    const uint64_t begin = first - pair, end = min(begin + TILE, a_all + b_all);
    const K *const a = keys + pair, *const b = a + a_all;

    if (threadIdx.x < 2)
        from_a[threadIdx.x] = merge_path(a, a_all, b, b_all, threadIdx.x == 0 ? begin : end);
    __syncthreads();
    share s;
    s.a_first = pair + from_a[0];
    s.b_first = pair + a_all + (begin - from_a[0]);
    s.a_size = (int)(from_a[1] - from_a[0]);
    s.b_size = (int)(end - begin) - s.a_size;
    return s;
}

/* Loads both parts, one behind the other. */
template <typename T>
static __device__ __forceinline__ void load_share(const T *array, share s, T *staged)
{
    for (int i = threadIdx.x; i < s.a_size + s.b_size; i += THREADS)
        staged[i] = array[i < s.a_size ? s.a_first + i : s.b_first + (i - s.a_size)];
}

/* Stores the thread's ITEMS merged neighbours to the block's part of the output. */
template <typename T>
static __device__ __forceinline__ void store_merged(const T *own, T *staged, T *array, int size)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        staged[threadIdx.x * ITEMS + i] = own[i];
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += THREADS)
        array[(uint64_t)blockIdx.x * TILE + i] = staged[i];
}

template <typename K, bool VALUES>
static __global__ void merge_runs(satk_pairs<K> from, satk_pairs<K> to, uint64_t count,
                                  uint64_t run)
{
    __shared__ K keys[TILE];
    __shared__ uint32_t values[VALUES ? TILE : 1];
    const share s = find_share(from.keys, count, run);
    const int size = s.a_size + s.b_size;
    K key[ITEMS];
    uint32_t value[ITEMS];

    load_share(from.keys, s, keys);
    if (VALUES)
        load_share(from.values, s, values);
    __syncthreads();

    /* Every thread merges ITEMS keys; those beyond the end are not stored. */
    const int place = min((int)threadIdx.x * ITEMS, size);
    int a = merge_path(keys, s.a_size, keys + s.a_size, s.b_size, place), b = s.a_size + place - a;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const bool from_a = a < s.a_size && (b >= size || keys[a] <= keys[b]);
        const int next = from_a ? a++ : min(b++, TILE - 1);
        key[i] = keys[next];
        if (VALUES)
            value[i] = values[next];
    }
    __syncthreads();
    store_merged(key, keys, to.keys, size);
    if (VALUES)
        store_merged(value, values, to.values, size);
}

/* --- Launchers -------------------------------------------------------------------------------- */

size_t satk_sort_tiles_scratch(const satk_sort *job)
{
    size_t bytes = 0;

    satk_place_copy(job, &bytes);
    return bytes;
}

/* The tiles are sorted to where an even number of merges is left: the last one ends in the job's
 * arrays. */
template <typename K, bool VALUES> static int sort(const satk_sort *job, cudaStream_t stream)
{
    size_t bytes = 0;
    const satk_pairs<K> arrays = satk_sort_arrays<K>(job);
    const satk_pairs<K> copy = satk_copy_arrays<K>(job, satk_place_copy(job, &bytes));
    const unsigned blocks = (unsigned)((job->count - 1) / TILE + 1);
    int merges = 0;

    for (uint64_t run = TILE; run < job->count; run *= 2)
        merges++;
    satk_pairs<K> from = merges % 2 == 0 ? arrays : copy, to = merges % 2 == 0 ? copy : arrays;
    sort_tiles<K, VALUES><<<blocks, THREADS, 0, stream>>>(arrays, from, job->count);
    int error = satk_launched(stream);
    for (uint64_t run = TILE; run < job->count && !error; run *= 2) {
        merge_runs<K, VALUES><<<blocks, THREADS, 0, stream>>>(from, to, job->count, run);
        error = satk_launched(stream);
        const satk_pairs<K> last = from;
        from = to, to = last;
    }
    return error;
}

int satk_sort_tiles_cuda(const satk_sort *job, cudaStream_t stream)
{
    if (job->word == 32)
        return job->values ? sort<uint32_t, true>(job, stream) : sort<uint32_t, false>(job, stream);
    return job->values ? sort<uint64_t, true>(job, stream) : sort<uint64_t, false>(job, stream);
}
