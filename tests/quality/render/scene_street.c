// A lane at dusk with a letter box. Lengths in metres; the ground is y = 0, z runs down the lane.
#include "quality/render/street.h"

static const float lane_end = 46;
static const float wall_x = 2.5f;

static void letter_box(struct scene *scene, vec3 at)
{
    static const float body[][2] = {
        {0.285f, 0},     {0.285f, 0.10f}, {0.285f, 0.10f}, {0.27f, 0.13f},   {0.25f, 0.15f},
        {0.25f, 0.15f},  {0.25f, 1.34f},  {0.25f, 1.34f},  {0.27f, 1.36f},   {0.315f, 1.38f},
        {0.315f, 1.38f}, {0.315f, 1.44f}, {0.315f, 1.44f}, {0.295f, 1.455f}, {0.23f, 1.52f},
        {0.12f, 1.56f},  {0, 1.575f}};
    static const float hood[][4] = {{-0.16f, 1.262f, -0.215f, 0.014f},
                                    {-0.08f, 1.285f, -0.262f, 0.014f},
                                    {0.08f, 1.285f, -0.262f, 0.014f},
                                    {0.16f, 1.262f, -0.215f, 0.014f}};
    const struct material paint = {
        PILLAR, {0.42f, 0.018f, 0.014f}, {0.012f, 0.012f, 0.013f}, 0.145f, 0.85f, 1};
    const struct material red = {IRON, {0.40f, 0.017f, 0.013f}, {0.36f, 0.015f, 0.012f}, 0.3f, 0.7f,
                                 2};
    solid_turn(street_turned(scene, at, 17, body, 3, paint), 0.22f, 0);
    curve_tube(scene_curve(scene), 4, hood, 4);
    solid_turn(scene_add(scene, TUBE, at, v3(1, 1, 1), red), 0.22f, 0);
}

static void wall_lantern(struct scene *scene, float y, float z)
{
    const float arm[][4] = {{0, 0, 0, 0.022f},
                            {-0.18f, 0.22f, 0, 0.02f},
                            {-0.36f, 0.26f, 0, 0.018f},
                            {-0.44f, 0.12f, 0, 0.018f}};
    curve_tube(scene_curve(scene), 4, arm, 5);
    scene_add(scene, TUBE, v3(wall_x, y, z), v3(1, 1, 1), street_iron);
    street_lantern(scene, v3(wall_x - 0.44f, y - 0.14f, z), 0.12f);
    scene->lights[scene->light_count++] =
        (struct light){v3(wall_x - 0.44f, y - 0.14f, z), v3(0.95f, 0.55f, 0.20f), 0.10f};
}

static void wall(struct scene *scene)
{
    const struct material brick = {BRICK, {0.31f, 0.17f, 0.09f}, {0.21f, 0.095f, 0.06f}, 0.23f, 0,
                                   1};
    const struct material cap = {PLASTER, {0.30f, 0.28f, 0.24f}, {0.20f, 0.19f, 0.17f}, 0.5f, 0, 5};
    for (int i = 0; i < 8; ++i) { // in pieces, so that the near ones have finer light maps
        const float z = 3 + 2.6f * (float)i;
        scene_add(scene, BOX, v3(wall_x + 0.25f, 1.3f, z), v3(0.25f, 1.3f, 1.3f), brick);
        scene_add(scene, BOX, v3(wall_x + 0.22f, 2.66f, z), v3(0.34f, 0.06f, 1.3f), cap)->bevel =
            0.02f;
    }
    for (int i = 0; i < 4; ++i) {
        scene_add(scene, BOX, v3(wall_x + 0.1f, 1.45f, 4.3f + 5.2f * (float)i),
                  v3(0.24f, 1.45f, 0.24f), brick);
        scene_add(scene, BOX, v3(wall_x + 0.1f, 2.96f, 4.3f + 5.2f * (float)i),
                  v3(0.32f, 0.06f, 0.32f), cap)
            ->bevel = 0.02f;
    }
}

static void ground(struct scene *scene)
{
    const struct material setts = {
        COBBLE, {0.27f, 0.255f, 0.24f}, {0.14f, 0.135f, 0.14f}, 0.115f, 0.5f, 1};
    float z = 2;
    for (int i = 0; i < 7; ++i) {
        const float next = z * 1.62f;
        struct solid *const strip = scene_add(scene, BOX, v3(0, -0.2f, (z + next) / 2),
                                              v3(1.2f * next, 0.2f, (next - z) / 2), setts);
        strip->material.seed = 1 + i;
        z = next;
    }
}

static void houses(struct scene *scene)
{
    street_house(scene, v3(-8.2f, 0, 17), v3(3.2f, 2.08f, 4), v3(0.44f, 0.36f, 0.25f), 0.8f, 2);
    street_house(scene, v3(-8.4f, 0, 27), v3(3.2f, 4.16f, 4.8f), v3(0.32f, 0.17f, 0.13f), 0.8f, 3);
    street_house(scene, v3(-6.4f, 0, 38), v3(3, 3.9f, 4.5f), v3(0.40f, 0.38f, 0.33f), 0.75f, 4);
    street_house(scene, v3(7.6f, 0, 31), v3(3.4f, 4.42f, 5.1f), v3(0.42f, 0.34f, 0.22f), 0.85f, 5);
    street_house(scene, v3(1.2f, 0, lane_end), v3(4.5f, 3.9f, 2), v3(0.35f, 0.22f, 0.17f), 0.75f,
                 6);
    const struct material dusk = {SKY, {0.86f, 0.55f, 0.34f}, {0.16f, 0.24f, 0.40f}, 13, 0.75f, 1};
    scene_add(scene, BOX, v3(0, 0, 54), v3(60, 40, 0.5f), dusk);
}

static void barrel(struct scene *scene, vec3 at)
{
    static const float staves[][2] = {{0, 0},         {0.26f, 0},     {0.26f, 0},
                                      {0.32f, 0.22f}, {0.34f, 0.42f}, {0.32f, 0.62f},
                                      {0.26f, 0.84f}, {0.26f, 0.84f}, {0.23f, 0.84f},
                                      {0.23f, 0.80f}, {0.23f, 0.80f}, {0, 0.80f}};
    const struct material oak = {WOOD, {0.27f, 0.15f, 0.07f}, {0.11f, 0.06f, 0.03f}, 0.16f, 0.2f,
                                 2};
    street_turned(scene, at, 12, staves, 3, oak);
    for (int i = 0; i < 4; ++i) {
        const float y = i < 2 ? 0.10f + 0.16f * (float)i : 0.42f + 0.16f * (float)(i - 1);
        const float k = (y - 0.42f) / 0.42f, r = 0.344f - 0.079f * k * k;
        const float hoop[][2] = {{r, y - 0.02f}, {r, y + 0.02f}};
        street_turned(scene, at, 2, hoop, 1, street_iron);
    }
}

static void tub(struct scene *scene, vec3 at, float size)
{
    static const float pot[][2] = {{0, 0},         {0.20f, 0},     {0.20f, 0},     {0.27f, 0.40f},
                                   {0.27f, 0.40f}, {0.30f, 0.40f}, {0.30f, 0.40f}, {0.30f, 0.48f},
                                   {0.30f, 0.48f}, {0.26f, 0.48f}, {0.25f, 0.42f}, {0.25f, 0.42f},
                                   {0, 0.42f}};
    const struct material clay = {PLASTER, {0.36f, 0.14f, 0.07f}, {0.26f, 0.11f, 0.065f}, 0.3f, 0,
                                  8};
    street_turned(scene, at, 13, pot, 2, clay);
    street_shrub(scene, add(at, v3(0, 0.42f + 0.85f * size, 0)), size, 0.085f, 170,
                 (int)(at.z * 10));
}

struct scene *scene_street(void)
{
    struct scene *const scene = scene_new("street");
    scene_camera(scene, v3(0, 1.55f, 0), v3(0.05f, 1.22f, 6), 1480);
    scene->sky = (struct sky){v3(0.23f, 0.29f, 0.41f),      v3(0.42f, 0.35f, 0.33f),
                              v3(0.07f, 0.065f, 0.06f),     v3(1.6f, 1.5f, 1.5f),
                              unit(v3(-0.6f, 0.5f, -0.6f)), 0.4f};
    scene->lights[0] = (struct light){v3(-34, 27, -26), v3(2800, 2100, 1450), 1.8f};
    scene->light_count = 1;
    ground(scene);
    wall(scene);
    houses(scene);
    letter_box(scene, v3(0.85f, 0, 5.0f));
    street_bollards(scene, -1.55f, 3.5f, 2.3f, 8);
    for (int i = 0; i < 3; ++i)
        wall_lantern(scene, 2.05f, 6.9f + 5.2f * (float)i);
    street_lamp(scene, v3(-2.6f, 0, 11.5f));
    barrel(scene, v3(1.95f, 0, 8.3f));
    tub(scene, v3(2.0f, 0, 11), 0.38f);
    const struct material ball = {STRIPES, {0.55f, 0.50f, 0.42f}, {0.05f, 0.13f, 0.34f}, 4, 0.4f,
                                  1};
    solid_turn(scene_add(scene, BALL, v3(-0.42f, 0.15f, 4.6f), v3(0.15f, 0.15f, 0.15f), ball), 0.5f,
               0.9f);
    street_shrub(scene, v3(1.72f, 0.5f, 3.25f), 0.5f, 0.105f, 200, 5);
    scene->blur = 32;
    scene->focus = 4.76f;
    scene->near = 2.5f;
    scene->far = 56;
    return scene;
}
