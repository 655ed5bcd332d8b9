#include "surface/rim_width.h"
#include "surface/rim_width_rule.h"
#include "surface/surface_stages.cuh"

/* Few pixels are soft, and fewer begin a run, which one thread walks along. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    find_widths(const __grid_constant__ satk_rim_width job)
{
    uint32_t kinds[SATK_RIM_WORDS], widest = 0;

    satk_get_kinds(job.rims, (size_t)job.width * job.height, kinds);
#pragma unroll
    for (int w = 0; w < SATK_RIM_WORDS; w++)
        for (int i = 0; i < 4 && kinds[w] >> 8 * i; i++)
            if ((kinds[w] >> 8 * i & UINT8_MAX) >= SATK_RIM_SUBJECT) {
                const size_t at = satk_rim_first(w) + i;
                const int x = (int)(at % job.width), y = (int)(at / job.width);
                widest = max(widest, (uint32_t)satk_rim_width_at(&job, x, y));
            }
    if (widest > *(volatile uint32_t *)job.widest)
        atomicMax(job.widest, widest);
}

int satk_rim_width_cuda(const satk_rim_width *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const size_t pixels = (size_t)job->width * (size_t)job->height;

    find_widths<<<satk_rim_blocks(pixels), SATK_SURFACE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
