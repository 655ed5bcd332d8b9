/* The least E over squares around the pixels of a picture, on the device. satk_find_own() finds the squares of one pixel.
 * One launch finds the small ones, and one launch a size finds the others. */
#ifndef SATK_LAYER_SQUARES_CUH
#define SATK_LAYER_SQUARES_CUH

#include "layer/layer_plan.cuh"
#include "common/launch.cuh"

/* Neighbouring pixels of a row, four to a word. */
template <int WORDS> struct satk_shown {
    uint32_t word[WORDS];
};

template <int WORDS>
static __device__ __forceinline__ satk_shown<WORDS> satk_least_of(satk_shown<WORDS> a,
                                                                  const satk_shown<WORDS> &b)
{
#pragma unroll
    for (int i = 0; i < WORDS; i++)
        a.word[i] = __vminu4(a.word[i], b.word[i]);
    return a;
}

/* --- Small squares ---------------------------------------------------------------------------- */

/* Sizes of 1, 2, 4 and 8 pixels to each side. A warp goes down a stripe of the picture: a lane has eight columns, and the
 * first lane and the last one have those beside the stripe. */
enum {
    SATK_SMALL_SIZES = 4,
    SATK_EIGHT = 1 << (SATK_SMALL_SIZES - 1), /* columns, and rows, that the largest reaches */
    SATK_STRIPE = (SATK_WARP - 2) * SATK_EIGHT
};

typedef satk_shown<SATK_EIGHT / 4> satk_eight;

static __device__ __forceinline__ satk_eight satk_load_eight(const uint8_t *from)
{
    const uint2 two = *(const uint2 *)from;

    return {{two.x, two.y}};
}

/* Returns E of a lane's columns in a row. Beyond the picture it is farther in front than any. */
static __device__ __forceinline__ satk_eight satk_eight_at(const uint8_t *least, size_t pitch,
                                                           int height, int x, int y)
{
    if (x < 0 || x >= (int)pitch || y < 0 || y >= height)
        return {{0xffffffffu, 0xffffffffu}};
    return satk_load_eight(least + (size_t)y * pitch + x);
}

/* Returns the least of the pixels APART columns to both sides of a lane's own, and of its own if HAS_OWN. Whole warps call
 * it. */
template <int APART, bool HAS_OWN>
static __device__ __forceinline__ satk_eight satk_least_across(const satk_eight &own)
{
    const uint32_t words[4] = {__shfl_up_sync(0xffffffffu, own.word[1], 1), own.word[0],
                               own.word[1], __shfl_down_sync(0xffffffffu, own.word[0], 1)};
    satk_eight least;

    static_assert(APART <= 4, "of the neighbours, one word");
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const uint32_t left =
            APART < 4 ? __funnelshift_l(words[i], words[i + 1], 8 * APART) : words[i];
        const uint32_t right =
            APART < 4 ? __funnelshift_r(words[i + 1], words[i + 2], 8 * APART) : words[i + 2];
        least.word[i] = __vminu4(left, right);
        if (HAS_OWN)
            least.word[i] = __vminu4(least.word[i], own.word[i]);
    }
    return least;
}

/* The rows of each size that a lane has found across, and that a row farther down makes squares with. A new row takes the
 * place of the oldest. */
struct satk_stripe {
    satk_eight one[2], two[2], four[4], eight[8];
};

/* Goes down to a row, number `step` of eight. least[i] becomes the squares of 2^i pixels to each side, 2^i rows above. */
static __device__ __forceinline__ void satk_go_down(satk_stripe *s, int step,
                                                    const satk_eight &shown, satk_eight *least)
{
    const satk_eight one = satk_least_across<1, true>(shown);
    least[0] = satk_least_of(one, satk_least_of(s->one[0], s->one[1]));
    s->one[step % 2] = one;

    const satk_eight two = satk_least_across<1, false>(least[0]);
    least[1] = satk_least_of(two, s->two[step % 2]);
    s->two[step % 2] = two;

    const satk_eight four = satk_least_across<2, false>(least[1]);
    least[2] = satk_least_of(four, s->four[step % 4]);
    s->four[step % 4] = four;

    const satk_eight eight = satk_least_across<4, false>(least[2]);
    least[3] = satk_least_of(eight, s->eight[step]);
    s->eight[step] = eight;
}

/* Finds the first `sizes` sizes from squares of one pixel, which lie before them in memory. */
static __global__ void __launch_bounds__(SATK_WARP *SATK_STRIPE_WARPS)
    satk_find_small_squares(uint8_t *least, size_t plane, size_t pitch, int height, int sizes)
{
    const int lane = (int)threadIdx.x, x = (int)blockIdx.y * SATK_STRIPE + (lane - 1) * SATK_EIGHT;
    const int first = ((int)blockIdx.x * SATK_STRIPE_WARPS + (int)threadIdx.y) * SATK_STRIPE_ROWS;
    const int last = min(first + SATK_STRIPE_ROWS, height);
    const bool is_own = lane > 0 && lane + 1 < SATK_WARP && x < (int)pitch;
    satk_stripe s = {};

    for (int top = first - SATK_EIGHT; top < last + SATK_EIGHT && first < last; top += SATK_EIGHT) {
        satk_eight shown[SATK_EIGHT]; /* all are loaded before any is used: one wait, not eight */
#pragma unroll
        for (int step = 0; step < SATK_EIGHT; step++)
            shown[step] = satk_eight_at(least, pitch, height, x, top + step);
#pragma unroll
        for (int step = 0; step < SATK_EIGHT; step++) {
            satk_eight found[SATK_SMALL_SIZES];
            satk_go_down(&s, step, shown[step], found);
#pragma unroll
            for (int i = 0; i < SATK_SMALL_SIZES; i++) {
                const int y = top + step - (1 << i);
                if (is_own && i < sizes && y >= first && y < last)
                    *(uint2 *)(least + (size_t)(i + 1) * plane + (size_t)y * pitch + x) =
                        make_uint2(found[i].word[0], found[i].word[1]);
            }
        }
    }
}

/* --- Large squares ---------------------------------------------------------------------------- */

enum { SATK_SIXTEEN = 16 };

typedef satk_shown<SATK_SIXTEEN / 4> satk_sixteen;

/* Returns the pixels of a row from x on; those beyond the picture are the nearest ones in it. Rows are aligned. */
static __device__ __forceinline__ satk_sixteen satk_sixteen_at(const uint8_t *row, int x, int width)
{
    const bool is_inside = x >= 0 && x + SATK_SIXTEEN <= width;
    satk_sixteen run = {};

    if (is_inside && x % SATK_EIGHT == 0) {
        const satk_eight low = satk_load_eight(row + x), high = satk_load_eight(row + x + 8);
        return {{low.word[0], low.word[1], high.word[0], high.word[1]}};
    }
    if (is_inside) {
        const uint32_t *const words = (const uint32_t *)row + (x >> 2);
        const uint32_t last = x % 4 > 0 ? words[4] : 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            run.word[i] =
                __funnelshift_r(words[i], i < 3 ? words[i + 1] : last, 8 * (unsigned)(x % 4));
        return run;
    }
#pragma unroll
    for (int i = 0; i < SATK_SIXTEEN; i++)
        run.word[i / 4] |= (uint32_t)row[satk_clipped(x + i, 0, width - 1)] << 8 * (i % 4);
    return run;
}

/* Finds the squares of a size from those of the size before, of which four cover one from its corners, `apart` pixels away
 * along both axes. A thread has sixteen columns of several rows: the corners below one row are those above the next. */
static __global__ void __launch_bounds__(SATK_SQUARES_RUNS *SATK_SQUARES_ROWS)
    satk_find_squares(const uint8_t *from, uint8_t *to, size_t pitch, int width, int height,
                      int apart)
{
    const int x = ((int)blockIdx.y * SATK_SQUARES_RUNS + (int)threadIdx.x) * SATK_SIXTEEN;
    const int i = (int)blockIdx.x * SATK_SQUARES_ROWS + (int)threadIdx.y, between = 2 * apart;
    const int first = i / between * between * SATK_SQUARES_DOWN + i % between;
    satk_sixteen across[SATK_SQUARES_DOWN + 1];

    if (x >= width || first >= height)
        return;
#pragma unroll
    for (int k = 0; k <= SATK_SQUARES_DOWN; k++) {
        const int y = satk_clipped(first - apart + k * between, 0, height - 1);
        const uint8_t *const row = from + (size_t)y * pitch;
        across[k] = satk_least_of(satk_sixteen_at(row, x - apart, width),
                                  satk_sixteen_at(row, x + apart, width));
    }
#pragma unroll
    for (int k = 0; k < SATK_SQUARES_DOWN; k++) {
        const satk_sixteen least = satk_least_of(across[k], across[k + 1]);
        if (first + k * between < height)
            *(uint4 *)(to + (size_t)(first + k * between) * pitch + x) =
                make_uint4(least.word[0], least.word[1], least.word[2], least.word[3]);
    }
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

/* Returns how many sizes satk_find_small_squares() finds: the last one may have another half side. */
static inline int satk_small_sizes(const satk_farther *f)
{
    int sizes = 0;

    while (sizes < SATK_SMALL_SIZES && sizes + 1 < f->sizes &&
           satk_square_half(f, sizes + 1) == 1 << sizes)
        sizes++;
    return sizes;
}

static inline int satk_find_small(const satk_layer *job, const satk_farther *f, int sizes,
                                  cudaStream_t stream)
{
    const unsigned rows = SATK_STRIPE_ROWS * SATK_STRIPE_WARPS, height = (unsigned)job->src.height;
    const dim3 threads(SATK_WARP, SATK_STRIPE_WARPS);
    const dim3 blocks((height + rows - 1) / rows,
                      ((unsigned)f->pitch + SATK_STRIPE - 1) / SATK_STRIPE);

    satk_find_small_squares<<<blocks, threads, 0, stream>>>((uint8_t *)f->least, f->plane, f->pitch,
                                                            job->src.height, sizes);
    return satk_launched(stream);
}

static inline int satk_find_large(const satk_layer *job, const satk_farther *f, int size,
                                  cudaStream_t stream)
{
    const int apart = satk_square_half(f, size) - satk_square_half(f, size - 1);
    const unsigned between = 2 * (unsigned)apart, of_thread = between * SATK_SQUARES_DOWN;
    const unsigned rows = ((unsigned)job->src.height + of_thread - 1) / of_thread * between;
    const unsigned runs = (unsigned)f->pitch / SATK_SIXTEEN;
    const dim3 threads(SATK_SQUARES_RUNS, SATK_SQUARES_ROWS);
    const dim3 blocks((rows + SATK_SQUARES_ROWS - 1) / SATK_SQUARES_ROWS,
                      (runs + SATK_SQUARES_RUNS - 1) / SATK_SQUARES_RUNS);
    const uint8_t *const from = f->least + (size_t)(size - 1) * f->plane;

    satk_find_squares<<<blocks, threads, 0, stream>>>(from, (uint8_t *)from + f->plane, f->pitch,
                                                      job->src.width, job->src.height, apart);
    return satk_launched(stream);
}

/* Finds all squares but those of one pixel. A cudaError_t. */
static inline int satk_find_all_squares(const satk_layer *job, const satk_farther *f,
                                        cudaStream_t stream)
{
    const int small = satk_small_sizes(f);
    int error = small > 0 ? satk_find_small(job, f, small, stream) : 0;

    for (int size = small + 1; size < f->sizes && !error; size++)
        error = satk_find_large(job, f, size, stream);
    return error;
}

#endif
