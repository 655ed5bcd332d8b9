/* Sort, one bit a pass: the keys whose bit is 0, then those whose bit is 1, each in their order.
 * The names are those of M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA",
 * GPU Gems 3, 2007, section 39.3.3. F: words of f, 32 or 64 bits. */
#include "array/array.cuh"
#include "common/launch.cuh"
#include "array/sort.cuh"

template <typename K> static __device__ __forceinline__ bool bit_of(K key, int bit)
{
    return key >> bit & 1;
}

/* Stores e: 1 where the bit is 0. */
template <typename K, typename F>
static __global__ void set_e(const K *keys, F *e, uint64_t count, int bit)
{
    const uint64_t i = satk_array_index();

    if (i < count)
        e[i] = !bit_of(keys[i], bit);
}

/* f: the exclusive scan of e, so the place of a key whose bit is 0. The others go behind all of those:
 * i - f keys with a 1 are before key i. */
template <typename K, typename F>
static __global__ void split(satk_pairs<K> from, satk_pairs<K> to, const F *f, uint64_t count,
                             int bit)
{
    const uint64_t i = satk_array_index();

    if (i >= count)
        return;
    const uint64_t total_falses = (uint64_t)f[count - 1] + !bit_of(from.keys[count - 1], bit);
    const K key = from.keys[i];
    const uint64_t t = i - f[i] + total_falses;
    const uint64_t d = bit_of(key, bit) ? t : f[i];

    to.keys[d] = key;
    if (from.values)
        to.values[d] = from.values[i];
}

/* --- Launchers -------------------------------------------------------------------------------- */

typedef struct layout {
    satk_sort_copy copy;
    size_t f, scan_space, bytes;
} layout;

static layout layout_of(const satk_sort *job)
{
    const satk_scan scan = satk_scan_flags(NULL, job->count, NULL);
    layout l = {};

    l.copy = satk_place_copy(job, &l.bytes);
    l.f = satk_place(&l.bytes, job->count, satk_place_word(job->count) / 8);
    l.scan_space = satk_place(&l.bytes, satk_scan_scratch_cuda(&scan), 1);
    return l;
}

size_t satk_sort_split_scratch(const satk_sort *job)
{
    return layout_of(job).bytes;
}

/* A pass a bit, an even number of passes: the last one ends in the job's arrays. */
template <typename K, typename F> static int sort(const satk_sort *job, cudaStream_t stream)
{
    const layout l = layout_of(job);
    uint8_t *const scratch = (uint8_t *)job->scratch;
    F *const f = (F *)(scratch + l.f);
    const satk_scan scan = satk_scan_flags(f, job->count, scratch + l.scan_space);
    const unsigned blocks = satk_array_blocks(job->count);
    satk_pairs<K> from = satk_sort_arrays<K>(job), to = satk_copy_arrays<K>(job, l.copy);
    int error = 0;

    for (int bit = 0; bit < job->word && !error; bit++) {
        set_e<<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(from.keys, f, job->count, bit);
        error = satk_launched(stream);
        if (!error)
            error = satk_scan_cuda(&scan, stream);
        if (error)
            break;
        split<<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(from, to, f, job->count, bit);
        error = satk_launched(stream);
        const satk_pairs<K> last = from;
        from = to, to = last;
    }
    return error;
}

int satk_sort_split_cuda(const satk_sort *job, cudaStream_t stream)
{
    if (satk_place_word(job->count) == 32)
        return job->word == 32 ? sort<uint32_t, uint32_t>(job, stream)
                               : sort<uint64_t, uint32_t>(job, stream);
    return job->word == 32 ? sort<uint32_t, uint64_t>(job, stream)
                           : sort<uint64_t, uint64_t>(job, stream);
}
