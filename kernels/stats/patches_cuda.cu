#include "common/launch.cuh"
#include "common/tune.cuh"
#include "stats/patches_rule.h"

static constexpr int THREADS = SATK_MOST_PATCH * SATK_MOST_PATCH, WARPS = THREADS / SATK_WARP;

static __device__ __forceinline__ int luma_at(const satk_plane &src, int x, int y)
{
    return satk_patch_luma((const uint8_t *)src.data + y * src.pitch, x, src.channels, src.bits);
}

static __device__ __forceinline__ unsigned long long sum_of_warp(unsigned long long v)
{
    for (int step = SATK_WARP / 2; step > 0; step /= 2)
        v += __shfl_down_sync(~0u, v, step);
    return v;
}

/* A block sums a patch, with a pixel for each of its first threads. It has as many warps as hold the patch's rows. */
static __global__ void __launch_bounds__(THREADS)
    sum_patches(const __grid_constant__ satk_patches job)
{
    __shared__ unsigned long long sums[3][WARPS];
    const satk_grid_of_patches &g = job.grid;
    const int i = (int)threadIdx.x % SATK_MOST_PATCH, r = (int)threadIdx.x / SATK_MOST_PATCH;
    const int x = g.left + (int)blockIdx.x % g.columns * g.pitch + i;
    const int y = g.top + (int)blockIdx.x / g.columns * g.pitch + r;
    unsigned long long own[3] = {0, 0, 0};

    if (i < g.width && r < g.height) {
        const int luma = luma_at(job.src, x, y);
        const void *const codes = (const uint8_t *)job.map.data + y * job.map.pitch;
        own[0] = (i > 0 ? abs(luma - luma_at(job.src, x - 1, y)) : 0) +
                 (unsigned long long)(r > 0 ? abs(luma - luma_at(job.src, x, y - 1)) : 0);
        own[1] = job.depth[satk_code(codes, x, job.map.bits)];
        own[2] = own[1] * own[1];
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
        own[k] = sum_of_warp(own[k]);
        if (threadIdx.x % SATK_WARP == 0)
            sums[k][threadIdx.x / SATK_WARP] = own[k];
    }
    __syncthreads();
    if (threadIdx.x >= 3)
        return;
    unsigned long long sum = 0;
    for (int w = 0; w < (int)blockDim.x / SATK_WARP; w++)
        sum += sums[threadIdx.x][w];
    ((unsigned long long *)&job.out[blockIdx.x])[threadIdx.x] = sum;
}

int satk_patches_cuda(const satk_patches *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const satk_grid_of_patches *const g = &job->grid;
    const unsigned warps = (unsigned)(g->height * SATK_MOST_PATCH + SATK_WARP - 1) / SATK_WARP;

    sum_patches<<<(unsigned)(g->columns * g->rows), warps * SATK_WARP, 0, stream>>>(*job);
    return satk_launched(stream);
}
