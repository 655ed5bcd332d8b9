#include "unit/edges_oracle.h"

#include "unit/unit_drawn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 1, RAMP = 2 };

codes codes_new(int w, int h)
{
    return (codes){w, h, calloc((size_t)(w * h), sizeof(uint32_t)), calloc((size_t)(w * h), 1)};
}

void codes_free(codes *c)
{
    free(c->at);
    free(c->kind);
}

static uint32_t range_of(const codes *c, int x, int y, int reach)
{
    uint32_t low = UINT32_MAX, high = 0;

    for (int j = y - reach; j <= y + reach; j++)
        for (int i = x - reach; i <= x + reach; i++)
            if (i >= 0 && j >= 0 && i < c->w && j < c->h) {
                const uint32_t code = c->at[j * c->w + i];
                low = code < low ? code : low;
                high = code > high ? code : high;
            }
    return high - low;
}

static int moved_inside(int i, int n)
{
    return i < 4 ? 4 : i > n - 5 ? n - 5 : i;
}

static int on_ramp(const codes *c, int x, int y, uint32_t margin)
{
    static const int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};

    for (int i = 0; i < 4; i++) {
        const int dx = steps[i][0], dy = steps[i][1];
        if ((dx && (x < 1 || x + 1 >= c->w)) || (dy && (y < 1 || y + 1 >= c->h)))
            continue;
        const uint32_t here = c->at[y * c->w + x];
        const uint32_t a = c->at[(y + dy) * c->w + x + dx], b = c->at[(y - dy) * c->w + x - dx];
        if ((a + margin < here && here + margin < b) || (b + margin < here && here + margin < a))
            return 1;
    }
    return 0;
}

static void mark(const codes *c, int *edges, int *ramps)
{
    *edges = *ramps = 0;
    for (int y = 0; y < c->h; y++)
        for (int x = 0; x < c->w; x++) {
            const uint32_t near = range_of(c, x, y, 1);
            const uint32_t around = range_of(c, moved_inside(x, c->w), moved_inside(y, c->h), 4);
            if (near <= 4 * 257 || 3 * near < around)
                continue;
            const int ramp = on_ramp(c, x, y, around / 16);
            c->kind[y * c->w + x] = (uint8_t)(EDGE | ramp * RAMP);
            ++*edges;
            *ramps += ramp;
        }
}

static uint64_t likeness(const double *a, const double *b)
{
    double sum = 0;

    for (int c = 0; c < 3; c++)
        sum += (a[c] - b[c]) * (a[c] - b[c]);
    return 1 + (uint64_t)(65536 * exp(-floor(sum / 16) * 16 / (2 * 3 * 12 * 12)) + 0.5);
}

static void colour_of(const satb_image *p, int x, int y, double *rgb)
{
    for (int c = 0; c < 3; c++)
        rgb[c] = sample(p, x, y, p->channels > 2 ? c : 0) >> (p->bits - 8);
}

/* Returns 1 if the middle half of sample s of n shows some of pixel i. */
static int is_in_middle(int i, int pixels, int s, int n)
{
    return 4 * n * (i + 1) > (4 * s + 1) * pixels && 4 * n * i < (4 * s + 3) * pixels;
}

/* Finds the mean of the pixels that the middle half of a sample's cell shows, rounded. */
static void sample_colour(const codes *c, const satb_image *p, int x, int y, double *rgb)
{
    double sum[3] = {0}, one[3];
    int count = 0;

    if (c->w == p->width && c->h == p->height) {
        colour_of(p, x, y, rgb);
        return;
    }
    for (int j = y * p->height / c->h; j <= (y + 1) * p->height / c->h; j++)
        for (int i = x * p->width / c->w; i <= (x + 1) * p->width / c->w; i++) {
            if (!is_in_middle(j, p->height, y, c->h) || !is_in_middle(i, p->width, x, c->w))
                continue;
            colour_of(p, i, j, one);
            count++;
            for (int k = 0; k < 3; k++)
                sum[k] += one[k];
        }
    for (int k = 0; k < 3; k++)
        rgb[k] = floor(sum[k] / count + 0.5);
}

/* Returns the sample that shows the centre of pixel i of n. If two do, it is the one closer to the
 * middle. */
static int sample_at(int i, int n, int samples)
{
    const int s = (2 * i + 1) * samples / (2 * n), on_border = (2 * i + 1) * samples % (2 * n) == 0;

    return on_border && 2 * s > samples ? s - 1 : s;
}

/* Returns the place of pixel i of n from its sample's centre, in 1/256, rounded towards 0. */
static int place(int i, int n, int samples)
{
    const double from = (i + 0.5) / n * samples - (sample_at(i, n, samples) + 0.5);

    return (int)(from * 256 + (from > 0 ? 1e-6 : -1e-6));
}

static int votes_at(const codes *c, int i, int j, int mute)
{
    return i >= 0 && j >= 0 && i < c->w && j < c->h && !(c->kind[j * c->w + i] & mute);
}

/* Finds the extremes of the voters among the 5 x 5. Returns 0 if there are none. */
static int extremes(const codes *c, int x, int y, int mute, uint32_t *low, uint32_t *high)
{
    *low = UINT32_MAX, *high = 0;
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++)
            if (votes_at(c, i, j, mute)) {
                const uint32_t code = c->at[j * c->w + i];
                *low = code < *low ? code : *low;
                *high = code > *high ? code : *high;
            }
    return *low <= *high;
}

static uint32_t winner(const uint64_t *weight, const uint64_t *sum)
{
    int best = 0;

    for (int b = 1; b < 7; b++)
        if (weight[b] + weight[b + 1] >= weight[best] + weight[best + 1])
            best = b;
    const uint64_t total = weight[best] + weight[best + 1];
    return (uint32_t)((sum[best] + sum[best + 1] + total / 2) / total);
}

static uint32_t vote(const codes *c, const satb_image *p, int px, int py)
{
    const int x = sample_at(px, p->width, c->w), y = sample_at(py, p->height, c->h);
    const int u = place(px, p->width, c->w), v = place(py, p->height, c->h);
    uint64_t weight[8] = {0}, sum[8] = {0};
    uint32_t low, high;
    double mine[3], other[3];

    const int mute = extremes(c, x, y, RAMP, &low, &high) ? RAMP : 0;
    extremes(c, x, y, mute, &low, &high);
    colour_of(p, px, py, mine);
    for (int j = y - 2; j <= y + 2; j++)
        for (int i = x - 2; i <= x + 2; i++) {
            if (!votes_at(c, i, j, mute))
                continue;
            const uint32_t code = c->at[j * c->w + i];
            const uint32_t bin = (code - low) * ((8 << 16) / (high - low + 1)) >> 16;
            const int near = (768 - abs(256 * (i - x) - u)) * (768 - abs(256 * (j - y) - v)) / 256;
            sample_colour(c, p, i, j, other);
            weight[bin] += (uint64_t)near * likeness(mine, other);
            sum[bin] += (uint64_t)near * likeness(mine, other) * code;
        }
    return winner(weight, sum);
}

/* Returns half of n samples. Of an odd number, it is the odd one of the two that are equally
 * close. */
static int half_of(int n)
{
    return n % 2 && n / 2 % 2 == 0 ? n / 2 + 1 : n / 2;
}

/* Returns the part of sample i of an axis in sample s of its half. The parts are n together. */
static uint64_t overlap(int i, int s, int n)
{
    const int half = half_of(n);
    const int left = i * half > s * n ? i * half : s * n;
    const int right = (i + 1) * half < (s + 1) * n ? (i + 1) * half : (s + 1) * n;

    return right > left ? (uint64_t)(right - left) : 0;
}

/* Returns the means by area, rounded. */
static codes halved(const codes *c)
{
    codes half = codes_new(half_of(c->w), half_of(c->h));

    for (int y = 0; y < half.h; y++)
        for (int x = 0; x < half.w; x++) {
            const uint64_t area = (uint64_t)c->w * (uint64_t)c->h;
            uint64_t sum = area / 2;
            for (int j = 0; j < 16; j++) { /* all that may overlap */
                const int sx = 2 * x - 1 + j % 4, sy = 2 * y - 1 + j / 4;
                if (sx >= 0 && sy >= 0 && sx < c->w && sy < c->h)
                    sum += overlap(sx, x, c->w) * overlap(sy, y, c->h) * c->at[sy * c->w + sx];
            }
            half.at[y * half.w + x] = (uint32_t)(sum / area);
        }
    return half;
}

static int is_few(const codes *c, int edges)
{
    return edges < (c->w > c->h ? c->w : c->h) / 8;
}

/* Returns the samples that decide: c itself, marked, or a halved map, marked. */
static codes narrowed(codes *c, int *ramps)
{
    codes now = *c;
    int edges, of_half;

    mark(&now, &edges, ramps);
    of_half = *ramps;
    for (int i = 0; i < 3 && now.w >= 18 && now.h >= 18; i++) {
        if (!is_few(&now, edges) && 5 * of_half <= 4 * edges)
            break;
        codes half = halved(&now);
        if (now.at != c->at)
            codes_free(&now);
        now = half;
        mark(&now, &edges, &of_half);
    }
    if (!is_few(&now, edges) || now.at == c->at)
        return now;
    codes_free(&now);
    return *c;
}

static int is_near_edge(const codes *c, int x, int y)
{
    for (int j = y - 1; j <= y + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            if (i >= 0 && j >= 0 && i < c->w && j < c->h && c->kind[j * c->w + i] & EDGE)
                return 1;
    return 0;
}

size_t codes_fit(codes *c, const satb_image *p, codes *fitted)
{
    const int same = c->w == p->width && c->h == p->height;
    size_t decided = 0;
    int count, ramps;

    if (!same)
        mark(c, &count, &ramps);
    codes samples = same ? narrowed(c, &ramps) : *c;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            const int at = y * p->width + x;
            if (samples.w == p->width && samples.h == p->height
                    ? !(samples.kind[at] & RAMP)
                    : !is_near_edge(&samples, sample_at(x, p->width, samples.w),
                                    sample_at(y, p->height, samples.h)))
                continue;
            fitted->at[at] = vote(&samples, p, x, y);
            decided++;
        }
    if (samples.at != c->at)
        codes_free(&samples);
    return decided;
}
