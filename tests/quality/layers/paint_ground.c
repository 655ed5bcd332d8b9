// The ground: a plane whose disparity grows linearly down the picture, as that of a level ground
// does. Depth z is between 1 and p[0]: 1/z = 1/p[0] + q (1 - 1/p[0]).
#include "quality/layers/paint.h"

struct place {
    float x, z, far; // on the ground, in pixels at depth 1; far: 0 near .. 1 far
};

static struct place place(const struct plane *p, float x, float y)
{
    const float q = plane_disparity(p, x, y), least = 1 / p->p[0];
    const float inverse = fmaxf(least + q * (1 - least), 0.25f * least);
    return (struct place){(x - p->x) / inverse, 900 / inverse, 1 - inverse};
}

// Things standing on the ground darken it where they touch.
static float contact(const struct plane *p, float x, float y)
{
    float light = 1;
    for (int i = 0; i < p->scene->plane_count; ++i) {
        const struct plane *const o = &p->scene->planes[i];
        if (o == p || o->bottom <= o->top || o->paint == disc_paint)
            continue;
        const float rx = 0.3f * o->size + 4, ry = 0.24f * rx;
        const float k = hypotf((x - o->x - 0.25f * rx) / (1.25f * rx), (y - o->y) / ry);
        light *= 1 - 0.72f * smooth(1.15f, 0.25f, k);
    }
    return light;
}

// The ground ends at p->y, where the wall stands.
static rgba finish(const struct plane *p, vec3 c, float x, float y, float w)
{
    const float corner = smooth(0, 26, y - p->y);
    return shade(scaled(c, contact(p, x, y) * (0.5f + 0.5f * corner)), cover(p->y - y, w));
}

rgba tiles_paint(const struct plane *p, float x, float y, float w)
{
    if (y < p->y - 2 * w)
        return (rgba){0, 0, 0, 0};
    const struct place at = place(p, x, y);
    const float u = at.x / p->p[1], v = at.z / p->p[1];
    const int i = ifloor(u), k = ifloor(v);
    const float edge = fminf(fminf(fract(u), 1 - fract(u)), fminf(fract(v), 1 - fract(v)));
    const float tone = 0.75f + 0.4f * random3(i, k, p->seed);
    const float vein = fabsf(fractal2(u * 1.7f + 5 * tone, v * 1.7f, p->seed, 5));
    vec3 c = scaled((i + k) & 1 ? p->a : p->b, tone);
    c = mix(c, v3(0.5f, 0.48f, 0.44f), 0.55f * smooth(0.06f, 0, vein));
    c = scaled(c, 1 + 0.25f * fractal2(u * 6, v * 6, p->seed + 1, 4));
    const float joint = cover(0.022f - edge, 0.012f + 0.01f * at.far);
    c = mix(v3(0.06f, 0.055f, 0.05f), c, joint);
    // A window's light on the polished stone.
    const float sheen = smooth(-0.1f, 0.5f, fractal2(x / 260, y / 900, 4, 2)) * smooth(700, 300, y);
    return finish(p, add(c, scaled(v3(0.5f, 0.53f, 0.56f), 0.25f * sheen)), x, y, w);
}

rgba boards_paint(const struct plane *p, float x, float y, float w)
{
    if (y < p->y - 2 * w)
        return (rgba){0, 0, 0, 0};
    const struct place at = place(p, x, y);
    struct plane wood = *p;
    wood.size = p->p[1];
    return finish(p, colour(planks_paint(&wood, at.x, at.z, 1 + 2 * at.far)), x, y, w);
}
