#include "stats/equalize.h"
#include "stats/histogram_deep.cuh"

/* --- Counting --------------------------------------------------------------------------------- */

static const uint32_t SATK_NO_CODE = 0xffffffffu;

/* Returns pixel x's luminance, or SATK_NO_CODE if it does not count. */
template <int CHANNELS, int BITS>
static __device__ __forceinline__ uint32_t luma_at(const uint8_t *row, unsigned x)
{
    uint32_t codes[4];

    satk_get_pixel(row, (int)x, CHANNELS, BITS, codes);
    return satk_is_counted(codes, CHANNELS) ? satk_luma_of(codes, CHANNELS) : SATK_NO_CODE;
}

/* 8 bits: a copy of the counters for each lane, as in histogram_cuda.cu. */
template <int CHANNELS>
static __global__ void lumas_8(const __grid_constant__ satk_plane src, unsigned long long *out,
                               const __grid_constant__ satk_segments cuts)
{
    __shared__ unsigned counts[256 * SATK_WARP];
    const unsigned lane = threadIdx.x % SATK_WARP;

    satk_clear_counts(counts, 256 * SATK_WARP);
    for (unsigned s = satk_first_segment(); s < cuts.count; s = satk_next_segment(s)) {
        const uint8_t *const row = satk_segment_row(&src, &cuts, s);
        const unsigned first = s % cuts.across * cuts.length + lane;
        uint32_t code[SATK_HISTOGRAM_CODES];
#pragma unroll
        for (unsigned i = 0; i < SATK_HISTOGRAM_CODES; i++) {
            const unsigned x = first + i * SATK_WARP;
            code[i] = x < (unsigned)src.width ? luma_at<CHANNELS, 8>(row, x) : SATK_NO_CODE;
        }
#pragma unroll
        for (unsigned i = 0; i < SATK_HISTOGRAM_CODES; i++)
            if (code[i] != SATK_NO_CODE)
                atomicAdd(&counts[code[i] * SATK_WARP + lane], 1u);
    }
    satk_add_copies<SATK_WARP>(counts, 256, out);
}

template <int CHANNELS>
static int launch_8(const satk_luma *job, const satk_limits *l, cudaStream_t stream)
{
    const satk_segments cuts =
        satk_cut(&job->src, (unsigned)job->src.width, SATK_WARP * SATK_HISTOGRAM_CODES);

    lumas_8<CHANNELS><<<satk_blocks_for(&cuts, l->processors), SATK_HISTOGRAM_THREADS, 0, stream>>>(
        job->src, (unsigned long long *)job->out, cuts);
    return satk_launched(stream);
}

template <int CHANNELS> struct luma_codes {
    satk_plane src;
    satk_segments cuts;

    __device__ __forceinline__ unsigned operator()(const satk_walk *at, unsigned,
                                                   uint32_t *words) const
    {
        const unsigned width = (unsigned)src.width;
        const unsigned first = at->along * cuts.length + threadIdx.x % SATK_WARP;
        const uint8_t *const row = satk_walk_row(&src, at);
        unsigned there = 0;

#pragma unroll
        for (unsigned i = 0; i < SATK_DEEP_CODES; i++) {
            const unsigned x = first + i * SATK_WARP;
            const uint32_t luma = luma_at<CHANNELS, 16>(row, min(x, width - 1));
            const uint32_t half = (luma & 65535) << (i % 2 * 16);
            words[i / 2] = i % 2 ? words[i / 2] | half : half;
            there |= (unsigned)(x < width && luma != SATK_NO_CODE) << i;
        }
        return at->y < (unsigned)src.height ? there : 0;
    }
};

template <int CHANNELS, bool WHOLE>
static __global__ void __launch_bounds__(SATK_HISTOGRAM_THREADS)
    lumas_16(const __grid_constant__ satk_plane src, unsigned long long *out,
             const __grid_constant__ satk_segments cuts, unsigned range)
{
    extern __shared__ unsigned counts[];

    satk_count_deep<WHOLE>(luma_codes<CHANNELS>{src, cuts}, &cuts, range, counts, out);
}

template <int CHANNELS, bool WHOLE>
static int launch_16(const satk_luma *job, const satk_ranges *r, cudaStream_t stream)
{
    const int error = satk_allow_shared(lumas_16<CHANNELS, WHOLE>);

    if (error)
        return error;
    lumas_16<CHANNELS, WHOLE><<<r->grid, SATK_HISTOGRAM_THREADS, r->bytes, stream>>>(
        job->src, (unsigned long long *)job->out, r->cuts, r->bits);
    return satk_launched(stream);
}

template <int CHANNELS>
static int launch_luma(const satk_luma *job, const satk_limits *l, cudaStream_t stream)
{
    if (job->src.bits == 8)
        return launch_8<CHANNELS>(job, l, stream);
    const satk_ranges r = satk_plan_ranges(&job->src, 1, l);
    return r.bits == 16 ? launch_16<CHANNELS, true>(job, &r, stream)
                        : launch_16<CHANNELS, false>(job, &r, stream);
}

size_t satk_luma_scratch_cuda(const satk_luma *job)
{
    (void)job;
    return 0;
}

int satk_luma_cuda(const satk_luma *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;
    satk_limits l;
    int error = satk_get_limits(&l);

    if (!error && !job->adds)
        error = (int)cudaMemsetAsync(job->out, 0, sizeof *job->out << job->src.bits, s);
    if (error)
        return error;
    switch (job->src.channels) {
    case 1: return launch_luma<1>(job, &l, s);
    case 2: return launch_luma<2>(job, &l, s);
    case 3: return launch_luma<3>(job, &l, s);
    default: return launch_luma<4>(job, &l, s);
    }
}

/* --- The table -------------------------------------------------------------------------------- */

/* A thread is a luminance, and each looks for the least sum: there is nothing else to do meanwhile. */
static __global__ void __launch_bounds__(SATK_EQUALIZE_THREADS)
    make_lut(const __grid_constant__ satk_equal_lut job)
{
    const uint32_t luma = blockIdx.x * SATK_EQUALIZE_THREADS + threadIdx.x;

    job.lut[luma] = satk_equal_luma(&job, luma, satk_least_sum(job.cdf, job.bits));
}

int satk_equal_lut_cuda(const satk_equal_lut *job, void *stream)
{
    make_lut<<<(1u << job->bits) / SATK_EQUALIZE_THREADS, SATK_EQUALIZE_THREADS, 0,
               (cudaStream_t)stream>>>(*job);
    return satk_launched((cudaStream_t)stream);
}

/* --- Applying --------------------------------------------------------------------------------- */

/* A thread is a pixel, and a block is a piece of one row. */
template <int CHANNELS, int BITS>
static __global__ void apply(const __grid_constant__ satk_equalize job, unsigned across)
{
    const int x = (int)(blockIdx.x % across * SATK_EQUALIZE_THREADS + threadIdx.x);
    const int64_t y = blockIdx.x / across;

    if (x < job.src.width)
        satk_equalize_pixel((const uint8_t *)job.src.data + y * job.src.pitch,
                            (uint8_t *)job.dst.data + y * job.dst.pitch, x, CHANNELS, BITS,
                            job.lut);
}

/* At most 2^24 + 2^31 / 256 blocks: a grid's x ends at 2^31. */
template <int BITS> static void launch_apply(const satk_equalize *job, cudaStream_t stream)
{
    const unsigned across =
        ((unsigned)job->src.width + SATK_EQUALIZE_THREADS - 1) / SATK_EQUALIZE_THREADS;
    const unsigned blocks = across * (unsigned)job->src.height;

    switch (job->src.channels) {
    case 1: apply<1, BITS><<<blocks, SATK_EQUALIZE_THREADS, 0, stream>>>(*job, across); break;
    case 2: apply<2, BITS><<<blocks, SATK_EQUALIZE_THREADS, 0, stream>>>(*job, across); break;
    case 3: apply<3, BITS><<<blocks, SATK_EQUALIZE_THREADS, 0, stream>>>(*job, across); break;
    default: apply<4, BITS><<<blocks, SATK_EQUALIZE_THREADS, 0, stream>>>(*job, across); break;
    }
}

int satk_equalize_cuda(const satk_equalize *job, void *stream)
{
    if (job->src.bits == 8)
        launch_apply<8>(job, (cudaStream_t)stream);
    else
        launch_apply<16>(job, (cudaStream_t)stream);
    return satk_launched((cudaStream_t)stream);
}
