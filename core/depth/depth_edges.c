#include "depth/depth_edges.h"

#include "backend/image.h"
#include "base/memory.h"
#include "depth/depth_channel.h"
#include "depth/depth_ends.h"
#include "depth/depth_levels.h"
#include "depth/depth_resample.h"
#include "common/plane.h"
#include "surface/surface_rule.h"

#include <stdlib.h>
#include <string.h>

enum { NO_LEVEL = UINT8_MAX };

/* The work on a map: its levels and, by sample of level 0, the finest one in which it is on a ramp. */
typedef struct cut {
    satb_context *context;
    satb_level level[SATB_MOST_LEVELS];
    uint32_t *ends[SATB_MOST_LEVELS];   /* by sample: low, and 2^16 high; known around ramps */
    satb_tap *across[SATB_MOST_LEVELS]; /* by column of the picture */
    int levels;
    uint8_t *finest;
    satb_image fine, out; /* the map at the picture's size, before and after */
    int near_black;
} cut;

/* --- Levels ----------------------------------------------------------------------------------- */

/* Returns 1 if a map has samples on edges among those of a sample of its half. */
static int has_finer_edge(const satb_level *half, const satb_level *fine, int x, int y)
{
    const int w = fine->map.width, h = fine->map.height;
    const int right = satb_first_within(x + 1, half->map.width, w);
    const int bottom = satb_first_within(y + 1, half->map.height, h);

    for (int j = satb_first_within(y, half->map.height, h); j < bottom; j++)
        for (int i = satb_first_within(x, half->map.width, w); i < right; i++)
            if (satb_has_bit(&fine->edge, i, j))
                return 1;
    return 0;
}

/* Drops the edges of a half that the map before has, too. seen: the map's edges as they were marked. */
static void drop_known_edges(satb_level *half, const satb_level *seen)
{
    for (int y = 0; y < half->map.height; y++) {
        uint64_t *const row = satb_bit_row(&half->edge, y);
        for (size_t i = 0; i < half->edge.words - 2; i++)
            for (uint64_t bits = row[i]; bits; bits &= bits - 1) {
                const int k = __builtin_ctzll(bits);
                if (has_finer_edge(half, seen, (int)i * 64 + k, y))
                    row[i] &= ~((uint64_t)1 << k);
            }
    }
}

/* Enters a level for the samples of level 0 in a sample of it. */
static void enter_level(const cut *c, int l, int x, int y)
{
    const satb_image *const map = &c->level[0].map, *const at = &c->level[l].map;
    const int left = satb_first_within(x, at->width, map->width);
    const int right = satb_first_within(x + 1, at->width, map->width);
    const int bottom = satb_first_within(y + 1, at->height, map->height);

    for (int j = satb_first_within(y, at->height, map->height); j < bottom; j++)
        memset(c->finest + (size_t)j * (size_t)map->width + left, l, (size_t)(right - left));
}

/* Enters a level for all samples within one of its edges. Returns 0 if memory ran out. */
static int enter_ramps(const cut *c, int l)
{
    const satb_level *const level = &c->level[l];
    uint64_t *const near = malloc(level->edge.words * sizeof *near);

    for (int y = 0; y < (near ? level->map.height : 0); y++) {
        satb_bits_around(&level->edge, y, 1, near);
        for (size_t i = 0; i < level->edge.words - 2; i++)
            for (uint64_t bits = near[i]; bits; bits &= bits - 1)
                enter_level(c, l, (int)i * 64 + __builtin_ctzll(bits), y);
    }
    free(near);
    return near != NULL;
}

/* Opens the halves of level 0. Returns 0 if memory ran out. */
static int open_levels(cut *c)
{
    int whole = 1;

    while (whole && c->levels < SATB_MOST_LEVELS && satb_has_half(&c->level[c->levels - 1])) {
        whole = satb_open_half(&c->level[c->levels - 1], &c->level[c->levels]);
        c->levels++;
    }
    for (int l = c->levels - 1; l > 0 && whole; l--)
        drop_known_edges(&c->level[l], &c->level[l - 1]);
    return whole;
}

/* Finds the level of each sample of level 0. Returns 0 if memory ran out. */
static int find_finest(cut *c)
{
    const satb_image *const map = &c->level[0].map;
    const size_t samples = (size_t)map->width * (size_t)map->height;
    int whole = 1;

    c->finest = satb_take(&c->context->spares, samples);
    if (!c->finest)
        return 0;
    memset(c->finest, NO_LEVEL, samples);
    for (int l = c->levels - 1; l >= 0 && whole; l--)
        whole = enter_ramps(c, l);
    return whole;
}

/* Finds what pixels read of a level. Returns 0 if memory ran out. */
static int prepare_level(cut *c, int l)
{
    const satb_image *const map = &c->level[l].map;
    const size_t samples = (size_t)map->width * (size_t)map->height;
    satb_spares *const spares = &c->context->spares;

    c->ends[l] = satb_take(spares, samples * sizeof *c->ends[l]);
    c->across[l] = satb_take(spares, (size_t)c->out.width * sizeof *c->across[l]);
    if (!c->ends[l] || !c->across[l])
        return 0;
    for (int x = 0; x < c->out.width; x++)
        c->across[l][x] = satb_tap_at(x, c->out.width, map->width);
    return satb_find_ends(&c->level[l], c->ends[l]);
}

static void close_levels(cut *c)
{
    satb_spares *const spares = &c->context->spares;

    for (int l = 0; l < c->levels; l++) {
        satb_close_level(&c->level[l]);
        satb_give(spares, c->ends[l]);
        satb_give(spares, c->across[l]);
    }
    satb_give(spares, c->finest);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Returns a number between four, in 16 bits, rounded half up. */
static uint32_t between(const uint32_t *above, const uint32_t *below, const satb_tap *x,
                        const satb_tap *y, int shift)
{
    const uint64_t left = 65536 - x->weight, right = x->weight;
    const uint64_t a =
        (above[x->a] >> shift & UINT16_MAX) * left + (above[x->b] >> shift & UINT16_MAX) * right;
    const uint64_t b =
        (below[x->a] >> shift & UINT16_MAX) * left + (below[x->b] >> shift & UINT16_MAX) * right;

    return (uint32_t)((a * (65536 - y->weight) + b * y->weight + ((uint64_t)1 << 31)) >> 32);
}

static void put_code(const satb_image *to, int x, int y, uint32_t code)
{
    satk_put_code((uint8_t *)to->data + y * to->stride, (size_t)x, to->bits,
                  to->bits == 8 ? satk_code_in(8, code) : code);
}

/* What a thread has cut. */
typedef struct pixels {
    size_t changed; /* codes */
    satb_rims rims;
    int whole; /* 0: memory ran out */
} pixels;

/* A ramp at a pixel: its ends, and the pixels of a sample of its level, across and down. */
typedef struct ramp {
    uint32_t low, high;
    int across, down;
} ramp;

enum { NARROWER = 6 }; /* a rim than its ramp */

/* Returns the near end's part of a pixel, in 1/255, that lies `away` from the far end of a ramp. */
static uint8_t cover_of(uint32_t away, uint32_t range)
{
    const int64_t twice =
        (int64_t)NARROWER * (2 * (int64_t)away - range) + range; /* of the range */

    if (twice <= 0)
        return 0;
    return (uint8_t)(twice >= 2 * (int64_t)range
                         ? UINT8_MAX
                         : (UINT8_MAX * twice + range) / (2 * (int64_t)range));
}

/* Adds a pixel of a ramp to the rims, if the near end has not all of it, and it may be the near end's: more than a 64th of
 * the ramp lies between it and the far end. */
static void add_rim(const cut *c, int x, int y, const ramp *r, uint32_t code, pixels *p)
{
    const uint32_t near = c->near_black ? r->low : r->high, far = c->near_black ? r->high : r->low;
    const uint32_t away = code > far ? code - far : far - code, range = r->high - r->low;
    const int larger = r->across > r->down ? r->across : r->down;
    const int is_beyond = (code > far) != (near > far);
    const uint8_t cover = is_beyond ? 0 : cover_of(away, range);

    if (cover == UINT8_MAX || (cover == 0 && 64 * away <= range))
        return;
    const satb_rim rim = {.x = x,
                          .y = y,
                          .near = (uint16_t)satk_code_in(c->out.bits, near),
                          .far = (uint16_t)satk_code_in(c->out.bits, far),
                          .cover = cover,
                          .kind = SATB_RIM_EDGE,
                          .sample = (uint8_t)(larger < UINT8_MAX ? larger : UINT8_MAX)};
    p->whole &= satb_add_rim(&p->rims, &rim);
}

/* Returns the largest difference of codes between a pixel and those `across` away in its row and `down` in its column. */
static uint32_t rise_at(const satb_image *map, int x, int y, int across, int down)
{
    const uint32_t code = satb_code16(map, x, y);
    const uint32_t codes[] = {satb_code16(map, satb_clamped(x - across, map->width), y),
                              satb_code16(map, satb_clamped(x + across, map->width), y),
                              satb_code16(map, x, satb_clamped(y - down, map->height)),
                              satb_code16(map, x, satb_clamped(y + down, map->height))};
    uint32_t most = 0;

    for (int i = 0; i < 4; i++) {
        const uint32_t rise = codes[i] < code ? code - codes[i] : codes[i] - code;
        most = rise > most ? rise : most;
    }
    return most;
}

/* Cuts a pixel of a ramp if the map rises there: a flat part near the ramp is a surface. */
static void cut_pixel(const cut *c, int x, int y, const ramp *r, pixels *p)
{
    const uint32_t code = satb_code16(&c->fine, x, y), range = r->high - r->low;
    const uint32_t end = satk_closer_end(code, r->low, r->high);

    const uint32_t rise = rise_at(&c->fine, x, y, (r->across + 1) / 2, (r->down + 1) / 2);

    if (range <= satk_least_edge(16) || 32 * rise < range)
        return;
    add_rim(c, x, y, r, code, p);
    if (satk_code_in(c->out.bits, code) == satk_code_in(c->out.bits, end))
        return;
    put_code(&c->out, x, y, end);
    p->changed++;
}

/* Cuts the pixels in sample i, j of level 0. */
static void cut_sample(const cut *c, int i, int j, int l, pixels *p)
{
    const satb_image *const map = &c->level[0].map, *const at = &c->level[l].map;
    const int left = satb_first_within(i, map->width, c->out.width);
    const int right = satb_first_within(i + 1, map->width, c->out.width);
    const int bottom = satb_first_within(j + 1, map->height, c->out.height);
    ramp r = {.across = (c->out.width + at->width - 1) / at->width,
              .down = (c->out.height + at->height - 1) / at->height};

    for (int y = satb_first_within(j, map->height, c->out.height); y < bottom; y++) {
        const satb_tap down = satb_tap_at(y, c->out.height, at->height);
        const uint32_t *const above = c->ends[l] + (size_t)down.a * (size_t)at->width;
        const uint32_t *const below = c->ends[l] + (size_t)down.b * (size_t)at->width;
        for (int x = left; x < right; x++) {
            r.low = between(above, below, &c->across[l][x], &down, 0);
            r.high = between(above, below, &c->across[l][x], &down, 16);
            cut_pixel(c, x, y, &r, p);
        }
    }
}

static void cut_row(const cut *c, int j, pixels *p)
{
    const int width = c->level[0].map.width;
    const uint8_t *const finest = c->finest + (size_t)j * (size_t)width;

    for (int i = 0; i < width; i++)
        if (finest[i] != NO_LEVEL)
            cut_sample(c, i, j, finest[i], p);
}

/* Cuts the pixels on the ramps of all levels. Returns 0 if memory ran out. */
static int cut_ramps(cut *c, size_t *snapped, satb_rims *rims)
{
    const int height = c->level[0].map.height;
    size_t changed = 0;
    int whole = find_finest(c);

    for (int l = 0; l < c->levels && whole; l++)
        whole = prepare_level(c, l);
    if (!whole)
        return 0;
#pragma omp parallel num_threads(c->context->threads) reduction(& : whole) reduction(+ : changed)
    {
        pixels own = {.whole = 1};
#pragma omp for schedule(dynamic, 8)
        for (int j = 0; j < height; j++)
            cut_row(c, j, &own);
#pragma omp critical
        own.whole &= satb_add_rims(rims, &own.rims);
        satb_free_rims(&own.rims);
        changed = own.changed;
        whole = own.whole;
    }
    *snapped = changed;
    return whole;
}

/* Cuts the samples of level 0 that are on ramps. */
static void cut_narrow_ramps(const cut *c)
{
    const satb_level *const level = &c->level[0];

#pragma omp parallel for num_threads(c->context->threads) schedule(dynamic, 16)
    for (int y = 0; y < level->map.height; y++)
        for (size_t i = 0; i < level->edge.words - 2; i++)
            for (uint64_t bits = satb_bit_row(&level->ramp, y)[i]; bits; bits &= bits - 1) {
                const int x = (int)i * 64 + __builtin_ctzll(bits);
                const uint32_t ends = satb_ends_at(&level->map, x, y);
                put_code(
                    &c->out, x, y,
                    satk_closer_end(satb_code16(&level->map, x, y), ends & UINT16_MAX, ends >> 16));
            }
}

/* --- Run -------------------------------------------------------------------------------------- */

/* Cuts a map of the picture's size, *out. Returns 0 if memory ran out. */
static int fit_same(cut *c, satb_image *out, size_t *snapped, satb_rims *rims)
{
    const satb_level *const level = &c->level[0];
    const int is_wide =
        satk_is_wide(level->map.width, level->map.height, level->edges, level->ramps);

    if (is_wide && !open_levels(c))
        return 0;
    if (!is_wide && level->ramps == 0)
        return 1;
    if (!satb_copy_map(c->context, &level->map, out))
        return 0;
    c->fine = level->map;
    c->out = *out;
    if (!is_wide) {
        cut_narrow_ramps(c);
        *snapped = level->ramps;
        return 1;
    }
    const int whole = cut_ramps(c, snapped, rims);
    if (whole && *snapped == 0) { /* the map itself will do */
        satb_give(&c->context->spares, out->data);
        *out = level->map;
    }
    return whole;
}

/* Cuts a smaller map, which has been resampled to *out. Returns 0 if memory ran out. */
static int fit_smaller(cut *c, satb_image *out, size_t *snapped, satb_rims *rims)
{
    satb_image fine;

    if (!satb_copy_map(c->context, out, &fine))
        return 0;
    c->fine = fine;
    c->out = *out;
    const int whole = open_levels(c) && cut_ramps(c, snapped, rims);
    satb_give(&c->context->spares, fine.data);
    return whole;
}

static int has_edges(const satb_image *map, int width, int height)
{
    return map->width <= width && map->height <= height && map->width >= SATB_LEAST_SIDE &&
           map->height >= SATB_LEAST_SIDE;
}

satb_status satb_fit_depth(satb_context *context, const satb_image *map, int width, int height,
                           int near_black, satb_image *out, size_t *snapped, satb_rims *rims)
{
    const int same = map->width == width && map->height == height;
    cut c = {.context = context, .levels = 1, .near_black = near_black};
    satb_status status = SATB_OK;

    *out = *map;
    *snapped = 0;
    *rims = (satb_rims){NULL, 0, 0};
    if (!same)
        status = satb_resample(context, map, width, height, out);
    if (status != SATB_OK || !has_edges(map, width, height))
        return status;
    const int whole = satb_open_level(context, &c.level[0], map) &&
                      (same ? fit_same : fit_smaller)(&c, out, snapped, rims);
    close_levels(&c);
    if (whole)
        return SATB_OK;
    if (out->data != map->data)
        satb_give(&context->spares, out->data);
    satb_free_rims(rims);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the edges of depth");
}
