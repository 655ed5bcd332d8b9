#include "stats/histogram.h"
#include "stats/histogram_deep.cuh"

/* --- 8 bits ----------------------------------------------------------------------------------- */

/* A bin has COPIES counters, one after the other, and a lane adds to the one of its number: with 32
 * of them every lane has a memory bank of its own, and an image of one colour is no slower than any
 * other. `bins` are those of a run of samples' channels, by the sample's place in the run. */
template <int CHANNELS, int COPIES> struct lane_bins {
    unsigned *bins[CHANNELS];

    __device__ __forceinline__ lane_bins(unsigned *counts, unsigned first_channel)
    {
#pragma unroll
        for (int i = 0; i < CHANNELS; i++)
            bins[i] =
                counts + (first_channel + i) % CHANNELS * (256 * COPIES) + threadIdx.x % COPIES;
    }

    __device__ __forceinline__ void add(int place, unsigned code) const
    {
        atomicAdd(bins[place % CHANNELS] + code * COPIES, 1u);
    }

    __device__ __forceinline__ void add_word(int place, unsigned word) const
    {
#pragma unroll
        for (int i = 0; i < 4; i++)
            add(place + i, word >> (8 * i) & 255);
    }
};

/* Counts samples first..last of a row, by one warp: 16 bytes at a time between the addresses that
 * allow it, the rest one by one. */
template <int CHANNELS, int COPIES>
static __device__ __forceinline__ void count_segment(const uint8_t *row, unsigned first,
                                                     unsigned last, unsigned *counts)
{
    const unsigned lane = threadIdx.x % SATK_WARP;
    const unsigned head = min((unsigned)(-(uintptr_t)(row + first) % 16), last - first);
    const unsigned begin = first + head, chunks = (last - begin) / 16, end = begin + 16 * chunks;
    const uint4 *const wide = (const uint4 *)(row + begin);
    uint4 v[SATK_HISTOGRAM_LOADS];

#pragma unroll
    for (unsigned i = 0; i < SATK_HISTOGRAM_LOADS; i++)
        if (lane + i * SATK_WARP < chunks)
            v[i] = __ldcs(wide + lane + i * SATK_WARP);
#pragma unroll
    for (unsigned i = 0; i < SATK_HISTOGRAM_LOADS; i++)
        if (lane + i * SATK_WARP < chunks) {
            const lane_bins<CHANNELS, COPIES> bins(counts, begin + 16 * (lane + i * SATK_WARP));
            bins.add_word(0, v[i].x);
            bins.add_word(4, v[i].y);
            bins.add_word(8, v[i].z);
            bins.add_word(12, v[i].w);
        }
    if (lane < head)
        lane_bins<CHANNELS, COPIES>(counts, first + lane).add(0, row[first + lane]);
    if (end + lane < last)
        lane_bins<CHANNELS, COPIES>(counts, end + lane).add(0, row[end + lane]);
}

template <int CHANNELS, int COPIES>
static __global__ void bins_8(const __grid_constant__ satk_plane src, unsigned long long *out,
                              const __grid_constant__ satk_segments cuts)
{
    extern __shared__ unsigned counts[];
    const unsigned samples = (unsigned)src.width * CHANNELS;

    satk_clear_counts(counts, CHANNELS * 256 * COPIES);
    for (unsigned s = satk_first_segment(); s < cuts.count; s = satk_next_segment(s)) {
        const unsigned first = s % cuts.across * cuts.length;
        count_segment<CHANNELS, COPIES>(satk_segment_row(&src, &cuts, s), first,
                                        min(first + cuts.length, samples), counts);
    }
    satk_add_copies<COPIES>(counts, CHANNELS * 256, out);
}

template <int CHANNELS, int COPIES>
static int launch_8(const satk_histogram *job, const satk_limits *l, cudaStream_t stream)
{
    const size_t bytes = CHANNELS * 256 * COPIES * sizeof(unsigned);
    const satk_segments cuts = satk_cut(&job->src, (unsigned)job->src.width * CHANNELS,
                                        SATK_WARP * 16 * SATK_HISTOGRAM_LOADS);
    const int error = (int)cudaFuncSetAttribute(
        bins_8<CHANNELS, COPIES>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);

    if (error)
        return error;
    bins_8<CHANNELS, COPIES>
        <<<satk_blocks_for(&cuts, l->processors), SATK_HISTOGRAM_THREADS, bytes, stream>>>(
            job->src, (unsigned long long *)job->out, cuts);
    return satk_launched(stream);
}

/* A copy per lane where the copies fit, otherwise half of them: they fit 64 KB, and so every device from
 * sm_75 on. */
template <int CHANNELS>
static int launch_copies(const satk_histogram *job, const satk_limits *l, cudaStream_t stream)
{
    return l->shared >= CHANNELS * 256 * SATK_WARP * sizeof(unsigned)
               ? launch_8<CHANNELS, SATK_WARP>(job, l, stream)
               : launch_8<CHANNELS, SATK_WARP / 2>(job, l, stream);
}

/* --- 16 bits ---------------------------------------------------------------------------------- */

template <bool WIDE> struct channel_codes {
    satk_plane src;
    satk_segments cuts;

    __device__ __forceinline__ unsigned operator()(const satk_walk *at, unsigned plane,
                                                   uint32_t *words) const
    {
        return satk_load_codes<16, WIDE>(&src, (int)plane, &cuts, at, words);
    }
};

template <bool WIDE, bool WHOLE>
static __global__ void __launch_bounds__(SATK_HISTOGRAM_THREADS)
    bins_16(const __grid_constant__ satk_plane src, unsigned long long *out,
            const __grid_constant__ satk_segments cuts, unsigned range)
{
    extern __shared__ unsigned counts[];

    satk_count_deep<WHOLE>(channel_codes<WIDE>{src, cuts}, &cuts, range, counts, out);
}

template <bool WIDE, bool WHOLE>
static int launch_16(const satk_histogram *job, const satk_ranges *r, cudaStream_t stream)
{
    const int error = satk_allow_shared(bins_16<WIDE, WHOLE>);

    if (error)
        return error;
    bins_16<WIDE, WHOLE><<<r->grid, SATK_HISTOGRAM_THREADS, r->bytes, stream>>>(
        job->src, (unsigned long long *)job->out, r->cuts, r->bits);
    return satk_launched(stream);
}

static int launch_ranges(const satk_histogram *job, const satk_limits *l, cudaStream_t stream)
{
    const satk_ranges r = satk_plan_ranges(&job->src, job->src.channels, l);

    if (satk_is_wide(&job->src))
        return r.bits == 16 ? launch_16<true, true>(job, &r, stream)
                            : launch_16<true, false>(job, &r, stream);
    return r.bits == 16 ? launch_16<false, true>(job, &r, stream)
                        : launch_16<false, false>(job, &r, stream);
}

/* ---------------------------------------------------------------------------------------------- */

size_t satk_histogram_scratch_cuda(const satk_histogram *job)
{
    (void)job;
    return 0;
}

int satk_histogram_cuda(const satk_histogram *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;
    const int channels = job->src.channels;
    satk_limits l;
    int error = satk_get_limits(&l);

    if (!error && !job->adds)
        error = (int)cudaMemsetAsync(job->out, 0, satk_histogram_bytes(channels, job->src.bits), s);
    if (error)
        return error;
    if (job->src.bits == 16)
        return launch_ranges(job, &l, s);
    switch (channels) {
    case 1: return launch_copies<1>(job, &l, s);
    case 2: return launch_copies<2>(job, &l, s);
    case 3: return launch_copies<3>(job, &l, s);
    default: return launch_copies<4>(job, &l, s);
    }
}
