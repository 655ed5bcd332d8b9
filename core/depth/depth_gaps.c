#include "depth/depth_gaps.h"

#include "base/memory.h"
#include "depth/depth_channel.h"
#include "common/plane.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEW = 64,     /* samples: a gap within the map is small up to that, and .. */
    SMALL = 1024, /* .. up to 1/SMALL of the map */
    LARGE = 64,   /* a gap at the border is large from 1/LARGE of them on */
    BINS = 256,   /* of the map's range */
    EDGE = 32,    /* 1/EDGE of a rim may be beyond its ends, as errors are */
    RINGS = 3,    /* distances at which a rim is looked at */
    FIRST = 3,    /* the first ring is at 1/128 of the longer side: FIRST samples .. */
    LAST = 15,    /* .. to LAST, as satb_bits_around() reaches less than 64 */
    LEAST = 16,   /* samples that make a rim known well enough, or a gap worth a look */
    SURFACE = 8,  /* a rim of less than 1/SURFACE of the range is one surface */
    COMMON = 2    /* a surface's own colour is at least 1/COMMON as frequent there as in the gap */
};

/* What surrounds a gap, and its own colours. */
typedef struct rim {
    uint64_t count[BINS]; /* known samples, by farness in the map's range */
    uint64_t sum[BINS];   /* of their farness */
    uint64_t near[SATB_TINTS], far[SATB_TINTS], own[SATB_TINTS];
    uint64_t known, nears, fars, owns; /* the sums of these */
} rim;

typedef struct judge {
    const satb_votes *votes;
    int near_black;
    uint32_t nearest, farthest; /* farness that is in the map's range */
} judge;

typedef struct around { /* known samples around a point */
    uint32_t farness[8 * RINGS], tint[8 * RINGS];
    int count;
} around;

static int is_inside(const satb_image *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height;
}

static size_t samples_of(const satb_image *map)
{
    return (size_t)map->width * (size_t)map->height;
}

/* Returns the distance of the first ring. The second is two, and the last four times as far. */
static int ring_of(const satb_image *map)
{
    const int longer = map->width > map->height ? map->width : map->height;

    return longer / 128 < FIRST ? FIRST : longer / 128 < LAST ? longer / 128 : LAST;
}

int satb_gap_reach(const satb_image *map)
{
    return ring_of(map) << (RINGS - 1);
}

/* --- Rims ------------------------------------------------------------------------------------- */

static uint32_t farness_at(const judge *j, int x, int y)
{
    const satb_image *const map = &j->votes->map;
    const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;

    return satb_farness(j->votes->scale * satk_code(row, (size_t)x, map->bits), j->near_black);
}

static uint32_t tint_at(const judge *j, int x, int y)
{
    return satb_tint(satk_colour_of(&j->votes->samples, x, y));
}

static uint32_t bin_of(const judge *j, uint32_t farness)
{
    const uint32_t range = j->farthest - j->nearest;
    const uint32_t above = farness > j->nearest ? farness - j->nearest : 0;

    return above < range ? above * (BINS - 1) / range : BINS - 1;
}

/* Looks around a sample of a gap, in eight directions at the distances of rings: behind the rim, as sensors often let a
 * surface end beside its contour. */
static void look_around(const judge *j, uint32_t at, int rings, around *a)
{
    const satb_votes *const f = j->votes;

    a->count = 0;
    if (!(at & SATB_RIM))
        return;
    const uint32_t width = (uint32_t)f->map.width, place = at & ~SATB_RIM;
    const int x = (int)(place % width), y = (int)(place / width);
    for (int ring = 0; ring < rings; ring++)
        for (int k = 0; k < 9; k++) {
            const int away = ring_of(&f->map) << ring;
            const int u = x + (k % 3 - 1) * away, v = y + (k / 3 - 1) * away;
            if (k == 4 || !is_inside(&f->map, u, v) || !satb_is_known(f, u, v))
                continue;
            a->farness[a->count] = farness_at(j, u, v);
            a->tint[a->count++] = tint_at(j, u, v);
        }
}

/* Returns the bin with 1/EDGE of the rim's samples beyond it, from the far end or from the near one. */
static int end_of(const rim *r, int from, int step)
{
    uint64_t beyond = r->count[from];
    int bin = from;

    while (beyond <= r->known / EDGE)
        beyond += r->count[bin += step];
    return bin;
}

static void count_depths(const judge *j, const uint32_t *samples, size_t count, rim *r)
{
    around a;

    for (size_t i = 0; i < count; i++) {
        look_around(j, samples[i], 1, &a);
        for (int k = 0; k < a.count; k++) {
            const uint32_t bin = bin_of(j, a.farness[k]);
            r->count[bin]++;
            r->sum[bin] += a.farness[k];
        }
        r->known += (uint64_t)a.count;
    }
}

/* Counts the colours of the gap and of both sides of its rim. */
static void count_colours(const judge *j, const uint32_t *samples, size_t count, uint32_t behind,
                          rim *r)
{
    const uint32_t width = (uint32_t)j->votes->map.width;
    around a;

    for (size_t i = 0; i < count; i++) {
        look_around(j, samples[i], RINGS, &a);
        for (int k = 0; k < a.count; k++)
            (a.farness[k] < behind ? r->near : r->far)[a.tint[k]]++;
        const uint32_t at = samples[i] & ~SATB_RIM;
        r->own[tint_at(j, (int)(at % width), (int)(at / width))]++;
    }
    for (int t = 0; t < SATB_TINTS; t++) {
        r->nears += r->near[t];
        r->fars += r->far[t];
        r->owns += r->own[t];
    }
}

/* --- Judgement -------------------------------------------------------------------------------- */

/* Returns 1 if a/all is at least b/both divided by `by`. */
static int is_common(uint64_t a, uint64_t all, uint64_t b, uint64_t both, uint64_t by)
{
    return a > 0 && a * both * by >= b * all;
}

/* Returns 1 if the rim shows the colours of less than half of the gap. */
static int is_unlike(const rim *r)
{
    uint64_t alike = 0;

    for (int t = 0; t < SATB_TINTS; t++)
        if (is_common(r->near[t] + r->far[t], r->nears + r->fars, r->own[t], r->owns, COMMON))
            alike += r->own[t];
    return alike < r->owns / 2;
}

static int is_at_border(const satb_image *map, const uint32_t *samples, size_t count)
{
    const uint32_t w = (uint32_t)map->width, h = (uint32_t)map->height;

    for (size_t i = 0; i < count; i++) {
        const uint32_t at = samples[i] & ~SATB_RIM, x = at % w, y = at / w;
        if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
            return 1;
    }
    return 0;
}

/* Notes the colours that a surface in front of the far side has as its own: those of the near side that are rarer on the
 * far one or, beyond the range, of any side. */
static void note_colours(const rim *r, int beyond, satb_gap *gap)
{
    for (int t = 0; t < SATB_TINTS; t++) {
        const uint64_t seen = r->near[t] + (beyond ? r->far[t] : 0);
        const uint64_t all = r->nears + (beyond ? r->fars : 0);
        const int rarer = beyond || is_common(seen, all, 2 * r->far[t], r->fars, 1);
        if (rarer && is_common(seen, all, r->own[t], r->owns, COMMON))
            gap->alike[t / 64] |= (uint64_t)1 << t % 64;
    }
}

static void judge_gap(const judge *j, const uint32_t *samples, size_t count, satb_gap *gap)
{
    const satb_image *const map = &j->votes->map;
    rim r = {0};

    count_depths(j, samples, count, &r);
    if (r.known < LEAST)
        return;
    const int far = end_of(&r, BINS - 1, -1), near = end_of(&r, 0, 1);
    const uint32_t farthest = (uint32_t)(r.sum[far] / r.count[far]);
    const uint32_t nearest = (uint32_t)(r.sum[near] / r.count[near]);
    const int is_step = far - near >= BINS / SURFACE;
    gap->behind = nearest + (farthest - nearest) / 2;
    count_colours(j, samples, count, gap->behind, &r);
    const int beyond = !is_step && count > samples_of(map) / LARGE &&
                       is_at_border(map, samples, count) && is_unlike(&r);
    if (beyond)
        gap->behind = UINT32_MAX;
    gap->is_choosy = is_step || beyond;
    gap->code = (uint16_t)satb_farness(beyond ? UINT16_MAX : farthest, j->near_black);
    note_colours(&r, beyond, gap);
}

/* Finds the extremes of the known depths, without 1/1024 of them. Where black is near, codes are distances, and those of a
 * single thing are not a range: it begins at 0. Returns 0 if memory ran out. */
static int find_range(judge *j, uint64_t known)
{
    const satb_votes *const f = j->votes;
    const uint32_t codes = 1u << f->map.bits;
    uint32_t *const counts = calloc(codes, sizeof *counts);
    const int whole =
        counts && satb_count_codes(f->context, &f->map, 0, 0, f->map.width, f->map.height, counts);
    uint64_t before = 0;

    for (uint32_t i = 1; whole && i < codes; i++) {
        const uint32_t code = j->near_black ? i : codes - i; /* from near to far, without 0 */
        const uint32_t farness = satb_farness(f->scale * code, j->near_black);
        if (!j->near_black && before <= known / 1024)
            j->nearest = farness;
        if (before < known - known / 1024)
            j->farthest = farness;
        before += counts[code];
    }
    free(counts);
    return whole;
}

/* --- Run -------------------------------------------------------------------------------------- */

static int is_small(const satb_image *map, const uint32_t *samples, size_t count)
{
    const size_t most = samples_of(map) / SMALL;

    return count <= (most > FEW ? most : FEW) &&
           (count < LEAST || !is_at_border(map, samples, count));
}

/* Gives numbers to parts that are not small, in of[], and 0 to the others. Returns how many they are. */
static uint32_t number_gaps(const satb_parts *parts, const satb_image *map)
{
    uint32_t gaps = 0;

    for (uint32_t i = 0; i < parts->count; i++) {
        const uint32_t *const samples = parts->sorted + parts->first[i];
        const size_t count = parts->first[i + 1] - parts->first[i];
        const uint32_t number = is_small(map, samples, count) ? 0 : ++gaps;
        for (size_t k = 0; k < count; k++)
            parts->of[samples[k] & ~SATB_RIM] = number;
    }
    return gaps;
}

static int judge_gaps(satb_gaps *g, const judge *j)
{
    satb_context *const context = j->votes->context;
    const satb_parts *const parts = &g->parts;
    const size_t bytes = (1 + (size_t)number_gaps(parts, &j->votes->map)) * sizeof *g->gaps;

    g->gaps = satb_take(&context->spares, bytes);
    if (!g->gaps)
        return 0;
    memset(g->gaps, 0, bytes);
#pragma omp parallel for schedule(dynamic, 16) num_threads(context->threads)
    for (uint32_t i = 0; i < parts->count; i++) {
        const uint32_t *const samples = parts->sorted + parts->first[i];
        const uint32_t number = parts->of[samples[0] & ~SATB_RIM];
        if (number > 0)
            judge_gap(j, samples, parts->first[i + 1] - parts->first[i], &g->gaps[number]);
    }
    return 1;
}

int satb_open_gaps(satb_gaps *g, const satb_votes *f, size_t unknown, int near_black)
{
    judge j = {.votes = f, .near_black = near_black};

    *g = (satb_gaps){0};
    return satb_open_parts(&g->parts, f, unknown) &&
           find_range(&j, samples_of(&f->map) - unknown) && judge_gaps(g, &j);
}

void satb_close_gaps(satb_gaps *g, const satb_votes *f)
{
    satb_close_parts(&g->parts, f);
    satb_give(&f->context->spares, g->gaps);
}
