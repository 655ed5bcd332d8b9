#include "box/box.h"
#include "common/launch.cuh"
#include "box/box_tune.cuh"
#include "box/box_window.cuh"
#include "box/box_rule.h"

/* --- Pixels ----------------------------------------------------------------------------------- */

/* A thread is a pixel of every gridDim.y-th row of tiles, since the second dimension of a grid ends
 * at 65535 blocks; a warp is 32 neighbours of a row. */
static __device__ __forceinline__ int first_row()
{
    return (int)(blockIdx.y * SATK_BOX_HEIGHT + threadIdx.y);
}

static __device__ __forceinline__ int next_row(int y)
{
    return y + (int)(gridDim.y * SATK_BOX_HEIGHT);
}

static __device__ __forceinline__ int column()
{
    return (int)(blockIdx.x * SATK_BOX_WIDTH + threadIdx.x);
}

/* Finds the mean of any window at any edge, as box_rule.h has it. */
template <int CHANNELS, int BITS, int WORD, int WIDE>
static __global__ void window_means(const __grid_constant__ satk_box job)
{
    const int x = column();

    for (int y = first_row(); y < job.src.height && x < job.src.width; y = next_row(y))
        satk_box_pixel(&job, x, y, CHANNELS, BITS, WORD, WIDE);
}

/* Finds the mean of a window that shrinks at the edges. FRACTIONS: some radii may have one, or
 * there is a map; else they are whole and the same for all pixels. */
template <int CHANNELS, int BITS, typename T, bool FRACTIONS>
static __device__ __forceinline__ void shrunk_mean(const satk_box &job, int x, int y)
{
    const uint8_t *const src = (const uint8_t *)job.src.data + y * job.src.pitch;
    uint32_t rx = job.radius_x, ry = job.radius_y;
    uint32_t codes[4];

    if (FRACTIONS && job.map.data)
        rx = ry = job.lut[satk_code((const uint8_t *)job.map.data + y * job.map.pitch,
                                    (size_t)x * job.map.channels, job.map.bits)];
    if ((rx | ry) == 0) {
        satk_get_pixel(src, x, CHANNELS, BITS, codes);
    } else if (FRACTIONS && (rx | ry) % SATK_ONE) {
        satk_window_sum<uint64_t, CHANNELS> w;
        satk_sum_boxes<T, CHANNELS>(job, x, y, rx, ry, &w);
        satk_window_codes<uint64_t, CHANNELS, BITS>(job, w, src, x, codes);
    } else {
        satk_window_sum<T, CHANNELS> w;
        satk_sum_box<T, CHANNELS>(job, x, y, (int)(rx / SATK_ONE), (int)(ry / SATK_ONE), &w);
        satk_window_codes<T, CHANNELS, BITS>(job, w, src, x, codes);
    }
    satk_put_pixel((uint8_t *)job.dst.data + y * job.dst.pitch, x, CHANNELS, BITS, codes);
}

template <int CHANNELS, int BITS, typename T, bool FRACTIONS>
static __global__ void __launch_bounds__(SATK_BOX_WIDTH *SATK_BOX_HEIGHT,
                                         SATK_BOX_BLOCKS(8 * sizeof(T), FRACTIONS))
    shrunk_means(const __grid_constant__ satk_box job)
{
    const int x = column();

    for (int y = first_row(); y < job.src.height && x < job.src.width; y = next_row(y))
        shrunk_mean<CHANNELS, BITS, T, FRACTIONS>(job, x, y);
}

/* --- Launches --------------------------------------------------------------------------------- */

template <int CHANNELS, int BITS, typename T>
static void launch_shrunk(const satk_box *job, dim3 tiles, cudaStream_t stream)
{
    const dim3 block(SATK_BOX_WIDTH, SATK_BOX_HEIGHT);

    if (job->map.data || (job->radius_x | job->radius_y) % SATK_ONE)
        shrunk_means<CHANNELS, BITS, T, true><<<tiles, block, 0, stream>>>(*job);
    else
        shrunk_means<CHANNELS, BITS, T, false><<<tiles, block, 0, stream>>>(*job);
}

template <int CHANNELS, int BITS> static void launch(const satk_box *job, cudaStream_t stream)
{
    const dim3 block(SATK_BOX_WIDTH, SATK_BOX_HEIGHT);
    const unsigned across = (unsigned)(job->src.width + SATK_BOX_WIDTH - 1) / SATK_BOX_WIDTH;
    const unsigned down = (unsigned)(job->src.height + SATK_BOX_HEIGHT - 1) / SATK_BOX_HEIGHT;
    const dim3 tiles(across, down < 65535 ? down : 65535);

    if (job->wide)
        window_means<CHANNELS, BITS, 64, 1><<<tiles, block, 0, stream>>>(*job);
    else if (job->edge != SATK_SHRINK && job->word == 32)
        window_means<CHANNELS, BITS, 32, 0><<<tiles, block, 0, stream>>>(*job);
    else if (job->edge != SATK_SHRINK)
        window_means<CHANNELS, BITS, 64, 0><<<tiles, block, 0, stream>>>(*job);
    else if (job->word == 32)
        launch_shrunk<CHANNELS, BITS, uint32_t>(job, tiles, stream);
    else
        launch_shrunk<CHANNELS, BITS, uint64_t>(job, tiles, stream);
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
