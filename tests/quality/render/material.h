// Procedural materials: the look of a surface at a spot.
#ifndef QUALITY_MATERIAL_H
#define QUALITY_MATERIAL_H

#include "quality/vec.h"

enum pattern {
    PLAIN,
    GLOW,
    WOOD,
    GLAZE,
    CLOTH,
    BOOK,
    PEEL,
    LEAF,
    PLASTER,
    BRICK,
    COBBLE,
    IRON,
    PILLAR,
    FACADE,
    SKY,
    STRIPES,
    KNIT,
    HAIR
};

struct material {
    enum pattern pattern;
    vec3 a, b;   // main and second colour, linear light
    float scale; // size of the pattern in scene units; see each pattern
    float gloss; // 0 matt .. 1 mirror-like
    int seed;
};

struct look {
    vec3 albedo, normal, glow;
    float gloss;
};

struct spot;

struct look material_look(const struct material *material, const struct spot *spot);

// Bump mapping (Blinn, "Simulation of wrinkled surfaces", 1978) with a height of slopes ds, dt.
void look_slope(struct look *look, const struct spot *spot, float ds, float dt);

// Each changes the plain look in `look` into its own.
typedef void pattern_look(const struct material *material, const struct spot *spot,
                          struct look *look);
pattern_look wood_look, glaze_look, cloth_look, book_look, peel_look, leaf_look, plaster_look;
pattern_look brick_look, cobble_look, iron_look, pillar_look, facade_look, sky_look, stripes_look;
pattern_look knit_look, hair_look;

#endif
