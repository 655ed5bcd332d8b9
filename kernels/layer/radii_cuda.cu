#include "common/launch.cuh"
#include "layer/radii_rule.h"

static constexpr int THREADS = 256;

static __global__ void __launch_bounds__(THREADS)
    make_tables(const __grid_constant__ satk_radii job)
{
    satk_fill_tables(&job, blockIdx.x * THREADS + threadIdx.x);
}

int satk_radii_cuda(const satk_radii *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;

    make_tables<<<(1u << job->bits) / THREADS, THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
