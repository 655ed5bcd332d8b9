/* The least E over squares around the pixels of a picture, on the device: a word for four pixels of a row. satk_find_own()
 * finds those of one pixel. */
#ifndef SATK_LAYER_SQUARES_CUH
#define SATK_LAYER_SQUARES_CUH

#include "layer/layer_plan.cuh"
#include "common/launch.cuh"

enum { SATK_WORD_PIXELS = sizeof(uint32_t) };

/* Returns the bytes of four columns from x on; those beyond the picture are the nearest ones in it. Rows are aligned to
 * words. */
static __device__ __forceinline__ uint32_t satk_bytes_at(const uint8_t *row, int x, int width)
{
    const uint32_t *const words = (const uint32_t *)row;
    const int first = x >> 2, last = (x + SATK_WORD_PIXELS - 1) >> 2;
    uint32_t bytes = 0;

    if (x >= 0 && x + SATK_WORD_PIXELS <= width)
        return __funnelshift_r(words[first], words[last], 8 * (x & 3));
#pragma unroll
    for (int i = 0; i < SATK_WORD_PIXELS; i++)
        bytes |= (uint32_t)row[satk_clipped(x + i, 0, width - 1)] << 8 * i;
    return bytes;
}

/* Returns the least of the bytes `apart` columns to each side. */
static __device__ __forceinline__ uint32_t satk_least_beside(const uint8_t *row, int x, int apart,
                                                             int width)
{
    return __vminu4(satk_bytes_at(row, x - apart, width), satk_bytes_at(row, x + apart, width));
}

/* Finds the squares of a size from those of the size before, of which four cover one from its corners, `apart` pixels away
 * along both axes. Squares of one pixel leave gaps, so there are nine. A thread is a word. */
template <bool IS_NINE>
static __global__ void __launch_bounds__(SATK_ARRAY_THREADS)
    satk_find_squares(const uint8_t *from, uint8_t *to, size_t pitch, int width, int height,
                      int apart)
{
    const unsigned words = (unsigned)(width + SATK_WORD_PIXELS - 1) / SATK_WORD_PIXELS;
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int x = (int)(thread % words) * SATK_WORD_PIXELS, y = (int)(thread / words);
    if (y >= height)
        return;
    const uint8_t *const row = from + (size_t)y * pitch;
    const uint8_t *const above = from + (size_t)max(y - apart, 0) * pitch;
    const uint8_t *const below = from + (size_t)min(y + apart, height - 1) * pitch;

    uint32_t least = __vminu4(satk_least_beside(above, x, apart, width),
                              satk_least_beside(below, x, apart, width));
    if (IS_NINE) {
        least = __vminu4(least, satk_least_beside(row, x, apart, width));
        least = __vminu4(least,
                         __vminu4(satk_bytes_at(above, x, width), satk_bytes_at(below, x, width)));
        least = __vminu4(least, satk_bytes_at(row, x, width));
    }
    *(uint32_t *)(to + (size_t)y * pitch + x) = least;
}

/* --- Host ------------------------------------------------------------------------------------- */

/* Returns a job's squares, in memory of satk_farther_bytes(). */
static inline satk_farther satk_place_farther(const satk_layer *job, uint8_t *memory)
{
    satk_farther f = satk_make_farther(job);

    f.least = memory;
    f.pitch = ((size_t)job->src.width + 15) / 16 * 16;
    f.plane = f.pitch * (size_t)job->src.height;
    return f;
}

/* Finds all squares but those of one pixel. A cudaError_t. */
static inline int satk_find_all_squares(const satk_layer *job, const satk_farther *f,
                                        cudaStream_t stream)
{
    const int width = job->src.width, height = job->src.height;
    const size_t words = f->pitch / SATK_WORD_PIXELS * (size_t)height;
    const unsigned blocks = (unsigned)((words + SATK_ARRAY_THREADS - 1) / SATK_ARRAY_THREADS);
    int error = 0;

    for (int size = 1; size < f->sizes && !error; size++) {
        const uint8_t *const from = f->least + (size_t)(size - 1) * f->plane;
        uint8_t *const to = (uint8_t *)from + f->plane;
        const int apart = satk_square_half(f, size) - satk_square_half(f, size - 1);
        if (size == 1)
            satk_find_squares<true><<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(
                from, to, f->pitch, width, height, apart);
        else
            satk_find_squares<false><<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(
                from, to, f->pitch, width, height, apart);
        error = satk_launched(stream);
    }
    return error;
}

#endif
