#include "depth.h"

#include "plane.h"
#include "size.h"

#include <stdlib.h>
#include <string.h>

void satb_count_codes(const satb_image *map, int x0, int y0, int x1, int y1, uint32_t *counts,
                      int threads)
{
    memset(counts, 0, sizeof *counts << map->bits);
#pragma omp parallel for num_threads(threads)
    for (int y = y0; y < y1; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        uint32_t run = 0, last = 0; /* neighbours are alike: a run is added at once */
        for (int x = x0; x < x1; x++) {
            const uint32_t code = satk_code(row, (size_t)x * (size_t)map->channels, map->bits);
            if (code != last) {
#pragma omp atomic
                counts[last] += run;
                run = 0;
                last = code;
            }
            run++;
        }
#pragma omp atomic
        counts[last] += run;
    }
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

static uint64_t code16(const satb_image *map, const uint8_t *row, int x)
{
    const uint32_t code = satk_code(row, (size_t)x * (size_t)map->channels, map->bits);

    return map->bits == 8 ? code * 257 : code;
}

static void resample_row(const satb_image *map, const tap *columns, tap rows, uint16_t *out,
                         int width)
{
    const uint8_t *const above = (const uint8_t *)map->data + rows.a * map->stride;
    const uint8_t *const below = (const uint8_t *)map->data + rows.b * map->stride;

    for (int x = 0; x < width; x++) {
        const tap t = columns[x];
        const uint64_t top =
            code16(map, above, t.a) * (65536 - t.weight) + code16(map, above, t.b) * t.weight;
        const uint64_t low =
            code16(map, below, t.a) * (65536 - t.weight) + code16(map, below, t.b) * t.weight;
        out[x] =
            (uint16_t)((top * (65536 - rows.weight) + low * rows.weight + ((uint64_t)1 << 31)) >>
                       32);
    }
}

satb_status satb_resample(satb_context *context, const satb_image *map, int width, int height,
                          satb_image *out)
{
    const size_t row = (size_t)width * sizeof(uint16_t);
    size_t bytes;
    tap *const columns = malloc((size_t)width * sizeof *columns);
    uint16_t *const data = satb_multiply(row, (size_t)height, &bytes) ? malloc(bytes) : NULL;

    if (!columns || !data) {
        free(columns);
        free(data);
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for a map of %d x %d", width,
                         height);
    }
    for (int x = 0; x < width; x++)
        columns[x] = tap_at(x, width, map->width);
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < height; y++)
        resample_row(map, columns, tap_at(y, height, map->height), data + (size_t)y * (size_t)width,
                     width);
    free(columns);
    *out = (satb_image){.data = data,
                        .stride = (ptrdiff_t)row,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bits = 16};
    return SATB_OK;
}
