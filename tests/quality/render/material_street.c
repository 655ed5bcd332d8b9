// The materials of things outdoors.
#include "quality/render/material.h"
#include "quality/render/shape.h"

// A rounded stone or brick: how far inside its outline (0 at the joint, 1 in the middle) a point
// of the cell is, and in which direction the surface falls.
struct stone {
    float inside, slope_s, slope_t;
};

static struct stone rounded(float x, float y, float width, float height, float joint, float round)
{
    const float dx = width / 2 - joint - fabsf(x), dy = height / 2 - joint - fabsf(y);
    const float fall_x = smooth(round, 0, dx), fall_y = smooth(round, 0, dy);
    const float inside = smooth(0, joint, dx) * smooth(0, joint, dy);
    return (struct stone){inside, -copysignf(fall_x, x), -copysignf(fall_y, y)};
}

// English bricks of length `scale` in stretcher bond.
void brick_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float height = m->scale / 2.9f, row = spot->t / height + 1000;
    const int j = ifloor(row);
    const float column = spot->s / m->scale + 1000 + (j & 1 ? 0.5f : 0);
    const int i = ifloor(column);
    const vec3 p = scaled(v3(spot->s, spot->t, (float)m->seed), 1 / m->scale);
    const vec3 rough = noise3(scaled(p, 14)), stain = noise3(scaled(p, 0.35f));
    const struct stone stone = rounded((column - (float)i - 0.5f) * m->scale + 0.004f * rough.x,
                                       (row - (float)j - 0.5f) * height + 0.004f * rough.y,
                                       m->scale, height, 0.028f * m->scale, 0.05f * m->scale);
    const float tone = random3(i, j, m->seed), kind = random3(i, j, m->seed + 1);
    vec3 clay = mix(m->a, m->b, clampf(tone + 0.25f * rough.z, 0, 1));
    clay = kind > 0.9f ? scaled(clay, 0.45f) : scaled(clay, 0.8f + 0.4f * kind);
    const vec3 mortar = v3(0.36f, 0.33f, 0.29f);
    look->albedo = scaled(mix(scaled(mortar, 0.9f + 0.2f * rough.x), clay, stone.inside),
                          1 + 0.2f * stain.x + 0.16f * rough.y);
    look_slope(look, spot, 0.5f * stone.slope_s + 0.22f * rough.x,
               0.5f * stone.slope_t + 0.22f * rough.y);
}

// Setts in rows across the street, `scale` deep and of varying length, worn round and a bit wet.
void cobble_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float row = spot->t / m->scale + 1000;
    const int j = ifloor(row);
    const float length = 1.45f * m->scale, shift = random3(j, 5, m->seed);
    const float column = spot->s / length + 1000 + shift;
    const int i = ifloor(column);
    const vec3 p = scaled(v3(spot->s, 0, spot->t), 1 / m->scale);
    const vec3 rough = noise3(scaled(p, 9)), patch = noise3(scaled(p, 0.4f));
    const vec3 wavy = noise3(scaled(p, 2.1f));
    const struct stone stone =
        rounded((column - (float)i - 0.5f) * length + 0.06f * m->scale * wavy.x,
                (row - (float)j - 0.5f) * m->scale + 0.06f * m->scale * wavy.y, length, m->scale,
                0.07f * m->scale, 0.42f * m->scale);
    const float tone = random3(i, j, m->seed), lean = random3(j, i, m->seed) - 0.5f;
    const vec3 rock = scaled(mix(m->a, m->b, tone), 1 + 0.22f * rough.x + 0.15f * patch.x);
    const vec3 dirt = scaled(v3(0.075f, 0.065f, 0.05f), 1 + 0.4f * rough.y);
    look->albedo = mix(dirt, rock, stone.inside);
    look->gloss = m->gloss * stone.inside * smooth(-0.3f, 0.6f, patch.y);
    look_slope(look, spot, 0.55f * stone.slope_s + 0.12f * rough.x + 0.12f * lean,
               0.55f * stone.slope_t + 0.12f * rough.y + 0.1f * lean);
}

// Painted iron, the paint orange-peeled and rusty in places.
void iron_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 p = scaled(spot->local, 1 / m->scale), fine = noise3(scaled(p, 6));
    const float rust = smooth(0.2f, 0.45f, fractal(add(p, v3((float)m->seed, 0, 0)), 3));
    look->albedo = scaled(mix(m->a, m->b, rust), 1 + 0.2f * fine.x);
    look->gloss = m->gloss * (1 - rust);
    look_slope(look, spot, 0.05f * fine.y, 0.05f * fine.z);
}

// A plate on a round post: is (angle, height) within its frame? Returns 1 inside, 2 on the rim.
static int plate(float x, float y, float half_width, float half_height, float rim)
{
    const float dx = half_width - fabsf(x), dy = half_height - fabsf(y);
    return dx < 0 || dy < 0 ? 0 : dx < rim || dy < rim ? 2 : 1;
}

// A letter box: gloss red, black foot below the height `scale`, a slot, a white notice and the
// outline of a door. Its front is at the angle -pi/2; heights are those of the solid.
void pillar_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 p = spot->local, fine = noise3(scaled(p, 55)), broad = noise3(scaled(p, 7));
    const float x = 0.25f * atan2f(p.x, -p.z), y = p.y; // arc length from the front
    look->albedo = scaled(y < m->scale ? m->b : m->a, 1 + 0.06f * fine.x + 0.08f * broad.x);
    const float dust = smooth(0.5f, 0.05f, y + 0.12f * broad.y);
    look->albedo = mix(look->albedo, v3(0.16f, 0.13f, 0.10f), 0.35f * dust);
    look_slope(look, spot, 0.02f * fine.y + 0.015f * broad.y, 0.02f * fine.z);
    if (plate(x, y - 1.23f, 0.13f, 0.028f, 0.01f) == 1) {
        look->albedo = v3(0.008f, 0.007f, 0.007f);
        look->gloss = 0;
    }
    const int notice = plate(x, y - 0.98f, 0.075f, 0.10f, 0.008f);
    if (notice == 2) {
        look->albedo = v3(0.02f, 0.018f, 0.016f);
    } else if (notice == 1) {
        const float line = (y - 0.89f) / 0.018f, word = (x + 1) / 0.016f;
        const int print = fract(line) < 0.45f && random3(ifloor(word), ifloor(line), 3) < 0.7f &&
                          fabsf(x) < 0.055f && line > 0.8f && line < 10;
        look->albedo = print ? v3(0.05f, 0.05f, 0.08f) : v3(0.68f, 0.66f, 0.6f);
    }
    const int door = plate(x, y - 0.74f, 0.19f, 0.43f, 0.007f);
    if (door == 2)
        look->albedo = scaled(look->albedo, 0.3f);
}

// A house front: courses of windows `scale` wide with frames, some of them lit.
void facade_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float u = spot->s / m->scale / 2 + 100, v = spot->t / m->scale / 2.6f + 100;
    const int i = ifloor(u), j = ifloor(v);
    const float x = fabsf(u - (float)i - 0.5f), y = fabsf(v - (float)j - 0.5f);
    plaster_look(m, spot, look);
    if (x > 0.27f || y > 0.33f)
        return;
    look->gloss = 0;
    look->normal = spot->normal;
    if (x > 0.23f || y > 0.295f || x < 0.012f || fabsf(y - 0.1f) < 0.012f) {
        look->albedo = v3(0.42f, 0.40f, 0.36f);
        return;
    }
    const float lit = random3(i, j, m->seed);
    look->albedo = v3(0.03f, 0.035f, 0.045f);
    look->gloss = 0.8f;
    if (lit > 0.62f) {
        const float lamp = 0.45f + 0.55f * smooth(0.35f, 0, y) * lit;
        look->glow = scaled(v3(0.95f, 0.62f, 0.25f), lamp);
    }
}

// The backdrop: dusk, with streaks of cloud. `scale` is the height of the glow above t = 0,
// `gloss` the strength of the clouds.
void sky_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 p = v3(spot->s / m->scale, spot->t / m->scale, (float)m->seed);
    const float high = clampf(p.y, 0, 2);
    const float cloud = fractal(v3(p.x * 1.1f, p.y * 5 + 0.6f * p.x, p.z), 5);
    const float cover = smooth(-0.12f, 0.3f, cloud) * smooth(2, 0.3f, high);
    vec3 colour = mix(m->a, m->b, smooth(0, 1.5f, high));
    colour = mix(colour, v3(0.80f, 0.46f, 0.33f), m->gloss * cover * smooth(1.5f, 0.2f, high));
    look->glow = colour;
    look->albedo = v3(0, 0, 0);
}

// A ball or an awning: `scale` stripes around.
void stripes_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 fine = noise3(scaled(spot->local, 40));
    const float x = fract(spot->u * m->scale + 0.01f * fine.x);
    look->albedo = scaled(x < 0.5f ? m->a : m->b, 1 + 0.08f * fine.y);
    look_slope(look, spot, 0.03f * fine.x, 0.03f * fine.z);
}
