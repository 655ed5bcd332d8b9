/* One case of check_points.c: its parameters, and how it is run and compared. */
#ifndef SATB_POINTS_CASE_H
#define SATB_POINTS_CASE_H

#include "check/layer/highlight_case.h"
#include "highlight/points.h"

enum { POINT_SHAPES = 4 };

typedef struct points_case {
    highlight_case of; /* the picture, its map and its spots */
    int shape;         /* POINT_SHAPES: a disc, a square, a smooth disc, a polygon with all looks */
    int orientation;
    int groups;
    unsigned lit;    /* of add; some of them */
    int row, beyond; /* rows of the picture before src's, and behind them */
    int in_place;    /* 1: find gets its base from lamps */
    int has_halo, has_cover, has_left;
    uint32_t boost;
    int alone; /* as in the job */
} points_case;

/* Finds and adds on several numbers of threads and on CUDA, and compares with the oracle. */
void points_case_run(check *c, const points_case *k);

#endif
