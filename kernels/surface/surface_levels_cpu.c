#include "surface/surface_cpu.h"

#include "common/pool.h"
#include "surface/surface_mark_cpu.h"

#include <string.h>

enum { BAND = 32 }; /* rows that are marked at a time */

static const void *row_of(const satk_plane *map, int y)
{
    return (const uint8_t *)map->data + y * map->pitch;
}

/* --- Marks ------------------------------------------------------------------------------------ */

size_t satk_marks_work(const satk_plane *map)
{
    return satk_mark_scratch_cpu(map);
}

static uint64_t count_bits(const satk_bit_rows *rows, int y)
{
    const uint64_t *const row = satk_bit_row(rows, y);
    uint64_t count = 0;

    for (size_t i = 0; i < rows->words - 2; i++)
        count += (uint64_t)__builtin_popcountll(row[i]);
    return count;
}

typedef struct marks {
    const satk_cutting *c;
    const satk_map_level *level;
    satk_marking job;
    _Atomic uint64_t *ramps;
} marks;

/* Returns the marks on edges. */
static uint64_t mark_band(const void *of, int band)
{
    const marks *const m = of;
    const int first = band * BAND, rest = m->job.map.height - first;
    const int last = first + (rest < BAND ? rest : BAND);
    uint64_t edges = 0, ramps = 0;

    satk_mark_cpu(&m->job, first, last, satk_own_work(m->c));
    for (int y = first; y < last; y++) {
        edges += count_bits(&m->level->edge, y);
        ramps += count_bits(&m->level->ramp, y);
    }
    atomic_fetch_add(m->ramps, ramps);
    return edges;
}

void satk_mark_level(const satk_cutting *c, int l, uint64_t *edges, uint64_t *ramps)
{
    const satk_map_level *const level = &c->level[l];
    _Atomic uint64_t on_ramps = 0;
    const marks m = {.c = c,
                     .level = level,
                     .job = {.map = level->map,
                             .least = satk_least_edge(level->map.bits),
                             .edge = satk_bit_row(&level->edge, 0),
                             .ramp = satk_bit_row(&level->ramp, 0),
                             .words = level->edge.words},
                     .ramps = &on_ramps};

    memset(level->edge.bits, 0, satk_bit_rows_bytes(&level->edge));
    memset(level->ramp.bits, 0, satk_bit_rows_bytes(&level->ramp));
    *edges = satk_sum(c->threads, (level->map.height + BAND - 1) / BAND, 1, mark_band, &m);
    *ramps = on_ramps;
}

/* --- Halves ----------------------------------------------------------------------------------- */

/* Makes a row of the halved map, in 16 bits. Rows of maps with even sides need no division. */
#define HALVE_ROW(bits, type, scale)                                                               \
    static void halve_even_row##bits(const satk_plane *map, int y, uint16_t *out)                  \
    {                                                                                              \
        const type *const a = row_of(map, 2 * y), *const b = row_of(map, 2 * y + 1);               \
        for (int x = 0; x < map->width / 2; x++) {                                                 \
            const uint32_t sum = (uint32_t)a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1];      \
            out[x] = (uint16_t)((sum * scale + 2) / 4);                                            \
        }                                                                                          \
    }                                                                                              \
    static void halve_row##bits(const satk_plane *map, int y, const satk_divisor *areas,           \
                                uint16_t *out)                                                     \
    {                                                                                              \
        const satk_halved down = satk_halved_at(y, map->height);                                   \
        const type *const a = row_of(map, down.at[0]), *const b = row_of(map, down.at[1]);         \
        const type *const c = row_of(map, down.at[2]);                                             \
        if (map->width % 2 == 0 && map->height % 2 == 0) {                                         \
            halve_even_row##bits(map, y, out);                                                     \
            return;                                                                                \
        }                                                                                          \
        for (int x = 0; x < satk_half_of(map->width); x++) {                                       \
            const satk_halved across = satk_halved_at(x, map->width);                              \
            uint64_t sum = 0;                                                                      \
            for (int i = 0; i < 3; i++) {                                                          \
                const int at = across.at[i];                                                       \
                sum += across.area[i] *                                                            \
                       (down.area[0] * a[at] + down.area[1] * b[at] + down.area[2] * c[at]);       \
            }                                                                                      \
            out[x] = (uint16_t)satk_mean64(sum * scale, areas);                                    \
        }                                                                                          \
    }

HALVE_ROW(8, uint8_t, 257)
HALVE_ROW(16, uint16_t, 1)

typedef struct halving {
    const satk_plane *map, *out;
    satk_divisor areas;
} halving;

static void halve_row(const void *of, int y)
{
    const halving *const h = of;

    (h->map->bits == 8 ? halve_row8 : halve_row16)(
        h->map, y, &h->areas, (uint16_t *)(void *)((uint8_t *)h->out->data + y * h->out->pitch));
}

static void halve_map(const satk_plane *map, const satk_plane *out, int threads)
{
    const halving h = {map, out,
                       satk_divide_by(satk_areas_of(map->width) * satk_areas_of(map->height), 0)};

    satk_for(threads, out->height, 0, halve_row, &h);
}

/* --- Known edges ------------------------------------------------------------------------------ */

/* Returns 1 if a map has samples on edges among those of a sample of its half. */
static int has_finer_edge(const satk_map_level *half, const satk_map_level *fine, int x, int y)
{
    const int w = fine->map.width, h = fine->map.height;
    const int right = satk_first_within(x + 1, half->map.width, w);
    const int bottom = satk_first_within(y + 1, half->map.height, h);

    for (int j = satk_first_within(y, half->map.height, h); j < bottom; j++)
        for (int i = satk_first_within(x, half->map.width, w); i < right; i++)
            if (satk_has_bit(&fine->edge, i, j))
                return 1;
    return 0;
}

/* Drops the edges of a half's row that the map before has, too. levels: that one, whose edges are as they were marked, and
 * the half. Returns how many stay. */
static uint64_t drop_known_edges(const void *levels, int y)
{
    const satk_map_level *const fine = levels, *const half = fine + 1;
    uint64_t *const row = satk_bit_row(&half->edge, y);

    for (size_t i = 0; i < half->edge.words - 2; i++)
        for (uint64_t bits = row[i]; bits; bits &= bits - 1) {
            const int k = __builtin_ctzll(bits);
            if (has_finer_edge(half, fine, (int)i * 64 + k, y))
                row[i] &= ~((uint64_t)1 << k);
        }
    return count_bits(&half->edge, y);
}

/* --- Ends ------------------------------------------------------------------------------------- */

/* Widens low to high by the codes of the samples that are exactly `reach` away, in a row or a column. */
static void widen(const satk_plane *map, int x, int y, int reach, uint32_t *low, uint32_t *high)
{
    for (int j = satk_clamped(y - reach, map->height); j <= satk_clamped(y + reach, map->height);
         j++) {
        const int step = j == y - reach || j == y + reach ? 1 : 2 * reach;
        for (int i = x - reach; i <= x + reach; i += step) {
            const uint32_t code = satk_code16(map, satk_clamped(i, map->width), j);
            *low = code < *low ? code : *low;
            *high = code > *high ? code : *high;
        }
    }
}

uint32_t satk_ends_at(const satk_plane *map, int x, int y)
{
    uint32_t low = satk_code16(map, x, y), high = low;

    widen(map, x, y, 1, &low, &high);
    for (int reach = 2; reach <= SATK_CUT_REACH; reach++) {
        uint32_t lower = low, higher = high;
        widen(map, x, y, reach, &lower, &higher);
        if (satk_has_ends(high - low, higher - lower))
            break;
        low = lower, high = higher;
    }
    return low | high << 16;
}

/* Finds the ends of ramps at a row's samples that pixels on them may lie between. */
static void find_ends(const void *of, int y)
{
    const satk_at_level *const at = of;
    const satk_map_level *const level = &at->c->level[at->l];
    uint64_t *const near = satk_own_work(at->c);

    satk_bits_around(&level->edge, y, 2, near);
    for (size_t i = 0; i < level->edge.words - 2; i++)
        for (uint64_t bits = near[i]; bits; bits &= bits - 1) {
            const size_t x = i * 64 + (size_t)__builtin_ctzll(bits);
            level->ends[(size_t)y * (size_t)level->map.width + x] =
                satk_ends_at(&level->map, (int)x, y);
        }
}

void satk_make_levels(satk_cutting *c)
{
    uint64_t *const counts = c->job->counts;

    for (int l = 1; l < c->levels; l++) {
        uint64_t ramps;
        halve_map(&c->level[l - 1].map, &c->level[l].map, c->threads);
        satk_mark_level(c, l, &counts[SATK_HALF_EDGES + l - 1], &ramps);
    }
    for (int l = c->levels - 1; l > 0; l--)
        counts[SATK_NEW_EDGES + l - 1] =
            satk_sum(c->threads, c->level[l].map.height, 16, drop_known_edges, &c->level[l - 1]);
    c->levels = satk_levels_used(counts, c->levels);
    for (int l = 0; l < c->levels; l++)
        satk_for(c->threads, c->level[l].map.height, 16, find_ends, &(satk_at_level){c, l});
}
