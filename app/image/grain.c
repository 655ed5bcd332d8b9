/* The measure of grain. In flat parts, the differences of pixels are grain. Blocks with the least of them are flat, and a
 * photograph has many: the quietest tenth has the grain's strength. By brightness: Liu et al., "Noise Estimation from a
 * Single Image" (2006). Differences that slopes do not change: Immerkaer, "Fast Noise Variance Estimation" (1996). With
 * correlations: Norkin and Birkbeck, "Film Grain Synthesis for AV1" (2018). */
#include "image/grain.h"

#include "image/pixels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 16,    /* pixels of a block */
    STEP = 8,     /* pixels from a block to the next */
    MOST = 16384, /* blocks, so that large pictures take no longer */
    FEW = 16,     /* a bin with fewer blocks has the strength of the next */
    CLIPPED = 4   /* codes: blocks so near to black or white are cut off */
};

static const double quiet = 0.1; /* the part of a bin's blocks that are looked at */
/* The variance of a block at that quantile, by the true one, if all blocks are flat. */
static const double quiet_bias = 0.86;
static const double rounding = 1 / 12.0;     /* the variance that codes of 8 bits add */
static const double least = 0.25, most = 16; /* codes: more than that is no grain but texture */

/* Variances in codes^2. Structure has far more of far differences than of near ones. Grain that JPEG or a demosaic has
 * blurred has some more, and is taken for at most twice what the near ones say. */
typedef struct block {
    float far[3],
        near[3];     /* by differences of pixels that are two apart, and that are side by side */
    float shared;    /* covariance of channels by far ones, the mean of all pairs */
    uint8_t code[3]; /* mean */
} block;

typedef struct sums {
    int64_t one[3], two[3], cross[3]; /* of differences, their squares, and products of channels */
    int64_t count;
} sums;

/* Adds the second differences of a block's pixels at a distance of dx, dy: slopes have none. */
static void add_differences(sums *s, const satb_image *src, const uint8_t *from, int colours,
                            int dx, int dy)
{
    const ptrdiff_t apart = dy * src->stride + (ptrdiff_t)dx * src->channels;
    *s = (sums){.count = (SIDE - 2 * dx) * (SIDE - 2 * dy)};
    for (int y = dy; y < SIDE - dy; y++)
        for (int x = dx; x < SIDE - dx; x++) {
            const uint8_t *const at = from + y * src->stride + (ptrdiff_t)x * src->channels;
            int d[3] = {0, 0, 0};
            for (int c = 0; c < colours; c++) {
                d[c] = at[c - apart] - 2 * at[c] + at[c + apart];
                s->one[c] += d[c];
                s->two[c] += d[c] * d[c];
            }
            s->cross[0] += d[0] * d[1];
            s->cross[1] += d[1] * d[2];
            s->cross[2] += d[2] * d[0];
        }
}

/* Adds half of the pixels' variances, as there are two axes. That of a difference is 1 + 4 + 1 times a pixel's. */
static void add_variances(const sums *s, int colours, float *variances, float *shared)
{
    const double scale = 1 / (12.0 * (double)s->count * (double)(s->count - 1));
    for (int c = 0; c < colours; c++) {
        const int64_t mean = s->one[c] * s->one[c], means = s->one[c] * s->one[(c + 1) % 3];
        variances[c] += (float)((double)(s->two[c] * s->count - mean) * scale);
        if (shared && colours == 3)
            *shared += (float)((double)(s->cross[c] * s->count - means) * scale / 3);
    }
}

static int mean_code(const satb_image *src, const uint8_t *from, int c)
{
    int sum = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            sum += from[y * src->stride + (ptrdiff_t)x * src->channels + c];
    return sum / (SIDE * SIDE);
}

static block measure_block(const satb_image *src, const uint8_t *from, int colours)
{
    block b = {.shared = 0};
    sums s;
    for (int turn = 0; turn < 2; turn++) {
        add_differences(&s, src, from, colours, turn ? 0 : 2, turn ? 2 : 0);
        add_variances(&s, colours, b.far, &b.shared);
        add_differences(&s, src, from, colours, !turn, turn);
        add_variances(&s, colours, b.near, NULL);
    }
    for (int c = 0; c < colours; c++)
        b.code[c] = (uint8_t)mean_code(src, from, c);
    return b;
}

/* Measures blocks on a grid, at most MOST. Returns how many. */
static int measure_blocks(const satb_image *src, int colours, block *blocks)
{
    int64_t step = STEP;
    int count = 0;
    while ((src->width / step + 1) * (src->height / step + 1) > MOST)
        step++;
    for (int64_t y = 0; y + SIDE <= src->height; y += step)
        for (int64_t x = 0; x + SIDE <= src->width; x += step)
            blocks[count++] = measure_block(
                src, (const uint8_t *)src->data + y * src->stride + x * src->channels, colours);
    return count;
}

static double variance_of(const block *b, int c)
{
    return fmin(b->far[c], 2 * b->near[c]);
}

static int by_value(const void *a, const void *b)
{
    const float one = *(const float *)a, two = *(const float *)b;
    return (one > two) - (one < two);
}

/* Returns whether a block's channel is in the bin; -1 is all bins. */
static bool is_in(const block *b, int c, int bin)
{
    return b->code[c] >= CLIPPED && b->code[c] < 256 - CLIPPED &&
           (bin < 0 || b->code[c] * GRAIN_BINS / 256 == bin);
}

/* Returns the variance that the quietest tenth of a bin's blocks has at most; -1: there are few blocks. */
static double quiet_variance(const block *blocks, int count, int c, int bin, float *room)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        if (is_in(&blocks[i], c, bin))
            room[n++] = (float)variance_of(&blocks[i], c);
    if (n < (bin < 0 ? 1 : FEW))
        return -1;
    qsort(room, (size_t)n, sizeof *room, by_value);
    return room[(int)(quiet * n)];
}

static double sigma_of(double variance)
{
    const double sigma = sqrt(fmax(0, variance / quiet_bias - rounding));
    return sigma < least ? 0 : fmin(most, sigma);
}

/* Sets the strengths of a channel. A bin whose blocks all have texture would be far too strong: twice the
 * picture's is the most. */
static void set_channel(grain *g, const block *blocks, int count, int c, float *room)
{
    const double all = sigma_of(fmax(0, quiet_variance(blocks, count, c, -1, room)));
    double known[GRAIN_BINS];
    for (int bin = 0; bin < GRAIN_BINS; bin++) {
        const double variance = quiet_variance(blocks, count, c, bin, room);
        known[bin] = variance < 0 ? -1 : fmin(2 * all, sigma_of(variance));
    }
    for (int bin = 0; bin < GRAIN_BINS; bin++) {
        g->sigma[c][bin] = all;
        for (int away = GRAIN_BINS - 1; away >= 0; away--) { /* the nearest is last */
            if (bin + away < GRAIN_BINS && known[bin + away] >= 0)
                g->sigma[c][bin] = known[bin + away];
            if (bin - away >= 0 && known[bin - away] >= 0)
                g->sigma[c][bin] = known[bin - away];
        }
    }
}

/* Finds from the quiet blocks how alike channels and neighbours are, and the mean strength. */
static void set_likeness(grain *g, const block *blocks, int count, int colours)
{
    double far = 0, near = 0, shared = 0, sigma = 0;
    int all = 0;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < colours; c++) {
            const double own = g->sigma[c][blocks[i].code[c] * GRAIN_BINS / 256];
            sigma += own;
            all++;
            if (own == 0 || !is_in(&blocks[i], c, -1) ||
                variance_of(&blocks[i], c) > 1.3 * own * own)
                continue;
            far += blocks[i].far[c] - rounding;
            near += blocks[i].near[c] - rounding;
            shared += blocks[i].shared;
        }
    g->mean = all > 0 ? sigma / all : 0;
    g->common = colours == 3 && far > 0 ? fmin(1, fmax(0, shared / far)) : 0;
    g->neighbours = far > 0 ? fmin(0.4, fmax(0, 0.8 * (1 - near / far))) : 0;
}

bool grain_measure(const satb_image *src, grain *g, problem *p)
{
    const int colours = src->channels < 3 ? 1 : 3;
    block *const blocks = malloc(MOST * sizeof *blocks);
    float *const room = malloc(MOST * sizeof *room);
    const bool done = blocks && room;
    *g = (grain){.mean = 0};
    if (done) {
        const int count = measure_blocks(src, colours, blocks);
        for (int c = 0; c < colours; c++)
            set_channel(g, blocks, count, c, room);
        set_likeness(g, blocks, count, colours);
    } else
        problem_set(p, "not enough memory to measure its grain");
    free(blocks);
    free(room);
    return done;
}

void grain_set(grain *g, double sigma)
{
    if (g->mean == 0)
        g->common = 0.5; /* between film's gray grain and a sensor's coloured noise */
    g->mean = sigma;
    for (int c = 0; c < 3; c++)
        for (int bin = 0; bin < GRAIN_BINS; bin++)
            g->sigma[c][bin] = sigma;
}
