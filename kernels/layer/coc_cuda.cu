#include "common/launch.cuh"
#include "layer/coc_rule.h"

static constexpr int THREADS = 256; /* a code a thread, or a pixel: 2^8 codes are one block */

static __global__ void __launch_bounds__(THREADS)
    make_table(const __grid_constant__ satk_coc job, uint16_t *table)
{
    const uint32_t code = blockIdx.x * THREADS + threadIdx.x;

    table[code] = satk_coc_of(&job, code);
}

/* A block is a piece of one row. */
template <int BITS>
static __global__ void __launch_bounds__(THREADS)
    draw(const __grid_constant__ satk_plane src, const __grid_constant__ satk_plane dst,
         const uint16_t *__restrict__ table, unsigned across)
{
    const unsigned x = blockIdx.x % across * THREADS + threadIdx.x;
    const int64_t y = blockIdx.x / across;
    const uint8_t *const from = (const uint8_t *)src.data + y * src.pitch;
    uint16_t *const to = (uint16_t *)((uint8_t *)dst.data + y * dst.pitch);

    if (x < (unsigned)src.width)
        to[x] = table[satk_code(from, (size_t)x * src.channels, BITS)];
}

size_t satk_coc_scratch_cuda(const satk_coc *job)
{
    return satk_coc_table_bytes(job);
}

/* At most 2^24 + 2^31 / 256 blocks: a grid's x ends at 2^31. */
int satk_coc_cuda(const satk_coc *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const unsigned across = ((unsigned)job->src.width + THREADS - 1) / THREADS;
    const unsigned blocks = across * (unsigned)job->src.height;
    uint16_t *const table = (uint16_t *)job->scratch;

    make_table<<<(1u << job->src.bits) / THREADS, THREADS, 0, stream>>>(*job, table);
    const int error = satk_launched(stream);
    if (error)
        return error;
    if (job->src.bits == 8)
        draw<8><<<blocks, THREADS, 0, stream>>>(job->src, job->dst, table, across);
    else
        draw<16><<<blocks, THREADS, 0, stream>>>(job->src, job->dst, table, across);
    return satk_launched(stream);
}
