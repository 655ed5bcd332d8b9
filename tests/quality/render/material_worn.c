// The materials of what a person wears, and of hair.
#include "quality/render/material.h"
#include "quality/render/shape.h"

// Knitwear: columns of stitches, `scale` wide, each a pair of slanting threads.
void knit_look(const struct material *m, const struct spot *spot, struct look *look)
{
    const float x = spot->s / m->scale + 500, y = spot->t / m->scale * 1.25f + 500;
    const int column = ifloor(x);
    const float across = fract(x) - 0.5f, slant = fract(y + fabsf(across) * 1.1f) - 0.5f;
    const vec3 fuzz = noise3(scaled(spot->local, 3 / m->scale));
    const vec3 broad = noise3(scaled(spot->local, 0.12f / m->scale));
    const float groove =
        fmaxf(smooth(0.40f, 0.5f, fabsf(across)), smooth(0.36f, 0.5f, fabsf(slant)));
    const float thread = 1 - 0.5f * groove + 0.12f * fuzz.x + 0.10f * broad.x;
    const float tone = 0.5f * random3(column, m->seed, 2) + 0.35f * (fuzz.y + 0.5f);
    look->albedo = scaled(mix(m->a, m->b, clampf(tone, 0, 1)), thread);
    look_slope(look, spot, 1.1f * across * smooth(0.5f, 0.3f, fabsf(across)) + 0.1f * fuzz.y,
               0.9f * slant + 0.1f * fuzz.z);
}

// Hair. A strand is a tube in one tone of `seed`; a mass of hair (scale > 0) is combed along t in
// streaks of the width `scale`.
void hair_look(const struct material *m, const struct spot *spot, struct look *look)
{
    float tone = random3(m->seed, 3, 1);
    if (m->scale > 0) {
        const vec3 streak = noise3(v3(spot->s / m->scale, spot->t / m->scale * 0.06f, 1));
        const vec3 fine = noise3(v3(spot->s / m->scale * 3, spot->t / m->scale * 0.1f, 7));
        tone = clampf(0.5f + 0.45f * streak.x + 0.3f * fine.x, 0, 1);
        look_slope(look, spot, 0.5f * streak.y + 0.4f * fine.y, 0);
    }
    look->albedo = mix(m->a, m->b, tone);
}
