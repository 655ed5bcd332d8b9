// The four shapes that scenes are made of, each under a rotation, a scale and a translation.
#ifndef QUALITY_SHAPE_H
#define QUALITY_SHAPE_H

#include "quality/render/material.h"
#include "quality/vec.h"

#include <stdatomic.h>

enum { CURVE_MAX = 48 };

// A polyline with a radius at each vertex. A tube sweeps a ball along `at`; a lathe turns the
// profile (at.x = radius, at.y = height) about the y axis.
struct curve {
    int count;
    vec3 at[CURVE_MAX];
    float radius[CURVE_MAX];
    float arc[CURVE_MAX];                              // length up to the vertex
    vec3 low, high;                                    // of the swept or turned body
    vec3 tangent[CURVE_MAX], across;                   // tube: at the vertices; normal of its plane
    vec3 normal_from[CURVE_MAX], normal_to[CURVE_MAX]; // lathe: at both ends of segment i
};

enum shape { BOX, BALL, LATHE, TUBE };

// One texel of baked light; key + 1 is stored, so that zeroed memory means "not computed yet".
struct texel {
    _Atomic float red, green, blue, key;
};

struct solid {
    enum shape shape;
    vec3 origin, ax, ay, az; // where the object's origin and axes are in the world
    vec3 size;               // half extents (box), radii (ball), 1 otherwise
    float bevel;             // width over which a box's shading normal turns at its edges
    const struct curve *curve;
    struct material material;
    int map_u, map_v; // resolution of one part of the light map
    struct texel *map;
};

struct ray {
    vec3 from, dir;
};

struct hit {
    float t;
    int solid;
    int part; // box: face 0..5; lathe, tube: segment
    float u;  // lathe, tube: position inside the segment, 0..1
};

// A point on a surface, with what shading needs.
struct spot {
    vec3 at, normal;           // world
    vec3 local;                // object axes, world lengths
    vec3 tangent_s, tangent_t; // world, unit
    float s, t;                // lengths along the tangents: texture coordinates
    float u, v;                // 0..1 in the light map of the part
    int part;                  // part of the light map
};

// Directions between the world's axes and the object's.
static inline vec3 to_local(const struct solid *s, vec3 v)
{
    return v3(dot(v, s->ax), dot(v, s->ay), dot(v, s->az));
}

static inline vec3 to_world(const struct solid *s, vec3 v)
{
    return add(add(scaled(s->ax, v.x), scaled(s->ay, v.y)), scaled(s->az, v.z));
}

void curve_tube(struct curve *curve, int count, const float (*control)[4], int steps);
void curve_lathe(struct curve *curve, int count, const float (*control)[2], int steps);

// Nearest hit in (0, hit->t); true when there is one.
int solid_hit(const struct solid *solid, const struct ray *ray, struct hit *hit);
void solid_spot(const struct solid *solid, const struct ray *ray, const struct hit *hit,
                struct spot *spot);
// The inverse of (part, u, v), for baking light.
void solid_point(const struct solid *solid, int part, float u, float v, vec3 *at, vec3 *normal);
void solid_bounds(const struct solid *solid, vec3 *low, vec3 *high);
int solid_parts(const struct solid *solid);

#endif
