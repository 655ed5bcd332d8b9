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

/* Which pixels of a band, and of REACH rows beside it, are beside something nearer. */
typedef struct strip {
    int first;       /* the picture's row that row REACH is */
    size_t pitch;    /* of a row, REACH of which on either side are beside the picture */
    uint8_t *beside; /* 1: it is; pixel x is at REACH + x */
    void *most;      /* nearest of three, in a column */
} strip;

static const void *row_of(const satb_image *map, int y)
{
    return (const uint8_t *)map->data + y * map->stride;
}

static uint32_t nearness(const mixer *m, int x, int y)
{
    return satk_code(row_of(&m->map, y), (size_t)x, m->map.bits) ^ m->flip;
}

/* --- Beside something nearer ------------------------------------------------------------------ */

static uint8_t *beside_of(const strip *s, int row)
{
    return s->beside + (size_t)row * s->pitch + REACH;
}

/* Beside the picture nothing is nearer: there, its first and last pixels go on. */
#define MARK_ROW(bits, type)                                                                       \
    static type larger##bits(type a, type b)                                                       \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    static void mark_row##bits(const mixer *m, int y, void *work, uint8_t *beside)                 \
    {                                                                                              \
        const int w = m->map.width, last = m->map.height - 1;                                      \
        const type *const above = row_of(&m->map, y > 0 ? y - 1 : 0);                              \
        const type *const here = row_of(&m->map, y);                                               \
        const type *const below = row_of(&m->map, y < last ? y + 1 : last);                        \
        const type flip = (type)m->flip, least = (type)m->least;                                   \
        type *const most = (type *)work + 1;                                                       \
        for (int x = 0; x < w; x++)                                                                \
            most[x] =                                                                              \
                larger##bits(larger##bits(above[x] ^ flip, below[x] ^ flip), here[x] ^ flip);      \
        most[-1] = most[0];                                                                        \
        most[w] = most[w - 1];                                                                     \
        for (int x = 0; x < w; x++) {                                                              \
            const type near = larger##bits(larger##bits(most[x - 1], most[x + 1]), most[x]);       \
            beside[x] = (type)(near - (here[x] ^ flip)) > least;                                   \
        }                                                                                          \
    }

MARK_ROW(8, uint8_t)
MARK_ROW(16, uint16_t)

static void mark(const mixer *m, const strip *s, int rows)
{
    const int w = m->map.width;

    for (int row = 0; row < rows + 2 * REACH; row++) {
        const int y = s->first + row - REACH;
        uint8_t *const beside = beside_of(s, row);
        if (y < 0 || y >= m->map.height)
            continue;
        (m->map.bits == 8 ? mark_row8 : mark_row16)(m, y, s->most, beside);
        memset(beside - REACH, 0, REACH);
        memset(beside + w, 0, REACH);
    }
}

static uint32_t nearest(const mixer *m, int x, int y)
{
    const int right = x + 1 < m->map.width ? x + 1 : x, below = y + 1 < m->map.height ? y + 1 : y;
    uint32_t most = 0;

    for (int j = y > 0 ? y - 1 : 0; j <= below; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= right; i++) {
            const uint32_t here = nearness(m, i, j);
            most = here > most ? here : most;
        }
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
static surfaces part(const mixer *m, const strip *s, int x, int y, uint32_t most)
{
    const uint32_t both = most + nearness(m, x, y), within = columns_around(m, x);
    const int left = x > REACH ? x - REACH : 0;
    const int right = x + REACH < m->map.width ? x + REACH : m->map.width - 1;
    surfaces found = {0};

    for (int j = 0; j < SIDE; j++) {
        const int at = y + j - REACH;
        const uint8_t *const beside = beside_of(s, at - s->first + REACH) + x - REACH;
        uint32_t near = 0, marked = 0;
        if (at < 0 || at >= m->map.height)
            continue;
        for (int i = left; i <= right; i++)
            near |= (uint32_t)(2 * nearness(m, i, at) > both) << (i - x + REACH);
        for (int i = 0; i < SIDE; i++)
            marked |= (uint32_t)beside[i] << i;
        found.near |= near << SIDE * j;
        found.far |= (within & ~near & ~marked) << SIDE * j;
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
static int is_mixed(const mixer *m, const strip *s, int x, int y, uint32_t most)
{
    const surfaces both = part(m, s, x, y, most);
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
static int find_row(const mixer *m, const strip *s, int y, moves *found)
{
    const uint8_t *const beside = beside_of(s, y - s->first + REACH);
    const int w = m->map.width;
    int whole = 1;

    for (const uint8_t *p = beside; whole && (p = memchr(p, 1, (size_t)(beside + w - p)));) {
        const int x = (int)(p++ - beside);
        const uint32_t most = nearest(m, x, y);
        if (is_mixed(m, s, x, y, most))
            whole = add_move(found, x, y, most ^ m->flip);
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

static int open_strip(strip *s, const satb_image *map)
{
    const size_t pitch = (size_t)map->width + 2 * REACH;

    *s = (strip){.pitch = pitch,
                 .beside = malloc((BAND + 2 * REACH) * pitch),
                 .most = malloc(pitch * (size_t)map->bits / 8)};
    return s->beside && s->most;
}

static void close_strip(strip *s)
{
    free(s->beside);
    free(s->most);
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
        whole = open_strip(&s, &m->map);
#pragma omp for schedule(dynamic, 1)
        for (int band = 0; band < bands; band++) {
            if (!whole)
                continue;
            s.first = band * BAND;
            mark(m, &s, rows_of(&m->map, band));
            for (int i = 0; whole && i < rows_of(&m->map, band); i++)
                whole = find_row(m, &s, s.first + i, &found[band]);
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

/* A copy in memory of its own. 0: out of memory. */
static int copy(satb_context *context, const satb_image *map, satb_image *out)
{
    const size_t row = (size_t)map->width * (size_t)map->bits / 8;

    *out = *map;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)map->height);
    if (!out->data)
        return 0;
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < map->height; y++)
        memcpy((uint8_t *)out->data + y * out->stride, (const uint8_t *)map->data + y * map->stride,
               row);
    return 1;
}

satb_status satb_join_mixed(satb_context *context, const satb_image *map, int is_ours,
                            const satb_image *picture, int near_black, satb_image *out,
                            size_t *mixed)
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
                      (*mixed == 0 || is_ours || copy(context, map, out));
    for (int band = 0; found && band < bands; band++) {
        for (size_t i = 0; whole && i < found[band].count; i++)
            put(out, &found[band].at[i]);
        free(found[band].at);
    }
    free(found);
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for mixed pixels of depth");
}
