#include "image/dither.h"

#include "base/threads.h"
#include "image/noise.h"

#include <bayer.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    BAND = 64,       /* rows that a thread makes at a time */
    FULL = 4096,     /* of strengths */
    AMPLITUDE = 32,  /* fraction bits of amplitudes, beside those of strengths */
    MIDDLE = 256,    /* weight of the pixel itself in the grain's window of 3 x 3 */
    KIND_COMMON = 1, /* kinds of noise */
    KIND_OWN         /* and the next two */
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

/* Returns the threshold of a pixel, from 2 to 254: those of the library's layers (Bayer, 1973), in 1/257 of a code. */
static unsigned threshold_of(unsigned x, unsigned y)
{
    return (2 * satb_bayer(x, y) + 1) * 257 / 128;
}

/* Returns a sample of a row in 16 bits. */
static int sample_of(const satb_image *from, const uint8_t *row, size_t at)
{
    return from->bits == 16 ? ((const uint16_t *)(const void *)row)[at] : row[at] * 257;
}

static void make_row(const plan *n, const rows *r, const satb_image *from, const satb_image *out,
                     int64_t y)
{
    const dither_settings *const s = n->s;
    const size_t channels = (size_t)from->channels, colours = (size_t)n->colours;
    const uint8_t *const row = (const uint8_t *)from->data + y * from->stride;
    const uint16_t *const radii =
        s->coc ? (const void *)((const uint8_t *)s->coc->data + y * s->coc->stride) : NULL;
    uint8_t *to = (uint8_t *)out->data + y * out->stride;
    for (int x = 0; x < from->width; x++, to += channels) {
        const size_t first = (size_t)x * channels;
        const unsigned threshold =
            from->bits == 16 ? threshold_of((unsigned)x, (unsigned)y) : 257 / 2;
        const int strength = s->grain ? strength_at(n, radii, x) : 0;
        for (size_t c = 0; c < colours; c++) {
            int v = sample_of(from, row, first + c);
            if (strength > 0)
                v = with_grain(n, r, y, (size_t)x * colours + c, c, v, strength);
            to[c] = (uint8_t)(((unsigned)v + threshold) / 257);
        }
        if (colours < channels)
            to[colours] = (uint8_t)((sample_of(from, row, first + colours) + 128) / 257);
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

typedef struct dithering {
    const plan *n;
    const satb_image *deep, *out;
    atomic_int next;
    atomic_bool failed;
} dithering;

/* Makes bands until there are none. */
static void make_bands(void *user)
{
    dithering *const d = user;
    const int bands = (d->deep->height + BAND - 1) / BAND;
    const size_t samples = ((size_t)d->deep->width + 2) * (size_t)d->n->colours;
    rows r = {0};
    const bool good = !d->n->s->grain || allocate_rows(&r, samples);
    if (!good)
        atomic_store(&d->failed, true);
    for (int i; good && (i = atomic_fetch_add(&d->next, 1)) < bands;)
        make_band(d->n, &r, d->deep, d->out, (int64_t)i * BAND);
    free_rows(&r);
}

bool dither_pixels(const satb_image *deep, const satb_image *out, const dither_settings *s,
                   problem *p)
{
    plan n = {.s = s, .colours = deep->channels < 3 ? 1 : 3};
    if (s->grain && !plan_grain(&n, p))
        return false;
    dithering d = {.n = &n, .deep = deep, .out = out};
    threads_together(s->threads, make_bands, &d);
    free(n.strengths);
    return !d.failed || problem_set(p, "not enough memory for its grain");
}

void dither_deepen(const satb_image *src, const satb_image *deep)
{
    const size_t samples = (size_t)src->width * (size_t)src->height * (size_t)src->channels;
    const uint8_t *const from = src->data;
    uint16_t *const to = deep->data;
    for (size_t i = 0; i < samples; i++)
        to[i] = (uint16_t)(from[i] * 257);
}
