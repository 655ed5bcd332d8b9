/* Adds points of light: threads share tiles, to which all points that reach them add the ends of their spans. */
#include "highlight/points_tile.h"

#include "common/parts.h"
#include "common/pool.h"
#include "highlight/points_rule.h"

#include <string.h>

/* --- Add -------------------------------------------------------------------------------------- */

enum { LEAST_TILE = 256 }; /* pixels */

/* A part of the picture. The ends of spans of a row have two columns beyond it, and the sums that its pixels see have none;
 * colours lie side by side. Along columns, the spans' rows are the picture's columns. */
typedef struct tile {
    int left, top, width, height;
    int along, lines;     /* pixels of a line that spans follow, and lines */
    uint64_t *ends;       /* by group and line; undefined in lines that are not touched */
    uint64_t *sums;       /* of one line */
    satk_range *touched;  /* by group and line: where ends are */
    satk_row_span *spans; /* of the last point, by level and row */
} tile;

/* The spans that a tile's points have: those of the last outlines and radius are kept. */
typedef struct kept {
    const satk_outline *of;
    int radius;
    satk_range rows;
    uint64_t area;
} kept;

SATK_FN size_t line_of(const tile *t, int colours)
{
    return ((size_t)t->along + 2) * (size_t)colours;
}

/* Finds the spans of a point in all rows. */
static void find_spans(const satk_points *job, const satk_outline *of, int radius,
                       satk_row_span *spans, kept *k)
{
    satk_range rows[SATK_OUTLINE_LEVELS];
    int64_t area = 0;

    *k = (kept){.of = of, .radius = radius};
    for (int i = 0; i < job->outlines.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&of[i], radius);
        rows[i] = satk_outline_rows(&s);
        k->rows.lo = i == 0 || rows[i].lo < k->rows.lo ? rows[i].lo : k->rows.lo;
        k->rows.hi = i == 0 || rows[i].hi > k->rows.hi ? rows[i].hi : k->rows.hi;
    }
    for (int i = 0; i < job->outlines.levels; i++) {
        const satk_scaled_outline s = satk_scale_outline(&of[i], radius);
        for (int row = k->rows.lo; row < k->rows.hi; row++)
            area += satk_span_of_row(&s, row, spans++);
    }
    k->area = area > 0 ? (uint64_t)area : 1;
}

/* Points beside each other in a row of the picture, of one disc and outline, and their light for a 65536th of a pixel, with a
 * pixel of none at either end. */
typedef struct batch {
    const satk_disc *disc;
    const satk_outline *of;
    int x, y, count;
    uint64_t light[(SATK_POINT_RUN + 2) * 4];
} batch;

/* Adds an end of the spans of points beside each other: `end` is that of the first. */
SATK_FN void add_ends(const tile *t, uint64_t *line, int64_t end, const batch *b, int weight,
                      int colours)
{
    const int64_t at = end >> 8, part = end & 255;
    const uint64_t in = (uint64_t)((256 - part) * weight), rest = (uint64_t)(part * weight);
    const int words = (b->count + 1) * colours;

    if (at >= 0 && at + b->count <= t->along) {
        uint64_t *const to = line + at * colours;
        for (int i = 0; i < words; i++)
            to[i] += in * b->light[i + colours] + rest * b->light[i];
        return;
    }
    for (int i = 0; i < words; i++) {
        const int64_t place = at + i / colours;
        const int64_t column = place < 0 ? 0 : place < t->along ? place : t->along;
        line[column * colours + i % colours] += in * b->light[i + colours] + rest * b->light[i];
    }
}

/* Returns a batch of one point. */
SATK_FN batch point_of(const batch *b, int i, int colours)
{
    batch one = *b;

    one.x += i;
    one.count = 1;
    for (int c = 0; c < colours; c++) {
        one.light[colours + c] = b->light[(i + 1) * colours + c];
        one.light[2 * colours + c] = 0;
    }
    return one;
}

/* Widens a range of a line to hold places first <= i < end, as far as they are in the tile. Places of ends have one more. */
SATK_FN void touch(const tile *t, satk_range *range, int first, int end)
{
    range->lo = satk_smaller(range->lo, satk_clipped(first, 0, t->along));
    range->hi = satk_larger(range->hi, satk_clipped(end, 1, t->along + 1));
}

/* Adds the spans of points whose first is at the place `at` of line `line` of the tile, or beside it. */
SATK_FN void add_spans(const satk_points *job, const tile *t, const kept *k, int at, int line,
                       const batch *b, int colours)
{
    const int count = k->rows.hi - k->rows.lo;
    const int first = satk_larger(line + k->rows.lo, 0),
              end = satk_smaller(line + k->rows.hi, t->lines);

    for (int i = 0; i < job->outlines.levels; i++)
        for (int y = first; y < end; y++) {
            const satk_row_span *const s = &t->spans[i * count + y - line - k->rows.lo];
            const size_t own = (size_t)b->disc->group * (size_t)t->lines + (size_t)y;
            uint64_t *const to = t->ends + own * line_of(t, colours);
            if (s->weight == 0)
                continue;
            if (t->touched[own].hi == 0)
                memset(to, 0, line_of(t, colours) * sizeof *to);
            add_ends(t, to, (int64_t)at * 256 + s->lo, b, s->weight, colours);
            add_ends(t, to, (int64_t)at * 256 + s->hi, b, -s->weight, colours);
            touch(t, &t->touched[own], at + (s->lo >> 8), at + (s->hi >> 8) + b->count + 1);
        }
}

/* Adds a batch, and empties it. */
SATK_FN void add_batch(const satk_points *job, const tile *t, kept *k, batch *b, int colours)
{
    const int turned = job->outlines.along_columns, x = b->x - t->left, y = b->y - t->top;

    if (b->count == 0)
        return;
    if (b->of != k->of || b->disc->radius != k->radius)
        find_spans(job, b->of, b->disc->radius, t->spans, k);
    for (int i = colours; i < (b->count + 1) * colours; i++)
        b->light[i] = satk_light_by(job, b->light[i], k->area);
    for (int c = 0; c < colours; c++)
        b->light[c] = b->light[(b->count + 1) * colours + c] = 0;
    for (int i = 0; i < b->count && turned; i++) {
        const batch one = point_of(b, i, colours);
        add_spans(job, t, k, y, x + i, &one, colours);
    }
    if (!turned)
        add_spans(job, t, k, x, y, b, colours);
    b->count = 0;
}

/* Adds the points in pixels first to last of row y of the picture. */
SATK_FN void add_run(const satk_points *job, const tile *t, kept *k, int y, int first, int last,
                     int channels, int bits)
{
    const int colours = satk_light_colours(channels);
    batch b = {.y = y};
    uint64_t light[4];

    for (int x = first; x < last; x++) {
        if (!satk_light_of(job, x, y, channels, bits, light))
            continue;
        const satk_disc *const disc = satk_disc_of_point(job, x, y, channels, bits);
        if (!(job->lit >> disc->group & 1))
            continue;
        const satk_outline *const of =
            satk_outlines_at(&job->outlines, disc->side > 0, x, y + job->row);
        if (of != b.of || disc != b.disc || x != b.x + b.count)
            add_batch(job, t, k, &b, colours);
        if (b.count == 0)
            b.of = of, b.disc = disc, b.x = x;
        b.count++;
        memcpy(&b.light[b.count * colours], light, (size_t)colours * sizeof *light);
    }
    add_batch(job, t, k, &b, colours);
}

/* Adds all points that may reach the tile. */
SATK_FN void add_points(const satk_points *job, const tile *t, int channels, int bits)
{
    const int begin = satk_larger(t->left - job->farthest, 0) / SATK_POINT_RUN;
    const int right = satk_smaller(t->left + t->width + job->farthest, job->src.width);
    const int top = satk_larger(t->top - job->farthest, 0);
    const int bottom = satk_smaller(t->top + t->height + job->farthest, job->src.height);
    const int end = satk_parts_of(right, SATK_POINT_RUN);
    kept k = {.of = NULL};

    for (int y = top; y < bottom; y++) {
        const uint8_t *const runs = satk_points_row(&job->runs, y);
        const uint8_t *next = runs + begin;
        while ((next = memchr(next, 1, (size_t)(runs + end - next)))) {
            const int first = (int)(next++ - runs) * SATK_POINT_RUN;
            add_run(job, t, &k, y, first, satk_smaller(first + SATK_POINT_RUN, right), channels,
                    bits);
        }
    }
}

static const satk_range NOWHERE = {1 << 30, 0};

/* Finds where a line has ends, and the last group that has some. */
static satk_range lit_in(const satk_points *job, const tile *t, int line, int *last)
{
    satk_range lit = NOWHERE;

    for (int group = 0; group < job->groups; group++) {
        const satk_range r = t->touched[group * t->lines + line];
        if (r.hi == 0)
            continue;
        lit.lo = satk_smaller(lit.lo, r.lo);
        lit.hi = satk_larger(lit.hi, satk_smaller(r.hi, t->along));
        *last = group;
    }
    return lit;
}

/* A group in a line of a tile. */
typedef struct lit_line {
    int line, group;
    int is_first, is_last; /* 1: no group before it, or behind it, has ends in the line */
    satk_range at;         /* where some group has ends */
} lit_line;

/* Turns the ends of a group's spans into sums. Adds the parts that pixels see to those of the groups before, and all to pixels if
 * the group is the last one. */
SATK_FN void see_group(const satk_points *job, const tile *t, lit_line l, int turned, int channels,
                       int bits)
{
    const int colours = satk_light_colours(channels);
    const uint64_t *const ends =
        t->ends + (size_t)(l.group * t->lines + l.line) * line_of(t, colours);
    const satk_plane left = satk_left_of(job, l.group);
    uint64_t sums[4] = {0}, seen[4];

    for (int i = l.at.lo; i < l.at.hi; i++) {
        const int x = t->left + (turned ? l.line : i), y = t->top + (turned ? i : l.line);
        uint64_t *const all = l.is_last ? seen : t->sums + i * colours;
        for (int c = 0; c < colours; c++) {
            sums[c] += ends[i * colours + c];
            all[c] =
                satk_seen_part(&left, sums[c], x, y) + (l.is_first ? 0 : t->sums[i * colours + c]);
        }
        if (l.is_last)
            satk_add_to_pixel(job, x, y, seen, channels, bits);
    }
}

/* Adds to the pixels of a line what they see of all groups. */
SATK_FN void light_line(const satk_points *job, const tile *t, int line, int channels, int bits)
{
    const int turned = job->outlines.along_columns;
    int last = 0;
    lit_line l = {.line = line, .is_first = 1};

    l.at = lit_in(job, t, line, &last);
    for (; l.group < last; l.group++) {
        if (t->touched[l.group * t->lines + line].hi == 0)
            continue;
        see_group(job, t, l, turned, channels, bits);
        l.is_first = 0;
    }
    if (l.is_first && !turned) /* mostly */
        see_group(job, t, (lit_line){line, last, 1, 1, l.at}, 0, channels, bits);
    else
        see_group(job, t, (lit_line){line, last, l.is_first, 1, l.at}, turned, channels, bits);
}

/* No store can change the copies, so they stay in registers. */
SATK_FN void add_to_tile(const satk_points *all, const tile *whole, int channels, int bits)
{
    const satk_points copy = *all, *const job = &copy;
    const tile own = *whole, *const t = &own;

    for (int i = 0; i < job->groups * t->lines; i++)
        t->touched[i] = NOWHERE;
    add_points(job, t, channels, bits);
    for (int line = 0; line < t->lines; line++)
        light_line(job, t, line, channels, bits);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Each kind of picture has a function with constant channels and bits. */
#define KIND(channels, bits)                                                                       \
    static void add_##channels##_##bits(const satk_points *job, const tile *t)                     \
    {                                                                                              \
        add_to_tile(job, t, channels, bits);                                                       \
    }
#define KINDS(bits) KIND(1, bits) KIND(2, bits) KIND(3, bits) KIND(4, bits)
KINDS(8)
KINDS(16)

static void (*const adds[2][4])(const satk_points *job, const tile *t) = {
    {add_1_8, add_2_8, add_3_8, add_4_8}, {add_1_16, add_2_16, add_3_16, add_4_16}};

/* --- Tiles ------------------------------------------------------------------------------------ */

/* Returns the sides of a tile. It is large enough that the pixels around it, which are looked at
 * again, are not most. */
static int tile_side(const satk_points *job)
{
    return satk_larger(LEAST_TILE, 4 * job->farthest);
}

static int tile_width(const satk_points *job)
{
    return satk_smaller(tile_side(job), job->src.width);
}

/* Returns the height of a tile, so that every thread has some. */
static int tile_height(const satk_points *job, int threads)
{
    const int across = satk_parts_of(job->src.width, tile_width(job));

    return satk_smaller(tile_side(job) / 2,
                        satk_parts_of(job->src.height, satk_parts_of(2 * threads, across)));
}

/* Places a tile's arrays in memory. Returns their bytes. */
static size_t place(const satk_points *job, uint8_t *memory, tile *t)
{
    const size_t colours = (size_t)satk_light_colours(job->src.channels);
    const size_t lines = (size_t)t->lines * (size_t)job->groups;
    const size_t across = 2 * (size_t)job->farthest + 3;
    size_t bytes = 0;
    const size_t ends = satk_place(&bytes, lines, line_of(t, (int)colours) * sizeof *t->ends);
    const size_t sums = satk_place(&bytes, (size_t)t->along, colours * sizeof *t->sums);
    const size_t touched = satk_place(&bytes, lines, sizeof *t->touched);
    const size_t spans =
        satk_place(&bytes, across, (size_t)job->outlines.levels * sizeof *t->spans);

    if (memory) {
        t->ends = (uint64_t *)(void *)(memory + ends);
        t->sums = (uint64_t *)(void *)(memory + sums);
        t->touched = (satk_range *)(void *)(memory + touched);
        t->spans = (satk_row_span *)(void *)(memory + spans);
    }
    return (bytes + 63) / 64 * 64;
}

/* Returns a tile without its arrays. */
static tile make_tile(const satk_points *job, int left, int top, int width, int height)
{
    const int turned = job->outlines.along_columns;

    return (tile){.left = left,
                  .top = top,
                  .width = width,
                  .height = height,
                  .along = turned ? height : width,
                  .lines = turned ? width : height};
}

static size_t tile_bytes(const satk_points *job, int threads)
{
    tile t = make_tile(job, 0, 0, tile_width(job), tile_height(job, threads));

    return place(job, NULL, &t);
}

size_t satk_points_add_scratch(const satk_points *job, int threads)
{
    size_t bytes = 0;

    satk_place(&bytes, tile_bytes(job, threads), (size_t)threads);
    return bytes;
}

typedef struct tiles {
    const satk_points *job;
    int width, height, across;
    size_t bytes; /* of a thread */
} tiles;

static void add_to(const void *of, int i)
{
    const tiles *const all = of;
    const satk_points *const job = all->job;
    const int left = i % all->across * all->width, top = i / all->across * all->height;
    tile t = make_tile(job, left, top, satk_smaller(all->width, job->src.width - left),
                       satk_smaller(all->height, job->src.height - top));

    place(job, (uint8_t *)job->scratch + (size_t)satk_thread() * all->bytes, &t);
    adds[job->src.bits == 16][job->src.channels - 1](job, &t);
}

void satk_points_add_cpu(const satk_points *job, int threads)
{
    const tiles all = {job, tile_width(job), tile_height(job, threads),
                       satk_parts_of(job->src.width, tile_width(job)), tile_bytes(job, threads)};

    satk_for(threads, all.across * satk_parts_of(job->src.height, all.height), 1, add_to, &all);
}
