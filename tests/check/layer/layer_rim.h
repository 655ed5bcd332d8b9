/* A case of check_layer.c: on the left a surface of one colour, whose depth changes but never jumps, at radii of at most
 * LAYER_RIM_RADIUS; on the right far surfaces of any colours. Its slabs are those of real pictures. */
#ifndef SATB_LAYER_RIM_H
#define SATB_LAYER_RIM_H

#include "check/layer/layer_material.h"

enum { LAYER_RIM_RADIUS = 5 };

/* Chooses the depths, and counts the slabs; size and kind of the picture are chosen. */
void layer_rim_choose(check *c, layer_case *k);

/* Does layer_material_make(). Draws the surface into the picture. */
void layer_rim_make(check *c, const layer_case *k, layer_material *m);

/* Checks that the surface keeps its colour 10 pixels and more from its rim. */
void layer_rim_check(check *c, const layer_case *k, const layer_material *m, const picture *got);

#endif
