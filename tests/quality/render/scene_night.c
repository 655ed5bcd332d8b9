// A wet street at night, and somebody under an umbrella. Lengths in metres; the ground is y = 0, z
// runs down the street.
#include "quality/render/street.h"

static struct material glow(vec3 colour)
{
    return (struct material){GLOW, colour, {0, 0, 0}, 1, 0, 0};
}

static void bulb(struct scene *scene, vec3 at, float radius, vec3 colour)
{
    scene_add(scene, BALL, at, v3(radius, radius, radius), glow(colour));
}

static void ground(struct scene *scene)
{
    const struct material setts = {COBBLE, {0.17f, 0.16f, 0.15f}, {0.085f, 0.083f, 0.09f}, 0.13f, 1,
                                   1};
    float z = 3;
    for (int i = 0; i < 8; ++i) {
        const float next = z * 1.6f;
        struct solid *const strip =
            scene_add(scene, BOX, v3(0, -0.2f, (z + next) / 2), v3(9, 0.2f, (next - z) / 2), setts);
        strip->material.seed = 1 + i;
        z = next;
    }
}

static void houses(struct scene *scene)
{
    static const vec3 colours[] = {{0.40f, 0.30f, 0.20f}, {0.30f, 0.15f, 0.11f},
                                   {0.34f, 0.30f, 0.26f}, {0.36f, 0.22f, 0.14f},
                                   {0.24f, 0.24f, 0.26f}, {0.40f, 0.33f, 0.22f}};
    for (int i = 0; i < 7; ++i) {
        const float z = 15 + 8.6f * (float)i, high = 3.6f + 2.2f * random3(i, 4, 1);
        street_house(scene, v3(-8.2f, 0, z), v3(3.2f, high, 4.2f), colours[i % 6], 0.75f, 12 + i);
        street_house(scene, v3(8.6f, 0, z - 3), v3(3.2f, 7.4f - high, 4.2f), colours[(i + 3) % 6],
                     0.75f, 32 + i);
    }
    street_house(scene, v3(0.8f, 0, 84), v3(5, 1.9f, 2), colours[0], 0.8f, 51);
    const struct material night = {
        SKY, {0.030f, 0.040f, 0.085f}, {0.006f, 0.012f, 0.035f}, 22, 0.02f, 1};
    scene_add(scene, BOX, v3(0, 0, 89), v3(90, 60, 0.5f), night);
}

// Shop windows, with an awning above each.
static void shops(struct scene *scene)
{
    static const vec3 lights[] = {{1, 0.50f, 0.14f},
                                  {0.9f, 0.60f, 0.28f},
                                  {0.16f, 0.50f, 0.62f},
                                  {1, 0.42f, 0.10f},
                                  {0.95f, 0.20f, 0.22f}};
    static const vec3 cloths[] = {
        {0.30f, 0.03f, 0.03f}, {0.03f, 0.13f, 0.10f}, {0.06f, 0.07f, 0.20f}};
    for (int i = 0; i < 9; ++i) {
        const float side = i % 2 ? 1 : -1, z = 12.5f + 5.3f * (float)i,
                    x = side * (i % 2 ? 5.38f : 4.98f);
        const struct material awning = {STRIPES, cloths[i % 3], {0.5f, 0.47f, 0.4f}, 14, 0, i};
        for (int k = -1; k <= 1; ++k) { // three panes, differently lit
            const vec3 light =
                scaled(lights[(i + (k == 1 && i % 3 == 0)) % 5], 0.45f + 0.4f * random3(i, k, 6));
            scene_add(scene, BOX, v3(x, 1.35f, z + (float)k), v3(0.03f, 0.75f, 0.5f), glow(light));
        }
        for (int k = -1; k <= 2; ++k)
            scene_add(scene, BOX, v3(x - 0.04f * side, 1.35f, z + (float)k - 0.5f),
                      v3(0.04f, 0.8f, 0.04f), street_iron);
        struct solid *const cloth =
            scene_add(scene, BOX, v3(x - 0.45f * side, 2.35f, z), v3(0.5f, 0.02f, 1.6f), awning);
        solid_aim(cloth, v3(1, 0.35f * side, 0), v3(0, 1, 0));
    }
}

// Lamps on both sides. The first seven are lights too; the light of the others would not be missed.
static void lamps(struct scene *scene)
{
    for (int i = 0; i < 12; ++i) {
        const int lights = scene->light_count;
        const float z = 13.5f + 5.6f * (float)(i / 2) * (1 + 0.09f * (float)(i / 2));
        street_lamp(scene, v3(i % 2 ? 3.5f : -3.4f, 0, z + (i % 2 ? 2.2f : 0)));
        scene->lights[scene->light_count - 1].colour = v3(9, 5.0f, 1.9f);
        if (i > 6)
            scene->light_count = lights;
    }
}

// Strings of bulbs across the street.
static void strings(struct scene *scene)
{
    static const vec3 colours[] = {{1, 0.56f, 0.16f}, {1, 0.44f, 0.09f}, {1, 0.66f, 0.26f}};
    for (int k = 0; k < 5; ++k) {
        const float z = 25 + 7.5f * (float)k;
        float path[5][4];
        for (int i = 0; i < 5; ++i) {
            const float x = 0.5f * (float)i - 1;
            path[i][0] = 5 * x, path[i][1] = 4.9f + 0.9f * (x * x - 1), path[i][2] = z,
            path[i][3] = 0.012f;
        }
        curve_tube(scene_curve(scene), 5, (const float(*)[4])path, 4);
        scene_add(scene, TUBE, v3(0, 0, 0), v3(1, 1, 1), street_iron);
        for (int i = 0; i < 11; ++i) {
            const float x = 2 * ((float)i + 0.5f) / 11 - 1;
            bulb(scene, v3(5 * x, 4.82f + 0.9f * (x * x - 1), z), 0.075f + 0.002f * (z - 25),
                 colours[hash3(i, k, 1) % 3]);
        }
    }
}

// Cars far away: two white lights, or two red ones.
static void cars(struct scene *scene)
{
    static const float at[][3] = {{-1.5f, 34, 0}, {1.4f, 40, 1}, {-1.7f, 52, 0},
                                  {1.6f, 58, 1},  {1.1f, 72, 1}, {-1.2f, 74, 0}};
    const struct material paint = {PLAIN, {0.02f, 0.022f, 0.03f}, {0, 0, 0}, 1, 0.8f, 0};
    for (size_t i = 0; i < sizeof at / sizeof *at; ++i) {
        const vec3 body = v3(at[i][0], 0.75f, at[i][1] + 2);
        scene_add(scene, BOX, body, v3(0.85f, 0.42f, 1.8f), paint)->bevel = 0.2f;
        scene_add(scene, BALL, add(body, v3(0, 0.45f, 0.2f)), v3(0.75f, 0.5f, 1.2f), paint);
        for (int k = -1; k <= 1; k += 2) {
            const vec3 lamp = v3(at[i][0] + 0.62f * (float)k, 0.72f, at[i][1] + 0.1f);
            bulb(scene, lamp, 0.085f + 0.0012f * at[i][1],
                 at[i][2] > 0 ? v3(1, 0.07f, 0.04f) : v3(1, 0.93f, 0.80f));
        }
    }
}

// Traffic lights and signs, for colour.
static void signs(struct scene *scene)
{
    static const float post[][2] = {{0.07f, 0}, {0.05f, 0.3f}, {0.05f, 3.3f}};
    static const struct {
        vec3 at, colour;
    } lights[] = {{{-2.7f, 3.0f, 29}, {0.05f, 1, 0.45f}},
                  {{2.9f, 3.0f, 37}, {1, 0.10f, 0.06f}},
                  {{-2.6f, 3.1f, 47}, {0.06f, 1, 0.50f}},
                  {{2.6f, 3.1f, 55}, {1, 0.10f, 0.06f}}};
    for (size_t i = 0; i < sizeof lights / sizeof *lights; ++i) {
        vec3 foot = lights[i].at;
        foot.y = 0;
        street_turned(scene, foot, 3, post, 2, street_iron);
        scene_add(scene, BOX, add(lights[i].at, v3(0, 0.2f, 0.14f)), v3(0.16f, 0.45f, 0.1f),
                  street_iron);
        bulb(scene, lights[i].at, 0.13f, lights[i].colour);
    }
    static const struct {
        vec3 at, half, colour;
    } neon[] = {{{-4.7f, 3.1f, 19}, {0.25f, 0.55f, 0.05f}, {0.95f, 0.16f, 0.42f}},
                {{4.9f, 3.3f, 24}, {0.25f, 0.6f, 0.05f}, {0.10f, 0.62f, 0.95f}},
                {{-4.6f, 3.2f, 33}, {0.3f, 0.5f, 0.05f}, {0.20f, 0.85f, 0.60f}},
                {{4.7f, 3.2f, 43}, {0.3f, 0.5f, 0.05f}, {0.95f, 0.55f, 0.10f}}};
    for (size_t i = 0; i < sizeof neon / sizeof *neon; ++i)
        scene_add(scene, BOX, neon[i].at, neon[i].half, glow(neon[i].colour));
}

static struct solid *limb(struct scene *scene, vec3 at, int count, const float (*path)[4],
                          struct material material)
{
    curve_tube(scene_curve(scene), count, path, 5);
    return scene_add(scene, TUBE, at, v3(1, 1, 1), material);
}

static void umbrella(struct scene *scene, vec3 tip)
{
    static const float shade[][2] = {{0, 0},           {0.20f, -0.035f},  {0.40f, -0.14f},
                                     {0.54f, -0.29f},  {0.565f, -0.335f}, {0.565f, -0.335f},
                                     {0.53f, -0.275f}, {0.39f, -0.13f},   {0.20f, -0.03f}};
    static const float spike[][2] = {{0.012f, -0.02f}, {0.010f, 0.06f}, {0, 0.075f}};
    const struct material silk = {
        PLASTER, {0.50f, 0.022f, 0.020f}, {0.42f, 0.016f, 0.016f}, 0.5f, 0.5f, 3};
    static const float stick[][4] = {
        {0, 0, 0, 0.009f}, {0, -0.4f, 0, 0.009f}, {0, -0.86f, 0, 0.009f}};
    const vec3 up = unit(v3(-0.14f, 1, -0.10f));
    struct solid *const cover = street_turned(scene, tip, 9, shade, 4, silk);
    struct solid *const end = street_turned(scene, tip, 3, spike, 2, street_iron);
    struct solid *const pole = limb(scene, tip, 3, stick, street_iron);
    struct solid *const all[] = {cover, end, pole};
    for (int i = 0; i < 3; ++i) {
        all[i]->ay = up;
        all[i]->ax = unit(cross(up, v3(0, 0, 1)));
        all[i]->az = cross(all[i]->ax, up);
    }
    for (int i = 0; i < 8; ++i) { // ribs
        const float turn = 0.25f * PI * ((float)i + 0.3f), c = cosf(turn), s = sinf(turn);
        const float rib[][4] = {{0, 0.004f, 0, 0.006f},
                                {0.20f * c, -0.031f, 0.20f * s, 0.006f},
                                {0.40f * c, -0.136f, 0.40f * s, 0.006f},
                                {0.545f * c, -0.29f, 0.545f * s, 0.006f},
                                {0.58f * c, -0.35f, 0.58f * s, 0.008f}};
        struct solid *const line = limb(scene, tip, 5, rib, silk);
        line->ax = cover->ax, line->ay = cover->ay, line->az = cover->az;
        line->material.a = scaled(silk.a, 0.7f);
    }
}

// From behind, walking away.
static void walker(struct scene *scene, vec3 at)
{
    static const float coat[][2] = {
        {0, 0.52f},      {0.24f, 0.52f},  {0.24f, 0.52f}, {0.215f, 0.80f}, {0.165f, 1.06f},
        {0.185f, 1.25f}, {0.205f, 1.36f}, {0.17f, 1.44f}, {0.08f, 1.485f}, {0, 1.49f}};
    static const float legs[2][4][4] = {{{-0.085f, 0.62f, 0, 0.062f},
                                         {-0.09f, 0.40f, -0.01f, 0.052f},
                                         {-0.09f, 0.2f, -0.05f, 0.045f},
                                         {-0.09f, 0.09f, -0.10f, 0.045f}},
                                        {{0.085f, 0.62f, 0, 0.062f},
                                         {0.09f, 0.40f, 0.09f, 0.052f},
                                         {0.09f, 0.2f, 0.12f, 0.045f},
                                         {0.09f, 0.075f, 0.13f, 0.045f}}};
    static const float arm[][4] = {{0.17f, 1.38f, 0, 0.06f},
                                   {0.27f, 1.22f, 0.06f, 0.055f},
                                   {0.25f, 1.14f, 0.17f, 0.048f},
                                   {0.135f, 1.23f, 0.24f, 0.042f}};
    static const float hanging[][4] = {{-0.17f, 1.38f, 0, 0.06f},
                                       {-0.245f, 1.2f, -0.01f, 0.053f},
                                       {-0.26f, 1.0f, 0.03f, 0.048f},
                                       {-0.245f, 0.86f, 0.09f, 0.042f}};
    const struct material wool = {KNIT, {0.40f, 0.27f, 0.11f}, {0.32f, 0.20f, 0.08f}, 0.008f, 0, 1};
    const struct material dark = {
        PLASTER, {0.03f, 0.032f, 0.045f}, {0.022f, 0.022f, 0.03f}, 0.2f, 0.1f, 2};
    const struct material boot = {
        PLASTER, {0.07f, 0.032f, 0.015f}, {0.05f, 0.02f, 0.01f}, 0.1f, 0.8f, 2};
    const struct material skin = {PLASTER, {0.50f, 0.31f, 0.22f}, {0.46f, 0.27f, 0.19f}, 0.1f, 0,
                                  2};
    const struct material hair = {HAIR, {0.10f, 0.045f, 0.02f}, {0.20f, 0.095f, 0.04f}, 0.006f, 0,
                                  1};
    struct solid *const body = street_turned(scene, at, 10, coat, 4, wool);
    (void)body;
    for (int i = 0; i < 2; ++i) {
        const vec3 foot = v3(legs[i][3][0], 0.05f, legs[i][3][2] + 0.05f);
        limb(scene, at, 4, legs[i], dark);
        scene_add(scene, BALL, add(at, foot), v3(0.052f, 0.05f, 0.125f), boot);
        scene_add(scene, BALL, add(at, v3(foot.x, 0.14f, legs[i][3][2])), v3(0.052f, 0.12f, 0.056f),
                  boot);
    }
    limb(scene, at, 4, arm, wool);
    limb(scene, at, 4, hanging, wool);
    scene_add(scene, BALL, add(at, v3(0.135f, 1.235f, 0.245f)), v3(0.045f, 0.045f, 0.045f), skin);
    scene_add(scene, BALL, add(at, v3(-0.245f, 0.84f, 0.10f)), v3(0.038f, 0.055f, 0.04f), skin);
    static const float scarf[][2] = {
        {0.10f, 1.43f}, {0.135f, 1.45f}, {0.14f, 1.49f}, {0.115f, 1.53f}, {0.07f, 1.53f}};
    const struct material red = {KNIT, {0.05f, 0.14f, 0.16f}, {0.04f, 0.11f, 0.13f}, 0.012f, 0, 4};
    street_turned(scene, at, 5, scarf, 4, red);
    scene_add(scene, BALL, add(at, v3(0, 1.62f, 0)), v3(0.098f, 0.125f, 0.11f), hair);
    scene_add(scene, BALL, add(at, v3(0, 1.66f, -0.115f)), v3(0.05f, 0.05f, 0.045f), hair);
    umbrella(scene, add(at, v3(-0.02f, 2.12f, 0.14f)));
}

struct scene *scene_night(void)
{
    struct scene *const scene = scene_new("night");
    scene_camera(scene, v3(0, 1.5f, 0), v3(0.02f, 1.13f, 10), 2300);
    scene->camera.height = 680;
    scene->is_wet = 1;
    scene->sky = (struct sky){v3(0.010f, 0.015f, 0.034f),   v3(0.028f, 0.030f, 0.045f),
                              v3(0.012f, 0.010f, 0.010f),   v3(0, 0, 0),
                              unit(v3(-0.6f, 0.5f, -0.6f)), 0.4f};
    scene->lights[0] = (struct light){v3(-4.2f, 4.4f, 4.5f), v3(15, 11.5f, 8), 0.25f};
    scene->lights[1] = (struct light){v3(5, 3.4f, 7), v3(3, 4.4f, 6), 0.3f};
    scene->light_count = 2;
    ground(scene);
    houses(scene);
    shops(scene);
    lamps(scene);
    strings(scene);
    cars(scene);
    signs(scene);
    walker(scene, v3(-0.75f, 0, 8.5f));
    street_bollards(scene, 2.15f, 5.6f, 2.3f, 6);
    scene->blur = 60;
    scene->focus = 8.5f;
    scene->near = 5;
    scene->far = 90;
    return scene;
}
