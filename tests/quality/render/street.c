// Things that stand in streets.
#include "quality/render/street.h"

const struct material street_iron = {
    IRON, {0.022f, 0.024f, 0.026f}, {0.10f, 0.045f, 0.02f}, 0.22f, 0.6f, 3};

struct solid *street_turned(struct scene *scene, vec3 at, int count, const float (*profile)[2],
                            int steps, struct material material)
{
    curve_lathe(scene_curve(scene), count, profile, steps);
    return scene_add(scene, LATHE, at, v3(1, 1, 1), material);
}

// Another solid of revolution with the profile of the last one.
void street_again(struct scene *scene, const struct solid *model, vec3 at)
{
    scene_add(scene, LATHE, at, v3(1, 1, 1), model->material)->curve = model->curve;
}

// Cast-iron bollards joined by hanging chains.
void street_bollards(struct scene *scene, float x, float first, float step, int count)
{
    static const float post[][2] = {
        {0.10f, 0},      {0.10f, 0.08f},  {0.10f, 0.08f}, {0.065f, 0.12f}, {0.055f, 0.3f},
        {0.05f, 0.68f},  {0.05f, 0.68f},  {0.07f, 0.70f}, {0.07f, 0.74f},  {0.045f, 0.77f},
        {0.045f, 0.80f}, {0.075f, 0.87f}, {0.05f, 0.95f}, {0, 0.97f}};
    const float chain[][4] = {{0, 0.72f, 0, 0.014f},
                              {0, 0.56f, 0.25f * step, 0.014f},
                              {0, 0.50f, 0.5f * step, 0.014f},
                              {0, 0.56f, 0.75f * step, 0.014f},
                              {0, 0.72f, step, 0.014f}};
    const struct solid *const model =
        street_turned(scene, v3(x, 0, first), 14, post, 3, street_iron);
    curve_tube(scene_curve(scene), 5, chain, 3);
    for (int i = 0; i < count; ++i) {
        const vec3 at = v3(x, 0, first + step * (float)i);
        if (i > 0)
            street_again(scene, model, at);
        if (i + 1 < count)
            scene_add(scene, TUBE, at, v3(1, 1, 1), street_iron);
    }
}

// A lantern: four posts, a roof, a glowing ball; `at` is the middle of the ball.
void street_lantern(struct scene *scene, vec3 at, float size)
{
    const struct material glow = {GLOW, {1, 0.74f, 0.34f}, {0, 0, 0}, 1, 0, 0};
    scene_add(scene, BALL, at, scaled(v3(0.62f, 0.75f, 0.62f), size), glow);
    for (int i = 0; i < 4; ++i) {
        const vec3 corner = scaled(v3(i & 1 ? 1.0f : -1.0f, 0, i & 2 ? 1.0f : -1.0f), 0.85f * size);
        scene_add(scene, BOX, add(at, corner), scaled(v3(0.07f, 1.2f, 0.07f), size), street_iron);
    }
    scene_add(scene, BOX, add(at, v3(0, -1.2f * size, 0)), scaled(v3(0.95f, 0.1f, 0.95f), size),
              street_iron);
    const float roof[][2] = {{1.5f * size, 1.15f * size}, {1.5f * size, 1.25f * size},
                             {1.5f * size, 1.25f * size}, {0.55f * size, 1.9f * size},
                             {0.3f * size, 2.2f * size},  {0, 2.25f * size}};
    street_turned(scene, at, 6, roof, 2, street_iron);
}

void street_lamp(struct scene *scene, vec3 at)
{
    static const float post[][2] = {{0.16f, 0},     {0.16f, 0.25f}, {0.16f, 0.25f}, {0.09f, 0.4f},
                                    {0.075f, 0.9f}, {0.075f, 0.9f}, {0.10f, 0.94f}, {0.06f, 1.0f},
                                    {0.045f, 2.6f}, {0.045f, 2.6f}, {0.09f, 2.66f}, {0.05f, 2.8f}};
    street_turned(scene, at, 12, post, 3, street_iron);
    street_lantern(scene, add(at, v3(0, 3.05f, 0)), 0.17f);
    scene->lights[scene->light_count++] =
        (struct light){add(at, v3(0, 3.05f, 0)), v3(1.3f, 0.78f, 0.30f), 0.12f};
}

void street_house(struct scene *scene, vec3 at, vec3 half, vec3 colour, float window, int seed)
{
    const struct material front = {FACADE, colour, scaled(colour, 0.7f), window, 0, seed};
    const struct material slate = {
        PLASTER, {0.07f, 0.065f, 0.07f}, {0.045f, 0.045f, 0.05f}, 0.8f, 0, 6};
    const struct material trim = {PLASTER, colour, scaled(colour, 0.7f), 0.9f, 0, seed};
    scene_add(scene, BOX, add(at, v3(0, half.y, 0)), half, front);
    const float slope = 0.62f, rise = half.x * tanf(slope), run = 0.5f * half.x / cosf(slope);
    for (int i = -1; i <= 1; i += 2) {
        const float side = (float)i;
        struct solid *const roof =
            scene_add(scene, BOX, add(at, v3(side * 0.5f * half.x, 2 * half.y + 0.5f * rise, 0)),
                      v3(run, 0.1f, half.z - 0.1f), slate);
        solid_aim(roof, v3(cosf(slope), -side * sinf(slope), 0), v3(0, 1, 0));
    }
    for (int i = 0; i < 6; ++i) { // a stepped gable
        const float wide = half.x * (1 - (float)i / 6), high = rise / 6;
        scene_add(scene, BOX, add(at, v3(0, 2 * half.y + ((float)i + 0.6f) * high, 0.2f - half.z)),
                  v3(wide, 0.6f * high, 0.2f), trim);
    }
    const struct material stack = {BRICK, {0.20f, 0.08f, 0.05f}, {0.13f, 0.06f, 0.04f}, 0.3f, 0,
                                   seed};
    scene_add(scene, BOX, add(at, v3(0.3f * half.x, 2 * half.y + rise, 0.2f * half.z)),
              v3(0.4f, 1.1f, 0.5f), stack);
}

// A shrub: leaves over a ball, all facing outwards.
void street_shrub(struct scene *scene, vec3 at, float radius, float size, int leaves, int seed)
{
    for (int i = 0; i < leaves; ++i) {
        // A Fibonacci lattice spreads the leaves evenly.
        const float y = 1 - 2 * ((float)i + 0.5f) / (float)leaves, turn = 2.39996f * (float)i;
        const float r = sqrtf(1 - y * y), deep = 0.78f + 0.25f * random3(i, seed, 1);
        const vec3 out = v3(r * cosf(turn), y, r * sinf(turn));
        const vec3 lean = noise3(v3(0.37f * (float)i, (float)seed, 2.5f));
        const struct material green = {LEAF, {0.045f, 0.10f, 0.03f}, {0.13f, 0.21f, 0.06f}, size,
                                       0.3f, seed * 997 + i};
        struct solid *const leaf = scene_add(scene, BALL, along(at, out, radius * deep),
                                             v3(size, 0.03f * size, 0.5f * size), green);
        solid_aim(leaf, add(out, scaled(lean, 0.9f)), add(out, v3(lean.y, 0.8f, lean.x)));
    }
}
