/* Reduction as the product runs it: a grid that fills the device once. The other variants are in
 * reduce_textbook_cuda.cu. */
#include "array/reduce_op.cuh"
#include "array/reduce_textbook.cuh"
#include "common/launch.cuh"

/* Returns another lane's word. */
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

/* Returns the warp's result in all lanes. */
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

/* Returns the result over the values of the calling thread of the grid: 16 bytes at a time,
 * SATK_REDUCE_LOADS of them in flight. The first threads take the values before the first and after
 * the last multiple of 16 bytes. */
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

/* Returns as many blocks as the device holds at once, but none without a load for each thread. */
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
    return job->variant == SATK_REDUCE_FAST ? reduce_at_once<OP>(job, stream)
                                            : satk_reduce_textbook_cuda(job, stream);
}

size_t satk_reduce_scratch_cuda(const satk_reduce *job)
{
    return job->variant == SATK_REDUCE_FAST ? 0 : satk_reduce_textbook_scratch(job);
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
