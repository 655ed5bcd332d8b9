#include "depth_holes.h"

#include "depth_votes.h"
#include "plane.h"

#include <stdlib.h>

satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params)
{
    if (params->holes != SATB_HOLES_DEFAULT)
        return params->holes;
    return map->bits == 16 && params->depth_type == SATB_DEPTH_LINEAR && params->near_black
               ? SATB_HOLES_FILL
               : SATB_HOLES_NONE;
}

static uint32_t code_at(const satb_image *map, int x, int y)
{
    return satk_code((const uint8_t *)map->data + y * map->stride,
                     (size_t)x * (size_t)map->channels, map->bits);
}

static size_t count_holes(const satb_image *map, int threads)
{
    size_t holes = 0;

#pragma omp parallel for num_threads(threads) reduction(+ : holes)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            holes += code_at(map, x, y) == 0;
    return holes;
}

/* --- One code for all holes ------------------------------------------------------------------- */

static void fill_with(const satb_image *map, uint32_t code, const satb_image *out, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            const uint32_t known = code_at(map, x, y);
            satk_put_pixel((uint8_t *)out->data + y * out->stride, x, 1, map->bits,
                           known ? &known : &code);
        }
}

/* --- From the rims inwards --------------------------------------------------------------------
 * Holes next to known samples vote, and those are filled first that look like their neighbours: so a
 * surface grows into a hole until the picture changes. */

enum { LEVELS = 4, LEAST = 64 }; /* of support; at least 1/LEAST of the rims is filled at a time */

typedef struct hole {
    size_t at; /* index of the sample */
    uint16_t code;
    uint8_t level; /* 0: the best supported */
} hole;

typedef struct rims {
    hole *holes;  /* room for all that there are */
    size_t *told; /* the same: those that become known */
    size_t count;
} rims;

/* Holes become mute; what is around them is heard. */
static void mark_holes(const satb_votes *f)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const size_t at = (size_t)y * (size_t)f->width + (size_t)x;
            if (f->depth[at] != 0)
                continue;
            f->kind[at] |= SATB_MUTE;
            if (f->colour)
                satb_mark_around(f, x, y, SATB_HEARING, SATB_HEARD);
        }
}

/* A sample has become known: holes next to it are on a rim, those within hearing have news. */
static void tell_around(const satb_votes *f, rims *r, size_t known)
{
    const int x = (int)(known % (size_t)f->width), y = (int)(known / (size_t)f->width);

    satb_mark_around(f, x, y, SATB_HEARING, SATB_NEWS);
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < f->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < f->width; i++) {
            const size_t at = (size_t)j * (size_t)f->width + (size_t)i;
            if ((f->kind[at] & (SATB_MUTE | SATB_RIM)) != SATB_MUTE)
                continue;
            f->kind[at] |= SATB_RIM;
            r->holes[r->count++] = (hole){.at = at};
        }
}

/* The rims at first: the known samples that have a hole beside, below, or above them. */
static void find_rims(const satb_votes *f, rims *r)
{
    const size_t w = (size_t)f->width, samples = w * (size_t)f->height;

    for (size_t at = 0; at < samples; at++) {
        const size_t x = at % w;
        if (f->kind[at] & SATB_MUTE)
            continue;
        if ((x > 0 && f->kind[at - 1] & SATB_MUTE) || (x + 1 < w && f->kind[at + 1] & SATB_MUTE) ||
            (at >= w && f->kind[at - w] & SATB_MUTE) ||
            (at + w < samples && f->kind[at + w] & SATB_MUTE))
            tell_around(f, r, at);
    }
}

static void vote(const satb_votes *f, hole *h)
{
    const int x = (int)(h->at % (size_t)f->width), y = (int)(h->at / (size_t)f->width);
    satb_point p = {.u = x * (int64_t)SATB_STEP, .v = y * (int64_t)SATB_STEP};
    uint64_t support, enough = SATB_NEIGHBOUR;

    satb_voter_colour(f, x, y, p.rgb);
    h->code = (uint16_t)satb_vote(f, x, y, &p, &support);
    for (h->level = 0; h->level < LEVELS - 1 && support < enough; h->level++)
        enough /= 16;
    f->kind[h->at] &= (uint8_t)~SATB_NEWS;
}

/* All vote before any of them is known, so their order does not matter. */
static void vote_all(const satb_votes *f, rims *r, int threads)
{
#pragma omp parallel for num_threads(threads) if (r->count > 1000)
    for (size_t i = 0; i < r->count; i++)
        if (f->kind[r->holes[i].at] & SATB_NEWS)
            vote(f, &r->holes[i]);
}

/* The level up to which there are enough holes. */
static int level_of_many(const rims *r)
{
    size_t count[LEVELS] = {0};
    int level = 0;

    for (size_t i = 0; i < r->count; i++)
        count[r->holes[i].level]++;
    for (size_t sum = count[0]; sum * LEAST < r->count; sum += count[level])
        level++;
    return level;
}

/* What is well supported becomes known; the others stay on the rims. */
static void fill_some(const satb_votes *f, rims *r)
{
    const int level = level_of_many(r);
    const size_t count = r->count;
    size_t filled = 0;

    for (size_t i = 0; i < count; i++) {
        const hole h = r->holes[i];
        if (h.level > level) {
            r->holes[i - filled] = h;
            continue;
        }
        f->depth[h.at] = h.code;
        f->kind[h.at] &= (uint8_t)~SATB_MUTE;
        r->told[filled++] = h.at;
    }
    r->count -= filled;
    for (size_t i = 0; i < filled; i++)
        tell_around(f, r, r->told[i]);
}

static void fill_rims(const satb_votes *f, rims *r, int threads)
{
    find_rims(f, r);
    while (r->count > 0) {
        vote_all(f, r, threads);
        fill_some(f, r);
    }
}

static void store(const satb_votes *f, const satb_image *out)
{
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            const uint32_t code = f->depth[(size_t)y * (size_t)f->width + (size_t)x];
            satk_put_pixel((uint8_t *)out->data + y * out->stride, x, 1, out->bits, &code);
        }
}

/* 0: out of memory. Some sample is known. */
static int fill_inwards(const satb_image *map, const satb_image *picture, size_t holes,
                        const satb_image *out, int threads)
{
    rims r = {.holes = malloc(holes * sizeof *r.holes), .told = malloc(holes * sizeof *r.told)};
    satb_votes f;
    const int whole = satb_open_votes(&f, map, picture, 1, threads) && r.holes && r.told;

    if (whole) {
        mark_holes(&f);
        satb_voter_colours(&f, threads);
        fill_rims(&f, &r, threads);
        store(&f, out);
    }
    satb_close_votes(&f);
    free(r.holes);
    free(r.told);
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
        return SATB_OK; /* nothing is known: code 0 it is */
    *out = (satb_image){.data = malloc(row * (size_t)map->height),
                        .stride = (ptrdiff_t)row,
                        .width = map->width,
                        .height = map->height,
                        .channels = 1,
                        .bits = map->bits};
    int whole = out->data != NULL;
    if (whole && how == SATB_HOLES_FILL)
        whole = fill_inwards(map, picture, *holes, out, context->threads);
    else if (whole)
        fill_with(map, (how == SATB_HOLES_NEAR) == !near_black ? largest : 0, out,
                  context->threads);
    if (whole)
        return SATB_OK;
    free(out->data);
    return satb_fail(context, SATB_ERR_NOMEM, "out of memory for the holes of depth");
}
