#include "depth_edges.h"

#include "depth.h"
#include "plane.h"
#include "size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REACH = 2,        /* samples around that decide: 5 x 5 */
    AROUND = 3,       /* 7 x 7 tell an edge from a slope */
    ONE = 256,        /* a step from a sample to the next */
    COLOUR_SHIFT = 4, /* squared distances of colours: how many become one entry */
    COLOURS = 3 * 255 * 255 / (1 << COLOUR_SHIFT) + 1
};

static const double ALIKE = 12; /* 8-bit codes: the standard deviation of one surface's colours */

typedef struct fit {
    int width, height;  /* of the map */
    uint16_t *depth;    /* the map's codes; 16 bits if it has another size than the picture */
    uint8_t *colour;    /* 3 per sample: the picture's where the sample is; NULL: of one size */
    uint8_t *edge;      /* per sample: 1 on an edge */
    uint32_t *likeness; /* by squared distance of colours */
    uint32_t least;     /* difference of codes that may be an edge */
    const satb_image *picture;
} fit;

/* --- Samples ---------------------------------------------------------------------------------- */

static void copy_codes(const fit *f, const satb_image *map, uint32_t scale, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < f->height; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        uint16_t *const to = f->depth + (size_t)y * (size_t)f->width;
        for (int x = 0; x < f->width; x++)
            to[x] =
                (uint16_t)(scale * satk_code(row, (size_t)x * (size_t)map->channels, map->bits));
    }
}

/* 8-bit red, green and blue of a pixel; gray is three equal ones. */
static void colour_of(const satb_image *picture, int x, int y, uint32_t *rgb)
{
    const uint8_t *const row = (const uint8_t *)picture->data + y * picture->stride;
    const int colours = picture->channels > 2 ? 3 : 1;

    for (int c = 0; c < 3; c++) {
        const size_t at = (size_t)x * (size_t)picture->channels + (size_t)(c % colours);
        rgb[c] = satk_code(row, at, picture->bits) >> (picture->bits - 8);
    }
}

/* The mean colour of the middle half of a sample's cell: less of what is beside it. */
static void sample_colour(const fit *f, int x, int y, uint8_t *out)
{
    const satb_image *const p = f->picture;
    const int x0 = (int)((4 * (int64_t)x + 1) * p->width / (4 * (int64_t)f->width));
    const int x1 = (int)((4 * (int64_t)x + 3) * p->width / (4 * (int64_t)f->width));
    const int y0 = (int)((4 * (int64_t)y + 1) * p->height / (4 * (int64_t)f->height));
    const int y1 = (int)((4 * (int64_t)y + 3) * p->height / (4 * (int64_t)f->height));
    uint64_t sum[3] = {0}, count = 0;

    for (int j = y0; j <= y1 && j < p->height; j++)
        for (int i = x0; i <= x1 && i < p->width; i++, count++) {
            uint32_t rgb[3];
            colour_of(p, i, j, rgb);
            for (int c = 0; c < 3; c++)
                sum[c] += rgb[c];
        }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)((sum[c] + count / 2) / count);
}

/* --- Edges ------------------------------------------------------------------------------------ */

/* The range of the (2 reach + 1)^2 codes around each of a row; columns holds 2 * width. */
static void ranges(const fit *f, int y, int reach, uint16_t *columns, uint16_t *range)
{
    const int w = f->width;
    uint16_t *const low = columns, *const high = columns + w;

    memset(low, 0xff, (size_t)w * sizeof *low);
    memset(high, 0, (size_t)w * sizeof *high);
    for (int j = y > reach ? y - reach : 0; j <= y + reach && j < f->height; j++) {
        const uint16_t *const row = f->depth + (size_t)j * (size_t)w;
        for (int x = 0; x < w; x++) {
            low[x] = row[x] < low[x] ? row[x] : low[x];
            high[x] = row[x] > high[x] ? row[x] : high[x];
        }
    }
    for (int x = 0; x < w; x++) {
        uint16_t least = low[x], most = high[x];
        for (int i = x > reach ? x - reach : 0; i <= x + reach && i < w; i++) {
            least = low[i] < least ? low[i] : least;
            most = high[i] > most ? high[i] : most;
        }
        range[x] = (uint16_t)(most - least);
    }
}

static void mark_row(const fit *f, int y, uint16_t *work)
{
    const size_t w = (size_t)f->width;
    uint16_t *const here = work, *const around = work + w;
    uint8_t *const edge = f->edge + (size_t)y * w;

    ranges(f, y, 1, work + 2 * w, here);
    ranges(f, y, AROUND, work + 2 * w, around);
    for (size_t x = 0; x < w; x++)
        edge[x] = here[x] > f->least && 2 * here[x] >= around[x];
}

/* 0: out of memory. */
static int mark_edges(const fit *f, int threads)
{
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole)
    {
        uint16_t *const work = malloc(4 * (size_t)f->width * sizeof *work);
        whole = work != NULL;
#pragma omp for
        for (int y = 0; y < f->height; y++)
            if (work)
                mark_row(f, y, work);
        free(work);
    }
    return whole;
}

/* --- Decisions -------------------------------------------------------------------------------- */

/* Of sample (x, y) and a colour. */
static uint32_t likeness(const fit *f, int x, int y, const uint32_t *rgb)
{
    uint32_t sample[3], sum = 0;

    if (!f->colour)
        colour_of(f->picture, x, y, sample);
    for (int c = 0; c < 3; c++) {
        if (f->colour)
            sample[c] = f->colour[3 * ((size_t)y * (size_t)f->width + (size_t)x) + (size_t)c];
        const int off = (int)sample[c] - (int)rgb[c];
        sum += (uint32_t)(off * off);
    }
    return f->likeness[sum >> COLOUR_SHIFT];
}

typedef struct window { /* samples x0 .. x1, y0 .. y1, and the extremes of their codes */
    int x0, y0, x1, y1;
    uint32_t low, high;
} window;

static window window_at(const fit *f, int x, int y)
{
    window w = {.x0 = x > REACH ? x - REACH : 0,
                .y0 = y > REACH ? y - REACH : 0,
                .x1 = x + REACH < f->width ? x + REACH : f->width - 1,
                .y1 = y + REACH < f->height ? y + REACH : f->height - 1,
                .low = UINT32_MAX};

    for (int j = w.y0; j <= w.y1; j++)
        for (int i = w.x0; i <= w.x1; i++) {
            const uint32_t code = f->depth[(size_t)j * (size_t)f->width + (size_t)i];
            w.low = code < w.low ? code : w.low;
            w.high = code > w.high ? code : w.high;
        }
    return w;
}

/* The pixel at (u, v) of the map, in 1/ONE from the first sample's centre. */
static uint32_t decide(const fit *f, const window *w, int64_t u, int64_t v, const uint32_t *rgb)
{
    const uint32_t quarter = (w->high - w->low) / 4;
    uint64_t sum[2] = {0}, weight[2] = {0};

    for (int j = w->y0; j <= w->y1; j++)
        for (int i = w->x0; i <= w->x1; i++) {
            const uint32_t code = f->depth[(size_t)j * (size_t)f->width + (size_t)i];
            if (code > w->low + quarter && code < w->high - quarter)
                continue;
            const int near = code >= w->high - quarter;
            const int64_t dx = llabs(i * (int64_t)ONE - u), dy = llabs(j * (int64_t)ONE - v);
            const uint64_t closeness =
                (uint64_t)((REACH + 1) * ONE - dx) * (uint64_t)((REACH + 1) * ONE - dy) >> 8;
            const uint64_t counts = closeness * likeness(f, i, j, rgb);
            sum[near] += counts * code;
            weight[near] += counts;
        }
    const int near = weight[1] >= weight[0];
    return (uint32_t)((sum[near] + weight[near] / 2) / weight[near]);
}

/* --- Maps of the picture's size --------------------------------------------------------------- */

static int is_ramp(const fit *f, int x, int y, uint32_t range)
{
    static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
    const uint32_t code = f->depth[at], margin = range / 16;

    if (x == 0 || y == 0 || x == f->width - 1 || y == f->height - 1)
        return 0;
    for (int i = 0; i < 4; i++) {
        const ptrdiff_t step = steps[i][1] * (ptrdiff_t)f->width + steps[i][0];
        const uint32_t a = f->depth[(ptrdiff_t)at + step], b = f->depth[(ptrdiff_t)at - step];
        if ((a < b ? a : b) + margin < code && code + margin < (a > b ? a : b))
            return 1;
    }
    return 0;
}

static uint32_t snapped(const fit *f, int x, int y)
{
    const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
    uint32_t rgb[3];

    if (!f->edge[at])
        return f->depth[at];
    const window w = window_at(f, x, y);
    if (!is_ramp(f, x, y, w.high - w.low))
        return f->depth[at];
    colour_of(f->picture, x, y, rgb);
    return decide(f, &w, x * (int64_t)ONE, y * (int64_t)ONE, rgb);
}

/* All snapped pixels, into *out, if there are any. */
static satb_status snap(satb_context *context, const fit *f, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)f->width * (size_t)map->bits / 8;
    uint8_t *const data = malloc(row * (size_t)f->height);
    int changed = 0;

    if (!data)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
#pragma omp parallel for schedule(dynamic, 16) num_threads(context->threads) reduction(| : changed)
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const uint32_t code = snapped(f, x, y);
            changed |= code != f->depth[(size_t)y * (size_t)f->width + (size_t)x];
            satk_put_pixel(data + (size_t)y * row, x, 1, map->bits, &code);
        }
    if (!changed) {
        free(data);
        return SATB_OK;
    }
    *out = (satb_image){.data = data,
                        .stride = (ptrdiff_t)row,
                        .width = f->width,
                        .height = f->height,
                        .channels = 1,
                        .bits = map->bits};
    return SATB_OK;
}

/* --- Maps of other sizes ---------------------------------------------------------------------- */

/* Whether one of the 3 x 3 samples is on an edge. */
static int near_edge(const fit *f, int x, int y)
{
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < f->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < f->width; i++)
            if (f->edge[(size_t)j * (size_t)f->width + (size_t)i])
                return 1;
    return 0;
}

/* Pixel i of n on an axis of `from` samples, in 1/ONE from the first one's centre. */
static int64_t place(int i, int n, int from)
{
    return ((2 * (int64_t)i + 1) * from - n) * ONE / (2 * (int64_t)n);
}

static void resize_row(const fit *f, int y, uint16_t *out)
{
    const satb_image *const p = f->picture;
    const int64_t v = place(y, p->height, f->height);
    const int j = (int)((int64_t)y * f->height / p->height);

    for (int x = 0; x < p->width; x++) {
        const int i = (int)((int64_t)x * f->width / p->width);
        uint32_t rgb[3];
        if (!near_edge(f, i, j))
            continue;
        const window w = window_at(f, i, j);
        if (w.high - w.low <= f->least)
            continue;
        colour_of(p, x, y, rgb);
        out[x] = (uint16_t)decide(f, &w, place(x, p->width, f->width), v, rgb);
    }
}

static void resize(const satb_context *context, const fit *f, const satb_image *out)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(context->threads)
    for (int y = 0; y < out->height; y++)
        resize_row(f, y, (uint16_t *)((uint8_t *)out->data + y * out->stride));
}

/* --- Run -------------------------------------------------------------------------------------- */

static void fill_likeness(uint32_t *likeness)
{
    for (int i = 0; i < COLOURS; i++)
        likeness[i] =
            1 + (uint32_t)(65536 * exp(-(i * (1 << COLOUR_SHIFT)) / (6 * ALIKE * ALIKE)) + 0.5);
}

/* 0: out of memory. */
static int open_fit(fit *f, const satb_image *map, const satb_image *picture, int resized,
                    int threads)
{
    const size_t samples = (size_t)map->width * (size_t)map->height;

    *f = (fit){.width = map->width,
               .height = map->height,
               .depth = malloc(samples * sizeof *f->depth),
               .colour = resized ? malloc(3 * samples) : NULL,
               .edge = malloc(samples),
               .likeness = malloc(COLOURS * sizeof *f->likeness),
               .least = (1u << (resized ? 16 : map->bits)) / 64,
               .picture = picture};
    if (!f->depth || !f->edge || !f->likeness || (resized && !f->colour))
        return 0;
    fill_likeness(f->likeness);
    copy_codes(f, map, resized && map->bits == 8 ? 257 : 1, threads);
#pragma omp parallel for num_threads(threads) if (resized)
    for (int y = 0; y < (resized ? f->height : 0); y++)
        for (int x = 0; x < f->width; x++)
            sample_colour(f, x, y, f->colour + 3 * ((size_t)y * (size_t)f->width + (size_t)x));
    return mark_edges(f, threads);
}

static void close_fit(fit *f)
{
    free(f->depth);
    free(f->colour);
    free(f->edge);
    free(f->likeness);
}

satb_status satb_fit_depth(satb_context *context, const satb_image *map, const satb_image *picture,
                           satb_image *out)
{
    const int same = map->width == picture->width && map->height == picture->height;
    satb_status status = SATB_OK;
    fit f;

    *out = *map;
    if (!same) {
        status = satb_resample(context, map, picture->width, picture->height, out);
        if (status != SATB_OK)
            return status;
    }
    if (!same && (map->width > picture->width || map->height > picture->height))
        return SATB_OK;
    if (!open_fit(&f, map, picture, !same, context->threads))
        status = satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
    else if (same)
        status = snap(context, &f, map, out);
    else
        resize(context, &f, out);
    close_fit(&f);
    if (status != SATB_OK && !same)
        free(out->data);
    return status;
}
