/* The variants, in the order in which the textbooks improve them. */
#include "common/launch.cuh"
#include "array/reduce.h"
#include "array/reduce_op.cuh"

/* --- interleaved, convergent: a tree in global memory ----------------------------------------- */

template <typename OP>
static __global__ void copy_words(const from_values<OP> source, typename OP::word *words,
                                  uint64_t count)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        words[i] = source(i);
}

/* A block reduces a section of 2 blockDim words in place and hands its first one over. Thread t is
 * responsible for word 2t; in step k every 2^k-th thread adds the word 2^k further on. The active
 * threads are spread over all warps: each warp is busy to the end, for fewer and fewer threads. */
template <typename OP>
static __global__ void reduce_interleaved(typename OP::word *words, uint64_t count,
                                          typename OP::word *out)
{
    const uint64_t section = (uint64_t)blockIdx.x * 2 * blockDim.x;
    const uint64_t i = section + 2 * threadIdx.x;

    for (unsigned stride = 1; stride <= blockDim.x; stride *= 2) {
        if (threadIdx.x % stride == 0 && i + stride < count)
            words[i] = OP::merge(words[i], words[i + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = words[section];
}

/* The same, folding the section's upper half onto its lower one: the first threads stay active, so
 * warps retire whole and the accesses of a warp are neighbours. */
template <typename OP>
static __global__ void reduce_convergent(typename OP::word *words, uint64_t count,
                                         typename OP::word *out)
{
    const uint64_t section = (uint64_t)blockIdx.x * 2 * blockDim.x;
    const uint64_t i = section + threadIdx.x;

    for (unsigned stride = blockDim.x; stride >= 1; stride /= 2) {
        if (threadIdx.x < stride && i + stride < count)
            words[i] = OP::merge(words[i], words[i + stride]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = words[section];
}

/* --- shared, segmented, coarsened: the tree in shared memory ---------------------------------- */

/* The result of the block's section of 2 COARSE blockDim words, in thread 0. */
template <typename OP, int COARSE, typename SOURCE>
static __device__ typename OP::word reduce_section(const SOURCE source, uint64_t count)
{
    __shared__ typename OP::word words[SATK_REDUCE_THREADS];
    const uint64_t first = (uint64_t)blockIdx.x * 2 * COARSE * blockDim.x + threadIdx.x;
    typename OP::word own = OP::identity();

    for (int k = 0; k < 2 * COARSE; k++)
        if (first + (uint64_t)k * blockDim.x < count)
            own = OP::merge(own, source(first + (uint64_t)k * blockDim.x));
    words[threadIdx.x] = own;
    for (unsigned stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            words[threadIdx.x] = OP::merge(words[threadIdx.x], words[threadIdx.x + stride]);
    }
    return words[0];
}

template <typename OP, typename SOURCE>
static __global__ void reduce_shared(const SOURCE source, uint64_t count, typename OP::word *out)
{
    const typename OP::word w = reduce_section<OP, 1>(source, count);
    if (threadIdx.x == 0)
        out[blockIdx.x] = w;
}

template <typename OP, int COARSE>
static __global__ void reduce_segmented(const from_values<OP> source, uint64_t count, uint64_t *out)
{
    const typename OP::word w = reduce_section<OP, COARSE>(source, count);
    if (threadIdx.x == 0)
        OP::publish(out, w, source.values);
}

/* --- fast ------------------------------------------------------------------------------------- */

/* Another lane's word. */
template <typename OP> struct exchange {
    static __device__ __forceinline__ typename OP::word with(typename OP::word w, int lanes)
    {
        return __shfl_xor_sync(0xffffffffu, w, lanes);
    }
};

template <bool LARGEST> struct exchange<arg_op<LARGEST>> {
    typedef typename arg_op<LARGEST>::word word;
    static __device__ __forceinline__ word with(word w, int lanes)
    {
        return {__shfl_xor_sync(0xffffffffu, w.index, lanes),
                __shfl_xor_sync(0xffffffffu, w.value, lanes), 0};
    }
};

/* The warp's result in all lanes. */
template <typename OP> static __device__ typename OP::word reduce_warp(typename OP::word own)
{
#pragma unroll
    for (int d = SATK_WARP / 2; d > 0; d /= 2)
        own = OP::merge(own, exchange<OP>::with(own, d));
    return own;
}

template <typename OP>
static __device__ __forceinline__ void merge_four(typename OP::word *own, uint4 v, uint64_t index)
{
    *own = OP::merge(*own, OP::of(v.x, index));
    *own = OP::merge(*own, OP::of(v.y, index + 1));
    *own = OP::merge(*own, OP::of(v.z, index + 2));
    *own = OP::merge(*own, OP::of(v.w, index + 3));
}

/* What the calling thread of the grid sees: 16 bytes at a time, SATK_REDUCE_LOADS of them in flight;
 * what is before the first and after the last multiple of 16 bytes falls to the first threads. */
template <typename OP>
static __device__ typename OP::word reduce_thread(const uint32_t *values, uint64_t count)
{
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    const uint64_t head = min((uint64_t)(((16 - (uintptr_t)values % 16) % 16) / 4), count);
    const uint64_t quads = (count - head) / 4, tail = head + 4 * quads;
    const uint4 *const wide = (const uint4 *)(values + head);
    typename OP::word own = OP::identity();
    uint64_t q = thread;

    for (; q + (SATK_REDUCE_LOADS - 1) * threads < quads; q += SATK_REDUCE_LOADS * threads) {
        uint4 v[SATK_REDUCE_LOADS];
#pragma unroll
        for (int k = 0; k < SATK_REDUCE_LOADS; k++)
            v[k] = wide[q + k * threads];
#pragma unroll
        for (int k = 0; k < SATK_REDUCE_LOADS; k++)
            merge_four<OP>(&own, v[k], head + 4 * (q + k * threads));
    }
    for (; q < quads; q += threads)
        merge_four<OP>(&own, wide[q], head + 4 * q);
    if (thread < head)
        own = OP::merge(own, OP::of(values[thread], thread));
    if (thread < count - tail)
        own = OP::merge(own, OP::of(values[tail + thread], tail + thread));
    return own;
}

template <typename OP>
static __global__ void __launch_bounds__(SATK_REDUCE_FAST_THREADS)
    reduce_fast(const uint32_t *values, uint64_t count, uint64_t *out)
{
    enum { WARPS = SATK_REDUCE_FAST_THREADS / SATK_WARP };
    __shared__ typename OP::word warps[WARPS];
    const int lane = threadIdx.x % SATK_WARP, warp = threadIdx.x / SATK_WARP;

    typename OP::word own = reduce_warp<OP>(reduce_thread<OP>(values, count));
    if (lane == 0)
        warps[warp] = own;
    __syncthreads();
    if (warp == 0) {
        own = reduce_warp<OP>(lane < WARPS ? warps[lane] : OP::identity());
        if (lane == 0)
            OP::publish(out, own, values);
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

template <typename OP> static __global__ void begin(uint64_t *out)
{
    *out = OP::result(OP::identity());
}

template <typename OP> static __global__ void finish(const typename OP::word *word, uint64_t *out)
{
    *out = OP::result(*word);
}

/* Threads for a block that reduces up to two words each: a power of two, so that the trees halve
 * evenly. */
static unsigned threads_for(uint64_t count)
{
    unsigned threads = 1;

    while (threads < SATK_REDUCE_THREADS && 2 * (uint64_t)threads < count)
        threads *= 2;
    return threads;
}

static uint64_t sections_of(uint64_t count)
{
    const uint64_t section = 2 * (uint64_t)threads_for(count);

    return (count + section - 1) / section;
}

/* Levels of launches until one word is left. words: this level's; above: room for the next ones. */
template <typename OP>
static int reduce_levels(const satk_reduce *job, typename OP::word *words, uint64_t count,
                         cudaStream_t stream)
{
    typename OP::word *const above = words + count;
    const unsigned threads = threads_for(count), sections = (unsigned)sections_of(count);

    if (job->variant == SATK_REDUCE_INTERLEAVED)
        reduce_interleaved<OP><<<sections, threads, 0, stream>>>(words, count, above);
    else if (job->variant == SATK_REDUCE_CONVERGENT)
        reduce_convergent<OP><<<sections, threads, 0, stream>>>(words, count, above);
    else
        reduce_shared<OP><<<sections, threads, 0, stream>>>(from_words<OP>{words}, count, above);
    const int error = satk_launched(stream);
    if (error || sections > 1)
        return error ? error : reduce_levels<OP>(job, above, sections, stream);
    finish<OP><<<1, 1, 0, stream>>>(above, job->out);
    return satk_launched(stream);
}

/* The first level, which reads the values themselves. */
template <typename OP> static int reduce_in_levels(const satk_reduce *job, cudaStream_t stream)
{
    typename OP::word *const words = (typename OP::word *)job->scratch;
    const from_values<OP> source = {job->values};
    const unsigned threads = threads_for(job->count), sections = (unsigned)sections_of(job->count);

    if (job->variant == SATK_REDUCE_SHARED) {
        reduce_shared<OP><<<sections, threads, 0, stream>>>(source, job->count, words);
        const int error = satk_launched(stream);
        return error ? error : reduce_levels<OP>(job, words, sections, stream);
    }
    copy_words<OP><<<(unsigned)((job->count + SATK_REDUCE_THREADS - 1) / SATK_REDUCE_THREADS),
                     SATK_REDUCE_THREADS, 0, stream>>>(source, words, job->count);
    const int error = satk_launched(stream);
    return error ? error : reduce_levels<OP>(job, words, job->count, stream);
}

template <typename OP, int COARSE>
static int reduce_in_segments(const satk_reduce *job, cudaStream_t stream)
{
    const unsigned threads = threads_for(job->count);
    const uint64_t section = (uint64_t)2 * COARSE * threads;

    reduce_segmented<OP, COARSE>
        <<<(unsigned)((job->count + section - 1) / section), threads, 0, stream>>>(
            from_values<OP>{job->values}, job->count, job->out);
    return satk_launched(stream);
}

/* As many blocks as the device holds at once, but none without a load for each thread. */
template <typename OP> static int reduce_at_once(const satk_reduce *job, cudaStream_t stream)
{
    int device = 0, processors = 0;
    int error = (int)cudaGetDevice(&device);

    if (!error)
        error = (int)cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error)
        return error;
    const uint64_t section = (uint64_t)4 * SATK_REDUCE_FAST_THREADS;
    const uint64_t wanted = (job->count + section - 1) / section;
    const uint64_t full = (uint64_t)processors * SATK_REDUCE_FAST_BLOCKS;
    reduce_fast<OP>
        <<<(unsigned)(wanted < full ? wanted : full), SATK_REDUCE_FAST_THREADS, 0, stream>>>(
            job->values, job->count, job->out);
    return satk_launched(stream);
}

template <typename OP> static int reduce(const satk_reduce *job, cudaStream_t stream)
{
    begin<OP><<<1, 1, 0, stream>>>(job->out);
    const int error = satk_launched(stream);
    if (error || job->count == 0)
        return error;
    switch (job->variant) {
    case SATK_REDUCE_FAST: return reduce_at_once<OP>(job, stream);
    case SATK_REDUCE_SEGMENTED: return reduce_in_segments<OP, 1>(job, stream);
    case SATK_REDUCE_COARSENED: return reduce_in_segments<OP, SATK_REDUCE_COARSE>(job, stream);
    default: return reduce_in_levels<OP>(job, stream);
    }
}

/* The in-place trees hold a copy of all words; every variant with levels holds theirs. */
size_t satk_reduce_scratch_cuda(const satk_reduce *job)
{
    const satk_reduce_variant v = job->variant;
    const int arg = job->op == SATK_REDUCE_ARGMIN || job->op == SATK_REDUCE_ARGMAX;
    const int wide = job->op == SATK_REDUCE_SUM || job->op == SATK_REDUCE_PRODUCT;
    uint64_t words = 1, level = job->count;

    if (v == SATK_REDUCE_FAST || v == SATK_REDUCE_SEGMENTED || v == SATK_REDUCE_COARSENED)
        return 0;
    if (v != SATK_REDUCE_SHARED)
        words += level;
    for (; level > 1; words += level)
        level = sections_of(level);
    return (size_t)(words + 1) * (arg ? sizeof(arg_op<false>::word) : wide ? 8 : 4);
}

int satk_reduce_cuda(const satk_reduce *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    switch (job->op) {
    case SATK_REDUCE_SUM: return reduce<sum_op>(job, s);
    case SATK_REDUCE_PRODUCT: return reduce<product_op>(job, s);
    case SATK_REDUCE_MIN: return reduce<min_op>(job, s);
    case SATK_REDUCE_MAX: return reduce<max_op>(job, s);
    case SATK_REDUCE_ARGMIN: return reduce<arg_op<false>>(job, s);
    default: return reduce<arg_op<true>>(job, s);
    }
}
