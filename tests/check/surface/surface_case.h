/* Scenes of check_surface.c: discs of depth before each other, with the picture of them. */
#ifndef SATB_SURFACE_CASE_H
#define SATB_SURFACE_CASE_H

#include "check/check.h"

#include <satblur.h>

enum { SCENE_DISCS = 12 };

typedef struct disc {
    double x, y, radius;
    int depth, colour[4]; /* of 8 bits, in linear light */
} disc;

/* MASK: black and white, but for the rims. */
typedef enum softness { HARD, SOFT, NOISY, WILD, MASK, SOFTNESSES } softness;

typedef struct scene {
    disc disc[SCENE_DISCS]; /* the nearest last, the first everywhere */
    softness softness;
    int near_black;
    picture src, map;
    satb_dof_params params; /* of the map */
} scene;

/* Returns a random scene of that size, and makes it the case. */
scene scene_make(check *c, int w, int h);

/* Gives it a map of another size: a part of the picture's, any smaller one, or a larger one; of any channels. */
void scene_resize(check *c, scene *s);

/* Returns a near patch before a far plane, whose rim shows both and counts as far, and makes it the
 * case. channels: those of the map; a map of one channel has holes. step: what the patch is nearer by, in codes of 8 bits. */
scene scene_make_few(check *c, int channels, int step);

/* Choose other discs, for pictures of at most that size; draw a pixel of picture and map. */
void scene_draw_discs(check *c, scene *s, int w, int h);
void scene_draw_pixel(check *c, const scene *s, int x, int y);

void scene_free(scene *s);

#endif
