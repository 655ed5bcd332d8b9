// Short fur: hairs thinner than two pixels, each standing on a spot of its own.
#include "quality/layers/paint.h"

enum { LAYERS = 4, REACH = 3 }; // lattices of hairs; cells from a hair's root to its tip
static const float pitch = 5, longest = 15; // pixels: of a lattice, of a hair

// Signed distance from the outline of something curled up, about (x, y); everything is inside of a
// pelt without size. The distance is exact enough near the outline only.
static float outside(const struct plane *p, float x, float y)
{
    if (p->size <= 0)
        return -1e6f;
    const float dx = x - p->x, dy = y - p->y, r = hypotf(dx, dy) + 1e-3f;
    const vec3 around = v3(dx / r, dy / r, 7.31f * (float)p->seed);
    const vec3 finer = v3(5 * around.x, 5 * around.y, around.z + 3);
    return r - p->size * (1 + 0.3f * noise3(around).x + 0.05f * noise3(finer).x);
}

// A point of a pelt that is painted.
struct point {
    float x, y, w;
    vec3 comb; // the way that hairs lie around it
    int deep;  // far inside of the outline
};

// The colour of a hair that stands at (x, y); `own` in [0, 1] counts more than the patch around it.
static vec3 dye(const struct plane *p, float x, float y, float own)
{
    const float patch = smooth(-0.22f, 0.22f, fractal2(x / 85, y / 85, 16 * p->seed, 4));
    return mix(p->a, p->b, lerp(patch, own, 0.6f));
}

// A unit vector: the way of one hair, outwards next to the outline.
static vec3 combed(const struct plane *p, const struct point *at, float depth, uint32_t h)
{
    const float dx = at->x - p->x, dy = at->y - p->y;
    const float out = 1.6f * smooth(30, 0, depth) / (hypotf(dx, dy) + 1e-3f);
    const float x = at->comb.x + out * dx + 0.9f * unit_float(hash(h + 1)) - 0.45f;
    const float y = at->comb.y + out * dy + 0.9f * unit_float(hash(h + 2)) - 0.45f;
    return scaled(v3(x, y, 0), 1 / (hypotf(x, y) + 1e-3f));
}

// The hair of cell (i, j) of a lattice.
static rgba hair(const struct plane *p, const struct point *at, int i, int j, int layer)
{
    const uint32_t h = hash3(i, j, LAYERS * p->seed + layer);
    const float root_x = pitch * ((float)i + unit_float(h));
    const float root_y = pitch * ((float)j + unit_float(hash(h + 3)));
    const float dx = at->x - root_x, dy = at->y - root_y;
    const float length = longest * (0.35f + 0.65f * unit_float(hash(h + 4)));
    if (dx * dx + dy * dy > length * length)
        return (rgba){0, 0, 0, 0};
    const float depth = at->deep ? 1e6f : -outside(p, root_x, root_y);
    const vec3 way = combed(p, at, depth, h);
    const float t = (dx * way.x + dy * way.y) / length;
    const float bend = (unit_float(hash(h + 5)) - 0.5f) * 0.5f * length * t * t;
    const float alpha = cover(fabsf(dx * way.y - dy * way.x - bend) - 0.3f - 0.5f * (1 - t), at->w);
    if (depth < 0 || t < 0 || t > 1 || alpha <= 0)
        return (rgba){0, 0, 0, 0};
    const float light = (0.6f + 0.6f * unit_float(hash(h + 6))) * (0.55f + 0.45f * t);
    return shade(scaled(dye(p, root_x, root_y, unit_float(hash(h + 7))), light), alpha);
}

rgba pelt_paint(const struct plane *p, float x, float y, float w)
{
    enum { SIDE = 2 * REACH + 1 };
    const float out = outside(p, x, y);
    rgba c = {0, 0, 0, 0};
    if (out > longest)
        return c;
    const vec3 comb = noise3(v3(x / 60, y / 60, 16 * (float)p->seed + 8));
    const struct point at = {x, y, w, comb, out < -60};
    const int left = ifloor(x / pitch) - REACH, top = ifloor(y / pitch) - REACH;
    for (int k = 0; k < LAYERS * SIDE * SIDE && c.a < 0.999f; ++k)
        c = lay(c, hair(p, &at, left + k % SIDE, top + k / SIDE % SIDE, k / (SIDE * SIDE)));
    return c.a < 0.999f ? lay(c, shade(scaled(dye(p, x, y, 0.5f), 0.4f), cover(out, w))) : c;
}
