/* The least E over squares around the pixels of a picture, on the device. A thread has sixteen pixels of a row.
 * satk_find_own() finds the squares of one pixel. */
#ifndef SATK_LAYER_SQUARES_CUH
#define SATK_LAYER_SQUARES_CUH

#include "layer/layer_plan.cuh"
#include "common/launch.cuh"

enum { SATK_SIXTEEN = 16, SATK_SIXTEEN_WORDS = SATK_SIXTEEN / sizeof(uint32_t) };

struct satk_sixteen {
    uint32_t word[SATK_SIXTEEN_WORDS];
};

static __device__ __forceinline__ satk_sixteen satk_least_sixteen(satk_sixteen a,
                                                                  const satk_sixteen &b)
{
#pragma unroll
    for (int i = 0; i < SATK_SIXTEEN_WORDS; i++)
        a.word[i] = __vminu4(a.word[i], b.word[i]);
    return a;
}

/* Returns the bytes of a run of columns from x on; those beyond the picture are the nearest ones in it. Rows are aligned to
 * runs. */
static __device__ __forceinline__ satk_sixteen satk_sixteen_at(const uint8_t *row, int x, int width)
{
    satk_sixteen run = {};

    if (x >= 0 && x + SATK_SIXTEEN <= width) {
        const uint32_t *const words = (const uint32_t *)row + (x >> 2);
        const int shift = 8 * (x & 3);
#pragma unroll
        for (int i = 0; i < SATK_SIXTEEN_WORDS; i++)
            run.word[i] = words[i];
        if (shift > 0) {
            const uint32_t last = words[SATK_SIXTEEN_WORDS];
#pragma unroll
            for (int i = 0; i < SATK_SIXTEEN_WORDS; i++)
                run.word[i] = __funnelshift_r(
                    run.word[i], i + 1 < SATK_SIXTEEN_WORDS ? run.word[i + 1] : last, shift);
        }
        return run;
    }
#pragma unroll
    for (int i = 0; i < SATK_SIXTEEN; i++)
        run.word[i / 4] |= (uint32_t)row[satk_clipped(x + i, 0, width - 1)] << 8 * (i % 4);
    return run;
}

/* Returns the least of the runs `apart` columns to each side. */
static __device__ __forceinline__ satk_sixteen satk_least_beside(const uint8_t *row, int x,
                                                                 int apart, int width)
{
    return satk_least_sixteen(satk_sixteen_at(row, x - apart, width),
                              satk_sixteen_at(row, x + apart, width));
}

/* Finds the squares of a size from those of the size before, of which four cover one from its corners, `apart` pixels away
 * along both axes. Squares of one pixel leave gaps, so there are nine. */
template <bool IS_NINE>
static __global__ void __launch_bounds__(SATK_SQUARES_RUNS *SATK_SQUARES_ROWS)
    satk_find_squares(const uint8_t *from, uint8_t *to, size_t pitch, int width, int height,
                      int apart)
{
    const int x = ((int)blockIdx.y * SATK_SQUARES_RUNS + (int)threadIdx.x) * SATK_SIXTEEN;
    const int y = (int)blockIdx.x * SATK_SQUARES_ROWS + (int)threadIdx.y;
    if (x >= width || y >= height)
        return;
    const uint8_t *const row = from + (size_t)y * pitch;
    const uint8_t *const above = from + (size_t)max(y - apart, 0) * pitch;
    const uint8_t *const below = from + (size_t)min(y + apart, height - 1) * pitch;

    satk_sixteen least = satk_least_sixteen(satk_least_beside(above, x, apart, width),
                                            satk_least_beside(below, x, apart, width));
    if (IS_NINE) {
        least = satk_least_sixteen(least, satk_least_beside(row, x, apart, width));
        least = satk_least_sixteen(least, satk_sixteen_at(above, x, width));
        least = satk_least_sixteen(least, satk_sixteen_at(below, x, width));
        least = satk_least_sixteen(least, satk_sixteen_at(row, x, width));
    }
    *(uint4 *)(to + (size_t)y * pitch + x) =
        make_uint4(least.word[0], least.word[1], least.word[2], least.word[3]);
}

/* --- Host ------------------------------------------------------------------------------------- */

/* Returns a job's squares, in memory of satk_farther_bytes(). */
static inline satk_farther satk_place_farther(const satk_layer *job, uint8_t *memory)
{
    satk_farther f = satk_make_farther(job);

    f.least = memory;
    f.pitch = ((size_t)job->src.width + SATK_SIXTEEN - 1) / SATK_SIXTEEN * SATK_SIXTEEN;
    f.plane = f.pitch * (size_t)job->src.height;
    return f;
}

/* Finds all squares but those of one pixel. A cudaError_t. */
static inline int satk_find_all_squares(const satk_layer *job, const satk_farther *f,
                                        cudaStream_t stream)
{
    const int width = job->src.width, height = job->src.height;
    const dim3 threads(SATK_SQUARES_RUNS, SATK_SQUARES_ROWS);
    const int runs = (width + SATK_SIXTEEN - 1) / SATK_SIXTEEN;
    const dim3 blocks((unsigned)((height + SATK_SQUARES_ROWS - 1) / SATK_SQUARES_ROWS),
                      (unsigned)((runs + SATK_SQUARES_RUNS - 1) / SATK_SQUARES_RUNS));
    int error = 0;

    for (int size = 1; size < f->sizes && !error; size++) {
        const uint8_t *const from = f->least + (size_t)(size - 1) * f->plane;
        uint8_t *const to = (uint8_t *)from + f->plane;
        const int apart = satk_square_half(f, size) - satk_square_half(f, size - 1);
        if (size == 1)
            satk_find_squares<true>
                <<<blocks, threads, 0, stream>>>(from, to, f->pitch, width, height, apart);
        else
            satk_find_squares<false>
                <<<blocks, threads, 0, stream>>>(from, to, f->pitch, width, height, apart);
        error = satk_launched(stream);
    }
    return error;
}

#endif
