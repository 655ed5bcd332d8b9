#include "stats/equalize.h"

#include <string.h>

/* Each kind of picture has a function with constant channels and bits. */
typedef void count_function(const void *row, int width, uint32_t *own);
typedef void apply_function(const void *src, void *dst, int width, const uint16_t *lut);

/* --- Counting --------------------------------------------------------------------------------- */

/* Tables of each thread: why several, and why they have a tail, see histogram_cpu.c. */
SATK_FN int tables_of(int bits)
{
    return 64 / bits;
}

SATK_FN size_t table_words(int bits)
{
    return ((size_t)1 << bits) + 16;
}

size_t satk_luma_scratch_cpu(const satk_luma *job, int threads)
{
    return (size_t)(threads * tables_of(job->src.bits)) * table_words(job->src.bits) *
           sizeof(uint32_t);
}

SATK_FN void count_pixel(const void *row, int x, int table, int channels, int bits, uint32_t *own)
{
    uint32_t codes[4];

    satk_get_pixel(row, x, channels, bits, codes);
    own[(size_t)table * table_words(bits) + satk_luma_of(codes, channels)] +=
        (uint32_t)satk_is_counted(codes, channels);
}

SATK_FN void count_row(const void *row, int width, int channels, int bits, uint32_t *own)
{
    const int tables = tables_of(bits);
    int x = 0;

    for (; x + tables <= width; x += tables)
        for (int t = 0; t < tables; t++)
            count_pixel(row, x + t, t, channels, bits, own);
    for (; x < width; x++)
        count_pixel(row, x, 0, channels, bits, own);
}

#define KERNELS(channels, bits)                                                                    \
    static void count_##channels##_##bits(const void *row, int width, uint32_t *own)               \
    {                                                                                              \
        count_row(row, width, channels, bits, own);                                                \
    }                                                                                              \
    static void apply_##channels##_##bits(const void *src, void *dst, int width,                   \
                                          const uint16_t *lut)                                     \
    {                                                                                              \
        for (int x = 0; x < width; x++)                                                            \
            satk_equalize_pixel(src, dst, x, channels, bits, lut);                                 \
    }
KERNELS(1, 8)
KERNELS(2, 8)
KERNELS(3, 8)
KERNELS(4, 8)
KERNELS(1, 16)
KERNELS(2, 16)
KERNELS(3, 16)
KERNELS(4, 16)

static count_function *const count_functions[2][4] = {
    {count_1_8, count_2_8, count_3_8, count_4_8},
    {count_1_16, count_2_16, count_3_16, count_4_16},
};
static apply_function *const apply_functions[2][4] = {
    {apply_1_8, apply_2_8, apply_3_8, apply_4_8},
    {apply_1_16, apply_2_16, apply_3_16, apply_4_16},
};

void satk_luma_cpu(const satk_luma *job, int threads)
{
    const satk_plane src = job->src;
    count_function *const count = count_functions[src.bits == 16][src.channels - 1];
    const size_t words = table_words(src.bits), bins = (size_t)1 << src.bits,
                 tables = (size_t)tables_of(src.bits);
    uint32_t *const all = job->scratch;

#pragma omp parallel for num_threads(threads) schedule(static)
    for (int i = 0; i < threads; i++) {
        uint32_t *const own = all + (size_t)i * tables * words;
        const int64_t first = (int64_t)src.height * i / threads,
                      last = (int64_t)src.height * (i + 1) / threads;
        memset(own, 0, tables * words * sizeof *own);
        for (int64_t y = first; y < last; y++)
            count((const uint8_t *)src.data + y * src.pitch, src.width, own);
    }
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size_t b = 0; b < bins; b++) {
        uint64_t sum = 0;
        for (size_t t = 0; t < (size_t)threads * tables; t++)
            sum += all[t * words + b];
        job->out[b] = sum + (job->adds ? job->out[b] : 0);
    }
}

void satk_equal_lut_cpu(const satk_equal_lut *job, int threads)
{
    const uint32_t codes = 1u << job->bits;
    const uint64_t least = satk_least_sum(job->cdf, job->bits);

#pragma omp parallel for num_threads(threads) schedule(static) if (codes > 256)
    for (uint32_t luma = 0; luma < codes; luma++)
        job->lut[luma] = satk_equal_luma(job, luma, least);
}

void satk_equalize_cpu(const satk_equalize *job, int threads)
{
    const satk_plane src = job->src, dst = job->dst;
    apply_function *const apply = apply_functions[src.bits == 16][src.channels - 1];

#pragma omp parallel for num_threads(threads) schedule(static)
    for (int y = 0; y < src.height; y++)
        apply((const uint8_t *)src.data + y * src.pitch, (uint8_t *)dst.data + y * dst.pitch,
              src.width, job->lut);
}
