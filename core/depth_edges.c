#include "depth_edges.h"

#include "depth.h"
#include "plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    REACH = 2,        /* samples to each side that vote */
    AROUND = 4,       /* samples to each side that tell an edge from a slope */
    BINS = 8,         /* of the voters' range of codes; two neighbours are one surface */
    ONE = 256,        /* from a sample to the next */
    COLOUR_SHIFT = 4, /* squared distances of colours: 16 to an entry */
    COLOURS = 3 * 255 * 255 / (1 << COLOUR_SHIFT) + 1
};

enum { EDGE = 1, RAMP = 2, NEAR_EDGE = 4, HEARD = 8 }; /* a sample's kind: bits */

/* How far a surface's colours are apart, 8-bit codes: the standard deviation of a channel. */
static const double ALIKE = 12;

typedef struct fit {
    int width, height;  /* of the map */
    uint16_t *depth;    /* its codes; 16 bits where it has another size than the picture */
    uint8_t *colour;    /* 3 per sample: the picture's where the sample is; NULL: of one size */
    uint8_t *kind;      /* per sample: it is on an edge, a ramp, next to an edge; it may vote */
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

    for (int j = y0; j <= y1; j++)
        for (int i = x0; i <= x1; i++, count++) {
            uint32_t rgb[3];
            colour_of(p, i, j, rgb);
            for (int c = 0; c < 3; c++)
                sum[c] += rgb[c];
        }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)((sum[c] + count / 2) / count);
}

static void sample_colours(const fit *f, int threads)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
            if (f->kind[at] & HEARD)
                sample_colour(f, x, y, f->colour + 3 * at);
        }
}

/* --- Edges and ramps -------------------------------------------------------------------------- */

/* The range of the (2 reach + 1)^2 codes around each of row y. work: two rows, wider by AROUND on
 * either side. */
static void ranges(const fit *f, int y, int reach, uint16_t *work, uint16_t *range)
{
    const int w = f->width;
    uint16_t *const low = work + AROUND, *const high = low + w + 2 * AROUND;

    memset(work, 0xff, (size_t)(w + 2 * AROUND) * sizeof *low);
    memset(high - AROUND, 0, (size_t)(w + 2 * AROUND) * sizeof *high);
    for (int j = y > reach ? y - reach : 0; j <= y + reach && j < f->height; j++) {
        const uint16_t *const row = f->depth + (size_t)j * (size_t)w;
        for (int x = 0; x < w; x++) {
            low[x] = row[x] < low[x] ? row[x] : low[x];
            high[x] = row[x] > high[x] ? row[x] : high[x];
        }
    }
    for (int x = 0; x < w; x++) {
        uint16_t least = low[x], most = high[x];
        for (int i = 1; i <= reach; i++) {
            least = low[x - i] < least ? low[x - i] : least;
            least = low[x + i] < least ? low[x + i] : least;
            most = high[x - i] > most ? high[x - i] : most;
            most = high[x + i] > most ? high[x + i] : most;
        }
        range[x] = (uint16_t)(most - least);
    }
}

static int is_ramp(const fit *f, int x, int y, uint32_t margin)
{
    const ptrdiff_t w = f->width;
    const ptrdiff_t steps[] = {1, w, w + 1, w - 1};
    const uint16_t *const here = f->depth + y * w + x;

    if (x == 0 || y == 0 || x == f->width - 1 || y == f->height - 1)
        return 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t a = here[steps[i]], b = here[-steps[i]];
        if ((a < b ? a : b) + margin < *here && *here + margin < (a > b ? a : b))
            return 1;
    }
    return 0;
}

/* work: four rows and the room of ranges(). Returns how many ramps there are. */
static size_t mark_row(const fit *f, int y, uint16_t *work)
{
    const size_t w = (size_t)f->width;
    uint16_t *const here = work, *const around = work + w;
    uint8_t *const kind = f->kind + (size_t)y * w;
    uint32_t most = 0;
    size_t ramps = 0;

    memset(kind, 0, w);
    ranges(f, y, 1, work + 2 * w, here);
    for (size_t x = 0; x < w; x++)
        most = here[x] > most ? here[x] : most;
    if (most <= f->least)
        return 0;
    ranges(f, y, AROUND, work + 2 * w, around);
    for (int x = 0; x < f->width; x++) {
        if (here[x] <= f->least || 3 * here[x] < around[x])
            continue;
        const int ramp = is_ramp(f, x, y, around[x] / 16u);
        kind[x] = ramp ? EDGE | RAMP : EDGE;
        ramps += (size_t)ramp;
    }
    return ramps;
}

/* 0: out of memory. */
static int mark_edges(const fit *f, int threads, size_t *ramps)
{
    const size_t room = 4 * ((size_t)f->width + AROUND);
    int whole = 1;
    size_t sum = 0;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : sum)
    {
        uint16_t *const work = malloc(room * sizeof *work);
        whole = work != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < f->height; y++)
            sum += work ? mark_row(f, y, work) : 0;
        free(work);
    }
    *ramps = sum;
    return whole;
}

/* Adds a bit to the samples within reach of one. */
static void mark_around(const fit *f, int x, int y, int reach, uint8_t bit)
{
    for (int j = y > reach ? y - reach : 0; j <= y + reach && j < f->height; j++)
        for (int i = x > reach ? x - reach : 0; i <= x + reach && i < f->width; i++)
            f->kind[(size_t)j * (size_t)f->width + (size_t)i] |= bit;
}

/* Where pixels are decided, and who votes there. */
static void mark_voters(const fit *f)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++)
            if (f->kind[(size_t)y * (size_t)f->width + (size_t)x] & EDGE) {
                mark_around(f, x, y, 1, NEAR_EDGE);
                mark_around(f, x, y, 1 + REACH, HEARD);
            }
}

/* --- Votes ------------------------------------------------------------------------------------ */

typedef struct window { /* samples x0 .. x1, y0 .. y1, and the extremes of their codes */
    int x0, y0, x1, y1;
    uint32_t low, high;
    uint32_t bins; /* a bin's share of a code, in 1/65536 */
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
    w.bins = (BINS << 16) / (w.high - w.low + 1);
    return w;
}

/* Of sample (x, y) and a colour, 1 .. 65537. */
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

/* A point (u, v) of the map, in 1/ONE from the first sample's centre, and its colour. */
typedef struct point {
    int64_t u, v;
    uint32_t rgb[3];
} point;

static uint64_t voice(const fit *f, int i, int j, const point *p)
{
    const int64_t far = (REACH + 1) * ONE;
    const int64_t dx = far - llabs(i * (int64_t)ONE - p->u),
                  dy = far - llabs(j * (int64_t)ONE - p->v);

    return (uint64_t)(dx * dy >> 8) * likeness(f, i, j, p->rgb);
}

typedef struct votes {
    uint64_t sum[BINS], weight[BINS]; /* codes times their voters' weights; weights */
} votes;

/* Of all samples, or of those that are on no ramp. 0: there are none. */
static int count_votes(const fit *f, const window *w, const point *p, int all, votes *v)
{
    int voters = 0;

    *v = (votes){0};
    for (int j = w->y0; j <= w->y1; j++)
        for (int i = w->x0; i <= w->x1; i++) {
            const size_t at = (size_t)j * (size_t)f->width + (size_t)i;
            if (!all && f->kind[at] & RAMP)
                continue;
            const uint32_t code = f->depth[at];
            const uint32_t bin = (code - w->low) * w->bins >> 16;
            const uint64_t weight = voice(f, i, j, p);
            v->sum[bin] += weight * code;
            v->weight[bin] += weight;
            voters++;
        }
    return voters;
}

static uint32_t decide(const fit *f, const window *w, const point *p)
{
    votes v;
    int best = 0;

    if (!count_votes(f, w, p, 0, &v))
        count_votes(f, w, p, 1, &v);
    for (int b = 1; b < BINS - 1; b++) /* of equals the nearer code */
        if (v.weight[b] + v.weight[b + 1] >= v.weight[best] + v.weight[best + 1])
            best = b;
    const uint64_t weight = v.weight[best] + v.weight[best + 1];
    return (uint32_t)((v.sum[best] + v.sum[best + 1] + weight / 2) / weight);
}

/* --- Maps of the picture's size --------------------------------------------------------------- */

static uint32_t snapped_code(const fit *f, int x, int y)
{
    const window w = window_at(f, x, y);
    point p = {.u = x * (int64_t)ONE, .v = y * (int64_t)ONE};

    colour_of(f->picture, x, y, p.rgb);
    return decide(f, &w, &p);
}

static void snap_row(const fit *f, int y, int bits, void *out)
{
    const size_t first = (size_t)y * (size_t)f->width;

    if (bits == 16)
        memcpy(out, f->depth + first, (size_t)f->width * sizeof *f->depth);
    else
        for (int x = 0; x < f->width; x++)
            ((uint8_t *)out)[x] = (uint8_t)f->depth[first + (size_t)x];
    for (int x = 0; x < f->width; x++)
        if (f->kind[first + (size_t)x] & RAMP) {
            const uint32_t code = snapped_code(f, x, y);
            satk_put_pixel(out, x, 1, bits, &code);
        }
}

/* 0: out of memory. */
static int snap(const satb_context *context, const fit *f, int bits, satb_image *out)
{
    const size_t row = (size_t)f->width * (size_t)bits / 8;
    uint8_t *const data = malloc(row * (size_t)f->height);

    if (!data)
        return 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(context->threads)
    for (int y = 0; y < f->height; y++)
        snap_row(f, y, bits, data + (size_t)y * row);
    *out = (satb_image){.data = data,
                        .stride = (ptrdiff_t)row,
                        .width = f->width,
                        .height = f->height,
                        .channels = 1,
                        .bits = bits};
    return 1;
}

/* --- Smaller maps ----------------------------------------------------------------------------- */

/* Pixel i of n on an axis of `from` samples, in 1/ONE from the first one's centre. */
static int64_t place(int i, int n, int from)
{
    return ((2 * (int64_t)i + 1) * from - n) * ONE / (2 * (int64_t)n);
}

typedef struct column { /* of the picture: the sample that it lies in, and where */
    int sample;
    int64_t u;
} column;

/* Returns how many pixels of the row were decided. */
static size_t resize_row(const fit *f, const column *columns, int y, uint16_t *out)
{
    const satb_image *const picture = f->picture;
    const int j = (int)((int64_t)y * f->height / picture->height);
    const uint8_t *const kind = f->kind + (size_t)j * (size_t)f->width;
    point p = {.v = place(y, picture->height, f->height)};
    size_t decided = 0;

    for (int x = 0; x < picture->width; x++) {
        const int i = columns[x].sample;
        if (!(kind[i] & NEAR_EDGE))
            continue;
        const window w = window_at(f, i, j);
        p.u = columns[x].u;
        colour_of(picture, x, y, p.rgb);
        out[x] = (uint16_t)decide(f, &w, &p);
        decided++;
    }
    return decided;
}

/* *out is interpolated already. 0: out of memory. */
static int resize(const satb_context *context, const fit *f, const satb_image *out, size_t *decided)
{
    column *const columns = malloc((size_t)out->width * sizeof *columns);
    size_t sum = 0;

    if (!columns)
        return 0;
    for (int x = 0; x < out->width; x++)
        columns[x] = (column){.sample = (int)((int64_t)x * f->width / out->width),
                              .u = place(x, out->width, f->width)};
    mark_voters(f);
    sample_colours(f, context->threads);
#pragma omp parallel for schedule(dynamic, 16) num_threads(context->threads) reduction(+ : sum)
    for (int y = 0; y < out->height; y++)
        sum += resize_row(f, columns, y, (uint16_t *)((uint8_t *)out->data + y * out->stride));
    free(columns);
    *decided = sum;
    return 1;
}

/* --- Run -------------------------------------------------------------------------------------- */

static void fill_likeness(uint32_t *likeness)
{
    const double spread = 2 * 3 * ALIKE * ALIKE;

    for (int i = 0; i < COLOURS; i++)
        likeness[i] = 1 + (uint32_t)(65536 * exp(-(i * (1 << COLOUR_SHIFT)) / spread) + 0.5);
}

/* 0: out of memory. */
static int open_fit(fit *f, const satb_image *map, const satb_image *picture, int same, int threads)
{
    const size_t samples = (size_t)map->width * (size_t)map->height;

    *f = (fit){.width = map->width,
               .height = map->height,
               .depth = malloc(samples * sizeof *f->depth),
               .colour = same ? NULL : malloc(3 * samples),
               .kind = malloc(samples),
               .likeness = malloc(COLOURS * sizeof *f->likeness),
               .least = (1u << (same ? map->bits : 16)) / 64,
               .picture = picture};
    if (!f->depth || !f->kind || !f->likeness || (!same && !f->colour))
        return 0;
    fill_likeness(f->likeness);
    copy_codes(f, map, !same && map->bits == 8 ? 257 : 1, threads);
    return 1;
}

static void close_fit(fit *f)
{
    free(f->depth);
    free(f->colour);
    free(f->kind);
    free(f->likeness);
}

static satb_status fit_edges(satb_context *context, const satb_image *map,
                             const satb_image *picture, int same, satb_image *out, size_t *snapped)
{
    fit f;
    int whole = open_fit(&f, map, picture, same, context->threads) &&
                mark_edges(&f, context->threads, snapped);

    if (whole && !same)
        whole = resize(context, &f, out, snapped);
    else if (whole && *snapped > 0)
        whole = snap(context, &f, map->bits, out);
    close_fit(&f);
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
}

satb_status satb_fit_depth(satb_context *context, const satb_image *map, const satb_image *picture,
                           satb_image *out, size_t *snapped)
{
    const int same = map->width == picture->width && map->height == picture->height;
    satb_status status = SATB_OK;

    *out = *map;
    *snapped = 0;
    if (!same)
        status = satb_resample(context, map, picture->width, picture->height, out);
    if (status != SATB_OK || map->width > picture->width || map->height > picture->height)
        return status;
    status = fit_edges(context, map, picture, same, out, snapped);
    if (status != SATB_OK && !same)
        free(out->data);
    return status;
}
