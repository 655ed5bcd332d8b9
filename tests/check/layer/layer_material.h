/* The picture, the depth and the slabs of a case of check_layer.c. */
#ifndef SATB_LAYER_MATERIAL_H
#define SATB_LAYER_MATERIAL_H

#include "check/layer/layer_case.h"
#include "layer/layer.h"

typedef struct layer_material {
    picture src, map, cover;
    block position;     /* by code of the map */
    satk_form whole[2]; /* of the windows of each side, not cut */
    satk_forms forms;   /* of the patches, in `boxes` */
    block boxes;
    satk_slab slabs[SATK_MAX_SLABS];
    int word;
} layer_material;

/* Draws the map, the positions of its codes and the slabs; the picture is there. */
void layer_material_make(check *c, const layer_case *k, layer_material *m);

/* Its parts that other depths need, too: the slabs in use, by the map; forms; coverages. */
void layer_mark_used(layer_material *m);
void layer_make_forms(check *c, const layer_case *k, layer_material *m);
void layer_make_cover(check *c, const layer_case *k, layer_material *m);

#endif
