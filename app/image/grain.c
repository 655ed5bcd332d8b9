/* The measure of grain. In flat parts, the differences of pixels are grain. Blocks whose means change least are flat, and a
 * photograph has many. They are chosen by their means, as those of the least differences have less grain than
 * others. JPEG takes the fine grain first, and differences of pixels that are far apart show the rest. By brightness: Liu et al., "Noise Estimation from a
 * Single Image" (2006). Differences that slopes do not change: Immerkaer, "Fast Noise Variance Estimation" (1996). With
 * correlations: Norkin and Birkbeck, "Film Grain Synthesis for AV1" (2018). */
#include "image/grain.h"

#include "image/pixels.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 16, /* pixels of a block */
    CELL = 4,  /* of a part of it whose mean counts */
    CELLS = SIDE / CELL,
    STEP = 8,     /* pixels from a block to the next */
    MOST = 16384, /* blocks, so that large pictures take no longer */
    FEW = 16,     /* a bin with fewer blocks has the strength of the next */
    CLIPPED = 4   /* codes: blocks so near to black or white are cut off */
};

static const double flat = 0.15;       /* the part of a bin's blocks that are looked at, .. */
static const double plain = 0.75;      /* .. and of these, the part without the most differences */
static const double plain_bias = 0.96; /* their mean variance by the true one, if all are flat */
static const double rounding = 1 / 12.0; /* the variance that codes of 8 bits add, .. */
static const double rounding_twice =
    0.23; /* .. and those that are made of a JPEG's luma and chroma */
static const double least = 0.25, most = 16; /* codes: more than that is no grain but texture */

/* Variances in codes^2. Structure has far more of far differences than of near ones. Grain that JPEG or a demosaic has
 * blurred has some more, and is taken for at most five times what the near ones say. */
typedef struct block {
    float wide[3], far[3], near[3]; /* by differences of pixels that are 4, 2 and 1 apart */
    float slope;     /* squares of the means' first and second differences, of all channels */
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

/* Sums a channel by cells. */
static void sum_cells(const satb_image *src, const uint8_t *from, int c, int cells[CELLS][CELLS])
{
    memset(cells, 0, CELLS * sizeof *cells);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            cells[y / CELL][x / CELL] += from[y * src->stride + (ptrdiff_t)x * src->channels + c];
}

/* Returns the squares of differences of a line of cells, each `step` behind the one before. A slope counts less than a bend. */
static int line_slope(const int *cells, int step)
{
    int bends = 0, slopes = 0;
    for (int i = 1; i < CELLS; i++) {
        const int last = cells[i * step] - cells[(i - 1) * step];
        const int bend = i > 1 ? last - cells[(i - 1) * step] + cells[(i - 2) * step] : 0;
        slopes += last / CELL * (last / CELL);
        bends += bend / CELL * (bend / CELL);
    }
    return 5 * bends + slopes;
}

/* Finds a channel's mean, and adds its differences. */
static void measure_cells(const satb_image *src, const uint8_t *from, int c, block *b)
{
    int cells[CELLS][CELLS], sum = 0;
    sum_cells(src, from, c, cells);
    for (int i = 0; i < CELLS; i++) {
        b->slope += (float)line_slope(cells[i], 1) + (float)line_slope(&cells[0][i], CELLS);
        for (int j = 0; j < CELLS; j++)
            sum += cells[i][j];
    }
    b->code[c] = (uint8_t)(sum / (SIDE * SIDE));
}

static block measure_block(const satb_image *src, const uint8_t *from, int colours)
{
    block b = {.shared = 0};
    sums s;
    for (int turn = 0; turn < 2; turn++) {
        add_differences(&s, src, from, colours, turn ? 0 : 4, turn ? 4 : 0);
        add_variances(&s, colours, b.wide, NULL);
        add_differences(&s, src, from, colours, turn ? 0 : 2, turn ? 2 : 0);
        add_variances(&s, colours, b.far, &b.shared);
        add_differences(&s, src, from, colours, !turn, turn);
        add_variances(&s, colours, b.near, NULL);
    }
    for (int c = 0; c < colours; c++)
        measure_cells(src, from, c, &b);
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
    return fmin(b->wide[c], 2.5 * fmin(b->far[c], 2 * b->near[c]));
}

/* A block's slope and variance. */
typedef struct flatness {
    float slope, variance;
} flatness;

static int by_slope(const void *a, const void *b)
{
    const flatness *const one = a, *const two = b;
    return (one->slope > two->slope) - (one->slope < two->slope);
}

static int by_variance(const void *a, const void *b)
{
    const flatness *const one = a, *const two = b;
    return (one->variance > two->variance) - (one->variance < two->variance);
}

/* Returns whether a block's channel is in the bin; -1 is all bins. */
static bool is_in(const block *b, int c, int bin)
{
    return b->code[c] >= CLIPPED && b->code[c] < 256 - CLIPPED &&
           (bin < 0 || b->code[c] * GRAIN_BINS / 256 == bin);
}

/* Returns the variance of a bin's flat blocks; -1: there are few blocks. */
static double flat_variance(const block *blocks, int count, int c, int bin, flatness *room)
{
    int n = 0;
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (is_in(&blocks[i], c, bin))
            room[n++] = (flatness){blocks[i].slope, (float)variance_of(&blocks[i], c)};
    if (n < (bin < 0 ? 1 : FEW))
        return -1;
    qsort(room, (size_t)n, sizeof *room, by_slope);
    n = (int)fmax(fmin(n, FEW / 2), flat * n);
    qsort(room, (size_t)n, sizeof *room, by_variance);
    n = (int)ceil(plain * n);
    for (int i = 0; i < n; i++)
        sum += room[i].variance;
    return sum / n / plain_bias;
}

static double sigma_of(double variance, double rounded)
{
    const double sigma = sqrt(fmax(0, variance - rounded));
    return sigma < least ? 0 : fmin(most, sigma);
}

/* Sets the strengths of a channel. A bin whose blocks all have texture would be far too strong: three times
 * the picture's is the most, which is that of its flattest blocks. */
static void set_channel(grain *g, const block *blocks, int count, int c, double rounded,
                        flatness *room)
{
    const double all = sigma_of(flat_variance(blocks, count, c, -1, room), rounded);
    double known[GRAIN_BINS];
    for (int bin = 0; bin < GRAIN_BINS; bin++) {
        const double variance = flat_variance(blocks, count, c, bin, room);
        known[bin] = variance < 0 ? -1 : fmin(3 * all, sigma_of(variance, rounded));
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

/* Finds from blocks that are no rougher than the grain how alike channels and neighbours are, and the mean strength. */
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

bool grain_measure(const satb_image *src, bool is_jpeg, grain *g, problem *p)
{
    const int colours = src->channels < 3 ? 1 : 3;
    block *const blocks = malloc(MOST * sizeof *blocks);
    flatness *const room = malloc(MOST * sizeof *room);
    const bool done = blocks && room;
    *g = (grain){.mean = 0};
    if (done) {
        const int count = measure_blocks(src, colours, blocks);
        for (int c = 0; c < colours; c++)
            set_channel(g, blocks, count, c, is_jpeg ? rounding_twice : rounding, room);
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
