#include "depth/depth_mixed.h"

#include "depth/depth_channel.h"
#include "depth/depth_votes.h"
#include "base/memory.h"
#include "common/plane.h"
#include "surface/surface_rule.h"
#include "base/tone_tables.h"

#include <stdlib.h>
#include <string.h>

enum {
    BAND = 32,            /* rows at a time */
    REACH = 2,            /* of the 5 x 5 */
    SIDE = 2 * REACH + 1, /* of the 5 x 5 */
    WORD = 8,             /* samples that are read at a time, of which SIDE count */
    FIELD = 21,           /* bits, of a sum of linear samples */
    FIELD_MASK = (1 << FIELD) - 1
};

typedef struct move {
    int x;
    uint16_t row; /* of the band */
    uint16_t code;
} move;

typedef struct moves { /* of a band */
    move *at;
    size_t count, room;
} moves;

typedef struct mixer {
    satb_image map;
    satb_colours pixels;
    uint32_t flip, least;                 /* codes ^ flip are nearness; a step of it that counts */
    uint64_t linear[3][256], square[256]; /* by code; the former in fields */
    ptrdiff_t offset[SIDE * SIDE];        /* from a pixel to those of the 5 x 5 around, in bytes */
} mixer;

/* Which pixels of a band, and of REACH rows beside it, are beside something nearer. */
typedef struct strip {
    int first;       /* the picture's row that row REACH is */
    size_t pitch;    /* of a row: REACH before the picture, WORD behind it */
    uint8_t *beside; /* 1: it is; pixel x is at REACH + x */
    void *column;    /* room for a row: the nearest of three */
} strip;

static const void *row_of(const satb_image *map, int y)
{
    return (const uint8_t *)map->data + y * map->stride;
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
        (m->map.bits == 8 ? mark_row8 : mark_row16)(m, y, s->column, beside);
        memset(beside - REACH, 0, REACH);
        memset(beside + w, 0, WORD);
    }
}

/* --- Surfaces --------------------------------------------------------------------------------- */

typedef struct surfaces { /* bits of the 5 x 5, row by row */
    uint32_t near, far;
} surfaces;

/* SIDE flags, each 0 or 1, as bits: with this factor, and no other sum there, flag i comes to bit 28 + i. */
static uint32_t bits_of(const uint8_t *flags)
{
    uint64_t word;

    memcpy(&word, flags, WORD);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return (uint32_t)((word & 0x0101010101) * (1 + (1 << 7) + (1 << 14) + (1 << 21) + (1 << 28)) >>
                      28) &
           ((1u << SIDE) - 1);
}

/* Of the rows around, the codes from x - REACH on as nearness; beside the map, its first and last columns go on.
 * Which of them are nearer than half way to the nearest of the 3 x 3: bits, row by row. */
#define NEARER(bits, type)                                                                         \
    static void load_row##bits(const mixer *m, int x, int y, type *to)                             \
    {                                                                                              \
        const type *const row = row_of(&m->map, y);                                                \
        const int w = m->map.width, left = x - REACH;                                              \
        if (left >= 0 && left + WORD <= w)                                                         \
            memcpy(to, row + left, WORD * sizeof *to);                                             \
        else                                                                                       \
            for (int i = 0; i < WORD; i++)                                                         \
                to[i] = row[left + i < 0 ? 0 : left + i < w ? left + i : w - 1];                   \
    }                                                                                              \
    static uint32_t nearer##bits(const mixer *m, int x, int y, uint32_t *nearest)                  \
    {                                                                                              \
        enum { MIDDLE = REACH * WORD + REACH };                                                    \
        type codes[SIDE * WORD], most = 0;                                                         \
        uint8_t flags[SIDE * WORD];                                                                \
        uint32_t near = 0;                                                                         \
        const type flip = (type)m->flip;                                                           \
        const int last = m->map.height - 1;                                                        \
        for (int j = 0; j < SIDE; j++) {                                                           \
            const int at = y + j - REACH;                                                          \
            load_row##bits(m, x, at < 0 ? 0 : at < last ? at : last, codes + WORD * j);            \
        }                                                                                          \
        for (int i = 0; i < SIDE * WORD; i++)                                                      \
            codes[i] ^= flip;                                                                      \
        for (int i = MIDDLE - WORD - 1; i <= MIDDLE + WORD - 1; i += WORD)                         \
            most = larger##bits(larger##bits(most, codes[i]),                                      \
                                larger##bits(codes[i + 1], codes[i + 2]));                         \
        const type half = (type)(((uint32_t)most + codes[MIDDLE]) / 2);                            \
        for (int i = 0; i < SIDE * WORD; i++)                                                      \
            flags[i] = codes[i] > half;                                                            \
        for (int j = 0; j < SIDE; j++)                                                             \
            near |= bits_of(flags + WORD * j) << SIDE * j;                                         \
        *nearest = most;                                                                           \
        return near;                                                                               \
    }

NEARER(8, uint8_t)
NEARER(16, uint16_t)

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

/* nearest: becomes that of the 3 x 3 around. */
static surfaces part(const mixer *m, const strip *s, int x, int y, uint32_t *nearest)
{
    const uint32_t near = (m->map.bits == 8 ? nearer8 : nearer16)(m, x, y, nearest);
    const uint32_t within = columns_around(m, x);
    const uint8_t *beside = beside_of(s, y - s->first) + x - REACH;
    surfaces found = {0};

    for (int j = 0; j < SIDE; j++, beside += s->pitch)
        if (y + j >= REACH && y + j < m->map.height + REACH) {
            const uint32_t row = within << SIDE * j;
            found.near |= near & row;
            found.far |= ~(near | bits_of(beside) << SIDE * j) & row;
        }
    return found;
}

/* bits: of the 5 x 5 around x, y. */
static satk_colour_sums add_up(const mixer *m, int x, int y, uint32_t bits)
{
    const satb_colours *const from = &m->pixels;
    const uint8_t *const own = from->data + y * from->stride + x * (ptrdiff_t)from->pixel;
    const int64_t count = __builtin_popcount(bits);
    uint64_t colour = 0, square = 0; /* three sums of FIELD bits */

    for (; bits; bits &= bits - 1) {
        const uint8_t *const p = own + m->offset[__builtin_ctz(bits)];
        const uint8_t r = p[from->rgb[0]], g = p[from->rgb[1]], b = p[from->rgb[2]];
        colour += m->linear[0][r] + m->linear[1][g] + m->linear[2][b];
        square += m->square[r] + m->square[g] + m->square[b];
    }
    return (satk_colour_sums){{(int64_t)(colour & FIELD_MASK),
                               (int64_t)(colour >> FIELD & FIELD_MASK),
                               (int64_t)(colour >> 2 * FIELD & FIELD_MASK)},
                              (int64_t)square,
                              count};
}

/* nearest: becomes the nearness of the nearest of the 3 x 3 around. */
static int is_mixed(const mixer *m, const strip *s, int x, int y, uint32_t *nearest)
{
    const surfaces both = part(m, s, x, y, nearest);
    const uint32_t rgb = satb_colour_of(&m->pixels, x, y);
    int64_t colour[3];

    if (!both.near || !both.far)
        return 0;
    for (int c = 0; c < 3; c++)
        colour[c] = (int64_t)m->linear[0][rgb >> 8 * c & 255];
    const satk_colour_sums far = add_up(m, x, y, both.far);
    if (!satk_is_outside(colour, &far)) /* most are the far surface and no more */
        return 0;
    const satk_colour_sums near = add_up(m, x, y, both.near);
    return satk_is_on_line(colour, &near, &far);
}

/* --- Run -------------------------------------------------------------------------------------- */

/* 0: out of memory. */
static int add_move(moves *to, int x, int row, uint32_t code)
{
    if (to->count == to->room) {
        const size_t room = to->room ? 2 * to->room : 64;
        move *const at = realloc(to->at, room * sizeof *at);
        if (!at)
            return 0;
        to->at = at;
        to->room = room;
    }
    to->at[to->count++] = (move){x, (uint16_t)row, (uint16_t)code};
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
        uint32_t nearest;
        if (is_mixed(m, s, x, y, &nearest))
            whole = add_move(found, x, y - s->first, nearest ^ m->flip);
    }
    return whole;
}

static void fill_tables(mixer *m)
{
    uint32_t decode[256];

    satb_fill_decode(8, decode);
    for (int i = 0; i < 256; i++) {
        for (int c = 0; c < 3; c++)
            m->linear[c][i] = (uint64_t)decode[i] << FIELD * c;
        m->square[i] = (uint64_t)decode[i] * decode[i];
    }
    for (int k = 0; k < SIDE * SIDE; k++)
        m->offset[k] = (ptrdiff_t)((size_t)(k / SIDE - REACH) * (size_t)m->pixels.stride +
                                   (size_t)(k % SIDE - REACH) * m->pixels.pixel);
}

static int open_strip(strip *s, const satb_image *map)
{
    const size_t pitch = REACH + (size_t)map->width + WORD;

    *s = (strip){.pitch = pitch,
                 .beside = malloc((BAND + 2 * REACH) * pitch),
                 .column = malloc(pitch * (size_t)map->bits / 8)};
    return s->beside && s->column;
}

static void close_strip(strip *s)
{
    free(s->beside);
    free(s->column);
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

static void put(const satb_image *out, int band, const move *to)
{
    uint8_t *const row = (uint8_t *)out->data + (band * BAND + to->row) * out->stride;

    if (out->bits == 8)
        row[to->x] = (uint8_t)to->code;
    else
        ((uint16_t *)row)[to->x] = (uint16_t)to->code;
}

satb_status satb_join_mixed(satb_context *context, const satb_image *map, int is_ours,
                            const satb_image *picture, int near_black, satb_image *out,
                            size_t *mixed)
{
    const int bands = 1 + (map->height - 1) / BAND;
    moves *const found = calloc((size_t)bands, sizeof *found);
    mixer m = {.map = *map,
               .pixels = satb_colours_of(picture),
               .flip = near_black ? (1u << map->bits) - 1 : 0,
               .least = satk_least_step(map->bits)};

    *out = *map;
    fill_tables(&m);
    const int whole = found && find(&m, bands, context->threads, found, mixed) &&
                      (*mixed == 0 || is_ours || satb_copy_map(context, map, out));
    for (int band = 0; found && band < bands; band++) {
        for (size_t i = 0; whole && i < found[band].count; i++)
            put(out, band, &found[band].at[i]);
        free(found[band].at);
    }
    free(found);
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for mixed pixels of depth");
}
