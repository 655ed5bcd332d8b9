#include "histogram.h"
#include "launch.cuh"
#include "stats.cuh"

/* Adds one to the bin, once for all lanes of the warp that have the same one: an image of one colour
 * would otherwise make 32 lanes queue for one address, the classic trap of the privatised
 * histogram. Every lane calls this; those beyond the row's end have the bin NO_BIN. */
static const uint32_t NO_BIN = 0xffffffffu;

static __device__ __forceinline__ void count(unsigned *bins, uint32_t bin)
{
    const unsigned same = __match_any_sync(0xffffffffu, bin);
    const int first = __ffs((int)same) - 1;

    if (bin != NO_BIN && (int)(threadIdx.x % SATK_WARP) == first)
        atomicAdd(&bins[bin], (unsigned)__popc(same));
}

/* A block counts its tiles in shared memory and adds its bins to the result once. A block's count
 * fits 32 bits: it sees at most 2^31 pixels. */
template <int CHANNELS, int BITS>
static __global__ void bins(const __grid_constant__ satk_plane src, unsigned long long *out,
                            unsigned across)
{
    __shared__ unsigned own[CHANNELS * SATK_BINS];
    const uint64_t tiles = (uint64_t)across * src.height;

    for (int i = threadIdx.x; i < CHANNELS * SATK_BINS; i += SATK_STATS_THREADS)
        own[i] = 0;
    __syncthreads();

    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint8_t *const row = (const uint8_t *)src.data + (int64_t)(tile / across) * src.pitch;
        const int first = (int)(tile % across) * SATK_STATS_TILE;
        const int last = min(first + SATK_STATS_TILE, src.width);
        for (int x0 = first; x0 < last; x0 += SATK_STATS_THREADS) { /* the same for every lane */
            const int x = x0 + (int)threadIdx.x;
#pragma unroll
            for (int c = 0; c < CHANNELS; c++) {
                const uint32_t bin =
                    x < last ? satk_code(row, (size_t)x * CHANNELS + c, BITS) >> (BITS - 8)
                             : NO_BIN;
                count(own + c * SATK_BINS, bin);
            }
        }
    }

    __syncthreads();
    for (int i = threadIdx.x; i < CHANNELS * SATK_BINS; i += SATK_STATS_THREADS)
        if (own[i])
            atomicAdd(&out[i], (unsigned long long)own[i]);
}

template <int BITS>
static void launch(const satk_histogram *job, unsigned blocks, cudaStream_t stream)
{
    const unsigned across = satk_tiles_across(&job->src);
    unsigned long long *const out = (unsigned long long *)job->out;

    switch (job->src.channels) {
    case 1: bins<1, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, out, across); break;
    case 2: bins<2, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, out, across); break;
    case 3: bins<3, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, out, across); break;
    default: bins<4, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, out, across); break;
    }
}

int satk_histogram_cuda(const satk_histogram *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;
    unsigned blocks = 0;
    int error = satk_stats_grid(&job->src, &blocks);

    if (!error)
        error = (int)cudaMemsetAsync(job->out, 0,
                                     (size_t)job->src.channels * SATK_BINS * sizeof *job->out, s);
    if (error)
        return error;
    if (job->src.bits == 8)
        launch<8>(job, blocks, s);
    else
        launch<16>(job, blocks, s);
    return satk_launched(s);
}
