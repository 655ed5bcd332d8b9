/* The points of a tile, in batches: a list keeps many, which are added to a few lines of the tile after the other, so that these
 * stay in the cache. points_ends.c is compiled several times (common/cpu_level.h). */
#ifndef SATK_POINTS_LIST_H
#define SATK_POINTS_LIST_H

#include "common/cpu_level.h"
#include "highlight/points_rule.h"

/* The spans of a disc and an outline, by level and row. */
typedef struct satk_disc_spans {
    const satk_outline *of;
    int radius;
    satk_range rows;
    uint64_t area;
    satk_row_span *spans;
} satk_disc_spans;

/* Points beside each other in a line of a tile, of one disc, outline and group; they may lie beside the tile. At `light` the list
 * has the sum of their light for a 65536th of a pixel, a pixel of none, the light of each, and zeros that vectors read. */
typedef struct satk_point_batch {
    int disc, group, at, line, count;
    size_t light;
} satk_point_batch;

enum {
    SATK_MOST_BATCHES = 4096,
    SATK_MOST_LIGHT = 16 * SATK_MOST_BATCHES, /* numbers */
    SATK_MOST_DISCS = 256,
    SATK_MOST_SPANS = 1 << 18, /* unless one disc has more */
    SATK_LIGHT_PAD = 8         /* numbers: those of the widest vectors */
};

typedef struct satk_point_list {
    satk_point_batch batches[SATK_MOST_BATCHES];
    uint64_t light[SATK_MOST_LIGHT];
    satk_disc_spans discs[SATK_MOST_DISCS];
    int recent[SATK_MOST_DISCS]; /* by radius: one more than the number of a disc, or 0 */
    int count, found;            /* batches, and discs */
    size_t used;                 /* numbers of light */
    satk_row_span *spans;        /* the discs', satk_spans_of_disc() for each */
} satk_point_list;

/* Returns the spans that a disc has at most. */
SATK_FN size_t satk_spans_of_disc(const satk_points *job)
{
    return (2 * (size_t)job->farthest + 3) * (size_t)job->outlines.levels;
}

/* Returns the discs that a list has at most. */
SATK_FN int satk_discs_of_list(const satk_points *job)
{
    return satk_clipped((int)(SATK_MOST_SPANS / satk_spans_of_disc(job)), 1, SATK_MOST_DISCS);
}

void satk_empty_points(satk_point_list *list);

/* A point in column `at` of a line of a tile. */
typedef struct satk_point {
    const satk_outline *of;
    const satk_disc *disc;
    int at, line;
    const uint64_t *light;
} satk_point;

/* Appends a point. Returns 0 if the list is full. */
int satk_append_point(const satk_points *job, satk_point_list *list, const satk_point *point,
                      int colours);

/* A part of the picture. The ends of spans of a row have two columns beyond it, and the sums that its pixels see have none;
 * colours lie side by side. Along columns, the spans' rows are the picture's columns. */
typedef struct satk_point_tile {
    int left, top, width, height;
    int along, lines;    /* pixels of a line that spans follow, and lines */
    uint64_t *ends;      /* by group and line, and a pad; undefined in lines that are not touched */
    uint64_t *sums;      /* of one line */
    satk_range *touched; /* by group and line: where ends are */
    satk_point_list *list;
} satk_point_tile;

/* Returns the numbers of a line. */
SATK_FN size_t satk_point_line(const satk_point_tile *t, int colours)
{
    return ((size_t)t->along + 2) * (size_t)colours;
}

/* Adds all points of a tile's list to the tile. */
typedef void satk_points_function(const satk_points *job, const satk_point_tile *t, int colours);
satk_points_function satk_points_ends_plain, satk_points_ends_avx2, satk_points_ends_avx512;

#endif
