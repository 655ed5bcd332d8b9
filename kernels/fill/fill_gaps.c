#include "fill/fill_gaps.h"

#include "common/pool.h"

#include <string.h>

/* What surrounds a gap, and its own colours. */
typedef struct rim {
    uint64_t count[SATK_GAP_BINS]; /* known samples, by farness in the map's range */
    uint64_t sum[SATK_GAP_BINS];   /* of their farness */
    uint64_t known;                /* the sum of the counts */
    satk_gap_colours tints[SATK_TINTS], all;
} rim;

typedef struct judge {
    const satk_fill_votes *votes;
    int near_black;
    satk_fill_range range;
} judge;

typedef struct around { /* known samples around a point */
    uint32_t farness[8 * SATK_GAP_RINGS], tint[8 * SATK_GAP_RINGS];
    int count;
} around;

static int is_inside(const satk_plane *map, int x, int y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height;
}

static uint64_t samples_of(const satk_plane *map)
{
    return (uint64_t)map->width * (uint64_t)map->height;
}

/* --- Rims ------------------------------------------------------------------------------------- */

static uint32_t farness_at(const judge *j, int x, int y)
{
    const satk_plane *const map = &j->votes->map;
    const uint8_t *const row = (const uint8_t *)map->data + y * map->pitch;

    return satk_farness(j->votes->scale * satk_code(row, (size_t)x, map->bits), j->near_black);
}

static uint32_t tint_at(const judge *j, int x, int y)
{
    return satk_tint(satk_colour_of(&j->votes->samples, x, y));
}

/* Looks around a sample of a gap, if it is on the rim, in eight directions at the distances of rings. */
static void look_around(const judge *j, uint32_t at, int rings, around *a)
{
    const satk_plane *const map = &j->votes->map;

    a->count = 0;
    if (!(at & SATK_RIM))
        return;
    const uint32_t width = (uint32_t)map->width, place = at & ~SATK_RIM;
    const int x = (int)(place % width), y = (int)(place / width);
    for (int ring = 0; ring < rings; ring++)
        for (int k = 0; k < 9; k++) {
            const int away = satk_ring_of(map->width, map->height, ring);
            const int u = x + (k % 3 - 1) * away, v = y + (k / 3 - 1) * away;
            if (k == 4 || !is_inside(map, u, v) || !satk_is_known(j->votes, u, v))
                continue;
            a->farness[a->count] = farness_at(j, u, v);
            a->tint[a->count++] = tint_at(j, u, v);
        }
}

static void count_depths(const judge *j, const uint32_t *samples, size_t count, rim *r)
{
    around a;

    for (size_t i = 0; i < count; i++) {
        look_around(j, samples[i], 1, &a);
        for (int k = 0; k < a.count; k++) {
            const uint32_t bin = satk_bin_of(&j->range, a.farness[k]);
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
        look_around(j, samples[i], SATK_GAP_RINGS, &a);
        for (int k = 0; k < a.count; k++) {
            satk_gap_colours *const c = &r->tints[a.tint[k]];
            (*(a.farness[k] < behind ? &c->near : &c->far))++;
        }
        const uint32_t at = samples[i] & ~SATK_RIM;
        r->tints[tint_at(j, (int)(at % width), (int)(at / width))].own++;
    }
    for (int t = 0; t < SATK_TINTS; t++) {
        r->all.near += r->tints[t].near;
        r->all.far += r->tints[t].far;
        r->all.own += r->tints[t].own;
    }
}

/* --- Judgement -------------------------------------------------------------------------------- */

/* Returns 1 if the rim shows the colours of less than half of the gap. */
static int is_unlike(const rim *r)
{
    uint64_t alike = 0;

    for (int t = 0; t < SATK_TINTS; t++)
        alike += satk_is_shown(&r->tints[t], &r->all) ? r->tints[t].own : 0;
    return alike < r->all.own / 2;
}

static int is_at_border(const satk_plane *map, const uint32_t *samples, size_t count)
{
    const uint32_t w = (uint32_t)map->width, h = (uint32_t)map->height;

    for (size_t i = 0; i < count; i++) {
        const uint32_t at = samples[i] & ~SATK_RIM, x = at % w, y = at / w;
        if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
            return 1;
    }
    return 0;
}

static void judge_gap(const judge *j, const uint32_t *samples, size_t count, satk_gap *gap)
{
    const satk_plane *const map = &j->votes->map;
    rim r = {0};

    count_depths(j, samples, count, &r);
    if (r.known < SATK_GAP_LEAST)
        return;
    satk_judge_depths(r.count, r.sum, r.known, j->near_black, gap);
    count_colours(j, samples, count, gap->behind, &r);
    const int beyond = !gap->is_choosy && count > samples_of(map) / SATK_GAP_LARGE &&
                       is_at_border(map, samples, count) && is_unlike(&r);
    if (beyond)
        satk_put_beyond(j->near_black, gap);
    for (int t = 0; t < SATK_TINTS; t++)
        if (satk_is_in_front(&r.tints[t], &r.all, beyond))
            gap->alike[t / 32] |= 1u << t % 32;
}

/* --- Range ------------------------------------------------------------------------------------ */

typedef struct counting {
    const satk_plane *map;
    uint32_t *tables;
    int parts;
} counting;

static void count_part(const void *of, int i)
{
    const counting *const c = of;
    const satk_plane *const map = c->map;
    const size_t codes = (size_t)1 << map->bits;
    uint32_t *const own = c->tables + (size_t)i * codes;
    const int64_t end = (int64_t)map->height * (i + 1) / c->parts;

    memset(own, 0, codes * sizeof *own);
    for (int64_t y = (int64_t)map->height * i / c->parts; y < end; y++)
        for (int x = 0; x < map->width; x++)
            own[satk_code((const uint8_t *)map->data + y * map->pitch, (size_t)x, map->bits)]++;
}

/* Counts the codes of a map, in the first of the tables that threads have. */
static void count_codes(const satk_plane *map, uint32_t *tables, int threads)
{
    const size_t codes = (size_t)1 << map->bits;

    satk_for(threads, threads, 1, count_part, &(counting){map, tables, threads});
    for (int i = 1; i < threads; i++)
        for (size_t k = 0; k < codes; k++)
            tables[k] += tables[(size_t)i * codes + k];
}

/* Finds the extremes of the known depths, without 1/SATK_GAP_ERRORS of them. Where black is near, codes are distances, and
 * those of a single thing are not a range: it begins at 0. counts: of each code. */
static satk_fill_range range_of(const judge *j, const uint32_t *counts)
{
    const satk_plane *const map = &j->votes->map;
    const uint32_t codes = 1u << map->bits;
    const uint64_t known = samples_of(map) - counts[0], errors = known / SATK_GAP_ERRORS;
    satk_fill_range range = {0, 0};
    uint64_t before = 0;

    for (uint32_t i = 1; i < codes; i++) {
        const uint32_t code = j->near_black ? i : codes - i; /* from near to far, without 0 */
        const uint32_t farness = satk_farness(j->votes->scale * code, j->near_black);
        if (!j->near_black && before <= errors)
            range.nearest = farness;
        if (before < known - errors)
            range.farthest = farness;
        before += counts[code];
    }
    return range;
}

/* --- Run -------------------------------------------------------------------------------------- */

static int is_small(const satk_plane *map, const uint32_t *samples, size_t count)
{
    const uint64_t all = samples_of(map);

    return satk_is_small_gap(all, count, 0) &&
           satk_is_small_gap(all, count, is_at_border(map, samples, count));
}

/* Gives numbers to parts that are not small, in of[], and 0 to the others. Returns how many they are. */
static uint32_t number_gaps(const satk_fill_parts *parts, const satk_plane *map)
{
    uint32_t gaps = 0;

    for (uint32_t i = 0; i < parts->count; i++) {
        const uint32_t *const samples = parts->sorted + parts->first[i];
        const size_t count = parts->first[i + 1] - parts->first[i];
        const uint32_t number = is_small(map, samples, count) ? 0 : ++gaps;
        for (size_t k = 0; k < count; k++)
            parts->of[samples[k] & ~SATK_RIM] = number;
    }
    return gaps;
}

typedef struct trial {
    const satk_fill_gaps *g;
    const judge *j;
} trial;

static void judge_part(const void *of, int i)
{
    const trial *const t = of;
    const satk_fill_parts *const parts = &t->g->parts;
    const uint32_t *const samples = parts->sorted + parts->first[i];
    const uint32_t number = parts->of[samples[0] & ~SATK_RIM];

    if (number > 0)
        judge_gap(t->j, samples, parts->first[i + 1] - parts->first[i], &t->g->gaps[number]);
}

void satk_fill_find_gaps(satk_fill_gaps *g, const satk_fill_votes *f, int near_black, int threads)
{
    judge j = {.votes = f, .near_black = near_black};

    satk_fill_find_parts(&g->parts, f, g->list);
    g->large = number_gaps(&g->parts, &f->map);
    memset(g->gaps, 0, (1 + (size_t)g->large) * sizeof *g->gaps);
    if (g->large == 0)
        return;
    count_codes(&f->map, g->codes, threads);
    j.range = range_of(&j, g->codes);
    satk_for(threads, (int)g->parts.count, 16, judge_part, &(trial){g, &j});
}
