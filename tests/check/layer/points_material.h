/* What a case of check_points.c works on. */
#ifndef SATB_POINTS_MATERIAL_H
#define SATB_POINTS_MATERIAL_H

#include "blur/outlines.h"
#include "check/layer/points_case.h"

typedef struct points_material {
    picture src, rest, glow, map, cover, dst;
    picture left; /* SATK_MARKS planes below each other */
    picture runs; /* of src and rest */
    block discs, outlines;
    oracle_disc *wanted;
    oracle_outline *wanted_outlines;
    satb_outlines made;
    int farthest;
} points_material;

points_material points_material_make(check *c, const points_case *k);
void points_material_free(points_material *m);

/* Returns the form of runs. */
shape points_runs(const points_case *k);

/* Returns 1 if two pictures have different colours at a pixel. */
int points_differ(const satk_plane *a, const satk_plane *b, int x, int y);

/* Marks the runs in which src and base differ. */
void points_mark(const satk_plane *src, const satk_plane *base, const satk_plane *runs);

#endif
