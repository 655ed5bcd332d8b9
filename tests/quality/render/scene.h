// A scene: solids, lights, a camera and the numbers that define its blur.
#ifndef QUALITY_SCENE_H
#define QUALITY_SCENE_H

#include "quality/render/shape.h"

#include <stddef.h>

enum { SOLIDS_MAX = 4000, CURVES_MAX = 3000, LIGHTS_MAX = 16 };

// A ball that shines: a white matt surface facing it reflects colour / distance^2.
struct light {
    vec3 at, colour;
    float radius;
};

// What a ray sees that hits nothing, and the window that glossy things reflect.
struct sky {
    vec3 up, horizon, down, window;
    vec3 window_dir;
    float window_size;
};

struct camera {
    vec3 eye, right, up, forward;
    float focal; // in pixels
    int width, height;
};

struct node {
    vec3 low, high;
    int first, count, right;
};

struct scene {
    const char *name;
    int solid_count, curve_count, light_count, node_count;
    struct solid solids[SOLIDS_MAX];
    struct curve curves[CURVES_MAX];
    struct light lights[LIGHTS_MAX]; // lights[0] is the main one
    struct node nodes[2 * SOLIDS_MAX];
    int order[SOLIDS_MAX];
    struct sky sky;
    struct camera camera;
    int is_wet;      // glossy things mirror the scene, not the sky alone
    float blur;      // radius in pixels at a disparity difference of 1
    float focus;     // depth of the sharp plane
    float near, far; // depths of disparity 1 and 0
};

struct scene *scene_table(void);
struct scene *scene_street(void);
struct scene *scene_night(void);
struct scene *scene_portrait(void);

// Building blocks for the scenes.
struct scene *scene_new(const char *name);
void scene_camera(struct scene *scene, vec3 eye, vec3 target, float focal);
struct solid *scene_add(struct scene *scene, enum shape shape, vec3 origin, vec3 size,
                        struct material material);
struct curve *scene_curve(struct scene *scene);
void solid_turn(struct solid *solid, float yaw, float pitch);
void solid_aim(struct solid *solid, vec3 x_axis, vec3 hint);

// Divides the picture by `scale`, allocates the light maps and builds the tree.
void scene_finish(struct scene *scene, int scale);
void scene_free(struct scene *scene);

int scene_hit(const struct scene *scene, const struct ray *ray, struct hit *hit);
int scene_blocked(const struct scene *scene, const struct ray *ray, float limit);
float disparity(const struct scene *scene, float depth);

// Radiance that comes along a ray from what it hits, each channel in [0, 1].
vec3 radiance(const struct scene *scene, const struct ray *ray, const struct hit *hit);

#endif
