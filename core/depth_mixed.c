#include "depth_mixed.h"

#include "depth_votes.h"
#include "memory.h"
#include "plane.h"
#include "tone_tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    BAND = 32,            /* rows at a time */
    REACH = 2,            /* of the 5 x 5 */
    HALO = REACH + 1,     /* of what decides whether these are beside something nearer */
    SIDE = 2 * REACH + 1, /* of the 5 x 5 */
    FIELD = 21,           /* bits, of a sum of linear samples */
    DEVIATIONS = 4
};

typedef struct move {
    int x, y;
    uint32_t code;
} move;

typedef struct moves {
    move *at;
    size_t count, room;
} moves;

typedef struct mixer {
    satb_image map;
    satb_colours pixels;
    uint32_t flip, least;              /* codes ^ flip are nearness; a step of it that counts */
    uint64_t linear[256], square[256]; /* by code */
} mixer;

/* Rows of a band and HALO beside it, as if the first and last pixels went on. */
typedef struct strip {
    int first;          /* the picture's row that row HALO is */
    size_t pitch;       /* of a row, REACH of which on either side are beside the picture */
    uint16_t *nearness; /* pixel x is at REACH + x */
    uint16_t *most;     /* of three, in a column */
    uint8_t *beside;    /* 1: something nearer */
} strip;

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* --- Beside something nearer ------------------------------------------------------------------ */

static uint16_t *nearness_of(const strip *s, int row)
{
    return s->nearness + (size_t)row * s->pitch + REACH;
}

static uint8_t *beside_of(const strip *s, int row)
{
    return s->beside + (size_t)row * s->pitch + REACH;
}

static void load_row(const mixer *m, int y, uint16_t *to)
{
    const void *const from = (const uint8_t *)m->map.data + y * m->map.stride;
    const int w = m->map.width;

    if (m->map.bits == 8)
        for (int x = 0; x < w; x++)
            to[x] = (uint16_t)(((const uint8_t *)from)[x] ^ m->flip);
    else
        for (int x = 0; x < w; x++)
            to[x] = (uint16_t)(((const uint16_t *)from)[x] ^ m->flip);
    for (int i = 0; i < REACH; i++) {
        to[-1 - i] = to[0];
        to[w + i] = to[w - 1];
    }
}

static uint16_t larger(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

static void mark_row(const mixer *m, const strip *s, int row)
{
    const uint16_t *const above = nearness_of(s, row - 1), *const here = nearness_of(s, row),
                          *const below = nearness_of(s, row + 1);
    const uint16_t least = (uint16_t)m->least;
    uint16_t *const most = s->most + REACH;
    uint8_t *const beside = beside_of(s, row);
    const int w = m->map.width;

    for (int x = -1; x <= w; x++)
        most[x] = larger(larger(above[x], below[x]), here[x]);
    for (int x = 0; x < w; x++)
        beside[x] = (uint16_t)(larger(larger(most[x - 1], most[x + 1]), most[x]) - here[x]) > least;
    memset(beside - REACH, 0, REACH);
    memset(beside + w, 0, REACH);
}

static void load(const mixer *m, const strip *s, int rows)
{
    for (int row = 0; row < rows + 2 * HALO; row++)
        load_row(m, clamped(s->first + row - HALO, m->map.height), nearness_of(s, row));
    for (int row = 1; row < rows + 2 * HALO - 1; row++)
        mark_row(m, s, row);
}

static uint32_t nearest(const strip *s, int x, int row)
{
    uint16_t most = 0;

    for (int j = row - 1; j <= row + 1; j++)
        for (int i = x - 1; i <= x + 1; i++)
            most = larger(most, nearness_of(s, j)[i]);
    return most;
}

/* --- Surfaces --------------------------------------------------------------------------------- */

typedef struct surfaces { /* bits of the 5 x 5, row by row */
    uint32_t near, far;
} surfaces;

/* Which of five columns around x are the map's. */
static uint32_t columns_around(const mixer *m, int x)
{
    const int beyond = x + REACH - (m->map.width - 1);
    uint32_t within = (1u << SIDE) - 1;

    if (x < REACH)
        within &= within << (REACH - x);
    if (beyond > 0)
        within &= within >> beyond;
    return within;
}

/* most: of the 3 x 3 around. */
static surfaces part(const mixer *m, const strip *s, int x, int row, uint32_t most)
{
    const uint32_t both = most + nearness_of(s, row)[x], within = columns_around(m, x);
    surfaces found = {0};

    for (int j = -REACH; j <= REACH; j++) {
        const uint16_t *const nearness = nearness_of(s, row + j) + x - REACH;
        const uint8_t *const beside = beside_of(s, row + j) + x - REACH;
        const int y = s->first + row - HALO + j, shift = SIDE * (j + REACH);
        uint32_t near = 0, marked = 0;
        if (y < 0 || y >= m->map.height)
            continue;
        for (int i = 0; i < SIDE; i++) {
            near |= (uint32_t)(2u * nearness[i] > both) << i;
            marked |= (uint32_t)beside[i] << i;
        }
        found.near |= (near & within) << shift;
        found.far |= (within & ~near & ~marked) << shift;
    }
    return found;
}

typedef struct colour_sums {
    uint64_t colour, square; /* three sums of 21 bits, and of the squares */
    uint32_t count;
} colour_sums;

/* bits: of the 5 x 5 around x, y. */
static colour_sums add_up(const mixer *m, int x, int y, uint32_t bits)
{
    colour_sums sums = {.count = (uint32_t)__builtin_popcount(bits)};

    for (; bits; bits &= bits - 1) {
        const int k = __builtin_ctz(bits);
        const uint32_t rgb = satb_colour_of(&m->pixels, x + k % SIDE - REACH, y + k / SIDE - REACH);
        const uint32_t r = rgb & 255, g = rgb >> 8 & 255, b = rgb >> 16;
        sums.colour += m->linear[r] | m->linear[g] << FIELD | m->linear[b] << 2 * FIELD;
        sums.square += m->square[r] + m->square[g] + m->square[b];
    }
    return sums;
}

static uint32_t sum_of(const colour_sums *s, int c)
{
    return (uint32_t)(s->colour >> FIELD * c) & ((1u << FIELD) - 1);
}

/* The mean of the squared distances from the mean. */
static uint64_t variance_of(const colour_sums *s)
{
    uint64_t squared = 0;

    for (int c = 0; c < 3; c++)
        squared += (uint64_t)sum_of(s, c) * sum_of(s, c);
    return (s->count * s->square - squared) / (s->count * s->count);
}

/* The vector from the mean of some colours to another. */
static void from_mean(const colour_sums *s, const int64_t *to, int64_t *vector)
{
    for (int c = 0; c < 3; c++)
        vector[c] = to[c] - sum_of(s, c) / s->count;
}

static int64_t product(const int64_t *a, const int64_t *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Colours have 14 bits, so what is compared fits 64: 16 * (3 * 2^28)^2 < 2^64. */
static int is_mixed(const mixer *m, const strip *s, int x, int row, uint32_t most)
{
    const int y = s->first + row - HALO;
    const surfaces both = part(m, s, x, row, most);
    int64_t to_near[3], to_own[3], mean[3], own[3];

    if (!both.near || !both.far)
        return 0;
    const uint32_t rgb = satb_colour_of(&m->pixels, x, y);
    const colour_sums far = add_up(m, x, y, both.far);
    const uint64_t noise = DEVIATIONS * DEVIATIONS * variance_of(&far);
    for (int c = 0; c < 3; c++)
        own[c] = (int64_t)m->linear[rgb >> 8 * c & 255];
    from_mean(&far, own, to_own);
    const uint64_t away = (uint64_t)product(to_own, to_own);
    if (away <= noise) /* no part of it along a line can be more */
        return 0;
    const colour_sums near = add_up(m, x, y, both.near);
    for (int c = 0; c < 3; c++)
        mean[c] = sum_of(&near, c) / near.count;
    from_mean(&far, mean, to_near);
    const int64_t along = product(to_own, to_near), length = product(to_near, to_near);
    if (along <= 0 || along > length)
        return 0;
    const uint64_t squared = (uint64_t)along * (uint64_t)along;
    return 10 * squared > 9 * away * (uint64_t)length && squared > noise * (uint64_t)length;
}

/* --- Run -------------------------------------------------------------------------------------- */

/* 0: out of memory. */
static int add_move(moves *to, int x, int y, uint32_t code)
{
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 64;
        move *const at = realloc(to->at, room * sizeof *at);
        if (!at)
            return 0;
        to->at = at;
        to->room = room;
    }
    to->at[to->count++] = (move){x, y, code};
    return 1;
}

/* 0: out of memory. */
static int find_row(const mixer *m, const strip *s, int row, moves *found)
{
    const uint8_t *const beside = beside_of(s, row);
    const int w = m->map.width;
    int whole = 1;

    for (const uint8_t *p = beside; whole && (p = memchr(p, 1, (size_t)(beside + w - p)));) {
        const int x = (int)(p++ - beside);
        const uint32_t most = nearest(s, x, row);
        if (is_mixed(m, s, x, row, most))
            whole = add_move(found, x, s->first + row - HALO, most ^ m->flip);
    }
    return whole;
}

static void fill_linear(mixer *m)
{
    uint32_t decode[256];

    satb_fill_decode(8, decode);
    for (int i = 0; i < 256; i++) {
        m->linear[i] = decode[i];
        m->square[i] = (uint64_t)decode[i] * decode[i];
    }
}

static int open_strip(strip *s, int width)
{
    const size_t pitch = (size_t)width + 2 * REACH, rows = BAND + 2 * HALO;

    *s = (strip){.pitch = pitch,
                 .nearness = malloc(rows * pitch * sizeof *s->nearness),
                 .most = malloc(pitch * sizeof *s->most),
                 .beside = malloc(rows * pitch)};
    return s->nearness && s->most && s->beside;
}

static void close_strip(strip *s)
{
    free(s->nearness);
    free(s->most);
    free(s->beside);
}

static int rows_of(const satb_image *map, int band)
{
    const int rest = map->height - band * BAND;

    return rest < BAND ? rest : BAND;
}

/* found: by band. 0: out of memory. */
static int find(const mixer *m, int bands, int threads, moves *found, size_t *count)
{
    size_t sum = 0;
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : sum)
    {
        strip s;
        whole = open_strip(&s, m->map.width);
#pragma omp for schedule(dynamic, 1)
        for (int band = 0; band < bands; band++) {
            if (!whole)
                continue;
            s.first = band * BAND;
            load(m, &s, rows_of(&m->map, band));
            for (int row = 0; whole && row < rows_of(&m->map, band); row++)
                whole = find_row(m, &s, HALO + row, &found[band]);
            sum += found[band].count;
        }
        close_strip(&s);
    }
    *count = sum;
    return whole;
}

static void put(const satb_image *out, const move *to)
{
    uint8_t *const row = (uint8_t *)out->data + to->y * out->stride;

    if (out->bits == 8)
        row[to->x] = (uint8_t)to->code;
    else
        ((uint16_t *)row)[to->x] = (uint16_t)to->code;
}

/* The map with what was found. 0: out of memory. */
static int apply(satb_context *context, const satb_image *map, int bands, const moves *found,
                 satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (!out->data)
        return 0;
#pragma omp parallel for num_threads(context->threads)
    for (int band = 0; band < bands; band++) {
        for (int y = band * BAND; y < band * BAND + rows_of(map, band); y++)
            memcpy((uint8_t *)out->data + y * out->stride,
                   (const uint8_t *)map->data + y * map->stride, row);
        for (size_t i = 0; i < found[band].count; i++)
            put(out, &found[band].at[i]);
    }
    return 1;
}

satb_status satb_join_mixed(satb_context *context, const satb_image *map, const satb_image *picture,
                            int near_black, satb_image *out, size_t *mixed)
{
    const int bands = (map->height + BAND - 1) / BAND;
    moves *const found = calloc((size_t)bands, sizeof *found);
    mixer m = {.map = *map,
               .pixels = satb_colours_of(picture),
               .flip = near_black ? (1u << map->bits) - 1 : 0,
               .least = (1u << map->bits) / 32};

    *out = *map;
    fill_linear(&m);
    const int whole = found && find(&m, bands, context->threads, found, mixed) &&
                      (*mixed == 0 || apply(context, map, bands, found, out));
    for (int band = 0; found && band < bands; band++)
        free(found[band].at);
    free(found);
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for mixed pixels of depth");
}
