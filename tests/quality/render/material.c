// The dispatch, and the materials of things indoors.
#include "quality/render/material.h"

#include "quality/render/shape.h"

static vec3 shifted(vec3 p, int seed)
{
    return add(p, v3(7.3f * (float)seed, 3.1f * (float)seed, 11.7f * (float)seed));
}

void look_slope(struct look *look, const struct spot *spot, float ds, float dt)
{
    look->normal =
        unit(sub(look->normal, add(scaled(spot->tangent_s, ds), scaled(spot->tangent_t, dt))));
}

// Planks of width `scale` along s, with the grain drawn out along them.
void wood_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float row = spot->t / m->scale + 100;
    const int plank = ifloor(row);
    const float shade = random3(plank, m->seed, 1), edge = fabsf(row - (float)plank - 0.5f);
    const vec3 p = shifted(v3(spot->s / m->scale, row * 3, (float)plank * 9.7f), m->seed);
    const float wave = fractal(v3(p.x * 0.35f, p.y * 0.5f, p.z), 2);
    const float rings = fract(p.y * 0.9f + wave * 5 + shade * 7);
    const float fibre = fractal(v3(p.x * 2.5f, p.y * 14, p.z), 3);
    const float dark = clampf(0.65f * smooth(0.1f, 0.9f, rings) * smooth(1, 0.92f, rings) +
                                  0.55f * fibre + 0.25f * shade,
                              0, 1);
    look->albedo = scaled(mix(m->a, m->b, dark), 0.8f + 0.4f * shade);
    const float gap = smooth(0.475f, 0.495f, edge);
    look->albedo = scaled(look->albedo, 1 - 0.8f * gap);
    look->gloss = m->gloss * (1 - gap) * (0.75f + 0.5f * fibre);
    look_slope(look, spot, 0, 0.12f * fibre);
}

// Glazed pottery: painted bands at the heights of a turned body, a row of `scale` leaves between
// them, fine specks. Without a scale only the glaze and its specks.
void glaze_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 p = shifted(spot->local, m->seed);
    const vec3 cloud = noise3(scaled(p, 1.7f)), speck = noise3(scaled(p, 31));
    float paint = 0;
    if (m->scale > 0) {
        const float turn = spot->u * m->scale, x = fract(turn) - 0.5f, v = spot->v;
        const float wobble = 0.002f * cloud.y;
        const float bands[5] = {0.275f, 0.285f, 0.49f, 0.50f, 0.60f};
        for (int i = 0; i < 5; ++i) {
            const float width = i % 2 ? 0.0025f : 0.006f;
            paint = fmaxf(paint, smooth(width, width - 0.002f, fabsf(v - bands[i] + wobble)));
        }
        const float y = (v - 0.3875f) / 0.085f; // one leaf spans -1..1
        const float leaf = 0.34f * (1 - y * y) - fabsf(x + 0.12f * y);
        const float vein = smooth(0.015f, 0.03f, fabsf(x + 0.12f * y));
        paint = fmaxf(paint, smooth(0, 0.02f, leaf) * lerp(1, vein, 0.8f));
        const float z = (v - 0.55f) / 0.035f, w = (fract(turn * 2) - 0.5f) / 0.33f;
        paint = fmaxf(paint, smooth(1, 0.8f, z * z + w * w));
    }
    const vec3 ink = scaled(m->b, 1 + 0.35f * cloud.x + 0.2f * speck.z);
    look->albedo = mix(scaled(m->a, 1 + 0.06f * cloud.z), ink, paint * 0.92f);
    look->albedo = scaled(look->albedo, 1 - 0.3f * smooth(0.6f, 0.85f, speck.x));
    look_slope(look, spot, 0.012f * cloud.x, 0.012f * cloud.y);
}

// Checked linen; squares of `scale`, forty threads across each pair of squares.
void cloth_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float s = spot->s / m->scale, t = spot->t / m->scale;
    const vec3 n = noise3(v3(s * 2.3f, t * 2.3f, (float)m->seed));
    const float warp = fract(0.5f * s + 0.004f * n.x), weft = fract(0.5f * t + 0.004f * n.y);
    const float ink = 0.5f * (smooth(0.49f, 0.5f, warp) + smooth(0.49f, 0.5f, weft));
    const float a = sinf(s * 40 * PI / 2), b = sinf(t * 40 * PI / 2);
    const vec3 slub = noise3(v3(s * 1.2f, t * 24, 5)), cross_slub = noise3(v3(s * 24, t * 1.2f, 9));
    const float thread = 0.86f + 0.1f * a * b + 0.09f * (slub.x + cross_slub.x) + 0.05f * n.z;
    look->albedo = scaled(mix(m->a, m->b, ink), thread);
    look_slope(look, spot, 0.12f * a * b + 0.16f * n.x, 0.12f * a * b + 0.16f * n.y);
}

// Letters nobody can read: a row of cells, each with a random 3 by 5 pattern of strokes.
static float letters(float x, float y, int seed)
{
    const int cell = ifloor(x);
    const float inside = (x - (float)cell) * 4;
    if (y < 0 || y >= 1 || inside >= 3 || random3(cell, seed, 3) < 0.16f)
        return 0;
    const int column = ifloor(inside), row = ifloor(y * 5);
    return column == 0 || random3(cell * 3 + column, row, seed) < 0.45f;
}

// Standing books have their spine upright (scale < 0), lying ones along s; |scale| is the width
// of a letter.
void book_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const int standing = m->scale < 0, part = spot->part;
    const int paper = standing ? part == 2 || part == 3 : part == 0 || part == 1 || part == 5;
    const float length = standing ? spot->v : spot->u, side = standing ? spot->u : spot->v;
    const vec3 n = noise3(shifted(scaled(spot->local, 9), m->seed));
    const vec3 fine = noise3(shifted(scaled(spot->local, 60), m->seed));
    if (paper && side > 0.1f && side < 0.9f) {
        const float sheet = random3(ifloor(side * 70), m->seed, 7);
        look->albedo = scaled(v3(0.62f, 0.55f, 0.42f), 0.65f + 0.3f * sheet + 0.08f * n.x);
        look->gloss = 0;
        return;
    }
    look->albedo = scaled(m->a, 1 + 0.12f * n.x + 0.16f * fine.y);
    look_slope(look, spot, 0.1f * fine.x, 0.1f * fine.y);
    if (part != 4)
        return;
    float ink = fabsf(fabsf(length - 0.5f) - 0.38f) < 0.008f;
    ink = fmaxf(ink, fabsf(fabsf(length - 0.5f) - 0.41f) < 0.004f);
    const float along_spine = standing ? spot->t : spot->s;
    if (fabsf(length - 0.45f) < 0.27f) {
        ink = fmaxf(ink,
                    letters(along_spine / fabsf(m->scale) + 50, (side - 0.33f) / 0.34f, m->seed));
    }
    look->albedo = mix(look->albedo, m->b, ink * (0.8f + 0.2f * n.y));
}

// Citrus peel with pits of size `scale`, and a paler blemished top.
void peel_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 p = shifted(spot->local, m->seed);
    const vec3 pit = noise3(scaled(p, 1 / m->scale)), blot = noise3(scaled(p, 1.4f));
    look->albedo = mix(m->a, m->b, clampf(0.4f + 0.3f * blot.x + 0.15f * pit.z, 0, 1));
    look->albedo = scaled(look->albedo, 1 - 0.18f * smooth(0.3f, 0.9f, pit.x));
    look_slope(look, spot, 0.11f * pit.x, 0.11f * pit.y);
}

// A leaf is a flat ball, long in x: a midrib and slanting veins.
void leaf_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float x = spot->local.x / m->scale, z = fabsf(spot->local.z) / m->scale;
    const vec3 n = noise3(shifted(scaled(spot->local, 3 / m->scale), m->seed));
    const float rib = smooth(0.05f, 0.02f, z);
    const float vein = smooth(0.2f, 0.05f, fabsf(fract((x - z) * 3.5f) - 0.5f) * 2 - 0.02f);
    look->albedo = mix(m->a, m->b, clampf(0.35f + 0.5f * n.x, 0, 1));
    look->albedo = mix(look->albedo, scaled(m->b, 1.3f), clampf(rib + 0.25f * vein, 0, 1));
}

void plaster_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const vec3 p = shifted(scaled(spot->local, 1 / m->scale), m->seed);
    const float stain = fractal(p, 4), grain = noise3(scaled(p, 21)).x;
    look->albedo = scaled(mix(m->a, m->b, clampf(0.5f + 0.8f * stain, 0, 1)), 1 + 0.08f * grain);
    look_slope(look, spot, 0.1f * grain, 0.1f * stain);
}

static void plain_look(const struct material *m, const struct spot *spot, struct look *look)
{
    (void)m, (void)spot, (void)look;
}

static void glow_look(const struct material *m, const struct spot *spot, struct look *look)
{
    (void)spot;
    look->glow = m->a;
    look->albedo = v3(0, 0, 0);
}

struct look material_look(const struct material *material, const struct spot *spot)
{
    static pattern_look *const patterns[] = {
        [PLAIN] = plain_look,     [GLOW] = glow_look,     [WOOD] = wood_look,
        [GLAZE] = glaze_look,     [CLOTH] = cloth_look,   [BOOK] = book_look,
        [PEEL] = peel_look,       [LEAF] = leaf_look,     [PLASTER] = plaster_look,
        [BRICK] = brick_look,     [COBBLE] = cobble_look, [IRON] = iron_look,
        [PILLAR] = pillar_look,   [FACADE] = facade_look, [SKY] = sky_look,
        [STRIPES] = stripes_look, [KNIT] = knit_look,     [HAIR] = hair_look};
    struct look look = {material->a, spot->normal, v3(0, 0, 0), material->gloss};
    patterns[material->pattern](material, spot, &look);
    return look;
}
