#include "common/cpu_level.h"
#include "common/pool.h"
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

typedef struct build {
    const satk_sat *job;
    int strips;
    size_t bytes;
    satk_sat_rows k;
    uint8_t *last; /* last[i]: the table's last row of strip i, found before the strip is built */
} build;

/* Adds up some columns of all strips but the last. */
static void add_columns(const void *job, int part)
{
    const build *const b = job;
    const int width = b->job->src.width;
    const int first = (int)((int64_t)width * part / b->strips);
    const int next = (int)((int64_t)width * (part + 1) / b->strips);
    const size_t from = b->bytes / (size_t)width * (size_t)first;
    const size_t count = b->bytes / (size_t)width * (size_t)(next - first);

    for (int i = 0; i < b->strips - 1; i++) {
        memset(b->last + (size_t)i * b->bytes + from, 0, count);
        for (int y = strip_row(b->job, i, b->strips); y < strip_row(b->job, i + 1, b->strips); y++)
            b->k.add(b->job, y, first, next, b->last + (size_t)i * b->bytes);
    }
}

static void build_strip(const void *job, int i)
{
    const build *const b = job;
    const uint8_t *above = i ? b->last + (size_t)(i - 1) * b->bytes : NULL;

    for (int y = strip_row(b->job, i, b->strips); y < strip_row(b->job, i + 1, b->strips); y++) {
        uint8_t *const row = (uint8_t *)b->job->table + (size_t)y * b->bytes;
        b->k.build(b->job, y, above, row);
        above = row;
    }
}

void satk_sat_cpu(const satk_sat *job, int threads)
{
    const build b = {job, strips_of(job, threads), row_bytes(job), rows_of(job), job->scratch};

    satk_for(threads, b.strips > 1 ? b.strips : 0, 1, add_columns, &b);
    for (int i = 0; i < b.strips - 1; i++)
        finish_totals(job, i ? b.last + (size_t)(i - 1) * b.bytes : NULL,
                      b.last + (size_t)i * b.bytes);
    satk_for(threads, b.strips, 1, build_strip, &b);
}
