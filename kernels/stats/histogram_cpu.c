#include "stats/histogram.h"

#include "common/pool.h"

#include <string.h>

/* Every thread counts in tables of its own, and in several per channel: neighbours often have the
 * same code, and counting it again in the same table would wait for the first store. The samples of
 * a row are dealt out to the tables in turn, so table t counts channel t % channels. A count fits 32
 * bits, since an image has at most 2^31 pixels. */
SATK_FN int tables_of(int channels, int bits)
{
    return (channels == 3 ? 12 : 8) * 8 / bits;
}

/* Words of a table. The tail keeps the same bin of two tables apart by more than a multiple of 4096
 * bytes, which processors take for the same address at first. */
SATK_FN size_t table_words(int bits)
{
    return ((size_t)1 << bits) + 16;
}

size_t satk_histogram_scratch_cpu(const satk_histogram *job, int threads)
{
    return (size_t)threads * (size_t)tables_of(job->src.channels, job->src.bits) *
           table_words(job->src.bits) * sizeof(uint32_t);
}

/* Inlined with constant tables and bits. The full rounds come first, so that a compiler unrolls
 * them. */
SATK_FN void count_row(const void *row, size_t samples, int tables, int bits, uint32_t *own)
{
    const size_t round = (size_t)tables, words = table_words(bits);
    size_t at = 0;

    for (; at + round <= samples; at += round)
        for (size_t t = 0; t < round; t++)
            own[t * words + satk_code(row, at + t, bits)]++;
    for (size_t t = 0; at + t < samples; t++)
        own[t * words + satk_code(row, at + t, bits)]++;
}

static void count_rows(const satk_plane *src, int y, uint32_t *own)
{
    const uint8_t *const row = (const uint8_t *)src->data + y * src->pitch;
    const size_t samples = (size_t)src->width * (size_t)src->channels;

    if (src->bits == 8 && src->channels == 3)
        count_row(row, samples, tables_of(3, 8), 8, own);
    else if (src->bits == 8)
        count_row(row, samples, tables_of(1, 8), 8, own);
    else if (src->channels == 3)
        count_row(row, samples, tables_of(3, 16), 16, own);
    else
        count_row(row, samples, tables_of(1, 16), 16, own);
}

typedef struct counting {
    const satk_histogram *job;
    int parts;
} counting;

static void count_part(const void *of, int i)
{
    const counting *const c = of;
    const satk_plane *const src = &c->job->src;
    const size_t own_words = (size_t)tables_of(src->channels, src->bits) * table_words(src->bits);
    uint32_t *const own = (uint32_t *)c->job->scratch + (size_t)i * own_words;
    const int64_t end = (int64_t)src->height * (i + 1) / c->parts;

    memset(own, 0, own_words * sizeof *own);
    for (int64_t y = (int64_t)src->height * i / c->parts; y < end; y++)
        count_rows(src, (int)y, own);
}

/* Returns the count of one bin: the sum over all tables of all parts. */
static uint64_t gathered(const satk_histogram *job, int channel, size_t bin, int parts)
{
    const int tables = tables_of(job->src.channels, job->src.bits);
    const size_t words = table_words(job->src.bits);
    const uint32_t *const all = job->scratch;
    uint64_t sum = 0;

    for (int i = 0; i < parts; i++)
        for (int t = channel; t < tables; t += job->src.channels)
            sum += all[(size_t)(i * tables + t) * words + bin];
    return sum;
}

enum { TOGETHER = 256 }; /* bins */

static void gather_bins(const void *of, int block)
{
    const counting *const c = of;
    const satk_histogram *const job = c->job;

    for (int channel = 0; channel < job->src.channels; channel++)
        for (size_t b = (size_t)block * TOGETHER; b < ((size_t)block + 1) * TOGETHER; b++) {
            uint64_t *const out = &job->out[((size_t)channel << job->src.bits) + b];
            *out = gathered(job, channel, b, c->parts) + (job->adds ? *out : 0);
        }
}

void satk_histogram_cpu(const satk_histogram *job, int threads)
{
    const counting c = {job, threads};

    satk_for(threads, threads, 1, count_part, &c);
    satk_for(threads, (1 << job->src.bits) / TOGETHER, 0, gather_bins, &c);
}
