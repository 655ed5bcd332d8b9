#include "depth_edges.h"

#include "depth.h"
#include "depth_ramps.h"
#include "plane.h"

#include <stdlib.h>
#include <string.h>

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

/* --- Maps of fewer samples ----------------------------------------------------------------------------- */

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
static size_t resize_row(const satb_votes *f, const column *columns, int y, int bits, void *out)
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
        const uint32_t code = satb_vote(f, i, j, &p, NULL);
        satk_put_pixel(out, x, 1, bits, &code);
        decided++;
    }
    return decided;
}

/* *out holds the pixels that are not decided. 0: out of memory. */
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
        sum += resize_row(f, columns, y, out->bits, (uint8_t *)out->data + y * out->stride);
    free(columns);
    *decided = sum;
    return 1;
}

/* --- Run -------------------------------------------------------------------------------------- */

/* The samples vote, and those that are not the picture's pixels were added to *out already. */
static satb_status fit_edges(satb_context *context, const satb_image *samples,
                             const satb_image *picture, satb_image *out, size_t *snapped)
{
    const int same = samples->width == picture->width && samples->height == picture->height;
    satb_edge_count count = {0};
    satb_votes f;
    int whole = satb_open_votes(&f, samples, picture, out->bits > samples->bits ? 257 : 1,
                                context->threads) &&
                satb_mark_edges(&f, (1u << out->bits) / 64, context->threads, &count);

    if (whole && !same)
        whole = resize(context, &f, out, snapped);
    else if (whole && count.ramps > 0)
        whole = snap(context, &f, out->bits, out);
    if (same)
        *snapped = count.ramps;
    satb_close_votes(&f);
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
}

/* The map's first channel, in memory of its own. */
static satb_status copy(satb_context *context, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = (satb_image){.data = malloc(row * (size_t)map->height),
                        .stride = (ptrdiff_t)row,
                        .width = map->width,
                        .height = map->height,
                        .channels = 1,
                        .bits = map->bits};
    if (!out->data)
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for a copy of depth");
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const uint32_t code = satk_code((const uint8_t *)map->data + y * map->stride,
                                            (size_t)x * (size_t)map->channels, map->bits);
            satk_put_pixel((uint8_t *)out->data + (size_t)y * row, x, 1, map->bits, &code);
        }
    return SATB_OK;
}

/* A map of the picture's size. */
static satb_status fit_same(satb_context *context, const satb_image *map, const satb_image *picture,
                            satb_image *out, size_t *snapped)
{
    satb_image narrow;
    satb_status status = satb_narrow_edges(context, map, picture, &narrow);

    if (status != SATB_OK || narrow.data == map->data)
        return status == SATB_OK ? fit_edges(context, map, picture, out, snapped) : status;
    status = copy(context, map, out);
    if (status == SATB_OK) {
        status = fit_edges(context, &narrow, picture, out, snapped);
        if (status != SATB_OK)
            free(out->data);
    }
    free(narrow.data);
    return status;
}

/* A smaller one. */
static satb_status fit_smaller(satb_context *context, const satb_image *map,
                               const satb_image *picture, satb_image *out, size_t *snapped)
{
    const satb_status status = fit_edges(context, map, picture, out, snapped);

    if (status != SATB_OK)
        free(out->data);
    return status;
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
        map->width < SATB_LEAST_SIDE || map->height < SATB_LEAST_SIDE)
        return status;
    return (same ? fit_same : fit_smaller)(context, map, picture, out, snapped);
}
