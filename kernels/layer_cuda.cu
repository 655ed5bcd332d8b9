/* Slab by slab, from the nearest: a table of the whole picture, then every pixel that light is left
 * for. */
#include "layer_rule.h"
#include "table.cuh"

/* What a slab's table sums. */
template <typename T, int CHANNELS, int BITS> struct from_slab {
    satk_layer job;
    int slab;

    __device__ __forceinline__ void load(int x, int y, T *out) const
    {
        uint64_t samples[8];
        satk_layer_samples(&job, (const uint8_t *)job.src.data + y * job.src.pitch,
                           (const uint8_t *)job.map.data + y * job.map.pitch, x, slab, CHANNELS,
                           BITS, samples);
        for (int l = 0; l < satk_layer_lanes(CHANNELS); l++)
            out[l] = (T)samples[l];
    }
};

/* A block is one tile of the picture; 0: the thread's pixel is outside. */
static __device__ __forceinline__ bool find_pixel(const satk_layer &job, int *x, int *y)
{
    const unsigned across = (unsigned)(job.src.width + SATK_BOX_WIDTH - 1) / SATK_BOX_WIDTH;

    *x = (int)(blockIdx.x % across * SATK_BOX_WIDTH + threadIdx.x);
    *y = (int)(blockIdx.x / across * SATK_BOX_HEIGHT + threadIdx.y);
    return *x < job.src.width && *y < job.src.height;
}

static __global__ void begin_light(const __grid_constant__ satk_layer job, satk_light *lights)
{
    int x, y;
    if (find_pixel(job, &x, &y))
        lights[(size_t)y * job.src.width + x] = satk_no_light();
}

template <int CHANNELS, int WORD>
static __global__ void lay_slab(const __grid_constant__ satk_layer job,
                                const __grid_constant__ satk_slab slab, const void *words,
                                satk_light *lights)
{
    const satk_layer_table table = {words, 0, job.src.width, 0};
    int x, y;
    if (!find_pixel(job, &x, &y))
        return;
    satk_light light = lights[(size_t)y * job.src.width + x];
    if (light.left == 0)
        return;
    satk_lay_pixel(&job, &table, &slab, x, y, &light, CHANNELS, WORD);
    lights[(size_t)y * job.src.width + x] = light;
}

template <int CHANNELS, int BITS>
static __global__ void store_light(const __grid_constant__ satk_layer job, const satk_light *lights)
{
    int x, y;
    if (!find_pixel(job, &x, &y))
        return;
    uint32_t codes[4];
    satk_light_codes(&job, &lights[(size_t)y * job.src.width + x],
                     (const uint8_t *)job.src.data + y * job.src.pitch, x, CHANNELS, BITS, codes);
    satk_put_pixel((uint8_t *)job.dst.data + y * job.dst.pitch, x, CHANNELS, BITS, codes);
}

/* --- Launches --------------------------------------------------------------------------------- */

static size_t pixels_of(const satk_layer *job)
{
    return (size_t)job->src.width * (size_t)job->src.height;
}

static size_t table_bytes(const satk_layer *job)
{
    return pixels_of(job) * (size_t)satk_layer_lanes(job->src.channels) * (size_t)(job->word / 8);
}

/* Of the table's own scratch; a multiple of 16, as the table is. */
static size_t sums_bytes(const satk_layer *job)
{
    return satk_table_scratch(job->src.width, job->src.height,
                              satk_layer_lanes(job->src.channels)) *
           (size_t)(job->word / 8);
}

template <typename T, int CHANNELS, int BITS>
static int blur(const satk_layer *job, cudaStream_t stream)
{
    constexpr int lanes = CHANNELS <= 2 ? 4 : 8;
    T *const words = (T *)job->scratch;
    T *const scratch = (T *)((uint8_t *)words + table_bytes(job));
    satk_light *const lights =
        (satk_light *)((uint8_t *)scratch + sums_bytes(job)); /* last: not 16-byte aligned */
    const unsigned across = (unsigned)(job->src.width + SATK_BOX_WIDTH - 1) / SATK_BOX_WIDTH;
    const unsigned down = (unsigned)(job->src.height + SATK_BOX_HEIGHT - 1) / SATK_BOX_HEIGHT;
    const dim3 tile(SATK_BOX_WIDTH, SATK_BOX_HEIGHT);

    begin_light<<<across * down, tile, 0, stream>>>(*job, lights);
    int error = satk_launched(stream);
    for (int k = job->count - 1; k >= 0 && !error; k--) {
        if (!job->slabs[k].used)
            continue;
        const from_slab<T, CHANNELS, BITS> source = {*job, k};
        error = satk_build_table<T, lanes>(source, words, scratch, job->src.width, job->src.height,
                                           stream);
        if (error)
            break;
        lay_slab<CHANNELS, (int)(8 * sizeof(T))>
            <<<across * down, tile, 0, stream>>>(*job, job->slabs[k], words, lights);
        error = satk_launched(stream);
    }
    if (error)
        return error;
    store_light<CHANNELS, BITS><<<across * down, tile, 0, stream>>>(*job, lights);
    return satk_launched(stream);
}

template <typename T, int BITS> static int blur_channels(const satk_layer *job, cudaStream_t stream)
{
    switch (job->src.channels) {
    case 1: return blur<T, 1, BITS>(job, stream);
    case 2: return blur<T, 2, BITS>(job, stream);
    case 3: return blur<T, 3, BITS>(job, stream);
    default: return blur<T, 4, BITS>(job, stream);
    }
}

size_t satk_layer_scratch_cuda(const satk_layer *job)
{
    return table_bytes(job) + sums_bytes(job) + pixels_of(job) * sizeof(satk_light);
}

int satk_layer_cuda(const satk_layer *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    if (job->word == 32)
        return job->src.bits == 8 ? blur_channels<uint32_t, 8>(job, s)
                                  : blur_channels<uint32_t, 16>(job, s);
    return job->src.bits == 8 ? blur_channels<uint64_t, 8>(job, s)
                              : blur_channels<uint64_t, 16>(job, s);
}
