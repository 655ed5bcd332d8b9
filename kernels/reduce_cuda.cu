#include "launch.cuh"
#include "reduce.h"
#include "stats.cuh"

static __global__ void clear(satk_moments *out)
{
    satk_moments nothing = {0, 0, 0xffffffffu, 0};
    out[threadIdx.x] = nothing;
}

/* The warp's total in lane 0, by a tree of shuffles (Harris 2007). */
static __device__ __forceinline__ satk_moments reduce_warp(satk_moments m)
{
#pragma unroll
    for (int d = SATK_WARP / 2; d > 0; d /= 2) {
        m.sum += __shfl_down_sync(0xffffffffu, m.sum, d);
        m.sum_squares += __shfl_down_sync(0xffffffffu, m.sum_squares, d);
        m.min = min(m.min, __shfl_down_sync(0xffffffffu, m.min, d));
        m.max = max(m.max, __shfl_down_sync(0xffffffffu, m.max, d));
    }
    return m;
}

/* Threads keep their moments in registers over all their tiles; a warp adds its total to the result
 * once. */
template <int CHANNELS, int BITS>
static __global__ void moments(const __grid_constant__ satk_plane src, satk_moments *out,
                               unsigned across)
{
    const uint64_t tiles = (uint64_t)across * src.height;
    satk_moments own[CHANNELS];
#pragma unroll
    for (int c = 0; c < CHANNELS; c++)
        own[c] = {0, 0, 0xffffffffu, 0};

    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint8_t *const row = (const uint8_t *)src.data + (int64_t)(tile / across) * src.pitch;
        const int first = (int)(tile % across) * SATK_STATS_TILE;
        const int last = min(first + SATK_STATS_TILE, src.width);
#pragma unroll 4
        for (int x = first + (int)threadIdx.x; x < last; x += SATK_STATS_THREADS)
#pragma unroll
            for (int c = 0; c < CHANNELS; c++) {
                const uint32_t code = satk_code(row, (size_t)x * CHANNELS + c, BITS);
                own[c].sum += code;
                own[c].sum_squares += (uint64_t)code * code;
                own[c].min = min(own[c].min, code);
                own[c].max = max(own[c].max, code);
            }
    }
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        const satk_moments m = reduce_warp(own[c]);
        if (threadIdx.x % SATK_WARP == 0) {
            atomicAdd((unsigned long long *)&out[c].sum, (unsigned long long)m.sum);
            atomicAdd((unsigned long long *)&out[c].sum_squares, (unsigned long long)m.sum_squares);
            atomicMin(&out[c].min, m.min);
            atomicMax(&out[c].max, m.max);
        }
    }
}

template <int BITS> static void launch(const satk_reduce *job, unsigned blocks, cudaStream_t stream)
{
    const unsigned across = satk_tiles_across(&job->src);

    switch (job->src.channels) {
    case 1:
        moments<1, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, job->out, across);
        break;
    case 2:
        moments<2, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, job->out, across);
        break;
    case 3:
        moments<3, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, job->out, across);
        break;
    default:
        moments<4, BITS><<<blocks, SATK_STATS_THREADS, 0, stream>>>(job->src, job->out, across);
        break;
    }
}

int satk_reduce_cuda(const satk_reduce *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;
    unsigned blocks = 0;
    int error = satk_stats_grid(&job->src, &blocks);

    if (error)
        return error;
    clear<<<1, (unsigned)job->src.channels, 0, s>>>(job->out);
    error = satk_launched(s);
    if (error)
        return error;
    if (job->src.bits == 8)
        launch<8>(job, blocks, s);
    else
        launch<16>(job, blocks, s);
    return satk_launched(s);
}
