#include "depth_edges.h"

#include "depth.h"
#include "depth_votes.h"
#include "plane.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 4 }; /* samples to each side that tell an edge from a slope */

/* --- Edges and ramps -------------------------------------------------------------------------- */

/* The range of the (2 reach + 1)^2 codes around each of row y. work: two rows, wider by AROUND on
 * either side. */
static void ranges(const satb_votes *f, int y, int reach, uint16_t *work, uint16_t *range)
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

static int is_ramp(const satb_votes *f, int x, int y, uint32_t margin)
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

/* The 9 x 9 of a sample at the border lie within the map, or else they would take slopes for edges. */
static int inside(int i, int n)
{
    return i < AROUND ? AROUND : i < n - AROUND ? i : n - AROUND - 1;
}

/* work: four rows and the room of ranges(). Returns how many ramps there are. */
static size_t mark_row(const satb_votes *f, int y, uint32_t least, uint16_t *work)
{
    const size_t w = (size_t)f->width;
    uint16_t *const here = work, *const around = work + w;
    uint8_t *const kind = f->kind + (size_t)y * w;
    uint32_t most = 0;
    size_t ramps = 0;

    ranges(f, y, 1, work + 2 * w, here);
    for (size_t x = 0; x < w; x++)
        most = here[x] > most ? here[x] : most;
    if (most <= least)
        return 0;
    ranges(f, inside(y, f->height), AROUND, work + 2 * w, around);
    for (int x = 0; x < f->width; x++) {
        if (here[x] <= least || 3 * here[x] < around[inside(x, f->width)])
            continue;
        const int ramp = is_ramp(f, x, y, around[inside(x, f->width)] / 16u);
        kind[x] = ramp ? SATB_EDGE | SATB_MUTE : SATB_EDGE;
        ramps += (size_t)ramp;
    }
    return ramps;
}

/* 0: out of memory. */
static int mark_edges(const satb_votes *f, uint32_t least, int threads, size_t *ramps)
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
            sum += work ? mark_row(f, y, least, work) : 0;
        free(work);
    }
    *ramps = sum;
    return whole;
}

/* Where pixels are decided, and who votes there. */
static void mark_voters(const satb_votes *f)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++)
            if (f->kind[(size_t)y * (size_t)f->width + (size_t)x] & SATB_EDGE) {
                satb_mark_around(f, x, y, 1, SATB_NEAR_EDGE);
                satb_mark_around(f, x, y, 1 + SATB_HEARING, SATB_HEARD);
            }
}

/* --- Maps of the picture's size --------------------------------------------------------------- */

static uint32_t snapped_code(const satb_votes *f, int x, int y)
{
    satb_point p = {.u = x * (int64_t)SATB_STEP, .v = y * (int64_t)SATB_STEP};

    satb_colour_of(f->picture, x, y, p.rgb);
    return satb_vote(f, x, y, &p, NULL);
}

static void snap_row(const satb_votes *f, int y, int bits, void *out)
{
    const size_t first = (size_t)y * (size_t)f->width;

    if (bits == 16)
        memcpy(out, f->depth + first, (size_t)f->width * sizeof *f->depth);
    else
        for (int x = 0; x < f->width; x++)
            ((uint8_t *)out)[x] = (uint8_t)f->depth[first + (size_t)x];
    for (int x = 0; x < f->width; x++)
        if (f->kind[first + (size_t)x] & SATB_MUTE) {
            const uint32_t code = snapped_code(f, x, y);
            satk_put_pixel(out, x, 1, bits, &code);
        }
}

/* 0: out of memory. */
static int snap(const satb_context *context, const satb_votes *f, int bits, satb_image *out)
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

/* Pixel i of n on an axis of `from` samples, in 1/SATB_STEP from the first one's centre. */
static int64_t place(int i, int n, int from)
{
    return ((2 * (int64_t)i + 1) * from - n) * SATB_STEP / (2 * (int64_t)n);
}

typedef struct column { /* of the picture: the sample that it lies in, and where */
    int sample;
    int64_t u;
} column;

/* Returns how many pixels of the row were decided. */
static size_t resize_row(const satb_votes *f, const column *columns, int y, uint16_t *out)
{
    const satb_image *const picture = f->picture;
    const int j = (int)((int64_t)y * f->height / picture->height);
    const uint8_t *const kind = f->kind + (size_t)j * (size_t)f->width;
    satb_point p = {.v = place(y, picture->height, f->height)};
    size_t decided = 0;

    for (int x = 0; x < picture->width; x++) {
        const int i = columns[x].sample;
        if (!(kind[i] & SATB_NEAR_EDGE))
            continue;
        p.u = columns[x].u;
        satb_colour_of(picture, x, y, p.rgb);
        out[x] = (uint16_t)satb_vote(f, i, j, &p, NULL);
        decided++;
    }
    return decided;
}

/* *out is interpolated already. 0: out of memory. */
static int resize(const satb_context *context, const satb_votes *f, const satb_image *out,
                  size_t *decided)
{
    column *const columns = malloc((size_t)out->width * sizeof *columns);
    size_t sum = 0;

    if (!columns)
        return 0;
    for (int x = 0; x < out->width; x++)
        columns[x] = (column){.sample = (int)((int64_t)x * f->width / out->width),
                              .u = place(x, out->width, f->width)};
    mark_voters(f);
    satb_voter_colours(f, context->threads);
#pragma omp parallel for schedule(dynamic, 16) num_threads(context->threads) reduction(+ : sum)
    for (int y = 0; y < out->height; y++)
        sum += resize_row(f, columns, y, (uint16_t *)((uint8_t *)out->data + y * out->stride));
    free(columns);
    *decided = sum;
    return 1;
}

/* --- Run -------------------------------------------------------------------------------------- */

static satb_status fit_edges(satb_context *context, const satb_image *map,
                             const satb_image *picture, int same, satb_image *out, size_t *snapped)
{
    const int bits = same ? map->bits : 16;
    satb_votes f;
    int whole = satb_open_votes(&f, map, picture, bits > map->bits ? 257 : 1, context->threads) &&
                mark_edges(&f, (1u << bits) / 64, context->threads, snapped);

    if (whole && !same)
        whole = resize(context, &f, out, snapped);
    else if (whole && *snapped > 0)
        whole = snap(context, &f, map->bits, out);
    satb_close_votes(&f);
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
    if (status != SATB_OK || map->width > picture->width || map->height > picture->height ||
        map->width <= 2 * AROUND || map->height <= 2 * AROUND)
        return status;
    status = fit_edges(context, map, picture, same, out, snapped);
    if (status != SATB_OK && !same)
        free(out->data);
    return status;
}
