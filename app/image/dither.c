#include "image/dither.h"

#include "image/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAND = 64,       /* rows that a thread makes at a time */
    FULL = 4096,     /* of strengths */
    AMPLITUDE = 32,  /* fraction bits of amplitudes, beside those of strengths */
    MIDDLE = 256,    /* weight of the pixel itself in the grain's window of 3 x 3 */
    THRESHOLD = 21,  /* bits of noise for a threshold */
    KIND_DITHER = 0, /* kinds of noise */
    KIND_COMMON,
    KIND_OWN /* and the next two */
};

typedef struct plan { /* the grain in integers */
    const dither_settings *s;
    int colours;
    int side;                   /* weight of a neighbour in the window, by MIDDLE */
    int common, own;            /* by 256 */
    int strength;               /* without radii */
    uint16_t *strengths;        /* by the distance of a code of coc from SATB_COC_ZERO */
    int32_t amplitudes[3][256]; /* by channel and code: of a sample's unit of noise */
} plan;

typedef struct rows { /* of a thread's grain; one more pixel on each side */
    int32_t *raw;
    int32_t *wide[3]; /* rows y - 1, y, y + 1, filtered across */
} rows;

/* --- Strengths -------------------------------------------------------------------------------- */

/* Returns the part of the variance of white noise that the window of a radius leaves along an axis. */
static double left_by(double radius)
{
    const double whole = floor(radius), part = radius - whole;
    return (2 * whole + 1 + 2 * part * part) / ((2 * radius + 1) * (2 * radius + 1));
}

/* Returns the strength of grain that replaces what the window took. Pixels of the window that are alike in groups of `alike`
 * count once. Radii that the library rounds to 0, at most 1/256, get none. */
static int strength_of(double radius_x, double radius_y, double alike)
{
    if (fmax(radius_x, radius_y) < 1 / 128.0)
        return 0;
    const double pixels = 1 / (left_by(radius_x) * left_by(radius_y));
    return (int)lrint(FULL * sqrt(1 - 1 / (1 + (pixels - 1) / alike)));
}

static bool fill_strengths(plan *n, double alike, problem *p)
{
    const double step = n->s->full_radius / 32767;
    n->strength = strength_of(n->s->radius_x, n->s->radius_y, alike);
    if (!n->s->coc)
        return true;
    n->strengths = malloc((SATB_COC_ZERO + 1) * sizeof *n->strengths);
    if (!n->strengths)
        return problem_set(p, "not enough memory for its grain");
    for (int i = 0; i <= SATB_COC_ZERO; i++)
        n->strengths[i] = (uint16_t)strength_of(i * step, i * step, alike);
    return true;
}

/* Fills in a channel's amplitudes. Near black and white they are small, so that clipping does not change the mean. */
static void fill_amplitudes(plan *n, int c, double unit)
{
    const double *const sigma = n->s->grain->sigma[c];
    for (int code = 0; code < 256; code++) {
        const double at = fmin(GRAIN_BINS - 1, fmax(0, (code + 0.5) * GRAIN_BINS / 256 - 0.5));
        const int bin = at < GRAIN_BINS - 1 ? (int)at : GRAIN_BINS - 2;
        const double own = sigma[bin] + (at - bin) * (sigma[bin + 1] - sigma[bin]);
        const double most = fmin(code, 255 - code) / 2.0;
        n->amplitudes[c][code] = (int32_t)lrint(ldexp(fmin(own, most) * 257 / unit, AMPLITUDE));
    }
}

/* Plans the window side, MIDDLE, side along both axes that makes neighbours as alike as they were. */
static bool plan_grain(plan *n, problem *p)
{
    const grain *const g = n->s->grain;
    const double r = g->neighbours;
    n->side = r > 0 ? (int)lrint(MIDDLE * r / (1 + sqrt(1 - 2 * r * r))) : 0;
    n->common = (int)lrint(256 * sqrt(g->common));
    n->own = (int)lrint(256 * sqrt(1 - g->common));
    const double squares = MIDDLE * MIDDLE + 2.0 * n->side * n->side, all = MIDDLE + 2 * n->side;
    const double alike = all * all / squares;
    for (int c = 0; c < n->colours; c++)
        fill_amplitudes(n, c, sqrt(NOISE_VARIANCE) * squares);
    return fill_strengths(n, alike * alike, p);
}

/* --- Grain ------------------------------------------------------------------------------------ */

static void free_rows(rows *r)
{
    free(r->raw);
    for (int i = 0; i < 3; i++)
        free(r->wide[i]);
}

static bool allocate_rows(rows *r, size_t samples)
{
    *r = (rows){.raw = malloc(samples * sizeof *r->raw)};
    bool done = r->raw != NULL;
    for (int i = 0; i < 3; i++) {
        r->wide[i] = malloc(samples * sizeof *r->raw);
        done &= r->wide[i] != NULL;
    }
    return done;
}

/* Makes a row of noise, filtered across. y counts from -1. */
static void make_noise(const plan *n, rows *r, int width, int64_t y)
{
    const size_t colours = (size_t)n->colours, samples = (size_t)width * colours;
    int32_t *const to = r->wide[(y + 3) % 3];
    const uint64_t common = noise_row(n->s->seed, KIND_COMMON, (uint64_t)(y + 1));
    uint64_t own[3];
    for (unsigned c = 0; c < 3; c++)
        own[c] = noise_row(n->s->seed, KIND_OWN + c, (uint64_t)(y + 1));
    for (size_t x = 0; x < (size_t)width + 2; x++) {
        const int shared = n->common ? n->common * noise_gaussian(noise_at(common, x)) : 0;
        for (size_t c = 0; c < colours; c++)
            r->raw[x * colours + c] =
                (shared + n->own * noise_gaussian(noise_at(own[c], x)) + (1 << 20) + 128) / 256 -
                (1 << 12);
    }
    for (size_t i = 0; i < samples; i++)
        to[i] = MIDDLE * r->raw[i + colours] + n->side * (r->raw[i] + r->raw[i + 2 * colours]);
}

/* Returns a sample with grain: v of 16 bits, noise of three rows, the strength. */
static int with_grain(const plan *n, const rows *r, int64_t y, size_t at, size_t c, int v,
                      int strength)
{
    const int64_t noise = (int64_t)MIDDLE * r->wide[(y + 3) % 3][at] +
                          (int64_t)n->side * (r->wide[(y + 2) % 3][at] + r->wide[(y + 4) % 3][at]);
    const int64_t half = INT64_C(1) << (AMPLITUDE + 11),
                  product = noise * strength * n->amplitudes[c][v / 257];
    const int64_t most = (INT64_C(1) << (AMPLITUDE + 12)) * 65535;
    const int64_t moved = v * (2 * half) + product + half;
    return moved < 0 ? 0 : moved > most ? UINT16_MAX : (int)(moved / (2 * half));
}

/* --- Rows ------------------------------------------------------------------------------------- */

static int strength_at(const plan *n, const uint16_t *radii, int x)
{
    return radii ? n->strengths[abs(radii[x] - SATB_COC_ZERO)] : n->strength;
}

static void make_row(const plan *n, const rows *r, const satb_image *deep, const satb_image *out,
                     int64_t y)
{
    const dither_settings *const s = n->s;
    const size_t channels = (size_t)deep->channels, colours = (size_t)n->colours;
    const uint16_t *from = (const void *)((const uint8_t *)deep->data + y * deep->stride);
    const uint16_t *const radii =
        s->coc ? (const void *)((const uint8_t *)s->coc->data + y * s->coc->stride) : NULL;
    uint8_t *to = (uint8_t *)out->data + y * out->stride;
    const uint64_t row = noise_row(s->seed, KIND_DITHER, (uint64_t)y);
    for (int x = 0; x < deep->width; x++, from += channels, to += channels) {
        const uint64_t bits = noise_at(row, (uint64_t)x);
        const int strength = s->grain ? strength_at(n, radii, x) : 0;
        for (size_t c = 0; c < colours; c++) {
            const unsigned part = (unsigned)(bits >> (THRESHOLD * c)) & ((1U << THRESHOLD) - 1);
            const int v = strength == 0
                              ? from[c]
                              : with_grain(n, r, y, (size_t)x * colours + c, c, from[c], strength);
            to[c] = (uint8_t)(((unsigned)v + (part * 257 >> THRESHOLD)) / 257);
        }
        if (colours < channels)
            to[colours] = (uint8_t)((from[colours] + 128U) / 257);
    }
}

/* Makes a band of rows, with the noise of the row before it and of each row's next. */
static void make_band(const plan *n, rows *r, const satb_image *deep, const satb_image *out,
                      int64_t from)
{
    const int64_t end = from + BAND < deep->height ? from + BAND : deep->height;
    for (int64_t y = from - 1; n->s->grain && y <= from; y++)
        make_noise(n, r, deep->width, y);
    for (int64_t y = from; y < end; y++) {
        if (n->s->grain)
            make_noise(n, r, deep->width, y + 1);
        make_row(n, r, deep, out, y);
    }
}

bool dither_pixels(const satb_image *deep, const satb_image *out, const dither_settings *s,
                   problem *p)
{
    plan n = {.s = s, .colours = deep->channels < 3 ? 1 : 3};
    if (s->grain && !plan_grain(&n, p))
        return false;
    const size_t samples = ((size_t)deep->width + 2) * (size_t)n.colours;
    const int bands = (deep->height + BAND - 1) / BAND;
    bool done = true;
#pragma omp parallel num_threads(s->threads) reduction(&& : done)
    {
        rows r = {0};
        done = !s->grain || allocate_rows(&r, samples);
#pragma omp for schedule(static)
        for (int i = 0; i < bands; i++)
            if (done)
                make_band(&n, &r, deep, out, (int64_t)i * BAND);
        free_rows(&r);
    }
    free(n.strengths);
    return done || problem_set(p, "not enough memory for its grain");
}

void dither_deepen(const satb_image *src, const satb_image *deep)
{
    const size_t samples = (size_t)src->width * (size_t)src->height * (size_t)src->channels;
    const uint8_t *const from = src->data;
    uint16_t *const to = deep->data;
    for (size_t i = 0; i < samples; i++)
        to[i] = (uint16_t)(from[i] * 257);
}
