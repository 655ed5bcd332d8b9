#include "depth_ramps.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    AROUND = (SATB_LEAST_SIDE - 1) / 2, /* samples to each side that tell an edge from a slope */
    SEGMENT = 64,                       /* samples of a row: those of a word of bits */
    LANES = SEGMENT + 4 * AROUND        /* of a segment and what is around it, in whole vectors */
};

static const void *row_of(const satb_image *map, int y)
{
    return (const uint8_t *)map->data + y * map->stride;
}

/* --- Ranges ----------------------------------------------------------------------------------- */

/* For codes of one type: find_ranges(), the ranges of the 3 x 3 around each sample of a row, and
 * which segments have one above `least`; and find_around(), the ranges of the 9 x 9 around samples
 * `first` and on, of which there are at most a segment's: all of them lie within the map.
 *
 * rows: the one above, the row, the one below. range: a row, after two that are wider by 1 on either
 * side. */
#define RANGES(type, name, name_around)                                                            \
    static void name(const void *const *rows, int width, uint32_t least, void *work,               \
                     uint8_t *steep)                                                               \
    {                                                                                              \
        const type *const a = rows[0], *const b = rows[1], *const c = rows[2];                     \
        type *const low = work, *const high = low + width + 2, *const range = high + width + 2;    \
                                                                                                   \
        for (int x = 0; x < width; x++) {                                                          \
            const type less = a[x] < b[x] ? a[x] : b[x], more = a[x] > b[x] ? a[x] : b[x];         \
            low[x + 1] = less < c[x] ? less : c[x];                                                \
            high[x + 1] = more > c[x] ? more : c[x];                                               \
        }                                                                                          \
        low[0] = low[1], low[width + 1] = low[width];                                              \
        high[0] = high[1], high[width + 1] = high[width];                                          \
        for (int x = 0; x < width; x += SEGMENT) {                                                 \
            const int count = width - x < SEGMENT ? width - x : SEGMENT;                           \
            const type *const l = low + x, *const h = high + x;                                    \
            type *const r = range + x;                                                             \
            type most = 0;                                                                         \
            for (int i = 0; i < count; i++) {                                                      \
                const type l1 = l[i] < l[i + 1] ? l[i] : l[i + 1];                                 \
                const type h1 = h[i] > h[i + 1] ? h[i] : h[i + 1];                                 \
                const type l2 = l1 < l[i + 2] ? l1 : l[i + 2];                                     \
                const type h2 = h1 > h[i + 2] ? h1 : h[i + 2];                                     \
                r[i] = (type)(h2 - l2);                                                            \
                most = r[i] > most ? r[i] : most;                                                  \
            }                                                                                      \
            steep[x / SEGMENT] = most > least;                                                     \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    static void name_around(const satb_image *map, int top, int first, int count,                  \
                            uint16_t range[SEGMENT])                                               \
    {                                                                                              \
        type row[LANES] = {0}, low[LANES], high[LANES];                                            \
                                                                                                   \
        memset(low, 0xff, sizeof low);                                                             \
        memset(high, 0, sizeof high);                                                              \
        for (int j = 0; j <= 2 * AROUND; j++) {                                                    \
            memcpy(row, (const type *)row_of(map, top + j) + first - AROUND,                       \
                   (size_t)(count + 2 * AROUND) * sizeof *row);                                    \
            for (int i = 0; i < LANES; i++) {                                                      \
                low[i] = row[i] < low[i] ? row[i] : low[i];                                        \
                high[i] = row[i] > high[i] ? row[i] : high[i];                                     \
            }                                                                                      \
        }                                                                                          \
        for (int step = 1; step <= AROUND; step *= 2) /* of 2, 4, 8 columns */                     \
            for (int i = 0; i < LANES - AROUND; i++) {                                             \
                low[i] = low[i + step] < low[i] ? low[i + step] : low[i];                          \
                high[i] = high[i + step] > high[i] ? high[i + step] : high[i];                     \
            }                                                                                      \
        for (int i = 0; i < SEGMENT; i++) {                                                        \
            const type least = low[i + 1] < low[i] ? low[i + 1] : low[i];                          \
            const type most = high[i + 1] > high[i] ? high[i + 1] : high[i];                       \
            range[i] = (type)(most - least);                                                       \
        }                                                                                          \
    }

RANGES(uint8_t, find_ranges8, find_around8)
RANGES(uint16_t, find_ranges16, find_around16)

/* --- Edges and ramps -------------------------------------------------------------------------- */

static uint16_t lesser(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
}

static uint16_t larger(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

/* a - b, or 0. */
static uint16_t above(uint16_t a, uint16_t b)
{
    return (uint16_t)(larger(a, b) - b);
}

static void load(const void *row, int bits, int x, int count, uint16_t *out)
{
    const uint8_t *const row8 = row;

    if (bits == 16)
        memcpy(out, (const uint16_t *)row + x, (size_t)count * sizeof *out);
    else
        for (int i = 0; i < count; i++)
            out[i] = row8[x + i];
}

/* A sample whose 9 x 9 lie within the map, and which is closest to i: or else slopes would be taken
 * for edges at the border. */
static int inside(int i, int n)
{
    return i < AROUND ? AROUND : i < n - AROUND ? i : n - AROUND - 1;
}

static void load_around(const satb_image *map, int y, int x, int count, uint16_t *range)
{
    const int first = inside(x, map->width), last = inside(x + count - 1, map->width);
    const int top = inside(y, map->height) - AROUND;

    (map->bits == 8 ? find_around8 : find_around16)(map, top, first, last - first + 1, range);
    for (int i = count - 1; i >= 0 && last - first + 1 < count; i--) /* at the map's borders */
        range[i] = range[inside(x + i, map->width) - first];
}

/* The 3 x 3 of a segment's samples, from one column before. What lies beside the map is the row's own
 * sample there, which is on no slope with it. */
static void load_three(const void *const *from, const satb_image *map, int x, int count,
                       uint16_t rows[3][LANES])
{
    const int before = x > 0, after = x + count < map->width;

    for (int j = 0; j < 3; j++)
        load(from[j], map->bits, x - before, count + before + after, rows[j] + 1 - before);
    for (int j = 0; j < 3; j++) {
        if (!before)
            rows[j][0] = rows[1][1];
        if (!after)
            rows[j][count + 1] = rows[1][count];
    }
}

/* Whether the middle lies between two opposite ones, further than the margin from both. */
static int is_between(uint16_t a, uint16_t middle, uint16_t b, uint16_t margin)
{
    return (above(middle, lesser(a, b)) > margin) & (above(larger(a, b), middle) > margin);
}

/* A bit for each byte that is 1. The product brings those of eight bytes together in its highest. */
static uint64_t bits_of(const uint8_t *bytes)
{
    uint64_t bits = 0;

    for (int i = 0; i < SEGMENT; i += 8) {
        uint64_t eight = 0;
        for (int k = 0; k < 8; k++)
            eight |= (uint64_t)bytes[i + k] << 8 * k;
        bits |= (eight * 0x0102040810204080) >> 56 << i;
    }
    return bits;
}

typedef struct segment {
    uint16_t rows[3][LANES];                  /* codes, from one column before */
    uint16_t range[SEGMENT], around[SEGMENT]; /* of the 3 x 3, of the 9 x 9 */
} segment;

/* both_rows: there is one above and one below. */
static void mark_segment(const segment *s, uint32_t least, int both_rows, uint64_t *edge,
                         uint64_t *ramp)
{
    const uint16_t limit = (uint16_t)least, across_too = both_rows ? 1 : 0;
    uint8_t edges[SEGMENT], ramps[SEGMENT];

    for (int i = 0; i < SEGMENT; i++) {
        const uint16_t *const a = s->rows[0] + i, *const b = s->rows[1] + i,
                              *const c = s->rows[2] + i;
        const uint16_t range = s->range[i], margin = s->around[i] / 16;
        const uint16_t more = above((uint16_t)(s->around[i] - range), range);
        const int is_edge = (range > limit) & (more <= range); /* 3 range >= around */
        const int across = is_between(a[1], b[1], c[1], margin) |
                           is_between(a[0], b[1], c[2], margin) |
                           is_between(a[2], b[1], c[0], margin);
        edges[i] = (uint8_t)is_edge;
        ramps[i] =
            (uint8_t)(is_edge & (is_between(b[0], b[1], b[2], margin) | (across & across_too)));
    }
    *edge = bits_of(edges);
    *ramp = bits_of(ramps);
}

/* work: the room of find_ranges8() or 16, and a byte for each segment. */
static satb_edge_count mark_row(const satb_votes *f, int y, uint32_t least, void *work)
{
    const satb_image *const map = &f->map;
    const int w = map->width, sample = map->bits / 8;
    const void *const rows[] = {row_of(map, y > 0 ? y - 1 : y), row_of(map, y),
                                row_of(map, y + 1 < map->height ? y + 1 : y)};
    const void *const ranges = (uint8_t *)work + 2 * (ptrdiff_t)(w + 2) * sample;
    uint8_t *const steep = (uint8_t *)ranges + (ptrdiff_t)w * sample;
    uint64_t *const edge = satb_bit_row(f, f->edge, y), *const mute = satb_bit_row(f, f->mute, y);
    satb_edge_count count = {0};
    segment s = {.range = {0}};

    (map->bits == 8 ? find_ranges8 : find_ranges16)(rows, w, least, work, steep);
    for (int x = 0; x < w; x += SEGMENT) {
        const int samples = w - x < SEGMENT ? w - x : SEGMENT, i = x / SEGMENT;
        if (!steep[i])
            continue;
        if (samples < SEGMENT)
            s = (segment){.range = {0}};
        load_three(rows, map, x, samples, s.rows);
        load(ranges, map->bits, x, samples, s.range);
        load_around(map, y, x, samples, s.around);
        mark_segment(&s, least, y > 0 && y + 1 < map->height, &edge[i], &mute[i]);
        count.edges += (size_t)__builtin_popcountll(edge[i]);
        count.ramps += (size_t)__builtin_popcountll(mute[i]);
    }
    return count;
}

int satb_mark_edges(const satb_votes *f, uint32_t least, int threads, satb_edge_count *count)
{
    const size_t room = (3 * (size_t)f->map.width + 4) * ((size_t)f->map.bits / 8) + f->words;
    size_t edges = 0, ramps = 0;
    int whole = 1;

#pragma omp parallel num_threads(threads) reduction(& : whole) reduction(+ : edges, ramps)
    {
        void *const work = malloc(room);
        whole = work != NULL;
#pragma omp for schedule(dynamic, 16)
        for (int y = 0; y < f->map.height; y++) {
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
static void halve(const satb_image *map, satb_image *out, int threads)
{
    const int w = (map->width + 1) / 2, h = (map->height + 1) / 2;
    const size_t row = (size_t)w * (size_t)map->bits / 8;

    *out = (satb_image){.data = satb_allocate(row * (size_t)h),
                        .stride = (ptrdiff_t)row,
                        .width = w,
                        .height = h,
                        .channels = 1,
                        .bits = map->bits};
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < (out->data ? h : 0); y++)
        (map->bits == 8 ? halve_row8 : halve_row16)(
            row_of(map, 2 * y), row_of(map, 2 * y + 1 < map->height ? 2 * y + 1 : 2 * y),
            map->width, (uint8_t *)out->data + (size_t)y * row);
}

static int are_few(const satb_votes *f, const satb_edge_count *count)
{
    return count->edges < (size_t)f->map.width / 8;
}

/* Whether a map of half the size shows its edges better: nearly all that is on edges is on ramps, or
 * there are hardly any. */
static int is_wide(const satb_votes *f, const satb_edge_count *count)
{
    return are_few(f, count) || 5 * count->ramps > 4 * count->edges;
}

/* The votes of the halved map, marked; to be closed in any case. 0: out of memory. */
static int open_half(const satb_votes *f, int threads, satb_votes *half, satb_edge_count *count)
{
    satb_image map;

    halve(&f->map, &map, threads);
    const int whole = map.data && satb_open_votes(half, &map, f->picture, f->scale);
    if (!map.data)
        *half = (satb_votes){0};
    half->owned = map.data;
    return whole && satb_mark_edges(half, (1u << map.bits) / 64, threads, count);
}

satb_status satb_narrow_edges(satb_context *context, satb_votes *votes, satb_edge_count *count)
{
    satb_votes now = *votes;
    satb_edge_count found = *count;
    int whole = 1, halved = 0;

    while (whole && is_wide(&now, &found) && halved < HALVINGS &&
           now.map.width >= 2 * SATB_LEAST_SIDE && now.map.height >= 2 * SATB_LEAST_SIDE) {
        satb_votes half;
        whole = open_half(&now, context->threads, &half, &found);
        if (halved++)
            satb_close_votes(&now);
        now = half;
    }
    if (halved && whole && !are_few(&now, &found)) {
        satb_close_votes(votes);
        *votes = now;
        *count = found;
    } else if (halved) { /* a map without edges */
        satb_close_votes(&now);
    }
    return whole ? SATB_OK
                 : satb_fail(context, SATB_ERR_NOMEM, "out of memory for halves of depth");
}
