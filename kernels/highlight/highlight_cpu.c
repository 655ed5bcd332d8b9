/* Threads share rows, or tiles to which all lights that reach them add their deltas, as in spread_tile.c. The table of lamps
 * is a ring of rows: a step adds some, and finds the lights of as many rows whose windows it holds then. */
#include "common/parts.h"
#include "common/pool.h"
#include "highlight/highlight_find_rule.h"

#include <string.h>

/* --- Find ------------------------------------------------------------------------------------- */

enum { STEP = 64 }; /* rows */

typedef struct ring {
    satk_lamp_table table;
    uint64_t *words; /* of the table */
} ring;

/* Returns the rows that the windows of a step reach, and the one before them. */
static int ring_rows(const satk_highlight *job)
{
    return satk_smaller(STEP + 2 * satk_ring_end(job->size) + 1, job->src.height);
}

static size_t ring_bytes(const satk_highlight *job)
{
    return (size_t)ring_rows(job) * (size_t)job->src.width * SATK_LAMP_WORDS * sizeof(uint64_t);
}

static uint64_t *ring_row(const ring *r, int y)
{
    return r->words + (satk_lamp_row(&r->table, y) - r->table.words);
}

/* Makes the sums along row y. No store can change the copy of the job, so it stays in registers. */
SATK_FN void sum_row(const satk_highlight *all, const ring *r, int y, int channels, int bits)
{
    const satk_highlight copy = *all, *const job = &copy;
    uint64_t *const row = ring_row(r, y);
    uint64_t sums[SATK_LAMP_WORDS] = {0}, words[SATK_LAMP_WORDS];

    for (int x = 0; x < job->src.width; x++) {
        satk_lamp_words(job, x, y, channels, bits, words);
        for (int i = 0; i < SATK_LAMP_WORDS; i++)
            row[(size_t)i * (size_t)job->src.width + (size_t)x] = sums[i] += words[i];
    }
}

/* Returns the sides that have lights in row y, a bit each. The copy is as in sum_row(). */
SATK_FN unsigned find_row(const satk_highlight *all, const ring *r, int y, int channels, int bits)
{
    const satk_highlight copy = *all, *const job = &copy;
    unsigned sides = 0;
    satk_sure sure = {0, 0};

    for (int x = 0; x < job->src.width; x++) {
        const int side = satk_find_pixel(job, &r->table, x, y, channels, bits, &sure);
        sides |= side < 0 ? 1u : side > 0 ? 2u : 0;
    }
    return sides;
}

enum { RUN = 64 }; /* pixels that are looked at together: mostly none of them is a light */

/* Returns 1 if a light was taken out of pixels first to last of row y. */
SATK_FN int has_light(const satk_highlight *job, int y, int first, int last, int channels, int bits)
{
    const size_t pixel = (size_t)(channels * bits / 8), begin = (size_t)first * pixel;

    return memcmp((const uint8_t *)job->src.data + y * job->src.pitch + begin,
                  (const uint8_t *)job->base.data + y * job->base.pitch + begin,
                  (size_t)(last - first) * pixel) != 0;
}

/* Returns what row y adds to the number of lamps. */
SATK_FN uint64_t count_row(const satk_highlight *job, int y, int channels, int bits)
{
    int points = 0;

    for (int first = 0; first < job->src.width; first += RUN) {
        const int end = satk_smaller(first + RUN, job->src.width);
        const int last = has_light(job, y, first, end, channels, bits) ? end : first;
        for (int x = first; x < last; x++)
            points += satk_points_at(job, x, y, channels, bits);
    }
    return (uint64_t)(int64_t)points;
}

/* --- Add -------------------------------------------------------------------------------------- */

enum { LEAST_TILE = 256 }; /* pixels */

/* A part of the picture; its deltas have a column and a row beyond it, and its colours side by side. */
typedef struct tile {
    int left, top, width, height;
    uint64_t *deltas;
} tile;

static inline size_t line_of(const tile *t, int colours)
{
    return ((size_t)t->width + 1) * (size_t)colours;
}

SATK_FN void add_delta(const tile *t, int x, int y, const uint64_t *light, int colours,
                       int negative)
{
    const size_t column = (size_t)satk_smaller(satk_larger(x, 0), t->width);
    const size_t row = (size_t)satk_smaller(satk_larger(y, 0), t->height);
    uint64_t *const to = t->deltas + row * line_of(t, colours) + column * (size_t)colours;

    for (int c = 0; c < colours; c++)
        to[c] += negative ? 0 - light[c] : light[c];
}

/* Adds a box of a light at x, y of the tile, or beside it. A box that begins before the tile begins with it; one that
 * ends beyond it ends in a column or row that is not read. light: each pixel's share. */
SATK_FN void add_box(const tile *t, int radius, const satk_form_box *box, int x, int y,
                     const uint64_t *light, int colours)
{
    const satk_range columns = satk_form_columns(box, radius, x);
    const satk_range rows = satk_form_rows(box, radius, y);
    uint64_t weighted[4];

    if (columns.lo >= columns.hi || rows.lo >= rows.hi)
        return;
    for (int c = 0; c < colours; c++)
        weighted[c] = light[c] * (uint64_t)(int64_t)box->weight;
    add_delta(t, columns.lo, rows.lo, weighted, colours, 0);
    add_delta(t, columns.hi, rows.lo, weighted, colours, 1);
    add_delta(t, columns.lo, rows.hi, weighted, colours, 1);
    add_delta(t, columns.hi, rows.hi, weighted, colours, 0);
}

/* Adds the lights of pixels first to last of row y of the picture. Returns 1 if there are some. */
SATK_FN int add_run(const satk_highlight *job, const tile *t, int y, int first, int last,
                    int channels, int bits)
{
    uint64_t light[4];
    int any = 0;

    if (!has_light(job, y, first, last, channels, bits))
        return 0;
    for (int x = first; x < last; x++) {
        if (!satk_light_of(job, x, y, channels, bits, light))
            continue;
        const satk_disc disc = satk_disc_of_light(job, x, y, channels, bits);
        if (disc.side != job->side)
            continue;
        const satk_form_box *const form = satk_disc_form(job, x, y);
        const uint64_t share = satk_disc_share(form, job->forms.count, disc.radius);
        for (int c = 0; c < satk_light_colours(channels); c++)
            light[c] *= share;
        for (int i = 0; i < job->forms.count; i++)
            add_box(t, disc.radius, &form[i], x - t->left, y - t->top, light,
                    satk_light_colours(channels));
        any = 1;
    }
    return any;
}

/* Adds all lights that may reach the tile. */
SATK_FN int add_lights(const satk_highlight *job, const tile *t, int channels, int bits)
{
    const int begin = satk_larger(t->left - job->farthest, 0);
    const int end = satk_smaller(t->left + t->width + job->farthest, job->src.width);
    const int top = satk_larger(t->top - job->farthest, 0);
    const int bottom = satk_smaller(t->top + t->height + job->farthest, job->src.height);
    int any = 0;

    for (int y = top; y < bottom; y++)
        for (int x = begin; x < end; x += RUN)
            any |= add_run(job, t, y, x, satk_smaller(x + RUN, end), channels, bits);
    return any;
}

/* Adds the lights to a row of the tile, whose deltas have become sums down the columns. */
SATK_FN void add_to_row(const satk_highlight *job, const tile *t, int y, const uint64_t *row,
                        int channels, int bits)
{
    const int colours = satk_light_colours(channels);
    uint64_t sums[4] = {0};

    for (int x = 0; x < t->width; x++, row += colours) {
        for (int c = 0; c < colours; c++)
            sums[c] += row[c];
        satk_add_to_pixel(job, t->left + x, t->top + y, sums, channels, bits);
    }
}

SATK_FN void add_to_tile(const satk_highlight *job, const tile *t, int channels, int bits)
{
    const size_t line = line_of(t, satk_light_colours(channels));

    memset(t->deltas, 0, line * ((size_t)t->height + 1) * sizeof *t->deltas);
    if (!add_lights(job, t, channels, bits))
        return;
    for (int y = 0; y < t->height; y++) {
        uint64_t *const row = t->deltas + (size_t)y * line;
        for (size_t i = 0; y > 0 && i < line; i++)
            row[i] += (row - line)[i];
        add_to_row(job, t, y, row, channels, bits);
    }
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Each kind of picture has functions with constant channels and bits. */
#define KIND(channels, bits)                                                                       \
    static void sum_##channels##_##bits(const satk_highlight *job, const ring *r, int y)           \
    {                                                                                              \
        sum_row(job, r, y, channels, bits);                                                        \
    }                                                                                              \
    static unsigned find_##channels##_##bits(const satk_highlight *job, const ring *r, int y)      \
    {                                                                                              \
        return find_row(job, r, y, channels, bits);                                                \
    }                                                                                              \
    static uint64_t count_##channels##_##bits(const satk_highlight *job, int y)                    \
    {                                                                                              \
        return count_row(job, y, channels, bits);                                                  \
    }                                                                                              \
    static void add_##channels##_##bits(const satk_highlight *job, const tile *t)                  \
    {                                                                                              \
        add_to_tile(job, t, channels, bits);                                                       \
    }
#define KINDS(bits) KIND(1, bits) KIND(2, bits) KIND(3, bits) KIND(4, bits)
KINDS(8)
KINDS(16)

static void (*const sums[2][4])(const satk_highlight *job, const ring *r, int y) = {
    {sum_1_8, sum_2_8, sum_3_8, sum_4_8}, {sum_1_16, sum_2_16, sum_3_16, sum_4_16}};
static unsigned (*const finds[2][4])(const satk_highlight *job, const ring *r, int y) = {
    {find_1_8, find_2_8, find_3_8, find_4_8}, {find_1_16, find_2_16, find_3_16, find_4_16}};
static uint64_t (*const counts[2][4])(const satk_highlight *job, int y) = {
    {count_1_8, count_2_8, count_3_8, count_4_8}, {count_1_16, count_2_16, count_3_16, count_4_16}};
static void (*const adds[2][4])(const satk_highlight *job, const tile *t) = {
    {add_1_8, add_2_8, add_3_8, add_4_8}, {add_1_16, add_2_16, add_3_16, add_4_16}};

static int parts_of(int length, int each)
{
    return (length + each - 1) / each;
}

/* Rows of the ring, and the kind of its picture. */
typedef struct rows {
    const satk_highlight *job;
    const ring *ring;
    int deep, kind, first, last;
} rows;

static void sum_ring_row(const void *of, int i)
{
    const rows *const r = of;

    sums[r->deep][r->kind](r->job, r->ring, r->first + i);
}

static int words_of(const satk_highlight *job)
{
    return job->src.width * SATK_LAMP_WORDS;
}

enum { BLOCK = 512 }; /* words of a row, which a thread adds up downwards */

static void add_downwards(const void *of, int block)
{
    const rows *const r = of;
    const size_t begin = (size_t)block * BLOCK, words = (size_t)words_of(r->job);

    for (int y = satk_larger(r->first, 1); y < r->last; y++) {
        const uint64_t *const above = ring_row(r->ring, y - 1);
        uint64_t *const row = ring_row(r->ring, y);
        for (size_t i = begin; i < begin + BLOCK && i < words; i++)
            row[i] += above[i];
    }
}

/* Returns the sides that a row has lights on, each in a half of the word. */
static uint64_t find_in_row(const void *of, int i)
{
    const rows *const r = of;
    const unsigned sides = finds[r->deep][r->kind](r->job, r->ring, r->first + i);

    return (sides & 1) | (uint64_t)(sides >> 1) << 32;
}

static uint64_t count_in_row(const void *of, int i)
{
    const rows *const r = of;

    return counts[r->deep][r->kind](r->job, r->first + i);
}

void satk_highlight_find_cpu(const satk_highlight *job, int threads)
{
    const size_t width = (size_t)job->src.width;
    ring r = {.table = {job->scratch, job->src.width, ring_rows(job), 0, 1, width},
              .words = job->scratch};
    const int height = job->src.height, deep = job->src.bits == 16, kind = job->src.channels - 1;
    uint64_t sides = 0;

    for (int first = 0, made = 0; first < height; first += STEP) {
        const int last = satk_smaller(first + STEP, height),
                  end = satk_smaller(last + satk_ring_end(job->size), height);
        const rows more = {job, &r, deep, kind, made, end},
                   seen = {job, &r, deep, kind, first, last};
        r.table.base = (end - 1) / r.table.rows * r.table.rows;
        satk_for(threads, end - made, 0, sum_ring_row, &more);
        satk_for(threads, parts_of(words_of(job), BLOCK), 0, add_downwards, &more);
        made = end;
        sides |= satk_sum(threads, last - first, 0, find_in_row, &seen);
    }
    job->found[0] = (uint32_t)sides > 0;
    job->found[1] = sides >> 32 > 0;
    const rows counted = {job, &r, deep, kind, job->counted.lo, job->counted.hi};
    job->found[2] =
        sides ? (uint32_t)satk_sum(threads, counted.last - counted.first, 0, count_in_row, &counted)
              : 0;
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Returns the sides of a tile. It is large enough that the pixels around it, which are looked at
 * again, are not most. */
static int tile_side(const satk_highlight *job)
{
    return satk_larger(LEAST_TILE, 4 * job->farthest);
}

static int tile_width(const satk_highlight *job)
{
    return satk_smaller(tile_side(job), job->src.width);
}

/* Returns the height of a tile, so that every thread has some. */
static int tile_height(const satk_highlight *job, int threads)
{
    const int across = parts_of(job->src.width, tile_width(job));

    return satk_smaller(tile_side(job), parts_of(job->src.height, parts_of(2 * threads, across)));
}

static size_t tile_bytes(const satk_highlight *job, int threads)
{
    const tile t = {.width = tile_width(job)};
    const size_t line = line_of(&t, satk_light_colours(job->src.channels));

    return (line * ((size_t)tile_height(job, threads) + 1) * sizeof *t.deltas + 63) / 64 * 64;
}

size_t satk_highlight_scratch_cpu(const satk_highlight *job, int threads)
{
    const size_t table = ring_bytes(job);
    size_t tiles = 0;

    satk_place(&tiles, tile_bytes(job, threads), (size_t)threads);
    return tiles > table ? tiles : table;
}

typedef struct tiles {
    const satk_highlight *job;
    int width, height, across;
    size_t bytes; /* of a thread's deltas */
} tiles;

static void add_to(const void *of, int i)
{
    const tiles *const all = of;
    const satk_highlight *const job = all->job;
    const int left = i % all->across * all->width, top = i / all->across * all->height;
    void *const own = (uint8_t *)job->scratch + (size_t)satk_thread() * all->bytes;
    const tile t = {.left = left,
                    .top = top,
                    .width = satk_smaller(all->width, job->src.width - left),
                    .height = satk_smaller(all->height, job->src.height - top),
                    .deltas = own};

    adds[job->src.bits == 16][job->src.channels - 1](job, &t);
}

void satk_highlight_add_cpu(const satk_highlight *job, int threads)
{
    const tiles all = {job, tile_width(job), tile_height(job, threads),
                       parts_of(job->src.width, tile_width(job)), tile_bytes(job, threads)};

    satk_for(threads, all.across * parts_of(job->src.height, all.height), 1, add_to, &all);
}
