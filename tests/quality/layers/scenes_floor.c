// Grounds, with things standing on them and without.
#include "quality/layers/paint.h"

#include <stdio.h>

static void start(struct tableau *s, const char *name, float radius, float focus)
{
    snprintf(s->name, sizeof s->name, "%s", name);
    s->width = 1200;
    s->height = 752;
    s->radius = radius;
    s->focus = focus;
}

enum { HORIZON = 250 };

static float ground(float y)
{
    return 0.05f + 0.95f * (y - HORIZON) / (760 - HORIZON);
}

// Something of height `size` at disparity 1, standing where the ground is at row y.
static void stand(struct tableau *s, int shape, float x, float y, float size, float stripes, vec3 a,
                  vec3 b)
{
    const float q = ground(y), inverse = 1 / 7.f + q * (1 - 1 / 7.f);
    struct plane *const p = tableau_add(s, lathe_paint, q);
    p->x = x;
    p->y = y;
    p->size = size * inverse;
    p->p[0] = (float)shape;
    p->p[1] = stripes;
    p->a = a;
    p->b = b;
    p->left = x - 0.45f * p->size;
    p->right = x + 0.45f * p->size;
    p->top = y - 1.1f * p->size;
    p->bottom = y + 0.1f * p->size;
}

static void lay_ground(struct tableau *s, painter *paint, float tile, vec3 a, vec3 b)
{
    struct plane *const p = tableau_add(s, paint, 0);
    p->qy = 0.95f / (760 - HORIZON);
    p->q0 = 0.05f - p->qy * HORIZON;
    p->x = 600;
    p->y = HORIZON;
    p->p[0] = 7;
    p->p[1] = tile;
    p->a = a;
    p->b = b;
    p->detail = 2;
}

static void room(struct tableau *s)
{
    const vec3 blue = v3(0.03f, 0.08f, 0.3f), cream = v3(0.7f, 0.64f, 0.5f);
    const vec3 red = v3(0.45f, 0.04f, 0.03f), green = v3(0.05f, 0.22f, 0.08f);
    const vec3 ochre = v3(0.5f, 0.28f, 0.05f), slate = v3(0.1f, 0.11f, 0.13f);
    // From the nearest on.
    stand(s, 3, 960, 735, 190, 20, cream, blue);
    stand(s, 2, 180, 690, 420, 0, slate, v3(0.03f, 0.03f, 0.035f));
    stand(s, 1, 520, 600, 420, 24, red, cream);
    stand(s, 0, 800, 540, 620, 0, green, v3(0.02f, 0.1f, 0.03f));
    stand(s, 4, 330, 480, 380, 30, ochre, cream);
    stand(s, 2, 640, 430, 520, 0, cream, ochre);
    stand(s, 1, 1040, 400, 640, 18, blue, cream);
    stand(s, 0, 110, 360, 700, 0, ochre, red);
    stand(s, 4, 470, 330, 600, 40, slate, red);
    stand(s, 1, 820, 300, 560, 30, cream, green);
}

static void plaster(struct tableau *s)
{
    struct plane *const p = tableau_add(s, plaster_paint, 0.05f);
    p->size = 9;
    p->a = v3(0.42f, 0.36f, 0.26f);
    p->b = v3(0.2f, 0.17f, 0.13f);
}

static void tiled(struct tableau *s)
{
    room(s);
    lay_ground(s, tiles_paint, 210, v3(0.45f, 0.41f, 0.34f), v3(0.1f, 0.08f, 0.075f));
    plaster(s);
}

// A tiled ground with vessels at many depths, the middle in focus.
static void tiles(struct tableau *s)
{
    start(s, "floor", 32, 0.5f);
    tiled(s);
}

// Boards, focus near the front, 8 bits of depth.
static void coarse(struct tableau *s)
{
    const vec3 copper = v3(0.5f, 0.2f, 0.09f), dark = v3(0.12f, 0.05f, 0.03f);
    const vec3 teal = v3(0.03f, 0.2f, 0.2f), chalk = v3(0.72f, 0.7f, 0.64f);
    start(s, "coarse", 48, 0.8f);
    s->depth = DEPTH_8;
    stand(s, 1, 300, 650, 360, 26, teal, chalk);
    stand(s, 3, 760, 640, 230, 0, copper, dark);
    stand(s, 0, 980, 520, 560, 14, dark, copper);
    stand(s, 2, 480, 440, 560, 0, chalk, copper);
    stand(s, 4, 700, 380, 420, 36, teal, dark);
    stand(s, 1, 190, 350, 660, 20, chalk, teal);
    stand(s, 0, 880, 310, 760, 0, teal, dark);
    lay_ground(s, boards_paint, 110, v3(0.4f, 0.25f, 0.12f), v3(0.17f, 0.085f, 0.035f));
    struct plane *const p = tableau_add(s, cloth_paint, 0.05f);
    p->size = 5;
    p->a = v3(0.3f, 0.26f, 0.2f);
    p->b = v3(0.13f, 0.15f, 0.2f);
}

// One slanted plane and nothing else: any seam is the method's.
static void tilt(struct tableau *s)
{
    start(s, "tilt", 40, 0.5f);
    struct plane *const p = tableau_add(s, page_paint, 0.05f);
    p->qx = 0.5f / 1200;
    p->qy = 0.4f / 752;
    p->size = 15;
    p->a = v3(0.75f, 0.71f, 0.6f);
    p->b = v3(0.03f, 0.03f, 0.06f);
}

static struct plane *board(struct tableau *s, painter *paint, float from, float to, float size)
{
    struct plane *const p = tableau_add(s, card_paint, from);
    p->under[0] = paint;
    p->qx = (to - from) / 1200;
    p->x = -200;
    p->size = size;
    p->p[0] = 1600;
    p->p[1] = 300;
    return p;
}

// Two boards that pass through one another.
static void crossing(struct tableau *s)
{
    start(s, "cross", 40, 0.5f);
    struct plane *p = board(s, brick_paint, 0.25f, 0.85f, 30);
    p->y = 120;
    p->a = v3(0.36f, 0.11f, 0.06f);
    p->b = v3(0.4f, 0.37f, 0.32f);
    p = board(s, cloth_paint, 0.9f, 0.2f, 6);
    p->y = 330;
    p->a = v3(0.5f, 0.42f, 0.2f);
    p->b = v3(0.1f, 0.2f, 0.16f);
    p = tableau_add(s, foliage_paint, 0.05f);
    p->size = 40;
    p->a = v3(0.03f, 0.09f, 0.012f);
    p->b = v3(0.22f, 0.3f, 0.04f);
}

// The focus moves slowly through the tiled room.
static void pull(struct tableau *s, int step)
{
    char name[16];
    snprintf(name, sizeof name, "pull%d", step);
    start(s, name, 32, 0.4f + 0.02f * (float)step);
    s->shrink = 2;
    tiled(s);
}

int scenes_floor(int index, struct tableau *scene)
{
    void (*const make[])(struct tableau *) = {tiles, coarse, tilt, crossing};
    const int count = (int)(sizeof make / sizeof *make), steps = 8;
    if (index >= count + steps)
        return 0;
    if (index < count)
        make[index](scene);
    else
        pull(scene, index - count);
    return 1;
}
