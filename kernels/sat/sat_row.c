/* Rows of a summed-area table, for sat_cpu.c. */
#include "sat/sat_row.h"

#include "common/cpu_level.h"
#include "common/lanes.h"

/* Adds the samples of row y to totals[], for a range of its pixels. */
SATK_FN void add_row(const satk_sat *job, int y, satk_range columns, void *totals, int channels,
                     int bits, int word)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    const int plain = !job->tone.decode && !job->tone.weighted;

    uint32_t *const restrict totals32 = totals;
    uint64_t *const restrict totals64 = totals;

    for (int i = columns.lo * channels; plain && i < columns.hi * channels;
         i++) /* the compiler makes vectors of it */
        if (word == 32)
            totals32[i] += satk_code(src, (size_t)i, bits);
        else
            totals64[i] += satk_code(src, (size_t)i, bits);
    for (int x = columns.lo; !plain && x < columns.hi; x++) {
        uint64_t s[4];
        satk_samples(&job->tone, src, x, channels, bits, s);
        for (int c = 0; c < channels; c++)
            if (word == 32)
                totals32[x * channels + c] += (uint32_t)s[c];
            else
                totals64[x * channels + c] += s[c];
    }
}

/* Builds a row of plain codes, a vector at a time. */
SATK_FN void build_plain_row(const uint8_t *src, const uint32_t *above, uint32_t *row,
                             size_t samples, int channels, int bits)
{
    const scanner scan = make_scanner((uint32_t)channels);
    const size_t sample = (size_t)bits / 8;
    lanes carry = {0};
    size_t i = 0;

    for (; i + LANES <= samples; i += LANES) {
        lanes sums = scan_lanes(&scan, lanes_from(src + i * sample, bits), &carry, channels);
        if (above)
            sums += lanes_at(above + i);
        put_lanes(row + i, sums, LANES, 32);
    }
    if (i < samples) {
        uint8_t rest[2 * LANES] = {0};
        uint32_t rest_above[LANES] = {0};
        memcpy(rest, src + i * sample, (samples - i) * sample);
        if (above)
            memcpy(rest_above, above + i, (samples - i) * sizeof *above);
        put_lanes(row + i,
                  scan_lanes(&scan, lanes_from(rest, bits), &carry, channels) +
                      lanes_at(rest_above),
                  (int)(samples - i), 32);
    }
}

/* Builds a row: row[] = above[] + the inclusive scan of the samples of row y. above NULL stands for
 * zeros. */
SATK_FN void build_row(const satk_sat *job, int y, const void *above, void *row, int channels,
                       int bits, int word)
{
    const uint8_t *const src = (const uint8_t *)job->src.data + y * job->src.pitch;
    uint64_t sum[4] = {0, 0, 0, 0};

    if (word == 32 && !job->tone.decode && !job->tone.weighted) {
        build_plain_row(src, above, row, (size_t)job->src.width * (size_t)channels, channels, bits);
        return;
    }
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

/* Each kind of image and table has a pair of functions with constant channels, bits and word. */
#define KERNELS(channels, bits, word)                                                              \
    static void add_##channels##_##bits##_##word(const satk_sat *job, int y, int first, int last,  \
                                                 void *totals)                                     \
    {                                                                                              \
        add_row(job, y, (satk_range){first, last}, totals, channels, bits, word);                  \
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
static const satk_sat_rows kernels[2][2][4] = {
    {PAIRS(8, 32), PAIRS(8, 64)},
    {PAIRS(16, 32), PAIRS(16, 64)},
};

satk_sat_rows SATK_LEVELED(satk_sat_rows)(const satk_sat *job)
{
    return kernels[job->src.bits == 16][job->word == 64][job->src.channels - 1];
}
