#include "sat.h"

#include <string.h>

const char *const satk_sat_variant_names[SATK_SAT_VARIANTS] = {"one-pass", "rows-columns"};

/* totals[] += the samples of one row, for the pixels first <= x < last. */
SATK_FN void add_row(const satk_sat *job, int y, int first, int last, void *totals, int channels,
                     int bits, int word)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const int plain = !job->tone.decode && !job->tone.weighted;

    for (int i = first * channels; plain && i < last * channels; i++) /* in vectors */
        if (word == 32)
            ((uint32_t *restrict)totals)[i] += satk_code(src, (size_t)i, bits);
        else
            ((uint64_t *restrict)totals)[i] += satk_code(src, (size_t)i, bits);
    for (int x = first; !plain && x < last; x++) {
        uint64_t s[4];
        satk_samples(&job->tone, src, x, channels, bits, s);
        for (int c = 0; c < channels; c++)
            if (word == 32)
                ((uint32_t *)totals)[x * channels + c] += (uint32_t)s[c];
            else
                ((uint64_t *)totals)[x * channels + c] += s[c];
    }
}

/* row[] = above[] + the inclusive scan of the samples of row y; above NULL stands for zeros. */
SATK_FN void build_row(const satk_sat *job, int y, const void *above, void *row, int channels,
                       int bits, int word)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    uint64_t sum[4] = {0, 0, 0, 0};

    for (int x = 0; x < job->src.width; x++) {
        uint64_t s[4];
        satk_samples(&job->tone, src, x, channels, bits, s);
        for (int c = 0; c < channels; c++) {
            const size_t at = (size_t)x * (size_t)channels + (size_t)c;
            sum[c] += s[c];
            if (word == 32)
                ((uint32_t *)row)[at] =
                    (uint32_t)sum[c] + (above ? ((const uint32_t *)above)[at] : 0);
            else
                ((uint64_t *)row)[at] = sum[c] + (above ? ((const uint64_t *)above)[at] : 0);
        }
    }
}

/* One pair of functions per kind of image and table, each with constant channels, bits and word. */
typedef struct row_kernels {
    void (*add)(const satk_sat *job, int y, int first, int last, void *totals);
    void (*build)(const satk_sat *job, int y, const void *above, void *row);
} row_kernels;

#define KERNELS(channels, bits, word)                                                              \
    static void add_##channels##_##bits##_##word(const satk_sat *job, int y, int first, int last,  \
                                                 void *totals)                                     \
    {                                                                                              \
        add_row(job, y, first, last, totals, channels, bits, word);                                \
    }                                                                                              \
    static void build_##channels##_##bits##_##word(const satk_sat *job, int y, const void *above,  \
                                                   void *row)                                      \
    {                                                                                              \
        build_row(job, y, above, row, channels, bits, word);                                       \
    }
#define ALL_CHANNELS(bits, word)                                                                   \
    KERNELS(1, bits, word)                                                                         \
    KERNELS(2, bits, word)                                                                         \
    KERNELS(3, bits, word)                                                                         \
    KERNELS(4, bits, word)
ALL_CHANNELS(8, 32)
ALL_CHANNELS(8, 64)
ALL_CHANNELS(16, 32)
ALL_CHANNELS(16, 64)

#define PAIR(channels, bits, word)                                                                 \
    {                                                                                              \
        add_##channels##_##bits##_##word, build_##channels##_##bits##_##word                       \
    }
#define PAIRS(bits, word)                                                                          \
    {                                                                                              \
        PAIR(1, bits, word), PAIR(2, bits, word), PAIR(3, bits, word), PAIR(4, bits, word)         \
    }
static const row_kernels kernels[2][2][4] = {
    {PAIRS(8, 32), PAIRS(8, 64)},
    {PAIRS(16, 32), PAIRS(16, 64)},
};

/* --- Strips ----------------------------------------------------------------------------------- */

static int strips_of(const satk_sat *job, int threads)
{
    return threads < job->src.height ? threads : job->src.height;
}

/* The first row of a strip; the last row of the one before plus one. */
static int strip_row(const satk_sat *job, int strip, int strips)
{
    return (int)((int64_t)job->src.height * strip / strips);
}

static size_t row_words(const satk_sat *job)
{
    return (size_t)job->src.width * (size_t)job->src.channels;
}

static size_t row_bytes(const satk_sat *job)
{
    return row_words(job) * (size_t)(job->word / 8);
}

/* Column totals to table row: the running sum along the row, plus what lies above. */
static void finish_totals(const satk_sat *job, const void *above, void *totals)
{
    const size_t channels = (size_t)job->src.channels, words = row_words(job);
    uint32_t *const t32 = totals;
    uint64_t *const t64 = totals;

    for (size_t i = channels; i < words; i++)
        if (job->word == 32)
            t32[i] += t32[i - channels];
        else
            t64[i] += t64[i - channels];
    for (size_t i = 0; above && i < words; i++)
        if (job->word == 32)
            t32[i] += ((const uint32_t *)above)[i];
        else
            t64[i] += ((const uint64_t *)above)[i];
}

size_t satk_sat_scratch_cpu(const satk_sat *job, int threads)
{
    return (size_t)(strips_of(job, threads) - 1) * row_bytes(job);
}

void satk_sat_cpu(const satk_sat *job, int threads)
{
    const int strips = strips_of(job, threads);
    const size_t bytes = row_bytes(job);
    const row_kernels k = kernels[job->src.bits == 16][job->word == 64][job->src.channels - 1];
    uint8_t *const last = job->scratch; /* last[i]: the table's last row of strip i, found before
                                           the strip is built */

    /* The totals of all strips but the last, by all threads: each takes some columns of them. */
#pragma omp parallel for num_threads(strips) schedule(static, 1)
    for (int part = 0; part < (strips > 1 ? strips : 0); part++) {
        const int first = (int)((int64_t)job->src.width * part / strips);
        const int next = (int)((int64_t)job->src.width * (part + 1) / strips);
        const size_t from = bytes / (size_t)job->src.width * (size_t)first;
        const size_t count = bytes / (size_t)job->src.width * (size_t)(next - first);
        for (int i = 0; i < strips - 1; i++) {
            memset(last + (size_t)i * bytes + from, 0, count);
            for (int y = strip_row(job, i, strips); y < strip_row(job, i + 1, strips); y++)
                k.add(job, y, first, next, last + (size_t)i * bytes);
        }
    }
    for (int i = 0; i < strips - 1; i++)
        finish_totals(job, i ? last + (size_t)(i - 1) * bytes : NULL, last + (size_t)i * bytes);

#pragma omp parallel for num_threads(strips) schedule(static, 1)
    for (int i = 0; i < strips; i++) {
        const uint8_t *above = i ? last + (size_t)(i - 1) * bytes : NULL;
        for (int y = strip_row(job, i, strips); y < strip_row(job, i + 1, strips); y++) {
            uint8_t *const row = (uint8_t *)job->table + (size_t)y * bytes;
            k.build(job, y, above, row);
            above = row;
        }
    }
}
