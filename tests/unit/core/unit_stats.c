/* Statistics and equalisation through the public library, against their definitions by brute force. */
#include "unit/core/unit_context.h"
#include "unit/core/unit_image.h"

#include <math.h>
#include <string.h>

static void ok(satb_status status)
{
    if (status != SATB_OK)
        fail_msg("%s: %s", satb_status_text(status), satb_last_message(cpu));
}

/* --- Statistics ------------------------------------------------------------------------------- */

static void statistics(void **state)
{
    uint16_t data[8] = {0, 65535, 256, 65535, 255, 65535, 1000, 65535};
    const satb_image src = {data, 8, 2, 2, 2, 16, 0, 0};
    satb_channel_stats stats[2];
    const double mean = 1511 / 4.0;
    const double variance = (256.0 * 256 + 255.0 * 255 + 1000.0 * 1000) / 4 - mean * mean;

    ok(satb_measure(cpu, &src, stats));
    assert_int_equal(stats[0].min, 0);
    assert_int_equal(stats[0].max, 1000);
    assert_int_equal(stats[0].count, 4);
    assert_int_equal(stats[0].sum, 1511);
    assert_true(fabs(stats[0].mean - mean) < 1e-9);
    assert_true(fabs(stats[0].stddev - sqrt(variance)) < 1e-9);
    assert_int_equal(stats[0].histogram[0], 2);
    assert_int_equal(stats[0].histogram[1], 1);
    assert_int_equal(stats[0].histogram[3], 1);
    assert_int_equal(stats[1].histogram[255], 4);
    assert_true(stats[1].stddev == 0);
    assert_int_equal(stats[0].median, 255); /* two of four pixels are 0 or 255 */
    assert_int_equal(stats[0].p1, 0);
    assert_int_equal(stats[0].p99, 1000);
    assert_true(stats[0].entropy == 2 && stats[1].entropy == 0);
    assert_true(stats[0].clipped_low == 0.25 && stats[0].clipped_high == 0);
    assert_true(stats[1].clipped_low == 0 && stats[1].clipped_high == 1);
}

static int by_code(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b
               ? -1
               : *(const uint32_t *)a > *(const uint32_t *)b;
}

/* Returns the smallest code with at least `percent` % of the pixels at or below it, counted one by one. */
static uint32_t percentile_of(const uint32_t *codes, size_t n, size_t percent)
{
    for (size_t i = 0; i < n; i++) {
        size_t below = 0;
        while (below < n && codes[below] <= codes[i])
            below++;
        if (100 * below >= percent * n)
            return codes[i];
    }
    return 0;
}

static double entropy_of(const uint32_t *codes, size_t n)
{
    double bits = 0;

    for (size_t i = 0, same = 1; i < n; i++, same++)
        if (i + 1 == n || codes[i + 1] != codes[i]) {
            bits += (double)same / (double)n * log2((double)n / (double)same);
            same = 0;
        }
    return bits;
}

static size_t count_of(const uint32_t *codes, size_t n, uint32_t code)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += codes[i] == code;
    return count;
}

/* Compares every number of one channel with those of its codes in ascending order. */
static void compare_stats(const satb_channel_stats *s, const uint32_t *codes, size_t n, int bits)
{
    long double sum = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        sum += codes[i];
        squares += (long double)codes[i] * codes[i];
    }
    const long double mean = sum / n;
    assert_int_equal(s->count, n);
    assert_int_equal(s->min, codes[0]);
    assert_int_equal(s->max, codes[n - 1]);
    assert_true(s->sum == (uint64_t)sum && s->sum_squares == (uint64_t)squares);
    assert_true(fabsl(s->mean - mean) < 1e-9L);
    assert_true(fabsl(s->stddev - sqrtl(fabsl(squares / n - mean * mean))) < 1e-6L);
    assert_int_equal(s->p1, percentile_of(codes, n, 1));
    assert_int_equal(s->p5, percentile_of(codes, n, 5));
    assert_int_equal(s->median, percentile_of(codes, n, 50));
    assert_int_equal(s->p95, percentile_of(codes, n, 95));
    assert_int_equal(s->p99, percentile_of(codes, n, 99));
    assert_true(fabs(s->entropy - entropy_of(codes, n)) < 1e-9);
    assert_true(s->clipped_low == (double)count_of(codes, n, 0) / (double)n);
    assert_true(s->clipped_high == (double)count_of(codes, n, bits == 8 ? 255 : 65535) / (double)n);
}

/* Statistics equal those by sorting: for noise, and noise clipped at both ends, of sizes that percents divide or not. */
static void statistics_by_brute_force(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {3, 1}, {10, 10}, {20, 5}, {37, 23}, {99, 1}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 16; kind++) {
            const int channels = kind % 4 + 1, bits = kind & 4 ? 16 : 8, largest = (1 << bits) - 1;
            const satb_image src = make(sizes[i][0], sizes[i][1], channels, bits, 90 + (uint32_t)i);
            const size_t n = (size_t)src.width * (size_t)src.height;
            uint32_t *const codes = unit_memory(n * sizeof *codes);
            satb_channel_stats stats[4];
            for (size_t at = 0; at < n * (size_t)channels && kind >= 8; at++) {
                const int code = bits == 8 ? ((uint8_t *)src.data)[at] : ((uint16_t *)src.data)[at];
                const int cut = 2 * code - largest / 2, kept = cut < 0 ? 0 : cut;
                if (bits == 8)
                    ((uint8_t *)src.data)[at] = (uint8_t)(kept > largest ? largest : kept);
                else
                    ((uint16_t *)src.data)[at] = (uint16_t)(kept > largest ? largest : kept);
            }
            ok(satb_measure(cpu, &src, stats));
            for (int c = 0; c < channels; c++) {
                for (size_t p = 0; p < n; p++) {
                    const size_t at = p * (size_t)channels + (size_t)c;
                    codes[p] = bits == 8 ? ((uint8_t *)src.data)[at] : ((uint16_t *)src.data)[at];
                }
                qsort(codes, n, sizeof *codes, by_code);
                compare_stats(&stats[c], codes, n, bits);
            }
        }
}

/* Codes with few pixels and with many, of which several have the same number: the entropy of shares by the definition. */
static void entropy_of_counts(void **state)
{
    static const size_t counts[] = {1, 4095, 4096, 4097, 1, 20000, 4095, 4096, 20000, 7};
    enum { CODES = sizeof counts / sizeof *counts };
    double bits = 0;
    satb_channel_stats stats;
    size_t pixels = 0, at = 0;

    for (size_t i = 0; i < CODES; i++)
        pixels += counts[i];
    const satb_image src = make((int)pixels, 1, 1, 16, 1);
    for (size_t i = 0; i < CODES; i++) {
        const double share = (double)counts[i] / (double)pixels;
        bits += share * log2(1 / share);
        for (size_t k = 0; k < counts[i]; k++)
            ((uint16_t *)src.data)[at++] = (uint16_t)(700 * i + 5);
    }
    ok(satb_measure(cpu, &src, &stats));
    assert_true(fabs(stats.entropy - bits) < 1e-12);
}

/* --- Equalisation ----------------------------------------------------------------------------- */

static long code_at(const satb_image *image, size_t sample)
{
    return image->bits == 8 ? ((uint8_t *)image->data)[sample] : ((uint16_t *)image->data)[sample];
}

static size_t pixels_of(const satb_image *image)
{
    return (size_t)image->width * (size_t)image->height;
}

static int has_alpha(const satb_image *image)
{
    return image->channels % 2 == 0;
}

static long luma_of(const satb_image *image, size_t pixel)
{
    const size_t at = pixel * (size_t)image->channels;

    if (image->channels < 3)
        return code_at(image, at);
    return lround((2126.0 * (double)code_at(image, at) + 7152.0 * (double)code_at(image, at + 1) +
                   722.0 * (double)code_at(image, at + 2)) /
                  10000);
}

static int counts(const satb_image *image, size_t pixel)
{
    const size_t channels = (size_t)image->channels;

    return !has_alpha(image) || code_at(image, pixel * channels + channels - 1) != 0;
}

/* Returns the number of pixels that count and have a luminance of at most `luma`. */
static size_t cdf_of(const satb_image *image, long luma)
{
    size_t count = 0;

    for (size_t p = 0; p < pixels_of(image); p++)
        count += counts(image, p) && luma_of(image, p) <= luma;
    return count;
}

static long least_luma(const satb_image *image)
{
    long least = 65535;

    for (size_t p = 0; p < pixels_of(image); p++)
        if (counts(image, p) && luma_of(image, p) < least)
            least = luma_of(image, p);
    return least;
}

/* Makes noise in the lower half of the codes. With alpha, a third of the pixels is invisible. */
static satb_image dim(int width, int height, int channels, int bits)
{
    const satb_image image = make(width, height, channels, bits, 70 + (uint32_t)width);

    for (size_t at = 0; at < pixels_of(&image) * (size_t)channels; at++) {
        const int alpha = has_alpha(&image) && (int)(at % (size_t)channels) == channels - 1;
        const long code = alpha ? (at / (size_t)channels % 3 ? 9 : 0) : code_at(&image, at) / 2;
        if (bits == 8)
            ((uint8_t *)image.data)[at] = (uint8_t)code;
        else
            ((uint16_t *)image.data)[at] = (uint16_t)code;
    }
    return image;
}

/* The luminances' statistics are those of an image of luminances. */
static void luminance_statistics(void **state)
{
    for (int kind = 0; kind < 8; kind++) {
        const satb_image src = dim(29, 31, kind % 4 + 1, kind < 4 ? 8 : 16);
        uint32_t *const lumas = unit_memory(pixels_of(&src) * sizeof *lumas);
        satb_channel_stats stats;
        size_t n = 0;
        for (size_t p = 0; p < pixels_of(&src); p++)
            if (counts(&src, p))
                lumas[n++] = (uint32_t)luma_of(&src, p);
        qsort(lumas, n, sizeof *lumas, by_code);
        ok(satb_measure_luminance(cpu, &src, &stats));
        compare_stats(&stats, lumas, n, src.bits);
    }
    uint8_t hidden[4] = {200, 0, 3, 0};
    const satb_image clear = {hidden, 4, 2, 1, 2, 8, 0, 0};
    satb_channel_stats nothing, zero;
    memset(&zero, 0, sizeof zero);
    ok(satb_measure_luminance(cpu, &clear, &nothing));
    assert_memory_equal(&nothing, &zero, sizeof zero);
}

/* Returns a luminance equalised by the textbook's formula. */
static long equalized(const satb_image *image, long luma)
{
    const size_t all = cdf_of(image, 65535), least = cdf_of(image, least_luma(image));
    const double largest = image->bits == 8 ? 255 : 65535;

    if (all == least)
        return luma;
    const double share = ((double)cdf_of(image, luma) - (double)least) / (double)(all - least);
    return share < 0 ? 0 : lround(share * largest);
}

static void compare_equalized(const satb_image *src, const satb_image *dst)
{
    const long largest = src->bits == 8 ? 255 : 65535;

    for (size_t p = 0; p < pixels_of(src); p++) {
        const long luma = luma_of(src, p), shift = equalized(src, luma) - luma;
        for (int c = 0; c < src->channels; c++) {
            const size_t at = p * (size_t)src->channels + (size_t)c;
            long want = code_at(src, at);
            if (!has_alpha(src) || c < src->channels - 1)
                want = want + shift < 0 ? 0 : want + shift > largest ? largest : want + shift;
            if (code_at(dst, at) != want)
                fail_msg("pixel %zu, channel %d of %d, %d bits: %ld, not %ld", p, c, src->channels,
                         src->bits, code_at(dst, at), want);
        }
    }
}

static void equalize_by_brute_force(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 3}, {16, 9}, {23, 17}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int kind = 0; kind < 8; kind++) {
            const int channels = kind % 4 + 1, bits = kind < 4 ? 8 : 16;
            const satb_image src = dim(sizes[i][0], sizes[i][1], channels, bits),
                             dst = make(sizes[i][0], sizes[i][1], channels, bits, 5);
            ok(satb_equalize(cpu, &src, &dst));
            compare_equalized(&src, &dst);
            ok(satb_equalize(cpu, &src, &src));
            assert_memory_equal(src.data, dst.data, (size_t)src.stride * (size_t)src.height);
        }
}

/* Few luminances are spread over the whole scale. A single one stays. Invisible pixels alone change nothing. */
static void equalize_examples(void **state)
{
    uint8_t gray[8] = {52, 52, 55, 58, 58, 58, 60, 60}, out[8], one[2] = {77, 77};
    uint8_t hidden[4] = {200, 0, 3, 0}, expected_hidden[4] = {200, 0, 3, 0};
    const uint8_t expected[8] = {0, 0, 43, 170, 170, 170, 255, 255}; /* 0, 1/6, 4/6, 6/6 of 255 */
    const satb_image src = {gray, 8, 8, 1, 1, 8, 0, 0}, dst = {out, 8, 8, 1, 1, 8, 0, 0};
    const satb_image flat = {one, 2, 2, 1, 1, 8, 0, 0}, clear = {hidden, 4, 2, 1, 2, 8, 0, 0};
    satb_image wrong = dst;

    ok(satb_equalize(cpu, &src, &dst));
    assert_memory_equal(out, expected, sizeof out);
    ok(satb_equalize(cpu, &flat, &flat));
    assert_true(one[0] == 77 && one[1] == 77);
    ok(satb_equalize(cpu, &clear, &clear));
    assert_memory_equal(hidden, expected_hidden, sizeof hidden);
    assert_true(satb_last_timings(cpu).ms[SATB_STAGE_EQUALIZE] >= 0);
    wrong.width = 7;
    assert_int_equal(satb_equalize(cpu, &src, &wrong), SATB_ERR_ARG);
    assert_int_equal(satb_equalize(cpu, &src, NULL), SATB_ERR_ARG);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(statistics), UNIT(statistics_by_brute_force),
                 UNIT(luminance_statistics), UNIT(entropy_of_counts), UNIT(equalize_by_brute_force),
                 UNIT(equalize_examples))
