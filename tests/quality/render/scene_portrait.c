// Somebody with long hair and a woollen hat, seen from behind, before the lights of an evening.
// Lengths in metres; the middle of the head is (0, 0, 0), z runs away from the camera.
#include "quality/render/scene.h"

enum { STRANDS = 1700, LOOSE = 90, LOCKS = 34, TUFT = 420 };

static const vec3 head = {0.093f, 0.118f, 0.103f};

static vec3 around(int i, int seed)
{
    return v3(random3(i, seed, 1), random3(i, seed, 2), random3(i, seed, 3));
}

static void tube(struct scene *scene, int count, const float (*path)[4], int steps,
                 struct material material)
{
    curve_tube(scene_curve(scene), count, path, steps);
    scene_add(scene, TUBE, v3(0, 0, 0), v3(1, 1, 1), material);
}

// A strand from under the hat's rim, at an angle around the head, down over the shoulders. Strands
// gather into locks; a loose one is finer and goes its own way.
static void strand(struct scene *scene, int i, int is_loose)
{
    const vec3 r = around(i, 5), n = noise3(v3(0.23f * (float)i, 1.5f, 4));
    const int lock_index = ifloor(r.x * LOCKS);
    const vec3 lock = noise3(v3(0.61f * (float)lock_index, 2.5f, 1));
    const float gather = is_loose ? 0 : 0.75f, middle = ((float)lock_index + 0.5f) / LOCKS;
    const float layer = 0.86f + 0.20f * r.y, side = fabsf(2 * r.x - 1),
                loose = is_loose ? 1 : 0.16f;
    const float length = 0.30f + 0.12f * r.z * r.z + 0.07f * lock.x - 0.05f * side;
    const float wave = 0.014f + 0.006f * lock.z + 0.003f * n.z, phase = 9 * lock.y + 0.5f * n.x;
    float path[9][4];
    for (int k = 0; k < 9; ++k) {
        const float t = (float)k / 8, toward = gather * smooth(0.15f, 1, t);
        const float turn =
            PI * (1.02f + 0.96f * lerp(r.x, middle, toward)); // the half that is seen
        // Out to the head's widest place, in to the neck, and out over the shoulders again.
        const float wide = layer * (1 + 0.10f * smooth(0, 0.25f, t) -
                                    0.16f * smooth(0.3f, 0.6f, t) + 0.26f * smooth(0.5f, 1, t));
        const float swing = wave * sinf(11 * t + phase) * smooth(0.1f, 0.5f, t),
                    fly = loose * t * t;
        path[k][0] = cosf(turn) * (head.x + 0.012f) * wide + swing + fly * (0.09f * n.x + 0.05f);
        path[k][1] = 0.035f - length * t + 0.5f * fly * fabsf(n.y) * length;
        path[k][2] = sinf(turn) * (head.z + 0.012f) * wide + 0.5f * swing + 0.09f * fly * n.y -
                     0.03f * smooth(0.4f, 0.8f, t);
        path[k][3] = (is_loose ? 0.0005f : 0.0012f) * (1.15f - 0.6f * t);
    }
    const struct material hair = {HAIR, {0.085f, 0.034f, 0.013f}, {0.36f, 0.165f, 0.062f}, 0, 0, i};
    tube(scene, 9, (const float(*)[4])path, 2, hair);
}

static void hat(struct scene *scene)
{
    static const float cap[][2] = {{0.112f, 0.012f}, {0.118f, 0.03f}, {0.113f, 0.062f},
                                   {0.113f, 0.062f}, {0.110f, 0.10f}, {0.088f, 0.142f},
                                   {0.05f, 0.168f},  {0, 0.176f}};
    static const float rim[][2] = {{0.106f, 0.0f},   {0.118f, 0.0f},   {0.123f, 0.012f},
                                   {0.123f, 0.045f}, {0.116f, 0.058f}, {0.108f, 0.058f}};
    const struct material wool = {KNIT, {0.52f, 0.045f, 0.035f}, {0.40f, 0.03f, 0.026f}, 0.0085f, 0,
                                  1};
    curve_lathe(scene_curve(scene), 8, cap, 4);
    solid_turn(scene_add(scene, LATHE, v3(0, 0, 0), v3(1, 1, 1), wool), 0, -0.22f);
    curve_lathe(scene_curve(scene), 6, rim, 4);
    solid_turn(scene_add(scene, LATHE, v3(0, 0, 0), v3(1, 1, 1), wool), 0, -0.22f);
    const vec3 middle = v3(0, 0.200f, -0.045f);
    const struct material yarn = {PLAIN, {0.62f, 0.56f, 0.47f}, {0, 0, 0}, 1, 0, 0};
    scene_add(scene, BALL, middle, v3(0.027f, 0.027f, 0.027f), yarn);
    for (int i = 0; i < TUFT; ++i) {
        const float y = 1 - 2 * ((float)i + 0.5f) / TUFT, turn = 2.39996f * (float)i,
                    r = sqrtf(1 - y * y);
        const vec3 bent = scaled(noise3(v3(1.7f * (float)i, 3, 3)), 0.35f);
        const vec3 out = unit(add(v3(r * cosf(turn), y, r * sinf(turn)), bent));
        const vec3 a = along(middle, out, 0.02f), b = along(middle, add(out, scaled(bent, 0.2f)),
                                                            0.036f + 0.010f * random3(i, 3, 8));
        const float path[2][4] = {{a.x, a.y, a.z, 0.0017f}, {b.x, b.y, b.z, 0.0012f}};
        struct material tone = yarn;
        tone.a = scaled(yarn.a, 0.75f + 0.4f * random3(i, 5, 9));
        tube(scene, 2, path, 1, tone);
    }
}

static void body(struct scene *scene)
{
    const struct material coat = {
        KNIT, {0.030f, 0.075f, 0.085f}, {0.022f, 0.055f, 0.066f}, 0.0045f, 0, 3};
    const struct material skin = {PLASTER, {0.50f, 0.30f, 0.21f}, {0.46f, 0.26f, 0.18f}, 0.1f, 0,
                                  2};
    const struct material mass = {HAIR, {0.07f, 0.028f, 0.011f}, {0.17f, 0.075f, 0.028f}, 0.006f, 0,
                                  1};
    scene_add(scene, BALL, v3(0, 0, 0), head, mass);
    scene_add(scene, BALL, v3(0.004f, -0.14f, 0.0f), v3(0.082f, 0.17f, 0.085f), mass);
    scene_add(scene, BALL, v3(0, -0.13f, 0.02f), v3(0.055f, 0.14f, 0.06f), skin);
    scene_add(scene, BALL, v3(0, -0.56f, 0.04f), v3(0.235f, 0.33f, 0.135f), coat);
    for (int i = -1; i <= 1; i += 2) {
        const float x = (float)i;
        const float sleeve[][4] = {{0.10f * x, -0.275f, 0.03f, 0.07f},
                                   {0.185f * x, -0.33f, 0.03f, 0.078f},
                                   {0.245f * x, -0.50f, 0.04f, 0.07f},
                                   {0.265f * x, -0.72f, 0.06f, 0.066f}};
        tube(scene, 4, sleeve, 5, coat);
    }
}

// A bulb far away, in one of a few colours, most of them warm.
static void light(struct scene *scene, vec3 at, int i)
{
    static const vec3 colours[] = {{1, 0.52f, 0.15f}, {1, 0.40f, 0.08f}, {1, 0.64f, 0.26f},
                                   {1, 0.30f, 0.08f}, {1, 0.72f, 0.42f}, {0.25f, 0.65f, 1},
                                   {1, 0.14f, 0.22f}};
    const int kind =
        hash3(i, 7, 7) % 100 < 84 ? (int)(hash3(i, 8, 8) % 5) : 5 + (int)(hash3(i, 9, 9) % 2);
    const float radius = 0.0044f * at.z * (0.8f + 0.5f * random3(i, 4, 4));
    const struct material glow = {GLOW, colours[kind], {0, 0, 0}, 1, 0, 0};
    scene_add(scene, BALL, at, v3(radius, radius, radius), glow);
}

// Lights that are far away: strings of bulbs, windows, and what is on the water.
static void evening(struct scene *scene)
{
    const struct material dusk = {SKY, {0.36f, 0.145f, 0.085f}, {0.022f, 0.035f, 0.105f}, 15, 0.5f,
                                  3};
    const struct material roof = {PLASTER, {0.05f, 0.045f, 0.06f}, {0.035f, 0.03f, 0.045f}, 1, 0,
                                  1};
    const struct material quay = {COBBLE, {0.16f, 0.14f, 0.13f}, {0.08f, 0.075f, 0.08f}, 0.2f, 0.9f,
                                  1};
    scene_add(scene, BOX, v3(0, 1, 62), v3(60, 40, 0.5f), dusk);
    scene_add(scene, BOX, v3(0, -1.9f, 32), v3(40, 0.2f, 30), quay);
    for (int i = 0; i < 15; ++i) {
        const float high = 2.2f + 3.6f * random3(i, 1, 2), x = -16 + 2.7f * (float)i,
                    z = 44 + 6 * random3(i, 2, 2);
        const struct material front = {
            FACADE,
            scaled(v3(0.30f, 0.20f, 0.16f), 0.4f + 0.5f * random3(i, 3, 2)),
            {0.08f, 0.06f, 0.06f},
            0.42f,
            0,
            7 + i};
        scene_add(scene, BOX, v3(x, high - 1.9f, z), v3(1.25f, high, 1), front);
        scene_add(scene, BOX, v3(x, 2 * high - 1.8f, z), v3(1.35f, 0.15f, 1.1f), roof);
    }
    for (int i = 0; i < 150; ++i) {
        const vec3 r = around(i, 11);
        const float z = 9 + 30 * r.z, high = r.y * r.y;
        light(scene, v3((r.x - 0.35f) * 0.62f * z, (0.16f * high - 0.10f) * z, z), i);
    }
    for (int k = 0; k < 3; ++k) { // strings of bulbs from the upper left to the upper right
        for (int i = 0; i < 13; ++i) {
            const float x = (float)i / 6 - 1, z = 9 + 3.4f * (float)k - 1.2f * x;
            const float sag = 0.045f * (float)(k + 1) * (x * x - 1);
            light(
                scene,
                v3((0.28f * x + 0.075f) * z, (0.235f - 0.035f * (float)k + sag + 0.03f * x) * z, z),
                5 * hash3(i, k, 3) % 100);
        }
    }
}

struct scene *scene_portrait(void)
{
    struct scene *const scene = scene_new("portrait");
    scene_camera(scene, v3(-0.10f, 0.02f, -1.40f), v3(0.015f, -0.075f, 0), 1720);
    scene->camera.width = 800;
    scene->camera.height = 1000;
    scene->sky = (struct sky){v3(0.12f, 0.15f, 0.25f),      v3(0.22f, 0.15f, 0.12f),
                              v3(0.10f, 0.07f, 0.05f),      v3(0, 0, 0),
                              unit(v3(-0.6f, 0.5f, -0.6f)), 0.4f};
    scene->lights[0] = (struct light){v3(-2.2f, 1.5f, -1.8f), v3(4.6f, 3.8f, 3.1f), 0.35f};
    scene->lights[1] = (struct light){v3(1.5f, 0.9f, 1.3f), v3(12, 6.4f, 2.3f), 0.16f};
    scene->lights[2] = (struct light){v3(-1.4f, 0.5f, 1.6f), v3(7, 3.2f, 1.3f), 0.16f};
    scene->light_count = 3;
    evening(scene);
    body(scene);
    hat(scene);
    for (int i = 0; i < STRANDS; ++i)
        strand(scene, i, 0);
    for (int i = 0; i < LOOSE; ++i)
        strand(scene, STRANDS + i, 1);
    scene->is_wet = 1;
    scene->blur = 46;
    scene->focus = 1.34f;
    scene->near = 0.9f;
    scene->far = 75;
    return scene;
}
