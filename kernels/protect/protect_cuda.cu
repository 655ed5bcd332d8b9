#include "matte/matte.cuh"
#include "protect/protect_rule.h"

static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    protect(const __grid_constant__ satk_protect job)
{
    const satk_matte_area tile = satk_matte_tile(job.map);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile);

    if (x >= tile.x1)
        return;
    for (int y = first; y < min(first + SATK_MATTE_STRIP, tile.y1); y++)
        satk_protect_pixel(&job, x, y);
}

int satk_protect_cuda(const satk_protect *job, void *of)
{
    cudaStream_t const stream = (cudaStream_t)of;

    protect<<<satk_matte_blocks(&job->map), SATK_MATTE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
