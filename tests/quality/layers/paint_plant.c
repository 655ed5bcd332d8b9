// Leaves, grass and a landscape.
#include "quality/layers/paint.h"

// One leaf along the u axis, from -1 to 1, up to 0.36 wide; v across.
static rgba leaf(const struct plane *p, float u, float v, float w, uint32_t h)
{
    const float half = 0.36f * (1 - u * u) * (1 - 0.35f * u);
    const float alpha = fabsf(u) < 1 ? cover(fabsf(v) - half, w) : 0;
    if (alpha <= 0)
        return (rgba){0, 0, 0, 0};
    const float tone = unit_float(h * 0x9e3779b1u), sun = unit_float(h * 0x85ebca77u);
    const vec3 base = scaled(mix(p->a, p->b, tone), 0.35f + 1.5f * sun * sun * sun);
    const float side = v > 0 ? 1.12f : 0.8f;
    const float vein = 1 + 0.13f * sinf((u - 1.3f * fabsf(v)) * 26);
    const float rib = cover(fabsf(v) - 0.018f, w);
    const float shine = 0.25f * sun * smooth(0.5f, 1, sinf(3 * u + 9 * v + 6 * tone));
    const vec3 lit = add(scaled(base, side * vein * (1 - 0.5f * fabsf(v) / (half + 0.01f))),
                         scaled(v3(0.6f, 0.7f, 0.6f), shine * 0.4f));
    return shade(mix(lit, scaled(p->b, 1.3f), 0.45f * rib), alpha);
}

// The uppermost leaf of a layer at a point; one leaf per cell, `share` of the cells have one.
static rgba leaf_layer(const struct plane *p, float x, float y, float w, float size, int seed,
                       float share)
{
    const int cx = ifloor(x / size), cy = ifloor(y / size);
    rgba found = {0, 0, 0, 0};
    for (int i = 0; i < 9 && found.a < 1; ++i) {
        const int kx = cx + i % 3 - 1, ky = cy + i / 3 - 1;
        const uint32_t h = hash3(kx, ky, seed);
        if (unit_float(h) >= share)
            continue;
        const float dx = x / size - (float)kx - unit_float(hash(h + 1));
        const float dy = y / size - (float)ky - unit_float(hash(h + 2));
        const float angle = 2 * PI * unit_float(hash(h + 3));
        const float long_ = 0.6f + 0.35f * unit_float(hash(h + 4));
        const float c = cosf(angle) / long_, s = sinf(angle) / long_;
        const float u = c * dx + s * dy, v = c * dy - s * dx;
        if (u * u + v * v < 1)
            found = lay(found, leaf(p, u, v + 0.12f * u * u - 0.06f, w / (size * long_), h));
    }
    return found;
}

rgba foliage_paint(const struct plane *p, float x, float y, float w)
{
    const float clump = fractal2(x / (7 * p->size), y / (7 * p->size), p->seed, 3);
    rgba c = {0, 0, 0, 0};
    for (int i = 0; i < 5 && c.a < 0.999f; ++i) {
        const float dim = 1 - 0.17f * (float)i;
        const rgba l = leaf_layer(p, x, y, w, p->size * (1 - 0.08f * (float)i), p->seed * 16 + i,
                                  0.75f + 0.5f * clump);
        c = lay(c, shade(scaled(colour(l), dim * dim), l.a));
    }
    const float gap = smooth(0.2f, 0.7f, fractal2(x / (3 * p->size), y / (3 * p->size), 99, 3));
    const vec3 behind = mix(scaled(p->a, 0.06f), v3(0.55f, 0.65f, 0.7f), gap);
    c = lay(c, opaque(behind));
    return opaque(scaled(colour(c), 1 + 0.9f * clump));
}

rgba leaves_paint(const struct plane *p, float x, float y, float w)
{
    const float share = p->p[0] * smooth(p->y, p->y + p->p[1], x + 0.35f * y);
    rgba c = {0, 0, 0, 0};
    for (int i = 0; i < 3 && c.a < 0.999f; ++i)
        c = lay(c, leaf_layer(p, x, y, w, p->size, p->seed * 16 + i, share));
    return c;
}

// Wooded slopes: crowns of trees, each lit from above, paler with distance.
static vec3 hill(vec3 tint, vec3 haze, float x, float y, float below, float tree, float far)
{
    float light = 0;
    for (int k = 0; k < 3; ++k) {
        // Each layer's cells are turned, so that no rows show.
        const float size = tree * (1 - 0.22f * (float)k), turn = 0.4f + 0.7f * (float)k;
        const float tx = (x * cosf(turn) + 1.4f * y * sinf(turn)) / size;
        const float ty = (1.4f * y * cosf(turn) - x * sinf(turn)) / size;
        const int i = ifloor(tx), j = ifloor(ty);
        const float u = fract(tx) - 0.3f - 0.4f * random3(i, j, k);
        const float v = fract(ty) - 0.3f - 0.4f * random3(i, j, k + 7);
        const float up = u * sinf(turn) + v * cosf(turn);
        light = fmaxf(light, (1 - 1.6f * hypotf(u, v)) * (0.75f - up) *
                                 (0.6f + 0.6f * random3(i, j, k + 20)));
    }
    const float wood = 0.35f + 1.1f * light + 0.3f * noise2(x / tree * 5, y / tree * 5, 3);
    const float valley = 0.25f * smooth(20, 110, below);
    return mix(scaled(tint, wood), haze, clampf(far + valley, 0, 1));
}

rgba landscape_paint(const struct plane *p, float x, float y, float w)
{
    (void)w;
    const float up = clampf((p->y - y) / 400, 0, 1);
    const float cloud = smooth(0.02f, 0.45f, fractal2(x / 330, y / 130 + up, p->seed, 6));
    vec3 c = mix(v3(0.62f, 0.72f, 0.82f), v3(0.12f, 0.28f, 0.62f), up);
    c = mix(c, v3(0.93f, 0.92f, 0.9f), cloud);
    for (int i = 0; i < 3; ++i) {
        const float f = (float)i;
        const float crest = p->y - 95 + 75 * f +
                            (70 - 14 * f) * fractal2(x / (360 - 70 * f), 3 * f, p->seed + i, 5) +
                            4 * noise2(x / 6, f, p->seed);
        c = mix(c,
                hill(v3(0.07f, 0.12f, 0.03f), v3(0.45f, 0.57f, 0.7f), x, y, y - crest, 13 + 6 * f,
                     0.75f - 0.26f * f),
                cover(crest - y, 1));
    }
    if (y > p->y + 60) {
        const float near = (y - p->y - 60) / 300 + 0.15f;
        const float tuft = fractal2(x / (14 * near), y / (5 * near), p->seed + 7, 5);
        const vec3 meadow = mix(v3(0.16f, 0.22f, 0.04f), v3(0.36f, 0.32f, 0.08f),
                                smooth(-0.3f, 0.4f, fractal2(x / 260, y / 50, p->seed + 8, 3)));
        c = mix(c, scaled(meadow, 1 + tuft), smooth(p->y + 60, p->y + 68, y));
    }
    return opaque(c);
}

rgba grass_paint(const struct plane *p, float x, float y, float w)
{
    const float hw = p->p[0], pitch = 4 * hw;
    const float h = (p->y - y) / p->size; // 0 at the roots, 1 at the longest tip
    rgba c = {0, 0, 0, 0};
    if (h > 1)
        return c;
    const int middle = ifloor(x / pitch);
    for (int i = -14; i <= 14 && c.a < 0.999f; ++i) {
        const uint32_t k = hash3(middle + i, 11, p->seed);
        const float long_ = 0.35f + 0.65f * unit_float(k), t = h / long_;
        if (t > 1)
            continue;
        const float lean = (unit_float(hash(k + 1)) - 0.5f) * 12 * pitch;
        const float at = pitch * ((float)(middle + i) + unit_float(hash(k + 2))) + lean * t * t;
        const float d = fabsf(x - at) - hw * (1 - t * t);
        const vec3 tint = mix(p->a, p->b, unit_float(hash(k + 3)));
        c = lay(c, shade(scaled(tint, 0.35f + 0.8f * clampf(t, 0, 1)), cover(d, w)));
    }
    return c;
}
