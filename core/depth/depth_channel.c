#include "depth/depth_channel.h"

#include "stats/histogram.h"
#include "base/memory.h"
#include "base/size.h"

#include <stdlib.h>
#include <string.h>

static void *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

/* --- Codes ------------------------------------------------------------------------------------ */

#define COPY_CHANNEL(name, type)                                                                   \
    static void name(const void *from, size_t channels, int width, void *to)                       \
    {                                                                                              \
        for (int x = 0; x < width; x++)                                                            \
            ((type *)to)[x] = ((const type *)from)[(size_t)x * channels];                          \
    }

COPY_CHANNEL(copy_channel8, uint8_t)
COPY_CHANNEL(copy_channel16, uint16_t)

int satb_copy_map(satb_context *context, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (!out->data)
        return 0;
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < map->height; y++)
        memcpy((uint8_t *)out->data + y * out->stride, (const uint8_t *)map->data + y * map->stride,
               row);
    return 1;
}

satb_status satb_first_channel(satb_context *context, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    if (map->channels == 1)
        return SATB_OK;
    out->channels = 1;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (!out->data)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for a channel of a map");
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < map->height; y++)
        (map->bits == 8 ? copy_channel8 : copy_channel16)(row_of(map, y), (size_t)map->channels,
                                                          map->width, row_of(out, y));
    return SATB_OK;
}

int satb_count_codes(satb_context *context, const satb_image *map, int x0, int y0, int x1, int y1,
                     uint32_t *counts)
{
    satb_spares *const spares = &context->spares;
    const size_t pixel = (size_t)map->channels * (size_t)map->bits / 8;
    const int most = 1 + (int)((int64_t)(x1 - x0) * (y1 - y0) >> 20); /* a thread has tables */
    const int used = context->threads < most ? context->threads : most;
    satk_histogram job = {.src = {.data = (uint8_t *)row_of(map, y0) + (size_t)x0 * pixel,
                                  .pitch = map->stride,
                                  .width = x1 - x0,
                                  .height = y1 - y0,
                                  .channels = map->channels,
                                  .bits = map->bits},
                          .out = satb_take(spares, satk_histogram_bytes(map->channels, map->bits))};
    job.scratch = satb_take(spares, satk_histogram_scratch_cpu(&job, used));
    const int whole = job.out && job.scratch;

    if (whole)
        satk_histogram_cpu(&job, used);
    for (size_t i = 0; whole && i < (size_t)1 << map->bits; i++)
        counts[i] = (uint32_t)job.out[i];
    satb_give(spares, job.out);
    satb_give(spares, job.scratch);
    return whole;
}

/* --- Focus ------------------------------------------------------------------------------------ */

#define BINS  256
#define REACH 4 /* bins to each side that count as one mode: 3.5 % of the disparity range */

static int bin_of(double disparity)
{
    return (int)(disparity * (BINS - 1) + 0.5);
}

/* The first bin at which the running count passes a fraction of the total. */
static int percentile(const uint64_t *bins, uint64_t total, double fraction)
{
    uint64_t sum = 0;
    int b = 0;

    while (b < BINS - 1 && (double)(sum + bins[b]) <= fraction * (double)total)
        sum += bins[b++];
    return b;
}

static void smooth(const uint64_t *bins, uint64_t *smoothed)
{
    for (int b = 0; b < BINS; b++) {
        smoothed[b] = 0;
        for (int i = b - REACH; i <= b + REACH; i++)
            if (i >= 0 && i < BINS)
                smoothed[b] += bins[i];
    }
}

static int is_mode(const uint64_t *smoothed, int b)
{
    for (int i = b - REACH; i <= b + REACH; i++)
        if (i >= 0 && i < BINS && smoothed[i] > smoothed[b])
            return 0;
    return smoothed[b] > 0;
}

/* The strongest bin from `first` on, the nearest of equals; modes only, or any bin. -1 if there is
 * none. */
static int strongest(const uint64_t *smoothed, int first, int modes_only)
{
    int best = -1;

    for (int b = first; b < BINS; b++)
        if ((!modes_only || is_mode(smoothed, b)) && (best < 0 || smoothed[b] >= smoothed[best]))
            best = b;
    return best;
}

double satb_auto_focus(const double *disparity, const uint32_t *counts, size_t n)
{
    uint64_t bins[BINS] = {0}, smoothed[BINS], total = 0;

    for (size_t i = 0; i < n; i++) {
        bins[bin_of(disparity[i])] += counts[i];
        total += counts[i];
    }
    smooth(bins, smoothed);
    /* Single stray pixels do not decide what occurs. */
    const int low = percentile(bins, total, 0.005), high = percentile(bins, total, 0.995);
    const int first = (low + high + 1) / 2;
    int mode = strongest(smoothed, first, 1);
    if (mode < 0) /* a slope that rises towards the far half: its top in the near half */
        mode = strongest(smoothed, first, 0);

    double sum = 0, weight = 0;
    for (size_t i = 0; i < n; i++)
        if (abs(bin_of(disparity[i]) - mode) <= REACH) {
            sum += disparity[i] * counts[i];
            weight += counts[i];
        }
    return weight > 0 ? sum / weight : disparity[0];
}

uint32_t satb_median_code(const uint32_t *counts, size_t n)
{
    uint64_t total = 0, sum = 0;
    size_t code = 0;

    for (size_t i = 0; i < n; i++)
        total += counts[i];
    while (code < n - 1 && 2 * (sum + counts[code]) < total)
        sum += counts[code++];
    return (uint32_t)code;
}

/* --- Resampling ------------------------------------------------------------------------------- */

typedef struct tap { /* value = (a * (65536 - weight) + b * weight) / 65536 */
    int a, b;
    uint32_t weight;
} tap;

/* Position i of n on an axis of `from` samples: (i + 1/2) from / n - 1/2, clamped to the outermost
 * centres. */
static tap tap_at(int i, int n, int from)
{
    const int64_t scaled = (2 * (int64_t)i + 1) * from - n, period = 2 * (int64_t)n;

    if (scaled <= 0)
        return (tap){0, 0, 0};
    const int a = (int)(scaled / period);
    if (a >= from - 1)
        return (tap){from - 1, from - 1, 0};
    return (tap){a, a + 1, (uint32_t)((scaled % period * 65536 + n) / period)};
}

/* A row of the map at the picture's width, in 1/65536. The second tap of the last column is the
 * first. */
#define STRETCH_ROW(name, type, scale)                                                             \
    static void name(const void *row, size_t channels, const tap *columns, int width,              \
                     uint32_t *out)                                                                \
    {                                                                                              \
        for (int x = 0; x < width; x++) {                                                          \
            const tap t = columns[x];                                                              \
            const uint32_t a = ((const type *)row)[(size_t)t.a * channels] * scale;                \
            const uint32_t b = ((const type *)row)[(size_t)t.b * channels] * scale;                \
            out[x] = a * (65536 - t.weight) + b * t.weight;                                        \
        }                                                                                          \
    }

STRETCH_ROW(stretch_row8, uint8_t, 257u)
STRETCH_ROW(stretch_row16, uint16_t, 1u)

/* Two rows of the map, stretched, which one row of the picture lies between. */
typedef struct rows {
    int a, b; /* rows that above and below hold; -1: none */
    uint32_t *above, *below;
} rows;

static void stretch(const satb_image *map, const tap *columns, int y, int width, uint32_t *out)
{
    (map->bits == 8 ? stretch_row8 : stretch_row16)(row_of(map, y), (size_t)map->channels, columns,
                                                    width, out);
}

/* Rows follow each other downwards, so what was below is often above. */
static void move_rows(const satb_image *map, const tap *columns, tap to, int width, rows *r)
{
    if (r->a != to.a && r->b == to.a) {
        uint32_t *const row = r->above;
        r->above = r->below, r->a = r->b;
        r->below = row, r->b = -1;
    }
    if (r->a != to.a)
        stretch(map, columns, to.a, width, r->above);
    if (r->b != to.b)
        stretch(map, columns, to.b, width, r->below);
    r->a = to.a;
    r->b = to.b;
}

static void blend_rows(const rows *r, uint32_t weight, int width, uint16_t *out)
{
    const uint32_t *const above = r->above, *const below = r->below;

    for (int x = 0; x < width; x++)
        out[x] = (uint16_t)(((uint64_t)above[x] * (65536 - weight) + (uint64_t)below[x] * weight +
                             ((uint64_t)1 << 31)) >>
                            32);
}

/* work: two rows for each thread. */
static void resample(const satb_image *map, const tap *columns, uint32_t *work, int threads,
                     const satb_image *out)
{
    const int height = out->height, width = out->width;

#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < threads; i++) {
        uint32_t *const own = work + 2 * (size_t)i * (size_t)width;
        rows r = {-1, -1, own, own + width};
        const int first = (int)((int64_t)height * i / threads);
        const int last = (int)((int64_t)height * (i + 1) / threads);
        for (int y = first; y < last; y++) {
            const tap t = tap_at(y, height, map->height);
            move_rows(map, columns, t, width, &r);
            blend_rows(&r, t.weight, width, row_of(out, y));
        }
    }
}

satb_status satb_resample(satb_context *context, const satb_image *map, int width, int height,
                          satb_image *out)
{
    const size_t row = (size_t)width * sizeof(uint16_t), threads = (size_t)context->threads;
    size_t bytes;
    satb_spares *const spares = &context->spares;
    tap *const columns = satb_take(spares, (size_t)width * sizeof *columns);
    uint32_t *const work = satb_take(spares, 2 * threads * (size_t)width * sizeof *work);
    uint16_t *const data =
        satb_multiply(row, (size_t)height, &bytes) ? satb_take(spares, bytes) : NULL;
    satb_status status = SATB_OK;

    *out = (satb_image){.data = data,
                        .stride = (ptrdiff_t)row,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bits = 16};
    if (columns && work && data) {
        for (int x = 0; x < width; x++)
            columns[x] = tap_at(x, width, map->width);
        resample(map, columns, work, context->threads, out);
    } else {
        satb_give(spares, data);
        status =
            satb_fail(context, SATB_ERR_NOMEM, "out of memory for a map of %d x %d", width, height);
    }
    satb_give(spares, columns);
    satb_give(spares, work);
    return status;
}
