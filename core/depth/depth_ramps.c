#include "depth/depth_ramps.h"

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

/* --- Edges and ramps -------------------------------------------------------------------------- */

enum { BAND = 32 }; /* rows that are marked at a time */

static satb_edge_count count_marks(const satb_votes *f, int y)
{
    const uint64_t *const edge = satb_bit_row(f, f->edge, y), *const mute =
                                                                  satb_bit_row(f, f->mute, y);
    satb_edge_count count = {0};

    for (size_t i = 0; i < f->words - 2; i++) {
        if (!edge[i])
            continue;
        count.edges += (size_t)__builtin_popcountll(edge[i]);
        count.ramps += (size_t)__builtin_popcountll(mute[i]);
    }
    return count;
}

int satb_mark_edges(const satb_votes *f, uint32_t least, int threads, satb_edge_count *count)
{
    const satk_ramps job = {.map = satb_plane_of(&f->map),
                            .least = least,
                            .edge = satb_bit_row(f, f->edge, 0),
                            .ramp = satb_bit_row(f, f->mute, 0),
                            .words = f->words};
    const int height = f->map.height;
    size_t edges = 0, ramps = 0;
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : edges, ramps)
    {
        void *const work = satb_allocate(satk_ramp_room(&job.map));
        whole = work != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int first = 0; first < height; first += BAND) {
            const int last = first + BAND < height ? first + BAND : height;
            if (work)
                satk_ramp(&job, first, last, work);
            for (int y = first; y < last; y++) {
                const satb_edge_count row = count_marks(f, y);
                edges += row.edges;
                ramps += row.ramps;
            }
        }
        free(work);
    }
    *count = (satb_edge_count){edges, ramps};
    return whole;
}

/* --- Wide ramps ------------------------------------------------------------------------------- */

enum { HALVINGS = 3 };

/* The means of 2 x 2 of two rows of n samples; the last column may be there only once. */
#define HALVE_ROW(name, type)                                                                      \
    static void name(const void *upper, const void *lower, int n, void *out)                       \
    {                                                                                              \
        const type *const a = upper, *const b = lower;                                             \
        type *const to = out;                                                                      \
        for (int x = 0; x < n / 2; x++)                                                            \
            to[x] = (type)((a[2 * x] + a[2 * x + 1] + b[2 * x] + b[2 * x + 1] + 2u) / 4);          \
        if (n % 2)                                                                                 \
            to[n / 2] = (type)((2u * a[n - 1] + 2u * b[n - 1] + 2) / 4);                           \
    }

HALVE_ROW(halve_row8, uint8_t)
HALVE_ROW(halve_row16, uint16_t)

/* out->data is NULL where memory ran out. */
static void halve(satb_context *context, const satb_image *map, satb_image *out)
{
    const int w = (map->width + 1) / 2, h = (map->height + 1) / 2;
    const size_t row = (size_t)w * (size_t)map->bits / 8;

    *out = (satb_image){.data = satb_take(&context->spares, row * (size_t)h),
                        .stride = (ptrdiff_t)row,
                        .width = w,
                        .height = h,
                        .channels = 1,
                        .bits = map->bits};
#pragma omp parallel for num_threads(context->threads)
    for (int y = 0; y < (out->data ? h : 0); y++)
        (map->bits == 8 ? halve_row8 : halve_row16)(
            row_of(map, 2 * y), row_of(map, 2 * y + 1 < map->height ? 2 * y + 1 : 2 * y),
            map->width, (uint8_t *)out->data + (size_t)y * row);
}

/* The votes of the halved map, marked; to be closed in any case. 0: out of memory. */
static int open_half(const satb_votes *f, satb_votes *half, satb_edge_count *count)
{
    satb_image map;

    halve(f->context, &f->map, &map);
    const int whole = map.data && satb_open_votes(f->context, half, &map, f->picture, f->scale);
    if (!map.data)
        *half = (satb_votes){.context = f->context};
    half->owned = map.data;
    return whole && satb_mark_edges(half, (1u << map.bits) / 64, f->context->threads, count);
}

satb_status satb_narrow_edges(satb_context *context, satb_votes *votes, satb_edge_count *count)
{
    satb_votes now = *votes;
    satb_edge_count found = *count;
    int whole = 1, halved = 0;

    while (whole && satk_is_wide(now.map.width, found.edges, found.ramps) && halved < HALVINGS &&
           now.map.width >= 2 * SATB_LEAST_SIDE && now.map.height >= 2 * SATB_LEAST_SIDE) {
        satb_votes half;
        whole = open_half(&now, &half, &found);
        if (halved++)
            satb_close_votes(&now);
        now = half;
    }
    if (halved && whole && !satk_is_few(now.map.width, found.edges)) {
        satb_close_votes(votes);
        *votes = now;
        *count = found;
    } else if (halved) { /* a map without edges */
        satb_close_votes(&now);
    }
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for halves of depth");
}
