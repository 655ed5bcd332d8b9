#include "common/launch.cuh"
#include "common/tune.cuh"
#include "surface/resample.h"
#include "surface/resample_rule.h"
#include "surface/surface_tune.cuh"

static constexpr int WIDE = SATK_RESAMPLE_WIDE, HIGH = SATK_RESAMPLE_HIGH;

static __device__ __forceinline__ uint32_t code_at(const satk_plane &map, int x, int y)
{
    const void *const row = (const uint8_t *)map.data + y * map.pitch;

    return satk_code(row, (size_t)x * map.channels, map.bits);
}

/* A block makes a tile of WIDE x HIGH pixels. Its taps take divisions, so each is made once. */
static __global__ void __launch_bounds__(SATK_RESAMPLE_THREADS)
    interpolate(const __grid_constant__ satk_resample job)
{
    __shared__ satk_tap columns[WIDE], rows[HIGH];
    const int across = (job.dst.width + WIDE - 1) / WIDE, scale = job.src.bits == 8 ? 257 : 1;
    const int left = (int)blockIdx.x % across * WIDE, top = (int)blockIdx.x / across * HIGH;

    for (int i = (int)threadIdx.x; i < WIDE + HIGH; i += SATK_RESAMPLE_THREADS)
        if (i < WIDE)
            columns[i] =
                satk_tap_at(min(left + i, job.dst.width - 1), job.dst.width, job.src.width);
        else
            rows[i - WIDE] = satk_tap_at(min(top + i - WIDE, job.dst.height - 1), job.dst.height,
                                         job.src.height);
    __syncthreads();
    for (int i = (int)threadIdx.x; i < WIDE * HIGH; i += SATK_RESAMPLE_THREADS) {
        const satk_tap x = columns[i % WIDE], y = rows[i / WIDE];
        const int column = left + i % WIDE, row = top + i / WIDE;
        if (column >= job.dst.width || row >= job.dst.height)
            continue;
        const uint32_t above = satk_blend_row(code_at(job.src, x.a, y.a) * scale,
                                              code_at(job.src, x.b, y.a) * scale, x.weight);
        const uint32_t below = satk_blend_row(code_at(job.src, x.a, y.b) * scale,
                                              code_at(job.src, x.b, y.b) * scale, x.weight);
        satk_put_code((uint8_t *)job.dst.data + row * job.dst.pitch, column, 16,
                      satk_blend_rows(above, below, y.weight));
    }
}

static __global__ void __launch_bounds__(SATK_RESAMPLE_THREADS)
    copy(const __grid_constant__ satk_resample job)
{
    const int across = (job.dst.width + WIDE - 1) / WIDE;
    const int left = (int)blockIdx.x % across * WIDE, top = (int)blockIdx.x / across * HIGH;

    for (int i = (int)threadIdx.x; i < WIDE * HIGH; i += SATK_RESAMPLE_THREADS) {
        const int x = left + i % WIDE, y = top + i / WIDE;
        if (x < job.dst.width && y < job.dst.height)
            satk_put_code((uint8_t *)job.dst.data + y * job.dst.pitch, x, job.dst.bits,
                          code_at(job.src, x, y));
    }
}

size_t satk_resample_scratch_cuda(const satk_resample *job)
{
    (void)job;
    return 0;
}

int satk_resample_cuda(const satk_resample *job, void *of)
{
    const cudaStream_t stream = (cudaStream_t)of;
    const unsigned across = ((unsigned)job->dst.width + WIDE - 1) / WIDE;
    const unsigned blocks = across * (((unsigned)job->dst.height + HIGH - 1) / HIGH);

    if (job->src.width == job->dst.width && job->src.height == job->dst.height)
        copy<<<blocks, SATK_RESAMPLE_THREADS, 0, stream>>>(*job);
    else
        interpolate<<<blocks, SATK_RESAMPLE_THREADS, 0, stream>>>(*job);
    return satk_launched(stream);
}
