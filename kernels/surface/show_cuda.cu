#include "common/launch.cuh"
#include "common/tune.cuh"
#include "surface/show.h"
#include "surface/surface_tune.cuh"

/* A block is a piece of one row, and a thread is a sample. */
template <bool BACK>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    exchange(const __grid_constant__ satk_show job, unsigned across)
{
    const size_t samples = (size_t)job.halves.width * job.halves.channels, y = blockIdx.x / across;
    const size_t i = (size_t)(blockIdx.x % across) * SATK_SURFACE_THREADS + threadIdx.x;

    if (i >= samples)
        return;
    const uint16_t half =
        ((const uint16_t *)((const uint8_t *)job.halves.data + y * job.halves.pitch))[i];
    uint16_t *const code = (uint16_t *)((uint8_t *)job.codes.data + y * job.codes.pitch) + i;
    *code = BACK ? satk_unshown(&job, half, *code) : job.shown[half];
}

/* At most 4 * 2^31 / 256 + 2^24 blocks: a grid's x ends at 2^31. */
template <bool BACK> static int launch(const satk_show *job, cudaStream_t stream)
{
    const size_t samples = (size_t)job->halves.width * job->halves.channels;
    const unsigned across = (unsigned)((samples + SATK_SURFACE_THREADS - 1) / SATK_SURFACE_THREADS);

    exchange<BACK>
        <<<across *(unsigned)job->halves.height, SATK_SURFACE_THREADS, 0, stream>>>(*job, across);
    return satk_launched(stream);
}

int satk_show_cuda(const satk_show *job, void *stream)
{
    return launch<false>(job, (cudaStream_t)stream);
}

int satk_unshow_cuda(const satk_show *job, void *stream)
{
    return launch<true>(job, (cudaStream_t)stream);
}
