#include "surface/surface_join_cpu.h"

#include "surface/surface_colours.h"
#include "surface/surface_rule.h"

#include <string.h>

enum {
    REACH = 2,            /* of the 5 x 5 */
    SIDE = 2 * REACH + 1, /* of the 5 x 5 */
    WORD = 8,             /* samples that are read at a time, of which SIDE count */
    FIELD = 21,           /* bits, of a sum of linear samples */
    FIELD_MASK = (1 << FIELD) - 1
};

typedef struct mixer {
    satk_plane map;
    satk_colours pixels;
    uint32_t flip, least;                 /* codes ^ flip are nearness; a step of it that counts */
    uint64_t linear[3][256], square[256]; /* by code; the former in fields */
    ptrdiff_t offset[SIDE * SIDE];        /* from a pixel to those of the 5 x 5 around, in bytes */
} mixer;

/* Flags of pixels beside something nearer, for some rows and REACH rows beside them. */
typedef struct strip {
    int first;       /* the picture's row that row REACH is */
    size_t pitch;    /* of a row: REACH before the picture, WORD behind it */
    uint8_t *beside; /* 1: it is; pixel x is at REACH + x */
    void *column;    /* a row's nearest of three */
} strip;

static const void *row_of(const satk_plane *map, int y)
{
    return (const uint8_t *)map->data + y * map->pitch;
}

/* --- Beside something nearer ------------------------------------------------------------------ */

static uint8_t *beside_of(const strip *s, int row)
{
    return s->beside + (size_t)row * s->pitch + REACH;
}

/* Flags a row. Beside the picture nothing is nearer: its first and last pixels go on there. */
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

static void mark_strip(const mixer *m, const strip *s, int rows)
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

/* Returns SIDE flags, each 0 or 1, as bits: the factor brings flag i to bit 28 + i, and no other sum there. */
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

/* Finds the samples of the 5 x 5 that are nearer than half way to the nearest of the 3 x 3, as
 * bits, row by row. Codes are read as nearness, from x - REACH on; beside the map, its first and
 * last columns go on. */
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

/* Returns a bit for each of five columns around x that is the map's. */
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

/* Parts the 5 x 5 into two surfaces. *nearest becomes that of the 3 x 3 around. */
static surfaces part_surfaces(const mixer *m, const strip *s, int x, int y, uint32_t *nearest)
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

/* Adds up the colours of pixels. bits: of the 5 x 5 around x, y. */
static satk_colour_sums add_up(const mixer *m, int x, int y, uint32_t bits)
{
    const satk_colours *const from = &m->pixels;
    const uint8_t *const own = from->data + y * from->pitch + x * (ptrdiff_t)from->pixel;
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

/* Returns 1 if a pixel is mixed. *nearest becomes the nearness of the nearest of the 3 x 3
 * around. */
static int is_mixed(const mixer *m, const strip *s, int x, int y, uint32_t *nearest)
{
    const surfaces both = part_surfaces(m, s, x, y, nearest);
    const uint32_t rgb = satk_colour_of(&m->pixels, x, y);
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

static mixer make_mixer(const satk_joining *job)
{
    mixer m = {.map = job->map,
               .pixels = satk_colours_of(&job->src),
               .flip = job->near_black ? (1u << job->map.bits) - 1 : 0,
               .least = satk_least_step(job->map.bits)};

    for (int i = 0; i < 256; i++) {
        for (int c = 0; c < 3; c++)
            m.linear[c][i] = (uint64_t)job->linear[i] << FIELD * c;
        m.square[i] = (uint64_t)job->linear[i] * job->linear[i];
    }
    for (int k = 0; k < SIDE * SIDE; k++)
        m.offset[k] = (ptrdiff_t)((size_t)(k / SIDE - REACH) * (size_t)m.pixels.pitch +
                                  (size_t)(k % SIDE - REACH) * m.pixels.pixel);
    return m;
}

static size_t strip_pitch(const satk_plane *map)
{
    return (REACH + (size_t)map->width + WORD + 63) / 64 * 64;
}

static strip make_strip(const satk_plane *map, int first, void *work)
{
    const size_t pitch = strip_pitch(map);
    uint8_t *const beside = work;

    return (strip){.first = first,
                   .pitch = pitch,
                   .beside = beside,
                   .column = beside + (SATK_JOIN_ROWS + 2 * REACH) * pitch};
}

static void put_code(void *row, int x, int bits, uint32_t code)
{
    if (bits == 8)
        ((uint8_t *)row)[x] = (uint8_t)code;
    else
        ((uint16_t *)row)[x] = (uint16_t)code;
}

/* Returns how many pixels of the row are mixed. */
static size_t join_row(const mixer *m, const strip *s, int y, void *out)
{
    const uint8_t *const beside = beside_of(s, y - s->first + REACH);
    const size_t w = (size_t)m->map.width;
    size_t mixed = 0;

    memcpy(out, row_of(&m->map, y), w * (size_t)m->map.bits / 8);
    for (const uint8_t *p = beside; (p = memchr(p, 1, (size_t)(beside + w - p))); p++) {
        const int x = (int)(p - beside);
        uint32_t nearest;
        if (!is_mixed(m, s, x, y, &nearest))
            continue;
        put_code(out, x, m->map.bits, nearest ^ m->flip);
        mixed++;
    }
    return mixed;
}

size_t satk_join_scratch_cpu(const satk_plane *map)
{
    const size_t pitch = strip_pitch(map);

    return (SATK_JOIN_ROWS + 2 * REACH) * pitch + pitch * (size_t)map->bits / 8;
}

size_t satk_join_cpu(const satk_joining *job, int first, int last, void *work)
{
    const mixer m = make_mixer(job);
    const strip s = make_strip(&job->map, first, work);
    size_t mixed = 0;

    mark_strip(&m, &s, last - first);
    for (int y = first; y < last; y++)
        mixed += join_row(&m, &s, y, (uint8_t *)job->dst.data + y * job->dst.pitch);
    return mixed;
}
