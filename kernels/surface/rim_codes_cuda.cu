#include "common/launch.cuh"
#include "common/tune.cuh"
#include "surface/rim_codes.h"
#include "surface/surface_tune.cuh"

/* Adds the near codes of four pixels. Most of those of rims are in the set already, and a look costs less than an atomic. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    gather_codes(const __grid_constant__ satk_rim_codes job)
{
    const size_t first = 4 * ((size_t)blockIdx.x * SATK_SURFACE_THREADS + threadIdx.x);

    for (size_t i = first; i < first + 4 && i < job.pixels; i++) {
        if (job.rims.kind[i] == SATK_RIM_NONE)
            continue;
        const uint32_t code = job.rims.near[i], bit = 1u << code % 32;
        if (!(*(volatile uint32_t *)&job.out[code / 32] & bit))
            atomicOr(&job.out[code / 32], bit);
    }
}

int satk_rim_codes_cuda(const satk_rim_codes *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const size_t each = 4 * SATK_SURFACE_THREADS;
    const int error = (int)cudaMemsetAsync(job->out, 0, ((size_t)1 << job->bits) / 8, stream);

    if (error)
        return error;
    gather_codes<<<(unsigned)((job->pixels + each - 1) / each), SATK_SURFACE_THREADS, 0, stream>>>(
        *job);
    return satk_launched(stream);
}
