#include "depth_edges.h"

#include "depth.h"
#include "depth_ramps.h"
#include "memory.h"
#include "plane.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

static void put(const satb_image *out, int x, int y, uint32_t code)
{
    satk_put_pixel(row_of(out, y), x, 1, out->bits, &code);
}

/* A copy in memory of its own. 0: out of memory. */
static int copy(const satb_image *map, int threads, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    out->stride = (ptrdiff_t)row;
    out->data = satb_allocate(row * (size_t)map->height);
    if (!out->data)
        return 0;
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++)
        memcpy(row_of(out, y), row_of(map, y), row);
    return 1;
}

/* --- Samples that are pixels ------------------------------------------------------------------ */

static void snap_row(const satb_votes *f, int y, const satb_image *out)
{
    const uint64_t *const ramps = satb_bit_row(f, f->mute, y);
    satb_voices voices = {0};
    satb_point p;

    satb_come_close(0, p.x);
    satb_come_close(0, p.y);
    for (size_t i = 0; i < f->words - 2; i++)
        for (uint64_t bits = ramps[i]; bits; bits &= bits - 1) {
            const int x = (int)i * 64 + __builtin_ctzll(bits);
            p.colour = satb_colour_of(&f->pixels, x, y);
            satb_hear(f, x, y, &voices);
            put(out, x, y, satb_vote(f, &voices, &p, NULL));
        }
}

/* What is on ramps is decided. 0: out of memory. */
static int snap(satb_votes *f, int threads, const satb_image *out)
{
    if (!satb_call_votes(f, f->mute, SATB_HEARING, threads))
        return 0;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
    for (int y = 0; y < f->map.height; y++)
        snap_row(f, y, out);
    return 1;
}

/* --- Samples of several pixels ---------------------------------------------------------------- */

/* Pixel i of n from the centre of sample s, of `from`, in 1/SATB_STEP. */
static int away(int i, int n, int s, int from)
{
    const int64_t place = ((2 * (int64_t)i + 1) * from - n) * SATB_STEP / (2 * (int64_t)n);

    return (int)(place - s * (int64_t)SATB_STEP);
}

/* The first pixel of n that lies in sample s, of `from`. */
static int first_of(int64_t s, int n, int from)
{
    return (int)((s * n + from - 1) / from);
}

/* All pixels in a sample. columns: by pixel, how close it is to the columns around. */
static size_t decide_cell(const satb_votes *f, const satb_voices *voices, int i, int j,
                          const uint16_t (*columns)[SATB_LANES], const satb_image *out)
{
    const int w = f->map.width, h = f->map.height;
    const int left = first_of(i, out->width, w), right = first_of(i + 1, out->width, w);
    const int top = first_of(j, out->height, h), bottom = first_of(j + 1, out->height, h);
    satb_point p;

    for (int y = top; y < bottom; y++) {
        satb_come_close(away(y, out->height, j, h), p.y);
        for (int x = left; x < right; x++) {
            memcpy(p.x, columns[x], sizeof p.x);
            p.colour = satb_colour_of(&f->pixels, x, y);
            put(out, x, y, satb_vote(f, voices, &p, NULL));
        }
    }
    return (size_t)(right - left) * (size_t)(bottom - top);
}

/* Returns how many pixels in the row of samples were decided. near: a row of bits, of samples. */
static size_t decide_row(const satb_votes *f, int j, const uint64_t *near,
                         const uint16_t (*columns)[SATB_LANES], const satb_image *out)
{
    satb_voices voices = {0};
    size_t decided = 0;

    for (size_t k = 0; k < f->words - 2; k++)
        for (uint64_t bits = near[k]; bits; bits &= bits - 1) {
            const int i = (int)k * 64 + __builtin_ctzll(bits);
            satb_hear(f, i, j, &voices);
            decided += decide_cell(f, &voices, i, j, columns, out);
        }
    return decided;
}

/* By pixel of a row: how close it is to the columns of samples around. */
static void find_columns(const satb_votes *f, int width, uint16_t (*columns)[SATB_LANES])
{
    for (int x = 0; x < width; x++) {
        const int i = (int)((int64_t)x * f->map.width / width);
        satb_come_close(away(x, width, i, f->map.width), columns[x]);
    }
}

/* What is next to edges is decided; *out holds the other pixels. 0: out of memory. */
static int decide(satb_votes *f, int threads, const satb_image *out, size_t *decided)
{
    uint16_t(*const columns)[SATB_LANES] = malloc((size_t)out->width * sizeof *columns);
    size_t sum = 0;
    int whole = 1;

    if (!columns || !satb_call_votes(f, f->edge, 1 + SATB_HEARING, threads)) {
        free(columns);
        return 0;
    }
    find_columns(f, out->width, columns);
#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : sum)
    {
        uint64_t *const near = malloc(f->words * sizeof *near);
        whole = near != NULL;
#pragma omp for schedule(dynamic, 8)
        for (int j = 0; j < f->map.height; j++) {
            if (!near)
                continue;
            satb_bits_around(f, f->edge, j, 1, near);
            sum += decide_row(f, j, near, (const uint16_t(*)[SATB_LANES])columns, out);
        }
        free(near);
    }
    free(columns);
    *decided = sum;
    return whole;
}

/* --- Run -------------------------------------------------------------------------------------- */

static satb_status no_memory(satb_context *context)
{
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
}

/* A map of the picture's size. */
static satb_status fit_same(satb_context *context, satb_votes *votes, satb_edge_count *count,
                            satb_image *out, size_t *snapped)
{
    const satb_image map = votes->map;
    satb_status status = satb_narrow_edges(context, votes, count);
    const int narrowed = votes->map.width != map.width;

    if (status != SATB_OK || (!narrowed && count->ramps == 0))
        return status;
    *snapped = count->ramps;
    if (copy(&map, context->threads, out) &&
        (narrowed ? decide(votes, context->threads, out, snapped)
                  : snap(votes, context->threads, out)))
        return SATB_OK;
    free(out->data);
    return no_memory(context);
}

/* A smaller one. */
static satb_status fit_smaller(satb_context *context, satb_votes *votes, satb_image *out,
                               size_t *snapped)
{
    if (decide(votes, context->threads, out, snapped))
        return SATB_OK;
    free(out->data);
    return no_memory(context);
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
    satb_edge_count count;
    satb_votes votes;
    const uint32_t scale = out->bits > map->bits ? 257 : 1;
    if (!satb_open_votes(&votes, map, picture, scale) ||
        !satb_mark_edges(&votes, (1u << out->bits) / 64 / scale, context->threads, &count)) {
        if (!same)
            free(out->data);
        status = no_memory(context);
    } else {
        status = same ? fit_same(context, &votes, &count, out, snapped)
                      : fit_smaller(context, &votes, out, snapped);
    }
    satb_close_votes(&votes);
    return status;
}
