// Things that stand in streets, for the scenes outdoors. Lengths in metres; the ground is y = 0.
#ifndef QUALITY_STREET_H
#define QUALITY_STREET_H

#include "quality/render/scene.h"

extern const struct material street_iron;

// A solid of revolution, and another one with the profile of `model`.
struct solid *street_turned(struct scene *scene, vec3 at, int count, const float (*profile)[2],
                            int steps, struct material material);
void street_again(struct scene *scene, const struct solid *model, vec3 at);

void street_bollards(struct scene *scene, float x, float first, float step, int count);
// `at` is the middle of the glowing ball; a lamp is a lantern on a post, and a light.
void street_lantern(struct scene *scene, vec3 at, float size);
void street_lamp(struct scene *scene, vec3 at);
// `at` is the middle of the floor, and `window` the width of a window.
void street_house(struct scene *scene, vec3 at, vec3 half, vec3 colour, float window, int seed);
void street_shrub(struct scene *scene, vec3 at, float radius, float size, int leaves, int seed);

#endif
