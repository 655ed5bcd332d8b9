#include "common/cpu_level.h"
#include "sat/sat_row.h"

#include <string.h>

static satk_sat_rows rows_of(const satk_sat *job)
{
#ifdef SATK_HAVE_LEVELS
    switch (satk_level_here()) {
    case SATK_AVX512: return satk_sat_rows_avx512(job);
    case SATK_AVX2: return satk_sat_rows_avx2(job);
    default: break;
    }
#endif
    return satk_sat_rows_plain(job);
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* Returns the strips for a number of threads. One thread builds a table of codes at the speed of
 * memory. A second one needs the totals of the first one's strip, so half of the picture is read
 * twice, and both together take longer than the one alone. */
static int strips_of(const satk_sat *job, int threads)
{
    const int waits = job->word == 32 && !job->tone.decode && !job->tone.weighted;
    const int strips = threads == 2 && waits ? 1 : threads;

    return strips < job->src.height ? strips : job->src.height;
}

/* Returns the first row of a strip, which is the last row of the one before plus one. */
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

/* Turns column totals into a table row: the running sum along the row, plus the row above. */
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
    const satk_sat_rows k = rows_of(job);
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
