/* Scenes of check_fill.c: surfaces of depth before each other, with the picture of them, and holes of many shapes. */
#ifndef SATB_FILL_CASE_H
#define SATB_FILL_CASE_H

#include "check/check.h"
#include "fill/fill.h"

enum { HOLE_DISCS = 8 };

typedef enum hole_kind {
    HOLES_BLOBS,   /* discs */
    HOLES_GRAINS,  /* single samples, of any number */
    HOLES_SIDE,    /* rows or columns along a side, up to all of them */
    HOLES_SURFACE, /* all of a surface */
    HOLES_BOX,
    HOLES_COMB, /* bars from a side inwards: many gaps that are large, as they are at the border */
    HOLES_KINDS
} hole_kind;

typedef struct hole_disc {
    double x, y, radius; /* in parts of the map's size */
    int depth, colour[4];
} hole_disc;

typedef struct hole_scene {
    hole_disc disc[HOLE_DISCS]; /* the nearest last, the first everywhere */
    int discs;
    int noise[2]; /* of colours, in 8 bits; of depths, in 16 */
    picture src, map;
    satk_fill_way how;
    int near_black;
    uint64_t holes;
} hole_scene;

/* Returns a random scene with a map of that size, and makes it the case. kind: of some of its holes; HOLES_KINDS: it has
 * none, or hardly a sample is known. */
hole_scene hole_scene_make(check *c, int w, int h, hole_kind kind);

void hole_scene_free(hole_scene *s);

#endif
