/* Reductions as the textbooks teach them, each a step on the way to `fast` (M. Harris, "Optimizing
 * Parallel Reduction in CUDA", 2007; Hwu, Kirk, El Hajj, "Programming Massively Parallel Processors",
 * 4th ed., chapter 10). */
#include "array/reduce_op.cuh"
#include "array/reduce_textbook.cuh"
#include "common/launch.cuh"

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

/* Returns the result of the block's section of 2 COARSE blockDim words, in thread 0. */
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

/* --- Launches --------------------------------------------------------------------------------- */

template <typename OP> static __global__ void finish(const typename OP::word *word, uint64_t *out)
{
    *out = OP::result(*word);
}

/* Returns the threads of a block that reduces up to two words each: a power of two, so that the
 * trees halve evenly. */
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

/* Launches level after level until one word is left. words: this level's; above: memory of the next
 * ones. */
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

/* Launches the first level, which reads the values themselves. */
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

template <typename OP> static int reduce(const satk_reduce *job, cudaStream_t stream)
{
    switch (job->variant) {
    case SATK_REDUCE_SEGMENTED: return reduce_in_segments<OP, 1>(job, stream);
    case SATK_REDUCE_COARSENED: return reduce_in_segments<OP, SATK_REDUCE_COARSE>(job, stream);
    default: return reduce_in_levels<OP>(job, stream);
    }
}

/* The in-place trees hold a copy of all words; every variant with levels holds theirs. */
size_t satk_reduce_textbook_scratch(const satk_reduce *job)
{
    const satk_reduce_variant v = job->variant;
    const int arg = job->op == SATK_REDUCE_ARGMIN || job->op == SATK_REDUCE_ARGMAX;
    const int wide = job->op == SATK_REDUCE_SUM || job->op == SATK_REDUCE_PRODUCT;
    uint64_t words = 1, level = job->count;

    if (v == SATK_REDUCE_SEGMENTED || v == SATK_REDUCE_COARSENED)
        return 0;
    if (v != SATK_REDUCE_SHARED)
        words += level;
    for (; level > 1; words += level)
        level = sections_of(level);
    return (size_t)(words + 1) * (arg ? sizeof(arg_op<false>::word) : wide ? 8 : 4);
}

int satk_reduce_textbook_cuda(const satk_reduce *job, cudaStream_t stream)
{
    switch (job->op) {
    case SATK_REDUCE_SUM: return reduce<sum_op>(job, stream);
    case SATK_REDUCE_PRODUCT: return reduce<product_op>(job, stream);
    case SATK_REDUCE_MIN: return reduce<min_op>(job, stream);
    case SATK_REDUCE_MAX: return reduce<max_op>(job, stream);
    case SATK_REDUCE_ARGMIN: return reduce<arg_op<false>>(job, stream);
    default: return reduce<arg_op<true>>(job, stream);
    }
}
