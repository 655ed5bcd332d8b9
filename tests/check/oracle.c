#include "check/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* --- Table ------------------------------------------------------------------------------------ */

void oracle_row_prefix(const oracle_plane *src, const oracle_look *look, int y, uint64_t *out)
{
    uint64_t running[4] = {0}, sample[4];

    for (int x = 0; x < src->width; x++) {
        oracle_samples(src, look, x, y, sample);
        for (int c = 0; c < src->channels; c++)
            *out++ = running[c] += sample[c];
    }
}

uint64_t oracle_table_word(const oracle_plane *src, const oracle_look *look, int x, int y,
                           int channel)
{
    uint64_t sum = 0, sample[4];

    for (int j = 0; j <= y; j++)
        for (int i = 0; i <= x; i++) {
            oracle_samples(src, look, i, j, sample);
            sum += sample[channel];
        }
    return sum;
}

/* --- Window mean ------------------------------------------------------------------------------ */

/* The weights of the positions of one axis in the window, in 1/256. */
typedef struct axis {
    uint64_t *weight; /* all 0 outside first..last */
    int first, last;
} axis;

/* Returns the position in the picture that position p beyond it shows; -1 for none. */
static int position(int64_t p, int64_t n, oracle_edge edge)
{
    if (p >= 0 && p < n)
        return (int)p;
    switch (edge) {
    case ORACLE_CLAMP: return p < 0 ? 0 : (int)n - 1;
    case ORACLE_WRAP: return (int)(((p % n) + n) % n);
    case ORACLE_MIRROR: {
        const int64_t q = ((p % (2 * n)) + 2 * n) % (2 * n);
        return (int)(q < n ? q : 2 * n - 1 - q);
    }
    default: return -1;
    }
}

/* Finds the weights offset by offset: 256 for |d| <= R, the fraction for |d| == R + 1. */
static void weigh(axis *a, int centre, int n, uint32_t radius, oracle_edge edge)
{
    const int64_t whole = radius / 256, ring = whole + (radius % 256 != 0);

    a->first = n;
    a->last = -1;
    for (int64_t d = -ring; d <= ring; d++) {
        const int p = position(centre + d, n, edge);
        if (p < 0)
            continue;
        a->weight[p] += d < -whole || d > whole ? radius % 256 : 256;
        if (p < a->first)
            a->first = p;
        if (p > a->last)
            a->last = p;
    }
}

static void clear(axis *a)
{
    for (int p = a->first; p <= a->last; p++)
        a->weight[p] = 0;
}

static uint64_t mean(u128 sum, u128 weight)
{
    return (uint64_t)((2 * sum + weight) / (2 * weight)); /* half up */
}

/* Finds the codes from the weighted sums. *codes holds the source's and keeps those without a
 * mean. */
static void put_means(const oracle_box *box, const u128 *sum, u128 weight, oracle_codes *codes)
{
    const int channels = box->src.channels, alpha = oracle_alpha(channels);
    const u128 colour_weight = box->look.weighted && alpha >= 0 ? sum[alpha] : weight;

    for (int c = 0; c < channels; c++) {
        const u128 by = c == alpha ? weight : colour_weight;
        if (by != 0)
            codes->c[c] = oracle_code_of(&box->look, box->src.bits, c == alpha,
                                         (uint32_t)mean(sum[c], by), codes->c[c]);
    }
}

static void blur_pixel(const oracle_box *box, axis *h, axis *v, int x, int y, oracle_codes *codes)
{
    uint32_t rx = box->radius_x, ry = box->radius_y;
    u128 sum[4] = {0}, weight = 0;
    uint64_t sample[4];

    for (int c = 0; c < box->src.channels; c++)
        codes->c[c] = oracle_code(&box->src, x, y, c);
    if (box->map.data)
        rx = ry = box->lut[oracle_code(&box->map, x, y, 0)];
    if (rx == 0 && ry == 0)
        return;
    weigh(h, x, box->src.width, rx, box->edge);
    weigh(v, y, box->src.height, ry, box->edge);
    for (int j = v->first; j <= v->last; j++)
        for (int i = h->first; i <= h->last; i++) {
            const u128 w = (u128)h->weight[i] * v->weight[j];
            oracle_samples(&box->src, &box->look, i, j, sample);
            weight += w;
            for (int c = 0; c < box->src.channels; c++)
                sum[c] += w * sample[c];
        }
    put_means(box, sum, weight, codes);
    clear(h);
    clear(v);
}

static uint64_t *zeros(int n)
{
    uint64_t *const words = calloc((size_t)n, sizeof *words);

    if (!words) {
        fprintf(stderr, "oracle: out of memory\n");
        exit(1);
    }
    return words;
}

void oracle_blur(const oracle_box *box, const oracle_pixel *pixels, size_t count,
                 oracle_codes *codes)
{
#pragma omp parallel if (count > 64)
    {
        axis h = {.weight = zeros(box->src.width)}, v = {.weight = zeros(box->src.height)};

#pragma omp for schedule(dynamic, 16)
        for (size_t i = 0; i < count; i++)
            blur_pixel(box, &h, &v, pixels[i].x, pixels[i].y, &codes[i]);
        free(h.weight);
        free(v.weight);
    }
}

/* --- Statistics ------------------------------------------------------------------------------- */

oracle_moments oracle_measure(const oracle_plane *src, int channel)
{
    uint64_t sum = 0, squares = 0;
    uint32_t min = UINT32_MAX, max = 0;

#pragma omp parallel for reduction(+ : sum, squares) reduction(min : min) reduction(max : max)
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++) {
            const uint32_t code = oracle_code(src, x, y, channel);
            sum += code;
            squares += (uint64_t)code * code;
            min = code < min ? code : min;
            max = code > max ? code : max;
        }
    return (oracle_moments){sum, squares, min, max};
}

void oracle_bins(const oracle_plane *src, int channel, uint64_t *bins)
{
    const size_t count = (size_t)oracle_code_max(src->bits) + 1;

    memset(bins, 0, count * sizeof *bins);
#pragma omp parallel for reduction(+ : bins[:count]) if (src->height > 1000)
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            bins[oracle_code(src, x, y, channel)]++;
}

void oracle_code_set(const oracle_plane *src, uint32_t *words)
{
    const uint32_t count = oracle_code_max(src->bits) + 1;
    uint64_t *const bins = malloc(count * sizeof *bins);

    memset(words, 0, count / 8);
    if (bins)
        oracle_bins(src, 0, bins);
    for (uint32_t code = 0; bins && code < count; code++)
        if (bins[code] > 0)
            words[code >> 5] |= UINT32_C(1) << (code & 31);
    free(bins);
}

/* --- Equalisation ----------------------------------------------------------------------------- */

static int32_t weighted_mean(const oracle_plane *src, int x, int y)
{
    static const long double weights[3] = {2126, 7152, 722};
    long double sum = 0;

    if (src->channels < 3)
        return (int32_t)oracle_code(src, x, y, 0);
    for (int c = 0; c < 3; c++)
        sum += weights[c] * oracle_code(src, x, y, c);
    return (int32_t)floorl(sum / 10000 + 0.5L);
}

int32_t oracle_luma(const oracle_plane *src, int x, int y)
{
    const int alpha = oracle_alpha(src->channels);

    return alpha >= 0 && oracle_code(src, x, y, alpha) == 0 ? -1 : weighted_mean(src, x, y);
}

void oracle_luma_bins(const oracle_plane *src, uint64_t *bins)
{
    const size_t count = (size_t)oracle_code_max(src->bits) + 1;

    memset(bins, 0, count * sizeof *bins);
#pragma omp parallel for reduction(+ : bins[:count]) if (src->height > 1000)
    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++) {
            const int32_t luma = oracle_luma(src, x, y);
            if (luma >= 0)
                bins[luma]++;
        }
}

oracle_codes oracle_equalized(const oracle_plane *src, const uint16_t *lut, int x, int y)
{
    const int32_t luma = weighted_mean(src, x, y), max = (int32_t)oracle_code_max(src->bits);
    const int alpha = oracle_alpha(src->channels);
    oracle_codes out = {{0}};

    for (int c = 0; c < src->channels; c++) {
        int32_t code = (int32_t)oracle_code(src, x, y, c);
        if (c != alpha)
            code = code - luma + lut[luma];
        out.c[c] = (uint32_t)(code > max ? max : code < 0 ? 0 : code);
    }
    return out;
}
