#include "stats/equalize.h"

#include "common/pool.h"

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

typedef struct counting {
    const satk_luma *job;
    int parts;
} counting;

static void count_part(const void *of, int i)
{
    const counting *const c = of;
    const satk_plane *const src = &c->job->src;
    const size_t own_words = (size_t)tables_of(src->bits) * table_words(src->bits);
    uint32_t *const own = (uint32_t *)c->job->scratch + (size_t)i * own_words;
    const int64_t end = (int64_t)src->height * (i + 1) / c->parts;

    memset(own, 0, own_words * sizeof *own);
    for (int64_t y = (int64_t)src->height * i / c->parts; y < end; y++)
        count_functions[src->bits == 16][src->channels - 1](
            (const uint8_t *)src->data + y * src->pitch, src->width, own);
}

static void gather_bin(const void *of, int b)
{
    const counting *const c = of;
    const uint32_t *const all = c->job->scratch;
    const int bits = c->job->src.bits;
    uint64_t sum = c->job->adds ? c->job->out[b] : 0;

    for (size_t t = 0; t < (size_t)c->parts * (size_t)tables_of(bits); t++)
        sum += all[t * table_words(bits) + (size_t)b];
    c->job->out[b] = sum;
}

void satk_luma_cpu(const satk_luma *job, int threads)
{
    const counting c = {job, threads};

    satk_for(threads, threads, 1, count_part, &c);
    satk_for(threads, 1 << job->src.bits, 0, gather_bin, &c);
}

typedef struct levelling {
    const satk_equal_lut *job;
    uint64_t least;
} levelling;

static void level_luma(const void *of, int luma)
{
    const levelling *const l = of;

    l->job->lut[luma] = satk_equal_luma(l->job, (uint32_t)luma, l->least);
}

void satk_equal_lut_cpu(const satk_equal_lut *job, int threads)
{
    const levelling l = {job, satk_least_sum(job->cdf, job->bits)};

    satk_for(job->bits > 8 ? threads : 1, 1 << job->bits, 0, level_luma, &l);
}

static void equalize_row(const void *of, int y)
{
    const satk_equalize *const job = of;
    const satk_plane *const src = &job->src, *const dst = &job->dst;

    apply_functions[src->bits == 16][src->channels - 1]((const uint8_t *)src->data + y * src->pitch,
                                                        (uint8_t *)dst->data + y * dst->pitch,
                                                        src->width, job->lut);
}

void satk_equalize_cpu(const satk_equalize *job, int threads)
{
    satk_for(threads, job->src.height, 0, equalize_row, job);
}
