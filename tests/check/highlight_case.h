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
    int dark;      /* factor by which means are darker than random ones: fewer lights with less */
    satk_shape shape;
    int covered;
    uint32_t boost;
} highlight_case;

/* Finds and adds on several numbers of threads and on CUDA, and compares with the oracle. */
void highlight_case_run(check *c, const highlight_case *k);

#endif
