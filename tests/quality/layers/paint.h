// Painters of planes. Places and sizes are in pixels of the full-size picture.
#ifndef QUALITY_PAINT_H
#define QUALITY_PAINT_H

#include "quality/layers/planes.h"

// Opaque, everywhere. `size` is that of a brick, plank, leaf, ...
painter brick_paint;     // a bricks, b mortar
painter planks_paint;    // a, b wood
painter plaster_paint;   // a wall, b stains
painter page_paint;      // a paper, b print
painter cloth_paint;     // a, b threads of a plaid
painter foliage_paint;   // a, b leaves
painter landscape_paint; // sky, hills from y on down, meadow
painter night_paint;     // a town at night: y its horizon

// With an outline.
painter leaves_paint;  // sparse leaves: p[0] density
painter strands_paint; // p[0] half width, p[1] slope, p[2] sway, p[3] distance; colours a, b
painter fence_paint;   // wire mesh: size of a mesh, p[0] half width
painter wires_paint;   // p[0] half width, p[1] sag, p[2] distance; with birds on them
painter disc_paint;    // a disc of radius `size` about (x, y) of colour a, which may be above 1
painter card_paint;    // under[0] on a rectangle p[0] x p[1] with its top left at (x, y)
painter bust_paint;    // a person, head and shoulders, `size` high, standing at (x, y); a, b dress
painter shadow_paint;  // the same outline in colour a only
painter fur_paint;     // an animal's head of radius `size` about (x, y) with fur; a, b fur
painter pelt_paint;    // short fur, curled up with radius `size` about (x, y), 0 = everywhere; a, b
painter lathe_paint;   // a vessel `size` high standing at (x, y), shape p[0], stripes p[1]; a, b
painter grass_paint;   // blades from below: y their roots, size their length, p[0] half width

// The ground: q0 + qy y gives its depths, from 1 to p[0]; tiles of size p[1]; ends above y.
painter tiles_paint, boards_paint;

// Coverage of a texel of width w by what begins at signed distance d = 0 (negative inside).
static inline float cover(float d, float w)
{
    return clampf(0.5f - d / w, 0, 1);
}

static inline rgba opaque(vec3 c)
{
    return (rgba){fmaxf(c.x, 0), fmaxf(c.y, 0), fmaxf(c.z, 0), 1};
}

static inline rgba masked(rgba c, float alpha)
{
    return (rgba){c.r, c.g, c.b, c.a * alpha};
}

static inline rgba shade(vec3 c, float alpha)
{
    return masked(opaque(c), alpha);
}

static inline vec3 colour(rgba c)
{
    return v3(c.r, c.g, c.b);
}

// Front over back, both with straight alpha.
static inline rgba lay(rgba front, rgba back)
{
    const float rest = back.a * (1 - front.a), a = front.a + rest;
    const float f = a > 0 ? front.a / a : 0;
    return (rgba){lerp(back.r, front.r, f), lerp(back.g, front.g, f), lerp(back.b, front.b, f), a};
}

static inline float noise2(float x, float y, int seed)
{
    return noise3(v3(x, y, 7.31f * (float)seed)).x;
}

// A sum of halving octaves, each turned, so that their lattices do not show together.
static inline float fractal2(float x, float y, int seed, int octaves)
{
    float sum = 0, weight = 0.5f;
    for (int i = 0; i < octaves; ++i) {
        sum += weight * noise2(x, y, seed + i);
        weight *= 0.5f;
        const float turned = 1.62f * x - 1.22f * y + 17.3f;
        y = 1.22f * x + 1.62f * y + 5.7f;
        x = turned;
    }
    return sum;
}

#endif
