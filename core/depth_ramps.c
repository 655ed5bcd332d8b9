#include "depth_ramps.h"

#include "plane.h"

#include <stdlib.h>
#include <string.h>

enum {
    AROUND = (SATB_LEAST_SIDE - 1) / 2
}; /* samples to each side that tell an edge from a slope */

/* --- Edges and ramps -------------------------------------------------------------------------- */

/* The range of the (2 reach + 1)^2 codes around each of row y. work: two rows, wider by AROUND on
 * either side. */
static void ranges(const satb_votes *f, int y, int reach, uint16_t *work, uint16_t *range)
{
    const int w = f->width;
    uint16_t *const low = work + AROUND, *const high = low + w + 2 * AROUND;

    memset(work, 0xff, (size_t)(w + 2 * AROUND) * sizeof *low);
    memset(high - AROUND, 0, (size_t)(w + 2 * AROUND) * sizeof *high);
    for (int j = y > reach ? y - reach : 0; j <= y + reach && j < f->height; j++) {
        const uint16_t *const row = f->depth + (size_t)j * (size_t)w;
        for (int x = 0; x < w; x++) {
            low[x] = row[x] < low[x] ? row[x] : low[x];
            high[x] = row[x] > high[x] ? row[x] : high[x];
        }
    }
    for (int x = 0; x < w; x++) {
        uint16_t least = low[x], most = high[x];
        for (int i = 1; i <= reach; i++) {
            least = low[x - i] < least ? low[x - i] : least;
            least = low[x + i] < least ? low[x + i] : least;
            most = high[x - i] > most ? high[x - i] : most;
            most = high[x + i] > most ? high[x + i] : most;
        }
        range[x] = (uint16_t)(most - least);
    }
}

static int is_ramp(const satb_votes *f, int x, int y, uint32_t margin)
{
    const ptrdiff_t w = f->width;
    const ptrdiff_t steps[] = {1, w, w + 1, w - 1};
    const uint16_t *const here = f->depth + y * w + x;
    const int beside = (x > 0) & (x + 1 < f->width); /* neighbours of both sides */
    const int above = (y > 0) & (y + 1 < f->height);

    for (int i = 0; i < 4; i++) {
        if ((i != 1 && !beside) || (i != 0 && !above))
            continue;
        const uint32_t a = here[steps[i]], b = here[-steps[i]];
        if ((a < b ? a : b) + margin < *here && *here + margin < (a > b ? a : b))
            return 1;
    }
    return 0;
}

/* The 9 x 9 of a sample at the border lie within the map, or else they would take slopes for edges. */
static int inside(int i, int n)
{
    return i < AROUND ? AROUND : i < n - AROUND ? i : n - AROUND - 1;
}

/* work: four rows and the room of ranges(). */
static satb_edge_count mark_row(const satb_votes *f, int y, uint32_t least, uint16_t *work)
{
    const size_t w = (size_t)f->width;
    uint16_t *const here = work, *const around = work + w;
    uint8_t *const kind = f->kind + (size_t)y * w;
    uint32_t most = 0;
    satb_edge_count count = {0};

    ranges(f, y, 1, work + 2 * w, here);
    for (size_t x = 0; x < w; x++)
        most = here[x] > most ? here[x] : most;
    if (most <= least)
        return count;
    ranges(f, inside(y, f->height), AROUND, work + 2 * w, around);
    for (int x = 0; x < f->width; x++) {
        if (here[x] <= least || 3 * here[x] < around[inside(x, f->width)])
            continue;
        const int ramp = is_ramp(f, x, y, around[inside(x, f->width)] / 16u);
        kind[x] = ramp ? SATB_EDGE | SATB_MUTE : SATB_EDGE;
        count.edges++;
        count.ramps += (size_t)ramp;
    }
    return count;
}

int satb_mark_edges(const satb_votes *f, uint32_t least, int threads, satb_edge_count *count)
{
    const size_t room = 4 * ((size_t)f->width + AROUND);
    size_t edges = 0, ramps = 0;
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : edges, ramps)
    {
        uint16_t *const work = malloc(room * sizeof *work);
        whole = work != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < f->height; y++) {
            const satb_edge_count row = work ? mark_row(f, y, least, work) : (satb_edge_count){0};
            edges += row.edges;
            ramps += row.ramps;
        }
        free(work);
    }
    *count = (satb_edge_count){edges, ramps};
    return whole;
}

/* --- Wide ramps ------------------------------------------------------------------------------- */

enum { HALVINGS = 3 };

static uint32_t code_at(const satb_image *map, int x, int y)
{
    const int i = x < map->width ? x : map->width - 1, j = y < map->height ? y : map->height - 1;

    return satk_code((const uint8_t *)map->data + j * map->stride,
                     (size_t)i * (size_t)map->channels, map->bits);
}

/* out->data is NULL where memory ran out. */
static void halve(const satb_image *map, satb_image *out, int threads)
{
    const int w = (map->width + 1) / 2, h = (map->height + 1) / 2;
    const size_t row = (size_t)w * (size_t)map->bits / 8;

    *out = (satb_image){.data = malloc(row * (size_t)h),
                        .stride = (ptrdiff_t)row,
                        .width = w,
                        .height = h,
                        .channels = 1,
                        .bits = map->bits};
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < (out->data ? h : 0); y++)
        for (int x = 0; x < w; x++) {
            const uint32_t mean =
                (code_at(map, 2 * x, 2 * y) + code_at(map, 2 * x + 1, 2 * y) +
                 code_at(map, 2 * x, 2 * y + 1) + code_at(map, 2 * x + 1, 2 * y + 1) + 2) /
                4;
            satk_put_pixel((uint8_t *)out->data + (size_t)y * row, x, 1, map->bits, &mean);
        }
}

/* Whether a map of half the size shows its edges better: nearly all that is on edges is on ramps, or
 * there are hardly any. 0 where memory ran out, too. */
static int is_wide(const satb_image *map, const satb_image *picture, int threads, int *few,
                   int *whole)
{
    satb_votes f;
    satb_edge_count count = {0};

    *whole = satb_open_votes(&f, map, picture, 1, threads) &&
             satb_mark_edges(&f, (1u << map->bits) / 64, threads, &count);
    satb_close_votes(&f);
    *few = count.edges < (size_t)map->width / 8;
    return *whole && (*few || 5 * count.ramps > 4 * count.edges);
}

satb_status satb_narrow_edges(satb_context *context, const satb_image *map,
                              const satb_image *picture, satb_image *narrow)
{
    int few = 0, whole = 1;

    *narrow = *map;
    for (int i = 0; is_wide(narrow, picture, context->threads, &few, &whole); i++) {
        satb_image half;
        if (i == HALVINGS || narrow->width < 2 * SATB_LEAST_SIDE ||
            narrow->height < 2 * SATB_LEAST_SIDE)
            break;
        halve(narrow, &half, context->threads);
        if (narrow->data != map->data)
            free(narrow->data);
        *narrow = half;
        if (!half.data)
            return satb_fail(context, SATB_ERR_NOMEM, "out of memory for halves of depth");
    }
    if ((few || !whole) && narrow->data != map->data) {
        free(narrow->data);
        *narrow = *map; /* a map without edges */
    }
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for halves of depth");
}
