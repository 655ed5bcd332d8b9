#include "common/launch.cuh"
#include "surface/rim_width.h"
#include "surface/rim_width_rule.h"
#include "surface/surface_tune.cuh"

/* A thread is a pixel. Few are soft, and fewer begin a run, which one thread walks along. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    find_widths(const __grid_constant__ satk_rim_width job)
{
    const size_t at = (size_t)blockIdx.x * SATK_SURFACE_THREADS + threadIdx.x;
    if (at >= (size_t)job.width * job.height || job.rims.kind[at] < SATK_RIM_SUBJECT)
        return;
    const uint32_t width =
        (uint32_t)satk_rim_width_at(&job, (int)(at % job.width), (int)(at / job.width));

    if (width > *(volatile uint32_t *)job.widest)
        atomicMax(job.widest, width);
}

int satk_rim_width_cuda(const satk_rim_width *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const size_t pixels = (size_t)job->width * (size_t)job->height;
    const size_t blocks = (pixels + SATK_SURFACE_THREADS - 1) / SATK_SURFACE_THREADS;

    find_widths<<<(unsigned)blocks, SATK_SURFACE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
