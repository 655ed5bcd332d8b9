#include "matte/matte.cuh"
#include "protect/mix_rule.h"

static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    mix(const __grid_constant__ satk_mix job)
{
    const satk_matte_area tile = satk_matte_tile(job.dst);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile);

    if (x >= tile.x1)
        return;
    for (int y = first; y < min(first + SATK_MATTE_STRIP, tile.y1); y++)
        satk_mix_pixel(&job, x, y);
}

int satk_mix_cuda(const satk_mix *job, void *of)
{
    cudaStream_t const stream = (cudaStream_t)of;

    mix<<<satk_matte_blocks(&job->dst), SATK_MATTE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
