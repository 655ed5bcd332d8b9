#include "depth/depth_holes.h"

#include "depth/depth_gaps.h"
#include "depth/depth_votes.h"
#include "base/memory.h"
#include "common/plane.h"
#include "surface/surface_rule.h"

#include <string.h>

satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params)
{
    if (params->holes != SATB_HOLES_DEFAULT)
        return params->holes;
    return map->bits == 16 && params->depth_type == SATB_DEPTH_LINEAR && params->near_black
               ? SATB_HOLES_FILL
               : SATB_HOLES_NONE;
}

static uint8_t *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

/* Counts a row's codes of 0. */
#define COUNT_HOLES(name, type)                                                                    \
    static uint32_t name(const void *row, int width)                                               \
    {                                                                                              \
        const type *const codes = row;                                                             \
        uint32_t count = 0;                                                                        \
        for (int x = 0; x < width; x++)                                                            \
            count += codes[x] == 0;                                                                \
        return count;                                                                              \
    }

COUNT_HOLES(holes_of_row8, uint8_t)
COUNT_HOLES(holes_of_row16, uint16_t)

static size_t count_holes(const satb_image *map, int threads)
{
    size_t holes = 0;

#pragma omp parallel for num_threads(threads) reduction(+ : holes)
    for (int y = 0; y < map->height; y++)
        holes += (map->bits == 8 ? holes_of_row8 : holes_of_row16)(row_of(map, y), map->width);
    return holes;
}

/* --- One code for all holes ------------------------------------------------------------------- */

/* Copies the map with this code for 0. */
static void fill_with(const satb_image *map, uint32_t code, const satb_image *out, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++) {
        const uint8_t *const from8 = row_of(map, y);
        const uint16_t *const from16 = (const void *)from8;
        uint8_t *const to8 = row_of(out, y);
        uint16_t *const to16 = (void *)to8;
        if (map->bits == 8)
            for (int x = 0; x < map->width; x++)
                to8[x] = from8[x] ? from8[x] : (uint8_t)code;
        else
            for (int x = 0; x < map->width; x++)
                to16[x] = from16[x] ? from16[x] : (uint16_t)code;
    }
}

/* --- From the rims inwards --------------------------------------------------------------------
 * Holes next to known samples vote, and those are filled first that look like their neighbours: so a
 * surface grows into a hole until the picture changes. Into large holes a nearer surface grows only
 * as far as its own colour does, and all else is the far side's. */

enum { LEVELS = 4, LEAST = 64 }; /* of support; at least 1/LEAST of the rims is filled at a time */
enum { RIM = 1, NEWS = 2 };      /* a hole next to a known sample; one that has got another voter */
enum { MANY = 4096 };            /* votes that are worth waking threads for */

typedef struct hole {
    int x, y;
    uint16_t code;
    uint8_t level; /* 0: the best supported; LEVELS: its depth is refused */
} hole;

typedef struct rims {
    satb_votes votes; /* of the map that is being filled; holes are mute */
    satb_gaps gaps;
    int near_black;
    uint8_t *state; /* by sample: RIM, NEWS */
    hole *holes;    /* on the rims; room for all holes */
    hole *told;     /* those that become known; as much room */
    size_t count;
} rims;

static uint8_t *state_of(const rims *r, int x, int y)
{
    return r->state + (size_t)y * (size_t)r->votes.map.width + (size_t)x;
}

static void mark_holes(const satb_votes *f, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < f->map.height; y++) {
        const uint8_t *const row8 = row_of(&f->map, y);
        const uint16_t *const row16 = (const void *)row8;
        uint64_t *const mute = satb_bit_row(&f->mute, y);
        for (int x = 0; x < f->map.width; x++)
            mute[x / 64] |= (uint64_t)((f->map.bits == 8 ? row8[x] : row16[x]) == 0) << x % 64;
    }
}

/* Tells the holes around a sample that has become known: those next to it are on a rim, those within hearing have news. */
static void tell_around(rims *r, int x, int y)
{
    const int w = r->votes.map.width, h = r->votes.map.height;
    const int left = x > SATK_HEARING ? x - SATK_HEARING : 0;
    const int right = x + SATK_HEARING < w ? x + SATK_HEARING : w - 1;

    for (int j = y > SATK_HEARING ? y - SATK_HEARING : 0; j <= y + SATK_HEARING && j < h; j++)
        for (int i = left; i <= right; i++)
            *state_of(r, i, j) |= NEWS;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < h; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < w; i++) {
            if (satb_is_known(&r->votes, i, j) || *state_of(r, i, j) & RIM)
                continue;
            *state_of(r, i, j) |= RIM;
            r->holes[r->count++] = (hole){.x = i, .y = j};
        }
}

/* Returns the known samples of 64 that have a hole beside, below, or above them. */
static uint64_t beside_holes(const satb_votes *f, int y, size_t word)
{
    const uint64_t *const row = satb_bit_row(&f->mute, y) + word;
    const uint64_t above = y > 0 ? satb_bit_row(&f->mute, y - 1)[word] : 0;
    const uint64_t below = y + 1 < f->map.height ? satb_bit_row(&f->mute, y + 1)[word] : 0;
    const uint64_t beside = row[0] << 1 | row[-1] >> 63 | row[0] >> 1 | row[1] << 63;
    const int rest = f->map.width - (int)word * 64;
    const uint64_t within = rest < 64 ? ((uint64_t)1 << rest) - 1 : UINT64_MAX;

    return (above | below | beside) & ~row[0] & within;
}

/* Finds the first rims. */
static void find_rims(rims *r)
{
    const satb_votes *const f = &r->votes;

    for (int y = 0; y < f->map.height; y++)
        for (size_t i = 0; i < f->mute.words - 2; i++)
            for (uint64_t bits = beside_holes(f, y, i); bits; bits &= bits - 1)
                tell_around(r, (int)i * 64 + __builtin_ctzll(bits), y);
}

static const satb_gap *gap_of(const rims *r, int x, int y)
{
    return r->gaps.gaps + r->gaps.parts.of[(size_t)y * (size_t)r->votes.map.width + (size_t)x];
}

/* Returns whether a surface may grow into a hole: as the far side, or as its colour is a nearer surface's. */
static int may_grow(const rims *r, const hole *h, uint32_t code, uint32_t colour)
{
    const satb_gap *const gap = gap_of(r, h->x, h->y);
    const uint32_t tint = satb_tint(colour);

    return !gap->is_choosy || satb_farness(code, r->near_black) >= gap->behind ||
           (h->level == 0 && gap->alike[tint / 64] >> tint % 64 & 1);
}

static void take_code(const rims *r, hole *h, const satk_poll *p, int point)
{
    uint32_t enough = SATB_NEIGHBOUR;

    h->code = (uint16_t)satk_code_in(r->votes.map.bits, p->decided[point]);
    for (h->level = 0; h->level < LEVELS - 1 && p->support[point] < enough; h->level++)
        enough /= 16;
    if (!may_grow(r, h, p->decided[point], p->own[point]))
        h->level = LEVELS;
}

/* Lets the voters of holes with news vote. count: at most the points of a poll. */
static void vote_holes(const rims *r, hole *holes, size_t count, satk_poll *p)
{
    const satb_votes *const f = &r->votes;
    int points[SATK_POINTS], n = 0;

    for (size_t i = 0; i < count; i++) {
        uint8_t *const state = state_of(r, holes[i].x, holes[i].y);
        if (!(*state & NEWS))
            continue;
        *state &= (uint8_t)~NEWS;
        satb_hear(f, holes[i].x, holes[i].y, p, n);
        p->place[n] = (uint32_t)n;
        p->own[n] = satk_colour_of(&f->samples, holes[i].x, holes[i].y);
        points[n++] = (int)i;
    }
    satk_vote_cpu(p, n, &f->alike);
    for (int k = 0; k < n; k++)
        take_code(r, &holes[points[k]], p, k);
}

/* All vote before any of them is known, so their order does not matter. */
static void vote_all(const rims *r, int threads)
{
#pragma omp parallel num_threads(threads) if (r->count > MANY)
    {
        satk_poll poll = {0};
#pragma omp for schedule(dynamic, MANY / 16 / SATK_POINTS)
        for (size_t i = 0; i < r->count; i += SATK_POINTS)
            vote_holes(r, r->holes + i, r->count - i < SATK_POINTS ? r->count - i : SATK_POINTS,
                       &poll);
    }
}

/* Returns the level up to which there are enough holes; -1 if all depths are refused. */
static int level_of_many(const rims *r)
{
    size_t count[LEVELS + 1] = {0}, sum = 0;
    int level = -1;

    for (size_t i = 0; i < r->count; i++)
        count[r->holes[i].level]++;
    const size_t all = r->count - count[LEVELS];
    while (sum * LEAST < all)
        sum += count[++level];
    return level;
}

/* Makes well supported holes known; the others stay on the rims. */
static void fill_some(rims *r, int level)
{
    const satb_votes *const f = &r->votes;
    const size_t count = r->count;
    size_t filled = 0;

    for (size_t i = 0; i < count; i++) {
        const hole h = r->holes[i];
        const uint32_t code = h.code;
        if (h.level > level) {
            r->holes[i - filled] = h;
            continue;
        }
        satk_put_pixel(row_of(&f->map, h.y), h.x, 1, f->map.bits, &code);
        satb_bit_row(&f->mute, h.y)[h.x / 64] &= ~((uint64_t)1 << h.x % 64);
        r->told[filled++] = h;
    }
    r->count -= filled;
    for (size_t i = 0; i < filled; i++)
        tell_around(r, r->told[i].x, r->told[i].y);
}

/* Fills what no surface grew into with the far side's depth. */
static void fill_rest(const rims *r, int threads)
{
    const satb_image *const map = &r->votes.map;

#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            if (satb_is_known(&r->votes, x, y))
                continue;
            const uint32_t code = satk_code_in(map->bits, gap_of(r, x, y)->code);
            satk_put_pixel(row_of(map, y), x, 1, map->bits, &code);
        }
}

static void grow(rims *r, int threads)
{
    find_rims(r);
    while (r->count > 0) {
        vote_all(r, threads);
        const int level = level_of_many(r);
        if (level < 0)
            break;
        fill_some(r, level);
    }
    if (r->count > 0)
        fill_rest(r, threads);
}

/* out: a copy of the map, with some sample known. Returns 0 if memory ran out. */
static int fill_inwards(satb_context *context, const satb_image *out, const satb_image *picture,
                        size_t holes, int near_black)
{
    const size_t samples = (size_t)out->width * (size_t)out->height;
    const int threads = context->threads;
    satb_spares *const spares = &context->spares;
    rims r = {.near_black = near_black,
              .state = satb_take(spares, samples),
              .holes = satb_take(spares, holes * sizeof *r.holes),
              .told = satb_take(spares, holes * sizeof *r.told)};
    int whole = satb_open_votes(context, &r.votes, out, picture) && r.state && r.holes && r.told;

    if (whole) {
        memset(r.state, 0, samples);
        mark_holes(&r.votes, threads);
        whole = satb_call_votes(&r.votes, satb_gap_reach(out), threads) &&
                satb_open_gaps(&r.gaps, &r.votes, holes, near_black);
    }
    if (whole)
        grow(&r, threads);
    satb_close_gaps(&r.gaps, &r.votes);
    satb_close_votes(&r.votes);
    satb_give(spares, r.state);
    satb_give(spares, r.holes);
    satb_give(spares, r.told);
    return whole;
}

/* --- Run -------------------------------------------------------------------------------------- */

satb_status satb_fill_holes(satb_context *context, const satb_image *map, const satb_image *picture,
                            satb_holes how, int near_black, satb_image *out, size_t *holes)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;
    const uint32_t largest = (1u << map->bits) - 1;

    *out = *map;
    *holes = how == SATB_HOLES_NONE ? 0 : count_holes(map, context->threads);
    if (*holes == 0)
        return SATB_OK;
    if (how == SATB_HOLES_FILL && *holes == (size_t)map->width * (size_t)map->height)
        return SATB_OK; /* no sample is known: all stay 0 */
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (out->data) {
        const int filled = how != SATB_HOLES_FILL && (how == SATB_HOLES_NEAR) == !near_black;
        fill_with(map, filled ? largest : 0, out, context->threads);
        if (how != SATB_HOLES_FILL || fill_inwards(context, out, picture, *holes, near_black))
            return SATB_OK;
    }
    satb_give(&context->spares, out->data);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the holes of depth");
}
