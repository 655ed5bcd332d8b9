#include "fill/fill_grow.h"

enum { RIM = 1, NEWS = 2 }; /* a hole next to a known sample; one that has got another voter */
enum { MANY = 4096 };       /* votes that are worth waking threads for */

static uint8_t *state_of(const satk_fill_rims *r, int x, int y)
{
    return r->state + (size_t)y * (size_t)r->votes.map.width + (size_t)x;
}

static uint8_t *row_of(const satk_plane *map, int y)
{
    return (uint8_t *)map->data + y * map->pitch;
}

/* --- Rims ------------------------------------------------------------------------------------- */

/* Tells the holes around a sample that has become known: those next to it are on a rim, those within hearing have news. */
static void tell_around(satk_fill_rims *r, int x, int y)
{
    const int w = r->votes.map.width, h = r->votes.map.height;
    const int left = x > SATK_HEARING ? x - SATK_HEARING : 0;
    const int right = x + SATK_HEARING < w ? x + SATK_HEARING : w - 1;

    for (int j = y > SATK_HEARING ? y - SATK_HEARING : 0; j <= y + SATK_HEARING && j < h; j++)
        for (int i = left; i <= right; i++)
            *state_of(r, i, j) |= NEWS;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < h; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < w; i++) {
            if (satk_is_known(&r->votes, i, j) || *state_of(r, i, j) & RIM)
                continue;
            *state_of(r, i, j) |= RIM;
            r->holes[r->count++] = (satk_fill_hole){.x = i, .y = j};
        }
}

/* Returns the known samples of 64 that have a hole beside, below, or above them. */
static uint64_t beside_holes(const satk_fill_votes *f, int y, size_t word)
{
    const uint64_t *const row = satk_bit_row(&f->mute, y) + word;
    const uint64_t above = y > 0 ? satk_bit_row(&f->mute, y - 1)[word] : 0;
    const uint64_t below = y + 1 < f->map.height ? satk_bit_row(&f->mute, y + 1)[word] : 0;
    const uint64_t beside = row[0] << 1 | row[-1] >> 63 | row[0] >> 1 | row[1] << 63;
    const int rest = f->map.width - (int)word * 64;
    const uint64_t within = rest < 64 ? ((uint64_t)1 << rest) - 1 : UINT64_MAX;

    return (above | below | beside) & ~row[0] & within;
}

static void find_rims(satk_fill_rims *r)
{
    const satk_fill_votes *const f = &r->votes;

    for (int y = 0; y < f->map.height; y++)
        for (size_t i = 0; i < f->mute.words - 2; i++)
            for (uint64_t bits = beside_holes(f, y, i); bits; bits &= bits - 1)
                tell_around(r, (int)i * 64 + __builtin_ctzll(bits), y);
}

/* --- Votes ------------------------------------------------------------------------------------ */

static const satk_gap *gap_of(const satk_fill_rims *r, int x, int y)
{
    return r->gaps.gaps + r->gaps.parts.of[(size_t)y * (size_t)r->votes.map.width + (size_t)x];
}

static void take_code(const satk_fill_rims *r, satk_fill_hole *h, const satk_poll *p, int point)
{
    const satk_gap *const gap = gap_of(r, h->x, h->y);
    const uint32_t farness = satk_farness(p->decided[point], r->near_black);
    const uint32_t tint = satk_tint(p->own[point]);
    const int level = satk_support_level(p->support[point]);
    const int may_grow =
        satk_may_grow(gap->is_choosy, gap->behind, gap->alike[tint / 32], farness, tint, level);

    h->code = (uint16_t)satk_code_in(r->votes.map.bits, p->decided[point]);
    h->level = (uint8_t)(may_grow ? level : SATK_FILL_LEVELS);
}

/* Lets the voters of holes with news vote. count: at most the points of a poll. */
static void vote_holes(const satk_fill_rims *r, satk_fill_hole *holes, size_t count, satk_poll *p)
{
    const satk_fill_votes *const f = &r->votes;
    int points[SATK_POINTS], n = 0;

    for (size_t i = 0; i < count; i++) {
        uint8_t *const state = state_of(r, holes[i].x, holes[i].y);
        if (!(*state & NEWS))
            continue;
        *state &= (uint8_t)~NEWS;
        satk_fill_hear(f, holes[i].x, holes[i].y, p, n);
        p->place[n] = (uint32_t)n;
        p->own[n] = satk_colour_of(&f->samples, holes[i].x, holes[i].y);
        points[n++] = (int)i;
    }
    satk_vote_cpu(p, n, &f->alike);
    for (int k = 0; k < n; k++)
        take_code(r, &holes[points[k]], p, k);
}

/* All vote before any of them is known, so their order does not matter. */
static void vote_all(const satk_fill_rims *r)
{
#pragma omp parallel num_threads(r->threads) if (r->count > MANY)
    {
        satk_poll poll = {0};
#pragma omp for schedule(dynamic, MANY / 16 / SATK_POINTS)
        for (size_t i = 0; i < r->count; i += SATK_POINTS)
            vote_holes(r, r->holes + i, r->count - i < SATK_POINTS ? r->count - i : SATK_POINTS,
                       &poll);
    }
}

/* --- Rounds ----------------------------------------------------------------------------------- */

/* Returns the level up to which there are enough holes; -1 if all depths are refused. */
static int level_of_many(const satk_fill_rims *r)
{
    uint64_t count[SATK_FILL_LEVELS + 1] = {0};

    for (size_t i = 0; i < r->count; i++)
        count[r->holes[i].level]++;
    return satk_level_of_many(count);
}

/* Makes well supported holes known; the others stay on the rims. */
static void fill_some(satk_fill_rims *r, int level)
{
    const satk_fill_votes *const f = &r->votes;
    const size_t count = r->count;
    size_t filled = 0;

    for (size_t i = 0; i < count; i++) {
        const satk_fill_hole h = r->holes[i];
        if (h.level > level) {
            r->holes[i - filled] = h;
            continue;
        }
        satk_put_code(row_of(&f->map, h.y), (size_t)h.x, f->map.bits, h.code);
        satk_bit_row(&f->mute, h.y)[h.x / 64] &= ~((uint64_t)1 << h.x % 64);
        r->told[filled++] = h;
    }
    r->count -= filled;
    for (size_t i = 0; i < filled; i++)
        tell_around(r, r->told[i].x, r->told[i].y);
}

/* Fills what no surface grew into with the far side's depth. Returns how much it is. */
static uint64_t fill_rest(const satk_fill_rims *r)
{
    const satk_plane *const map = &r->votes.map;
    uint64_t count = 0;

#pragma omp parallel for num_threads(r->threads) reduction(+ : count)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            if (satk_is_known(&r->votes, x, y))
                continue;
            satk_put_code(row_of(map, y), (size_t)x, map->bits,
                          satk_code_in(map->bits, gap_of(r, x, y)->code));
            count++;
        }
    return count;
}

void satk_fill_grow(satk_fill_rims *r, uint64_t *counts)
{
    find_rims(r);
    while (r->count > 0) {
        vote_all(r);
        const int level = level_of_many(r);
        if (level < 0)
            break;
        fill_some(r, level);
        counts[SATK_FILL_ROUNDS]++;
    }
    counts[SATK_FILL_REST] = r->count > 0 ? fill_rest(r) : 0;
}
