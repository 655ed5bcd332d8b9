#include "common/launch.cuh"
#include "cover/unmix_rule.h"

static constexpr int THREADS = 256;

static __global__ void __launch_bounds__(THREADS) unmix(const __grid_constant__ satk_unmix job)
{
    const size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t width = (size_t)job.picture.width;

    if (at < width * job.picture.height && job.rims.kind[at] == SATK_RIM_MIXED)
        satk_unmix_pixel(&job, (int)(at % width), (int)(at / width));
}

int satk_unmix_cuda(const satk_unmix *job, void *of)
{
    const size_t pixels = (size_t)job->picture.width * job->picture.height;

    unmix<<<(unsigned)((pixels + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)of>>>(*job);
    return satk_launched((cudaStream_t)of);
}
