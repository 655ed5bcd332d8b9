#include "common/launch.cuh"
#include "common/tune.cuh"
#include "stats/patches_rule.h"

/* A block sums a patch: each of its first threads reads a sample of it, or one around it. */
static constexpr int SIDE = SATK_MOST_SAMPLES + 2;
static constexpr int THREADS = (SIDE * SIDE + SATK_WARP - 1) / SATK_WARP * SATK_WARP;
static constexpr int WARPS = THREADS / SATK_WARP, SUMS = 4;

/* The pixels of a sample. */
struct sample {
    int left, top, right, bottom;
};

static __device__ __forceinline__ const uint8_t *row_of(const satk_plane &plane, int y)
{
    return (const uint8_t *)plane.data + y * plane.pitch;
}

static __device__ __forceinline__ int luma_of(const satk_plane &src, const sample &s)
{
    unsigned long long sum = 0;

    for (int y = s.top; y < s.bottom; y++)
        for (int x = s.left; x < s.right; x++)
            sum += satk_patch_luma(row_of(src, y), x, src.channels, src.bits);
    return satk_sample_luma(sum, (uint64_t)(s.right - s.left) * (uint64_t)(s.bottom - s.top));
}

/* Adds the sample's depths to depth, subject's depth and subject. */
static __device__ __forceinline__ void add_depths(const satk_patches &job, const sample &s,
                                                  unsigned long long *sums)
{
    for (int y = s.top; y < s.bottom; y++)
        for (int x = s.left; x < s.right; x++) {
            const unsigned long long depth =
                job.depth[satk_code(row_of(job.map, y), x, job.map.bits)];
            const unsigned inside = job.subject.data ? row_of(job.subject, y)[x] >> 7 : 0;
            sums[0] += depth;
            sums[1] += depth * inside;
            sums[2] += inside;
        }
}

static __device__ __forceinline__ unsigned long long sum_of_warp(unsigned long long v)
{
    for (int step = SATK_WARP / 2; step > 0; step /= 2)
        v += __shfl_down_sync(~0u, v, step);
    return v;
}

static __global__ void __launch_bounds__(THREADS)
    sum_patches(const __grid_constant__ satk_patches job)
{
    __shared__ int lumas[SIDE][SIDE];
    __shared__ unsigned long long parts[SUMS][WARPS];
    const satk_cuts across = job.across, down = job.down;
    const int i = (int)threadIdx.x % SIDE - 1, j = (int)threadIdx.x / SIDE - 1;
    const int column = (int)blockIdx.x % across.patches * across.samples + i;
    const int row = (int)blockIdx.x / across.patches * down.samples + j;
    const int columns = across.patches * across.samples, rows = down.patches * down.samples;
    const bool exists = i <= across.samples && j <= down.samples && column >= 0 && row >= 0 &&
                        column < columns && row < rows;
    const bool is_inside = exists && i >= 0 && j >= 0 && i < across.samples && j < down.samples;
    unsigned long long own[SUMS] = {0, 0, 0, 0};

    if (exists) {
        const sample s = {satk_cut_at(&across, column), satk_cut_at(&down, row),
                          satk_cut_at(&across, column + 1), satk_cut_at(&down, row + 1)};
        lumas[j + 1][i + 1] = luma_of(job.src, s);
        if (is_inside)
            add_depths(job, s, own);
    }
    __syncthreads();
    if (is_inside) {
        const int luma = lumas[j + 1][i + 1];
        own[3] = (column > 0 ? abs(luma - lumas[j + 1][i]) : 0) +
                 (column + 1 < columns ? abs(luma - lumas[j + 1][i + 2]) : 0) +
                 (row > 0 ? abs(luma - lumas[j][i + 1]) : 0) +
                 (row + 1 < rows ? abs(luma - lumas[j + 2][i + 1]) : 0);
    }
#pragma unroll
    for (int k = 0; k < SUMS; k++) {
        own[k] = sum_of_warp(own[k]);
        if (threadIdx.x % SATK_WARP == 0)
            parts[k][threadIdx.x / SATK_WARP] = own[k];
    }
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    unsigned long long sums[SUMS] = {0, 0, 0, 0};
    for (int w = 0; w < WARPS * SUMS; w++)
        sums[w / WARPS] += parts[w / WARPS][w % WARPS];
    job.out[blockIdx.x] = {sums[0], sums[1], (uint32_t)sums[2], (uint32_t)sums[3]};
}

int satk_patches_cuda(const satk_patches *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;

    sum_patches<<<(unsigned)(job->across.patches * job->down.patches), THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
