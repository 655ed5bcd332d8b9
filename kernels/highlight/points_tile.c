/* Adds points of light: threads share tiles, to which all points that reach them add the ends of their spans. */
#include "highlight/points_tile.h"

#include "common/parts.h"
#include "common/pool.h"
#include "highlight/points_list.h"

#include <string.h>

/* --- Add -------------------------------------------------------------------------------------- */

enum { LEAST_TILE = 256 }; /* pixels */

static satk_points_function *ends_here(void)
{
    switch (satk_level_here()) {
#ifdef SATK_HAVE_LEVELS
    case SATK_AVX512: return satk_points_ends_avx512;
    case SATK_AVX2: return satk_points_ends_avx2;
#endif
    default: return satk_points_ends_plain;
    }
}

/* Adds all points of the list to the tile, and empties it. */
static void add_list(const satk_points *job, const satk_point_tile *t, int colours)
{
    ends_here()(job, t, colours);
    satk_empty_points(t->list);
}

/* Appends the points in pixels first to last of row y of the picture to the list. */
SATK_FN void append_run(const satk_points *job, const satk_point_tile *t, int y, int first,
                        int last, int channels, int bits)
{
    const int colours = satk_light_colours(channels), turned = job->outlines.along_columns;
    uint64_t light[4];

    for (int x = first; x < last; x++) {
        if (!satk_light_of(job, x, y, channels, bits, light))
            continue;
        const satk_disc *const disc = satk_disc_of_point(job, x, y, channels, bits);
        if (!(job->lit >> disc->group & 1))
            continue;
        const satk_point point = {
            .of = satk_outlines_at(&job->outlines, disc->side > 0, x, y + job->row),
            .disc = disc,
            .at = turned ? y - t->top : x - t->left,
            .line = turned ? x - t->left : y - t->top,
            .light = light};
        if (satk_append_point(job, t->list, &point, colours))
            continue;
        add_list(job, t, colours);
        satk_append_point(job, t->list, &point, colours);
    }
}

/* Adds all points that may reach the tile. */
SATK_FN void add_points(const satk_points *job, const satk_point_tile *t, int channels, int bits)
{
    const int begin = satk_larger(t->left - job->farthest, 0) / SATK_POINT_RUN;
    const int right = satk_smaller(t->left + t->width + job->farthest, job->src.width);
    const int top = satk_larger(t->top - job->farthest, 0);
    const int bottom = satk_smaller(t->top + t->height + job->farthest, job->src.height);
    const int end = satk_parts_of(right, SATK_POINT_RUN);

    for (int y = top; y < bottom; y++) {
        const uint8_t *const runs = satk_points_row(&job->runs, y);
        const uint8_t *next = runs + begin;
        while ((next = memchr(next, 1, (size_t)(runs + end - next)))) {
            const int first = (int)(next++ - runs) * SATK_POINT_RUN;
            append_run(job, t, y, first, satk_smaller(first + SATK_POINT_RUN, right), channels,
                       bits);
        }
    }
    add_list(job, t, satk_light_colours(channels));
}

static const satk_range NOWHERE = {1 << 30, 0};

/* Finds where a line has ends, and the last group that has some. */
static satk_range lit_in(const satk_points *job, const satk_point_tile *t, int line, int *last)
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
SATK_FN void see_group(const satk_points *job, const satk_point_tile *t, lit_line l, int turned,
                       int channels, int bits)
{
    const int colours = satk_light_colours(channels);
    const uint64_t *const ends =
        t->ends + (size_t)(l.group * t->lines + l.line) * satk_point_line(t, colours);
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
SATK_FN void light_line(const satk_points *job, const satk_point_tile *t, int line, int channels,
                        int bits)
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
SATK_FN void add_to_tile(const satk_points *all, const satk_point_tile *whole, int channels,
                         int bits)
{
    const satk_points copy = *all, *const job = &copy;
    const satk_point_tile own = *whole, *const t = &own;

    for (int i = 0; i < job->groups * t->lines; i++)
        t->touched[i] = NOWHERE;
    add_points(job, t, channels, bits);
    for (int line = 0; line < t->lines; line++)
        light_line(job, t, line, channels, bits);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

/* Each kind of picture has a function with constant channels and bits. */
#define KIND(channels, bits)                                                                       \
    static void add_##channels##_##bits(const satk_points *job, const satk_point_tile *t)          \
    {                                                                                              \
        add_to_tile(job, t, channels, bits);                                                       \
    }
#define KINDS(bits) KIND(1, bits) KIND(2, bits) KIND(3, bits) KIND(4, bits)
KINDS(8)
KINDS(16)

static void (*const adds[2][4])(const satk_points *job, const satk_point_tile *t) = {
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
static size_t place(const satk_points *job, uint8_t *memory, satk_point_tile *t)
{
    const size_t colours = (size_t)satk_light_colours(job->src.channels);
    const size_t lines = (size_t)t->lines * (size_t)job->groups;
    size_t bytes = 0;
    const size_t ends = satk_place(
        &bytes, lines * satk_point_line(t, (int)colours) + SATK_LIGHT_PAD, sizeof *t->ends);
    const size_t sums = satk_place(&bytes, (size_t)t->along, colours * sizeof *t->sums);
    const size_t touched = satk_place(&bytes, lines, sizeof *t->touched);
    const size_t own = satk_place(&bytes, 1, sizeof *t->list);
    const size_t spans = satk_place(&bytes, (size_t)satk_discs_of_list(job),
                                    satk_spans_of_disc(job) * sizeof *t->list->spans);

    if (memory) {
        t->ends = (uint64_t *)(void *)(memory + ends);
        t->sums = (uint64_t *)(void *)(memory + sums);
        t->touched = (satk_range *)(void *)(memory + touched);
        t->list = (satk_point_list *)(void *)(memory + own);
        t->list->spans = (satk_row_span *)(void *)(memory + spans);
        satk_empty_points(t->list);
    }
    return (bytes + 63) / 64 * 64;
}

/* Returns a tile without its arrays. */
static satk_point_tile make_tile(const satk_points *job, int left, int top, int width, int height)
{
    const int turned = job->outlines.along_columns;

    return (satk_point_tile){.left = left,
                             .top = top,
                             .width = width,
                             .height = height,
                             .along = turned ? height : width,
                             .lines = turned ? width : height};
}

static size_t tile_bytes(const satk_points *job, int threads)
{
    satk_point_tile t = make_tile(job, 0, 0, tile_width(job), tile_height(job, threads));

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
    satk_point_tile t = make_tile(job, left, top, satk_smaller(all->width, job->src.width - left),
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
