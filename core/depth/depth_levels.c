#include "depth/depth_levels.h"

#include "backend/backend.h"
#include "base/memory.h"
#include "surface/surface_mark_cpu.h"
#include "surface/surface_rule.h"

#include <stdlib.h>
#include <string.h>

static const void *row_of(const satb_image *map, int y)
{
    return (const uint8_t *)map->data + y * map->stride;
}

/* --- Marks ------------------------------------------------------------------------------------ */

enum { BAND = 32 }; /* rows that are marked at a time */

static size_t count_bits(const uint64_t *row, size_t words)
{
    size_t count = 0;

    for (size_t i = 0; i < words; i++)
        count += (size_t)__builtin_popcountll(row[i]);
    return count;
}

/* Returns 0 if memory ran out. */
static int mark(satb_level *level)
{
    const satk_marking job = {.map = satb_plane_of(&level->map),
                              .least = satk_least_edge(level->map.bits),
                              .edge = satb_bit_row(&level->edge, 0),
                              .ramp = satb_bit_row(&level->ramp, 0),
                              .words = level->edge.words};
    const int height = level->map.height;
    const size_t words = level->edge.words - 2;
    size_t edges = 0, ramps = 0;
    int whole = 1;

#pragma omp parallel num_threads(level->context->threads) reduction(& : whole)                     \
    reduction(+ : edges, ramps)
    {
        void *const work = satb_allocate(satk_mark_scratch_cpu(&job.map));
        whole = work != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int first = 0; first < height; first += BAND) {
            const int last = first + BAND < height ? first + BAND : height;
            if (work)
                satk_mark_cpu(&job, first, last, work);
            for (int y = first; y < last; y++) {
                edges += count_bits(satb_bit_row(&level->edge, y), words);
                ramps += count_bits(satb_bit_row(&level->ramp, y), words);
            }
        }
        free(work);
    }
    level->edges = edges;
    level->ramps = ramps;
    return whole;
}

/* --- Halves ----------------------------------------------------------------------------------- */

/* Returns the samples of half an axis. Half an odd one is odd, too: its middle sample is the picture's middle, and no pixel
 * there lies between two of them. */
static int half_of(int n)
{
    return n % 2 ? n / 4 * 2 + 1 : n / 2;
}

/* The part of the n samples of an axis that sample s of half of it covers: the areas of three of them. An odd axis is cut
 * into equal parts, too; an area is in 1/half_of(n) of a sample then. */
typedef struct cover {
    int at[3];
    uint64_t area[3];
} cover;

static cover cover_of(int s, int n)
{
    const uint64_t half = (uint64_t)half_of(n), before = (uint64_t)s;

    if (n % 2 == 0)
        return (cover){{2 * s, 2 * s, 2 * s + 1}, {0, 1, 1}};
    if (n % 4 == 3)
        return (cover){{2 * s, 2 * s + 1, 2 * s + 2}, {half - before, half, before + 1}};
    return (cover){{s > 0 ? 2 * s - 1 : 0, 2 * s, 2 * s + 1 < n ? 2 * s + 1 : n - 1},
                   {before, half, half - 1 - before}};
}

/* Returns the sum of the areas of a cover. */
static uint64_t areas_of(int n)
{
    return n % 2 ? (uint64_t)n : 2;
}

/* Makes a row of the halved map, in 16 bits. Rows of maps with even sides need no division. */
#define HALVE_ROW(bits, type, scale)                                                               \
    static void halve_even_row##bits(const satb_image *map, int y, uint16_t *out)                  \
    {                                                                                              \
        const type *const a = row_of(map, 2 * y), *const b = row_of(map, 2 * y + 1);               \
        for (int x = 0; x < map->width / 2; x++) {                                                 \
            const uint32_t sum = (uint32_t)a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1];      \
            out[x] = (uint16_t)((sum * scale + 2) / 4);                                            \
        }                                                                                          \
    }                                                                                              \
    static void halve_row##bits(const satb_image *map, int y, const satk_divisor *areas,           \
                                uint16_t *out)                                                     \
    {                                                                                              \
        const cover down = cover_of(y, map->height);                                               \
        const type *const a = row_of(map, down.at[0]), *const b = row_of(map, down.at[1]);         \
        const type *const c = row_of(map, down.at[2]);                                             \
        if (map->width % 2 == 0 && map->height % 2 == 0) {                                         \
            halve_even_row##bits(map, y, out);                                                     \
            return;                                                                                \
        }                                                                                          \
        for (int x = 0; x < half_of(map->width); x++) {                                            \
            const cover across = cover_of(x, map->width);                                          \
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

/* Makes *out the halved map; out->data is NULL if memory ran out. */
static void halve_map(satb_context *context, const satb_image *map, satb_image *out)
{
    const int w = half_of(map->width), h = half_of(map->height);
    const size_t row = (size_t)w * sizeof(uint16_t);
    const satk_divisor areas = satk_divide_by(areas_of(map->width) * areas_of(map->height), 0);

    *out = (satb_image){.data = satb_take(&context->spares, row * (size_t)h),
                        .stride = (ptrdiff_t)row,
                        .width = w,
                        .height = h,
                        .channels = 1,
                        .bits = 16};
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < (out->data ? h : 0); y++)
        (map->bits == 8 ? halve_row8 : halve_row16)(
            map, y, &areas, (uint16_t *)((uint8_t *)out->data + (size_t)y * row));
}

/* --- Life ------------------------------------------------------------------------------------- */

int satb_open_level(satb_context *context, satb_level *level, const satb_image *map)
{
    *level = (satb_level){.context = context,
                          .map = *map,
                          .edge = satb_make_bits(&context->spares, map->width, map->height),
                          .ramp = satb_make_bits(&context->spares, map->width, map->height)};
    return level->edge.bits && level->ramp.bits && mark(level);
}

int satb_has_half(const satb_level *level)
{
    return level->map.width >= 2 * SATB_LEAST_SIDE && level->map.height >= 2 * SATB_LEAST_SIDE;
}

int satb_open_half(const satb_level *level, satb_level *half)
{
    satb_image map;

    *half = (satb_level){.context = level->context};
    halve_map(level->context, &level->map, &map);
    if (!map.data)
        return 0;
    const int whole = satb_open_level(level->context, half, &map);
    half->owned = map.data;
    return whole;
}

void satb_close_level(satb_level *level)
{
    satb_spares *const spares = &level->context->spares;

    satb_give(spares, level->owned);
    satb_give(spares, level->edge.bits);
    satb_give(spares, level->ramp.bits);
}
