#include "box.h"
#include "launch.cuh"
#include "tune.cuh"
#include "window.h"

/* A thread is a pixel; a warp is 32 neighbours of a row. Tiles are numbered row by row in one
 * dimension, since the second dimension of a grid ends at 65535 blocks. */
template <int CHANNELS, int BITS, int WORD, int WIDE>
static __global__ void window_means(const __grid_constant__ satk_box job, unsigned tiles_across)
{
    const int x = (int)(blockIdx.x % tiles_across) * SATK_BOX_WIDTH + (int)threadIdx.x;
    const int y = (int)(blockIdx.x / tiles_across) * SATK_BOX_HEIGHT + (int)threadIdx.y;

    if (x < job.src.width && y < job.src.height)
        satk_box_pixel(&job, x, y, CHANNELS, BITS, WORD, WIDE);
}

template <int CHANNELS, int BITS> static void launch(const satk_box *job, cudaStream_t stream)
{
    const dim3 block(SATK_BOX_WIDTH, SATK_BOX_HEIGHT);
    const unsigned across = (unsigned)(job->src.width + SATK_BOX_WIDTH - 1) / SATK_BOX_WIDTH;
    const unsigned tiles =
        across * ((unsigned)(job->src.height + SATK_BOX_HEIGHT - 1) / SATK_BOX_HEIGHT);

    if (job->word == 32)
        window_means<CHANNELS, BITS, 32, 0><<<tiles, block, 0, stream>>>(*job, across);
    else if (!job->wide)
        window_means<CHANNELS, BITS, 64, 0><<<tiles, block, 0, stream>>>(*job, across);
    else
        window_means<CHANNELS, BITS, 64, 1><<<tiles, block, 0, stream>>>(*job, across);
}

template <int BITS> static void launch_channels(const satk_box *job, cudaStream_t stream)
{
    switch (job->src.channels) {
    case 1: launch<1, BITS>(job, stream); break;
    case 2: launch<2, BITS>(job, stream); break;
    case 3: launch<3, BITS>(job, stream); break;
    default: launch<4, BITS>(job, stream); break;
    }
}

int satk_box_cuda(const satk_box *job, void *stream)
{
    if (job->src.bits == 8)
        launch_channels<8>(job, (cudaStream_t)stream);
    else
        launch_channels<16>(job, (cudaStream_t)stream);
    return satk_launched((cudaStream_t)stream);
}
