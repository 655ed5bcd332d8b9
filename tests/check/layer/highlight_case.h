/* One case of check_highlight.c: its parameters, and how it is run and compared. */
#ifndef SATB_HIGHLIGHT_CASE_H
#define SATB_HIGHLIGHT_CASE_H

#include "check/check.h"
#include "highlight/highlight.h"

/* Where the radii are. */
typedef enum radii {
    RADII_RANDOM,
    RADII_STEPS, /* patches of the farthest and the nearest */
    RADII_ONE,   /* the nearest, everywhere */
    RADII
} radii;

typedef struct highlight_case {
    shape form;
    oracle_look look;
    fill content;
    radii sort;
    int map_bits, map_channels;
    double radius; /* no code has more, behind or before the focus */
    int spots;     /* 1: bright rectangles on dark */
    int size;      /* of the largest lamp */
    uint32_t threshold;
    int dark;      /* factor by which what is dark is darker than random */
    int some_rows; /* 1: lamps are counted in some rows alone */
} highlight_case;

/* Returns the largest sample. */
uint32_t highlight_white(const highlight_case *k);

/* Draw a case's material (highlight_draw.c). */
void highlight_draw_map(check *c, const highlight_case *k, const satk_plane *map);
void highlight_darken(const satk_plane *p, int by);
void highlight_limit(const satk_plane *p,
                     const satk_plane *src); /* no sample above that of src; its alpha */
void highlight_draw_spots(check *c, const highlight_case *k, const satk_plane *p);
void highlight_fade(check *c, const satk_plane *p); /* some alpha is 0, and much is faint */

/* Finds on several numbers of threads and on CUDA, and compares with the oracle. */
void highlight_case_run(check *c, const highlight_case *k);

#endif
