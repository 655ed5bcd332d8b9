/* The measure of grain. In flat parts, the differences of pixels are grain. Blocks with least of them are flat, and so many
 * blocks of a photograph are that the quietest tenth has the grain's strength: Liu et al., "Noise Estimation from a Single
 * Image" (2006), by brightness; Norkin and Birkbeck, "Film Grain Synthesis for AV1" (2018), with a correlation. */
#include "image/grain.h"

#include "image/pixels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 16,    /* pixels of a block */
    FAR = 4,      /* pixels that are that far apart share little of JPEG's or a demosaic's blur */
    MOST = 16384, /* blocks, so that large pictures take no longer */
    FEW = 16,     /* a bin with fewer blocks has the strength of the next */
    CLIPPED = 4   /* codes: blocks so near to black or white are cut off */
};

static const double quiet = 0.1; /* the part of a bin's blocks that are looked at */
/* The variance of a block at that quantile, by the true one, if all blocks are flat. */
static const double quiet_bias = 0.87;
static const double rounding = 1 / 12.0; /* the variance that codes of 8 bits add */
static const double least = 0.25;

typedef struct block { /* variances in codes^2 */
    float far[3];      /* half the variance of differences at FAR pixels: all of the grain's */
    float near[3];     /* the same of neighbours: less if they are alike */
    float shared;      /* covariance of the channels at FAR pixels, the mean of all pairs */
    uint8_t code[3];   /* mean */
} block;

typedef struct sums {
    int64_t one[3], two[3], cross[3]; /* of differences, their squares, and products of channels */
    int count;
} sums;

/* Adds the differences of all pixels of a block at a distance of dx, dy. */
static void add_differences(sums *s, const satb_image *src, const uint8_t *from, int colours,
                            int dx, int dy)
{
    const ptrdiff_t apart = dy * src->stride + (ptrdiff_t)dx * src->channels;
    *s = (sums){.count = (SIDE - dx) * (SIDE - dy)};
    for (int y = 0; y < SIDE - dy; y++)
        for (int x = 0; x < SIDE - dx; x++) {
            const uint8_t *const at = from + y * src->stride + (ptrdiff_t)x * src->channels;
            int d[3] = {0, 0, 0};
            for (int c = 0; c < colours; c++) {
                d[c] = at[apart + c] - at[c];
                s->one[c] += d[c];
                s->two[c] += d[c] * d[c];
            }
            s->cross[0] += d[0] * d[1];
            s->cross[1] += d[1] * d[2];
            s->cross[2] += d[2] * d[0];
        }
}

/* Adds a quarter of the variances, as of both axes and of two pixels. Their mean, which is the block's slope, is taken off. */
static void add_variances(const sums *s, int colours, float *variances, float *shared)
{
    for (int c = 0; c < colours; c++) {
        const int64_t more = s->one[c] * s->one[(c + 1) % 3], n = s->count;
        variances[c] += (float)((double)(s->two[c] * n - s->one[c] * s->one[c]) /
                                (4.0 * (double)n * (double)(n - 1)));
        if (shared && colours == 3)
            *shared +=
                (float)((double)(s->cross[c] * n - more) / (12.0 * (double)n * (double)(n - 1)));
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
        add_differences(&s, src, from, colours, turn ? 0 : FAR, turn ? FAR : 0);
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
    const int64_t across = src->width / SIDE, down = src->height / SIDE;
    int step = 1, count = 0;
    while ((across / step + 1) * (down / step + 1) > MOST)
        step++;
    for (int64_t y = 0; y < down; y += step)
        for (int64_t x = 0; x < across; x += step) {
            const uint8_t *const from =
                (const uint8_t *)src->data + y * SIDE * src->stride + x * SIDE * src->channels;
            blocks[count++] = measure_block(src, from, colours);
        }
    return count;
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
            room[n++] = blocks[i].far[c];
    if (n < (bin < 0 ? 1 : FEW))
        return -1;
    qsort(room, (size_t)n, sizeof *room, by_value);
    return room[(int)(quiet * n)];
}

static double sigma_of(double variance)
{
    const double sigma = sqrt(fmax(0, variance / quiet_bias - rounding));
    return sigma < least ? 0 : sigma;
}

/* Sets the strengths of a channel. A bin whose blocks all have texture would be far too strong: three times the
 * picture's is the most. */
static void set_channel(grain *g, const block *blocks, int count, int c, float *room)
{
    const double all = sigma_of(fmax(0, quiet_variance(blocks, count, c, -1, room)));
    double known[GRAIN_BINS];
    for (int bin = 0; bin < GRAIN_BINS; bin++) {
        const double variance = quiet_variance(blocks, count, c, bin, room);
        known[bin] = variance < 0 ? -1 : fmin(3 * all, sigma_of(variance));
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
            if (own == 0 || !is_in(&blocks[i], c, -1) || blocks[i].far[c] > 1.3 * own * own)
                continue;
            far += blocks[i].far[c] - rounding;
            near += blocks[i].near[c] - rounding;
            shared += blocks[i].shared;
        }
    g->mean = all > 0 ? sigma / all : 0;
    g->common = colours == 3 && far > 0 ? fmin(1, fmax(0, shared / far)) : 0;
    g->neighbours = far > 0 ? fmin(0.6, fmax(0, 1 - near / far)) : 0;
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
