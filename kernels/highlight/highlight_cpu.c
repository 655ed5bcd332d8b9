/* Threads share rows. The table of lamps is a ring of rows: a step adds some, and finds the lights of as many rows whose
 * windows it holds then. */
#include "common/parts.h"
#include "common/pool.h"
#include "highlight/highlight_find_rule.h"

#include <string.h>

enum { STEP = 64 }; /* rows */

typedef struct ring {
    satk_lamp_table table;
    uint64_t *words; /* of the table */
} ring;

/* Returns the rows that the windows of a step reach, and the one before them. */
static int ring_rows(const satk_highlight *job)
{
    return satk_smaller(STEP + 2 * satk_ring_end(job->size) + 1, job->src.height);
}

static size_t ring_bytes(const satk_highlight *job)
{
    return (size_t)ring_rows(job) * (size_t)job->src.width * SATK_LAMP_WORDS * sizeof(uint64_t);
}

static uint64_t *ring_row(const ring *r, int y)
{
    return r->words + (satk_lamp_row(&r->table, y) - r->table.words);
}

/* Makes the sums along row y. No store can change the copy of the job, so it stays in registers. */
SATK_FN void sum_row(const satk_highlight *all, const ring *r, int y, int channels, int bits)
{
    const satk_highlight copy = *all, *const job = &copy;
    uint64_t *const row = ring_row(r, y);
    uint64_t sums[SATK_LAMP_WORDS] = {0}, words[SATK_LAMP_WORDS];

    for (int x = 0; x < job->src.width; x++) {
        satk_lamp_words(job, x, y, channels, bits, words);
        for (int i = 0; i < SATK_LAMP_WORDS; i++)
            row[(size_t)i * (size_t)job->src.width + (size_t)x] = sums[i] += words[i];
    }
}

/* Returns 1 if row y has lights. The copy is as in sum_row(). */
SATK_FN int find_row(const satk_highlight *all, const ring *r, int y, int channels, int bits)
{
    const satk_highlight copy = *all, *const job = &copy;
    satk_sure sure = {0, 0};
    int any = 0;

    for (int x = 0; x < job->src.width; x++)
        any |= satk_find_pixel(job, &r->table, x, y, channels, bits, &sure);
    return any;
}

enum { RUN = 64 }; /* pixels that are looked at together: mostly none of them is a light */

/* Returns 1 if a light was taken out of pixels first to last of row y. */
SATK_FN int has_light(const satk_highlight *job, int y, int first, int last, int channels, int bits)
{
    const size_t pixel = (size_t)(channels * bits / 8), begin = (size_t)first * pixel;

    return memcmp((const uint8_t *)job->src.data + y * job->src.pitch + begin,
                  (const uint8_t *)job->base.data + y * job->base.pitch + begin,
                  (size_t)(last - first) * pixel) != 0;
}

/* Returns what row y adds to the number of lamps. */
SATK_FN uint64_t count_row(const satk_highlight *job, int y, int channels, int bits)
{
    int points = 0;

    for (int first = 0; first < job->src.width; first += RUN) {
        const int end = satk_smaller(first + RUN, job->src.width);
        const int last = has_light(job, y, first, end, channels, bits) ? end : first;
        for (int x = first; x < last; x++)
            points += satk_points_at(job, x, y, channels, bits);
    }
    return (uint64_t)(int64_t)points;
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Each kind of picture has functions with constant channels and bits. */
#define KIND(channels, bits)                                                                       \
    static void sum_##channels##_##bits(const satk_highlight *job, const ring *r, int y)           \
    {                                                                                              \
        sum_row(job, r, y, channels, bits);                                                        \
    }                                                                                              \
    static int find_##channels##_##bits(const satk_highlight *job, const ring *r, int y)           \
    {                                                                                              \
        return find_row(job, r, y, channels, bits);                                                \
    }                                                                                              \
    static uint64_t count_##channels##_##bits(const satk_highlight *job, int y)                    \
    {                                                                                              \
        return count_row(job, y, channels, bits);                                                  \
    }
#define KINDS(bits) KIND(1, bits) KIND(2, bits) KIND(3, bits) KIND(4, bits)
KINDS(8)
KINDS(16)

static void (*const sums[2][4])(const satk_highlight *job, const ring *r, int y) = {
    {sum_1_8, sum_2_8, sum_3_8, sum_4_8}, {sum_1_16, sum_2_16, sum_3_16, sum_4_16}};
static int (*const finds[2][4])(const satk_highlight *job, const ring *r, int y) = {
    {find_1_8, find_2_8, find_3_8, find_4_8}, {find_1_16, find_2_16, find_3_16, find_4_16}};
static uint64_t (*const counts[2][4])(const satk_highlight *job, int y) = {
    {count_1_8, count_2_8, count_3_8, count_4_8}, {count_1_16, count_2_16, count_3_16, count_4_16}};

static int parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

/* Rows of the ring, and the kind of its picture. */
typedef struct rows {
    const satk_highlight *job;
    const ring *ring;
    int deep, kind, first, last;
} rows;

static void sum_ring_row(const void *of, int i)
{
    const rows *const r = of;

    sums[r->deep][r->kind](r->job, r->ring, r->first + i);
}

static int words_of(const satk_highlight *job)
{
    return job->src.width * SATK_LAMP_WORDS;
}

enum { BLOCK = 512 }; /* words of a row, which a thread adds up downwards */

static void add_downwards(const void *of, int block)
{
    const rows *const r = of;
    const size_t begin = (size_t)block * BLOCK, words = (size_t)words_of(r->job);

    for (int y = satk_larger(r->first, 1); y < r->last; y++) {
        const uint64_t *const above = ring_row(r->ring, y - 1);
        uint64_t *const row = ring_row(r->ring, y);
        for (size_t i = begin; i < begin + BLOCK && i < words; i++)
            row[i] += above[i];
    }
}

static uint64_t find_in_row(const void *of, int i)
{
    const rows *const r = of;

    return (uint64_t)finds[r->deep][r->kind](r->job, r->ring, r->first + i);
}

static uint64_t count_in_row(const void *of, int i)
{
    const rows *const r = of;

    return counts[r->deep][r->kind](r->job, r->first + i);
}

void satk_highlight_find_cpu(const satk_highlight *job, int threads)
{
    const size_t width = (size_t)job->src.width;
    ring r = {.table = {job->scratch, job->src.width, ring_rows(job), 0, 1, width},
              .words = job->scratch};
    const int height = job->src.height, deep = job->src.bits == 16, kind = job->src.channels - 1;
    uint64_t lit = 0; /* rows */

    for (int first = 0, made = 0; first < height; first += STEP) {
        const int last = satk_smaller(first + STEP, height),
                  end = satk_smaller(last + satk_ring_end(job->size), height);
        const rows more = {job, &r, deep, kind, made, end},
                   seen = {job, &r, deep, kind, first, last};
        r.table.base = (end - 1) / r.table.rows * r.table.rows;
        satk_for(threads, end - made, 0, sum_ring_row, &more);
        satk_for(threads, parts_of(words_of(job), BLOCK), 0, add_downwards, &more);
        made = end;
        lit += satk_sum(threads, last - first, 0, find_in_row, &seen);
    }
    const rows counted = {job, &r, deep, kind, job->counted.lo, job->counted.hi};
    job->found[0] =
        lit ? (uint32_t)satk_sum(threads, counted.last - counted.first, 0, count_in_row, &counted)
            : 0;
}

size_t satk_highlight_scratch_cpu(const satk_highlight *job, int threads)
{
    (void)threads;
    return ring_bytes(job);
}
