// A teapot on a table in the evening. Lengths in decimetres; the table top is y = 0.
#include "quality/render/scene.h"

static const float table_end = 5.5f;
static const float wall = 29;

static struct material ceramic(vec3 a, vec3 b, float leaves, int seed)
{
    return (struct material){GLAZE, a, b, leaves, 0.75f, seed};
}

static struct solid *turned(struct scene *scene, vec3 at, int count, const float (*profile)[2],
                            struct material material)
{
    curve_lathe(scene_curve(scene), count, profile, 4);
    return scene_add(scene, LATHE, at, v3(1, 1, 1), material);
}

static struct solid *swept(struct scene *scene, vec3 at, int count, const float (*path)[4],
                           int steps, struct material material)
{
    curve_tube(scene_curve(scene), count, path, steps);
    return scene_add(scene, TUBE, at, v3(1, 1, 1), material);
}

static void teapot(struct scene *scene, vec3 at, float yaw)
{
    static const float body[][2] = {{0, 0.02f},     {0.58f, 0.02f}, {0.58f, 0.02f}, {0.62f, 0.08f},
                                    {0.60f, 0.14f}, {0.92f, 0.36f}, {1.17f, 0.80f}, {1.12f, 1.22f},
                                    {0.82f, 1.53f}, {0.63f, 1.62f}, {0.62f, 1.68f}, {0.62f, 1.68f},
                                    {0.50f, 1.69f}};
    static const float lid[][2] = {{0.66f, 1.69f}, {0.66f, 1.74f}, {0.66f, 1.74f}, {0.52f, 1.86f},
                                   {0.26f, 1.97f}, {0.10f, 2.02f}, {0.09f, 2.08f}, {0.20f, 2.20f},
                                   {0.17f, 2.32f}, {0, 2.37f}};
    static const float spout[][4] = {{0.55f, 0.54f, 0, 0.28f},
                                     {1.06f, 0.72f, 0, 0.25f},
                                     {1.42f, 1.02f, 0, 0.19f},
                                     {1.68f, 1.38f, 0, 0.14f},
                                     {1.97f, 1.66f, 0, 0.115f}};
    static const float handle[][4] = {{-0.88f, 1.42f, 0, 0.12f},  {-1.32f, 1.62f, 0, 0.11f},
                                      {-1.70f, 1.42f, 0, 0.105f}, {-1.72f, 0.98f, 0, 0.10f},
                                      {-1.42f, 0.62f, 0, 0.10f},  {-1.02f, 0.48f, 0, 0.13f}};
    const vec3 cream = v3(0.66f, 0.61f, 0.51f), blue = v3(0.022f, 0.075f, 0.21f);
    solid_turn(turned(scene, at, 13, body, ceramic(cream, blue, 18, 1)), yaw, 0);
    solid_turn(turned(scene, at, 10, lid, ceramic(blue, cream, 0, 2)), yaw, 0);
    solid_turn(swept(scene, at, 5, spout, 5, ceramic(cream, blue, 0, 3)), yaw, 0);
    const struct material dark = {PLAIN, v3(0.06f, 0.045f, 0.03f), v3(0, 0, 0), 1, 0, 0};
    const vec3 side = v3(cosf(yaw), 0, -sinf(yaw)), out = add(scaled(side, 0.72f), v3(0, 0.69f, 0));
    const vec3 tip = add(at, add(scaled(side, 1.97f), v3(0, 1.66f, 0)));
    struct solid *const mouth =
        scene_add(scene, BALL, along(tip, out, 0.088f), v3(0.03f, 0.07f, 0.07f), dark);
    solid_aim(mouth, out, v3(0, 1, 0));
    solid_turn(swept(scene, at, 6, handle, 4, ceramic(blue, cream, 0, 4)), yaw, 0);
}

static void cup(struct scene *scene, vec3 at, float yaw)
{
    static const float bowl[][2] = {{0, 0.13f},     {0.30f, 0.13f}, {0.30f, 0.13f}, {0.32f, 0.20f},
                                    {0.50f, 0.34f}, {0.62f, 0.62f}, {0.66f, 0.92f}, {0.66f, 0.92f},
                                    {0.62f, 0.93f}, {0.57f, 0.64f}, {0.45f, 0.38f}, {0, 0.28f}};
    static const float saucer[][2] = {
        {0, 0},         {0.48f, 0},     {0.48f, 0},     {0.50f, 0.04f}, {0.85f, 0.12f},
        {1.02f, 0.20f}, {1.02f, 0.22f}, {0.80f, 0.16f}, {0.42f, 0.10f}, {0, 0.10f}};
    static const float tea[][2] = {{0.59f, 0.76f}, {0, 0.76f}};
    static const float handle[][4] = {{0.665f, 0.80f, 0, 0.05f},
                                      {0.86f, 0.84f, 0, 0.05f},
                                      {0.95f, 0.66f, 0, 0.05f},
                                      {0.82f, 0.46f, 0, 0.05f},
                                      {0.575f, 0.42f, 0, 0.055f}};
    const vec3 cream = v3(0.64f, 0.60f, 0.51f), blue = v3(0.022f, 0.075f, 0.21f);
    turned(scene, at, 12, bowl, ceramic(cream, blue, 12, 5));
    turned(scene, at, 10, saucer, ceramic(blue, cream, 0, 6));
    turned(scene, at, 2, tea,
           (struct material){PLAIN, v3(0.16f, 0.05f, 0.012f), v3(0, 0, 0), 1, 0.8f, 0});
    solid_turn(swept(scene, at, 5, handle, 4, ceramic(cream, blue, 0, 7)), yaw, 0);
}

static void orange(struct scene *scene, float x, float z, float radius, int seed)
{
    const struct material peel = {
        PEEL, v3(0.80f, 0.27f, 0.025f), v3(0.72f, 0.19f, 0.015f), 0.035f, 0.35f, seed};
    const struct material stalk = {PLAIN, v3(0.10f, 0.12f, 0.04f), v3(0, 0, 0), 1, 0, 0};
    struct solid *const ball = scene_add(scene, BALL, v3(x, 0.02f + radius * 0.95f, z),
                                         v3(radius, radius * 0.95f, radius), peel);
    solid_turn(ball, 0.7f * (float)seed, 0.25f);
    scene_add(scene, BALL, along(ball->origin, ball->ay, radius * 0.95f), v3(0.06f, 0.03f, 0.06f),
              stalk);
}

static void lying_books(struct scene *scene, float x, float z)
{
    static const struct {
        float width, height, depth, turn;
        vec3 cloth, ink;
    } books[] = {{1.35f, 0.20f, 0.95f, 0.06f, {0.19f, 0.030f, 0.024f}, {0.62f, 0.45f, 0.17f}},
                 {1.22f, 0.15f, 0.90f, -0.10f, {0.030f, 0.085f, 0.070f}, {0.60f, 0.54f, 0.38f}},
                 {1.28f, 0.24f, 0.85f, 0.16f, {0.48f, 0.33f, 0.10f}, {0.08f, 0.04f, 0.02f}},
                 {1.05f, 0.13f, 0.78f, -0.04f, {0.055f, 0.065f, 0.13f}, {0.58f, 0.56f, 0.50f}}};
    float y = 0;
    for (int i = 0; i < 4; ++i) {
        const struct material cover = {BOOK, books[i].cloth, books[i].ink, 0.07f, 0.15f, 11 + i};
        const vec3 size = v3(books[i].width, books[i].height, books[i].depth);
        struct solid *const book = scene_add(scene, BOX, v3(x, y + size.y, z), size, cover);
        book->bevel = 0.05f;
        solid_turn(book, books[i].turn, 0);
        y += 2 * size.y + 0.002f;
    }
}

// A twig from `from` to `to` with a pair of leaves at every step.
static void twig(struct scene *scene, vec3 from, vec3 to, int leaves, int seed)
{
    const vec3 bend = v3(0.25f * (to.x - from.x), 0.9f * (to.y - from.y), 0.3f * (to.z - from.z));
    const float path[][4] = {{0, 0, 0, 0.035f},
                             {bend.x, bend.y * 0.6f, bend.z, 0.03f},
                             {to.x - from.x, to.y - from.y, to.z - from.z, 0.015f}};
    const struct material bark = {PLAIN, v3(0.13f, 0.09f, 0.05f), v3(0, 0, 0), 1, 0, 0};
    const struct curve *const curve = swept(scene, from, 3, path, 6, bark)->curve;
    const float length = curve->arc[curve->count - 1];
    for (int i = 0; i < leaves; ++i) {
        const float want = length * (0.3f + 0.7f * (float)i / (float)(leaves - 1));
        int k = 0;
        while (k + 2 < curve->count && curve->arc[k + 1] < want)
            ++k;
        const vec3 stem = unit(sub(curve->at[k + 1], curve->at[k]));
        const vec3 at = add(from, along(curve->at[k], stem, want - curve->arc[k]));
        vec3 s, t;
        basis(stem, &s, &t);
        const float turn = 2.4f * (float)i + (float)seed, size = lerp(0.42f, 0.24f, want / length);
        const vec3 side = add(scaled(s, cosf(turn)), scaled(t, sinf(turn)));
        const vec3 out = unit(add(side, add(scaled(stem, 0.6f), v3(0, -0.15f, 0))));
        const struct material green = {
            LEAF, v3(0.085f, 0.16f, 0.075f), v3(0.19f, 0.29f, 0.15f), size, 0.25f, seed * 31 + i};
        struct solid *const leaf =
            scene_add(scene, BALL, along(at, out, size), v3(size, 0.012f, 0.52f * size), green);
        solid_aim(leaf, out, noise3(v3((float)i * 1.7f, (float)seed * 2.3f, 0.5f)));
    }
}

static void vase(struct scene *scene, vec3 at)
{
    static const float profile[][2] = {
        {0, 0},         {0.42f, 0},     {0.42f, 0},     {0.52f, 0.12f}, {0.80f, 0.75f},
        {0.72f, 1.35f}, {0.36f, 1.85f}, {0.30f, 2.05f}, {0.40f, 2.22f}, {0.40f, 2.22f},
        {0.36f, 2.22f}, {0.26f, 2.05f}, {0.28f, 1.8f}};
    turned(scene, at, 13, profile, ceramic(v3(0.20f, 0.075f, 0.045f), v3(0.5f, 0.4f, 0.3f), 0, 8));
    static const float ends[][3] = {{-2.1f, 4.6f, 0.4f}, {-1.0f, 5.5f, -0.5f},
                                    {0.3f, 5.9f, 0.3f},  {1.5f, 5.0f, -0.2f},
                                    {2.5f, 4.0f, 0.5f},  {-2.7f, 3.2f, -0.4f}};
    for (int i = 0; i < 6; ++i) {
        const vec3 mouth = add(at, v3(0.03f * (float)(i - 3), 1.9f, 0));
        twig(scene, mouth, add(at, v3(ends[i][0], ends[i][1], ends[i][2])), 13, i + 1);
    }
}

static void shelf(struct scene *scene, float y, float from, float to, int seed)
{
    static const vec3 cloths[] = {
        {0.20f, 0.03f, 0.025f}, {0.03f, 0.08f, 0.07f}, {0.40f, 0.27f, 0.08f}, {0.05f, 0.06f, 0.14f},
        {0.42f, 0.38f, 0.30f},  {0.12f, 0.05f, 0.03f}, {0.10f, 0.14f, 0.05f}};
    const struct material oak = {WOOD, v3(0.30f, 0.17f, 0.08f), v3(0.12f, 0.06f, 0.03f), 2, 0.2f,
                                 3};
    scene_add(scene, BOX, v3((from + to) / 2, y - 0.15f, wall - 1.3f),
              v3((to - from) / 2 + 0.6f, 0.15f, 1.2f), oak);
    float x = from;
    for (int i = 0; x < to; ++i) {
        const float half = 0.14f + 0.22f * random3(i, seed, 1),
                    high = 0.9f + 0.5f * random3(i, seed, 2);
        const int gap = random3(i, seed, 4) < 0.10f;
        if (!gap) {
            const struct material cover = {
                BOOK,         cloths[hash3(i, seed, 5) % 7], v3(0.6f, 0.5f, 0.3f), -0.12f, 0.15f,
                seed * 50 + i};
            scene_add(scene, BOX, v3(x + half, y + high, wall - 1.4f), v3(half, high, 0.85f),
                      cover);
        }
        x += gap ? 1.1f : 2 * half + 0.02f;
    }
}

// Garlands of little lamps, hanging in arcs between nails.
static void garland(struct scene *scene, float from, float to, float y, float sag, int lamps,
                    float z)
{
    const struct material cord = {PLAIN, v3(0.02f, 0.025f, 0.02f), v3(0, 0, 0), 1, 0, 0};
    float path[7][4];
    for (int i = 0; i < 7; ++i) {
        const float x = (float)i / 3 - 1;
        path[i][0] = lerp(from, to, 0.5f + 0.5f * x);
        path[i][1] = y + 0.25f + sag * (x * x - 1);
        path[i][2] = z + 0.3f;
        path[i][3] = 0.035f;
    }
    swept(scene, v3(0, 0, 0), 7, (const float(*)[4])path, 4, cord);
    for (int i = 0; i < lamps; ++i) {
        const float x = 2 * ((float)i + 0.5f) / (float)lamps - 1, warm = random3(i, lamps, 9);
        const struct material glow = {
            GLOW, mix(v3(1, 0.50f, 0.14f), v3(1, 0.74f, 0.36f), warm), v3(0, 0, 0), 1, 0, 0};
        const vec3 at = v3(lerp(from, to, 0.5f + 0.5f * x), y + sag * (x * x - 1) + 0.2f * warm,
                           z + 0.6f * warm);
        scene_add(scene, BALL, at, v3(0.2f, 0.2f, 0.2f), glow);
    }
}

static void room(struct scene *scene)
{
    const struct material oak = {
        WOOD, v3(0.36f, 0.19f, 0.085f), v3(0.13f, 0.058f, 0.024f), 1.35f, 0.45f, 1};
    const struct material plaster = {
        PLASTER, v3(0.12f, 0.15f, 0.17f), v3(0.19f, 0.22f, 0.23f), 5, 0, 2};
    const struct material linen = {
        CLOTH, v3(0.62f, 0.60f, 0.55f), v3(0.30f, 0.045f, 0.04f), 0.34f, 0, 1};
    scene_add(scene, BOX, v3(0, -0.3f, table_end - 9), v3(14, 0.3f, 9), oak)->bevel = 0.06f;
    struct solid *const runner =
        scene_add(scene, BOX, v3(0.1f, 0.01f, -0.6f), v3(2.5f, 0.01f, 1.9f), linen);
    solid_turn(runner, 0.22f, 0);
    scene_add(scene, BOX, v3(0, 4, wall + 0.5f), v3(40, 16, 0.5f), plaster);
    shelf(scene, -1.2f, -12, 4.5f, 1);
    shelf(scene, 2.4f, -13, 3.0f, 2);
    garland(scene, -16, -4, 6.9f, 1.9f, 13, wall - 3.5f);
    garland(scene, -4, 7, 6.9f, 2.3f, 12, wall - 4);
    garland(scene, 7, 17, 6.9f, 1.9f, 11, wall - 3.5f);
}

static void window(struct scene *scene, float x, float y)
{
    const struct material frame = {PLAIN, v3(0.30f, 0.28f, 0.25f), v3(0, 0, 0), 1, 0.2f, 0};
    const struct material dusk = {SKY, v3(0.40f, 0.27f, 0.24f), v3(0.07f, 0.13f, 0.28f), 3.2f, 0.2f,
                                  4};
    scene_add(scene, BOX, v3(x, y, wall - 0.05f), v3(3.0f, 4.2f, 0.04f), dusk);
    for (int i = -1; i <= 1; ++i) {
        const float half = i == 0 ? 0.12f : 0.25f;
        scene_add(scene, BOX, v3(x + 3.0f * (float)i, y, wall - 0.25f), v3(half, 4.4f, 0.2f),
                  frame);
        scene_add(scene, BOX, v3(x, y + 4.2f * (float)i, wall - 0.25f), v3(3.2f, half, 0.2f),
                  frame);
    }
}

struct scene *scene_table(void)
{
    struct scene *const scene = scene_new("table");
    scene_camera(scene, v3(0, 2.7f, -9), v3(0.05f, 1.22f, 0), 2000);
    room(scene);
    window(scene, 8.8f, 3.2f);
    teapot(scene, v3(-0.15f, 0.02f, 0), 0.42f);
    cup(scene, v3(2.25f, 0, -2.6f), -2.2f);
    orange(scene, -2.35f, -0.9f, 0.46f, 1);
    orange(scene, -3.05f, 0.1f, 0.43f, 2);
    orange(scene, -1.62f, -2.0f, 0.42f, 3);
    lying_books(scene, 3.0f, 2.1f);
    vase(scene, v3(-2.5f, 0, 3.1f));
    twig(scene, v3(-3.4f, 0.02f, -2.9f), v3(-1.1f, 0.16f, -3.3f), 9, 9);
    scene->sky = (struct sky){v3(0.22f, 0.23f, 0.26f),         v3(0.17f, 0.16f, 0.16f),
                              v3(0.10f, 0.065f, 0.045f),       v3(9, 8.6f, 8),
                              unit(v3(-0.75f, 0.55f, -0.55f)), 0.26f};
    scene->lights[0] = (struct light){v3(-9, 8.5f, -5), v3(225, 200, 160), 1.6f};
    scene->lights[1] = (struct light){v3(-5, 7, wall - 5), v3(9, 5.4f, 2.2f), 0.5f};
    scene->lights[2] = (struct light){v3(5, 7, wall - 5), v3(9, 5.4f, 2.2f), 0.5f};
    scene->light_count = 3;
    scene->blur = 48;
    scene->focus = 8.2f;
    scene->near = 5;
    scene->far = 40;
    return scene;
}
