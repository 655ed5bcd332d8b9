#include "surface/rim_codes.h"
#include "surface/surface_stages.cuh"

/* Most near codes of rims are in the set already, and a look costs less than an atomic. */
static __device__ __forceinline__ void add_code(const satk_rim_codes &job, uint32_t code)
{
    const uint32_t bit = 1u << code % 32;

    if (!(*(volatile uint32_t *)&job.out[code / 32] & bit))
        atomicOr(&job.out[code / 32], bit);
}

static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    gather_codes(const __grid_constant__ satk_rim_codes job)
{
    uint32_t kinds[SATK_RIM_WORDS];

    satk_get_kinds(job.rims, job.pixels, kinds);
#pragma unroll
    for (int w = 0; w < SATK_RIM_WORDS; w++)
        for (int i = 0; i < 4 && kinds[w] >> 8 * i; i++)
            if (kinds[w] >> 8 * i & UINT8_MAX)
                add_code(job, job.rims.near[satk_rim_first(w) + i]);
}

int satk_rim_codes_cuda(const satk_rim_codes *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const int error = (int)cudaMemsetAsync(job->out, 0, ((size_t)1 << job->bits) / 8, stream);

    if (error)
        return error;
    gather_codes<<<satk_rim_blocks(job->pixels), SATK_SURFACE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
