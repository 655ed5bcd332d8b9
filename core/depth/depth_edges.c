#include "depth/depth_edges.h"

#include "depth/depth_channel.h"
#include "depth/depth_ramps.h"
#include "depth/depth_resample.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

/* --- Samples that are pixels ------------------------------------------------------------------ */

/* Adds a pixel to the ballot. place: of its voters in the poll; away: the pixel's place in its sample. */
static void add_point(const satb_votes *f, int place, int x, int y, int away_x, int away_y,
                      const satb_image *out, satb_ballot *b)
{
    const int i = b->count++;

    const uint8_t *const own =
        f->pixels.data + y * f->pixels.pitch + x * (ptrdiff_t)f->pixels.pixel;
    b->to[i] = row_of(out, y) + (ptrdiff_t)x * out->bits / 8;
    b->poll.place[i] = (uint32_t)place;
    __builtin_prefetch(own + 3 * f->pixels.pitch); /* edges go on in the rows below */
    b->poll.own[i] = satk_colour_of(&f->pixels, x, y);
    b->poll.x[i] = away_x;
    b->poll.y[i] = away_y;
    if (b->count == SATK_POINTS)
        satb_cast(f, b);
}

static void snap_row(const satb_votes *f, int y, const satb_image *out, satb_ballot *b)
{
    const uint64_t *const ramps = satb_bit_row(f, f->mute, y);

    for (size_t i = 0; i < f->words - 2; i++)
        for (uint64_t bits = ramps[i]; bits; bits &= bits - 1) {
            const int x = (int)i * 64 + __builtin_ctzll(bits);
            const int place = b->count;
            satb_hear(f, x, y, &b->poll, place);
            add_point(f, place, x, y, 0, 0, out, b);
        }
}

/* Decides the pixels on ramps. Returns 0 if memory ran out. */
static int snap_pixels(satb_votes *f, int threads, const satb_image *out)
{
    if (!satb_call_votes(f, f->mute, SATK_HEARING, threads))
        return 0;
#pragma omp parallel num_threads(threads)
    {
        satb_ballot ballot = {.bits = out->bits};
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < f->map.height; y++)
            snap_row(f, y, out, &ballot);
        satb_cast(f, &ballot);
    }
    return 1;
}

/* --- Samples of several pixels ---------------------------------------------------------------- */

typedef struct axis {
    int *first;     /* by sample, and one more: its first pixel */
    int16_t *place; /* by pixel: from its sample's centre, in places */
} axis;

/* Returns the way from the centre of sample s of `from` to that of pixel i of n, in places, rounded towards 0: at most a step. */
static int away(int i, int n, int s, int from)
{
    const int64_t twice = (2 * (int64_t)i + 1) * from - (2 * (int64_t)s + 1) * n;

    return (int)(twice * SATK_STEP / (2 * (int64_t)n));
}

/* Returns the first of the pixels whose centre is in sample s or behind, in the first half of an axis. A centre on the border
 * of two samples is in the latter, which is the one closer to the middle. */
static int first_of_half(int s, int samples, int pixels)
{
    return (int)((2 * (int64_t)s * pixels + samples - 1) / (2 * (int64_t)samples));
}

/* Each pixel belongs to the sample that its centre is in; the second half of the axis is the first one's mirror. To be
 * closed in any case. Returns 0 if memory ran out. */
static int open_axis(axis *a, int samples, int pixels)
{
    *a = (axis){.first = malloc(((size_t)samples + 1) * sizeof *a->first),
                .place = malloc((size_t)pixels * sizeof *a->place)};
    if (!a->first || !a->place)
        return 0;
    for (int s = 0; s <= samples; s++)
        a->first[s] = 2 * s <= samples ? first_of_half(s, samples, pixels)
                                       : pixels - first_of_half(samples - s, samples, pixels);
    for (int s = 0; s < samples; s++)
        for (int i = a->first[s]; i < a->first[s + 1]; i++)
            a->place[i] = (int16_t)away(i, pixels, s, samples);
    return 1;
}

static void close_axis(axis *a)
{
    free(a->first);
    free(a->place);
}

/* Decides all pixels in sample i, j. Returns their number. */
static size_t decide_cell(const satb_votes *f, int i, int j, const axis axes[2],
                          const satb_image *out, satb_ballot *b)
{
    const int left = axes[0].first[i], right = axes[0].first[i + 1];
    const int top = axes[1].first[j], bottom = axes[1].first[j + 1];
    int place = -1;

    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            if (place < 0 || b->count == 0) { /* a new poll */
                place = b->count;
                satb_hear(f, i, j, &b->poll, place);
            }
            add_point(f, place, x, y, axes[0].place[x], axes[1].place[y], out, b);
        }
    return (size_t)(right - left) * (size_t)(bottom - top);
}

/* Returns how many pixels in the row of samples were decided. near: a row of bits, of samples. */
static size_t decide_row(const satb_votes *f, int j, const uint64_t *near, const axis axes[2],
                         const satb_image *out, satb_ballot *b)
{
    size_t decided = 0;

    for (size_t k = 0; k < f->words - 2; k++)
        for (uint64_t bits = near[k]; bits; bits &= bits - 1)
            decided += decide_cell(f, (int)k * 64 + __builtin_ctzll(bits), j, axes, out, b);
    return decided;
}

/* Returns 0 if memory ran out. */
static int decide_rows(const satb_votes *f, const axis axes[2], int threads, const satb_image *out,
                       size_t *decided)
{
    size_t sum = 0;
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : sum)
    {
        uint64_t *const near = malloc(f->words * sizeof *near);
        satb_ballot ballot = {.bits = out->bits};
        whole = near != NULL;
#pragma omp for schedule(dynamic, 8)
        for (int j = 0; j < f->map.height; j++) {
            if (!near)
                continue;
            satb_bits_around(f, f->edge, j, 1, near);
            sum += decide_row(f, j, near, axes, out, &ballot);
        }
        satb_cast(f, &ballot);
        free(near);
    }
    *decided = sum;
    return whole;
}

/* Decides the pixels next to edges; *out holds the other pixels. Returns 0 if memory ran out. */
static int decide(satb_votes *f, int threads, const satb_image *out, size_t *decided)
{
    axis axes[2] = {{0}};
    const int whole = open_axis(&axes[0], f->map.width, out->width) &&
                      open_axis(&axes[1], f->map.height, out->height) &&
                      satb_call_votes(f, f->edge, 1 + SATK_HEARING, threads) &&
                      decide_rows(f, axes, threads, out, decided);

    close_axis(&axes[0]);
    close_axis(&axes[1]);
    return whole;
}

/* --- Run -------------------------------------------------------------------------------------- */

static satb_status no_memory(satb_context *context)
{
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
}

/* Fits a map of the picture's size. */
static satb_status fit_same(satb_context *context, satb_votes *votes, satb_edge_count *count,
                            satb_image *out, size_t *snapped)
{
    const satb_image map = votes->map;
    satb_status status = satb_narrow_edges(context, votes, count);
    const int narrowed = votes->map.width != map.width;

    if (status != SATB_OK || (!narrowed && count->ramps == 0))
        return status;
    *snapped = count->ramps;
    if (satb_copy_map(context, &map, out) &&
        (narrowed ? decide(votes, context->threads, out, snapped)
                  : snap_pixels(votes, context->threads, out)))
        return SATB_OK;
    satb_give(&context->spares, out->data);
    return no_memory(context);
}

/* Fits a smaller map. */
static satb_status fit_smaller(satb_context *context, satb_votes *votes, satb_image *out,
                               size_t *snapped)
{
    if (decide(votes, context->threads, out, snapped))
        return SATB_OK;
    satb_give(&context->spares, out->data);
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
    if (!satb_open_votes(context, &votes, map, picture) ||
        !satb_mark_edges(&votes, context->threads, &count)) {
        if (!same)
            satb_give(&context->spares, out->data);
        status = no_memory(context);
    } else {
        status = same ? fit_same(context, &votes, &count, out, snapped)
                      : fit_smaller(context, &votes, out, snapped);
    }
    satb_close_votes(&votes);
    return status;
}
