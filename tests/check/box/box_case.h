/* One case of check_box.c: its parameters, and how it is run and compared. */
#ifndef SATB_BOX_CASE_H
#define SATB_BOX_CASE_H

#include "check/check.h"

typedef struct box_case {
    shape form;
    oracle_look look;
    fill content;
    int edge;                    /* of oracle_edge and of satk_edge: the same numbers */
    uint32_t radius_x, radius_y; /* Q8 */
    int map_bits;                /* 8 or 16: a map drives the radius, up to radius_x; 0: no map */
    int map_channels;
    int map_runs; /* pixels of a run of equal codes in the map, at most; 0: no runs */
    int in_place;
    int opaque; /* alpha is the largest everywhere, and the job says so */
    int threads;
} box_case;

/* Runs the case with each table word and each width of arithmetic that the contract allows for its
 * radii. */
void box_case_run(check *c, const box_case *k);

/* A table and a picture beyond 2^32 words. */
void box_case_large(check *c);

#endif
