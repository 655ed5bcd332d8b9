// Subjects before something far, and something before the subject.
#include "quality/layers/paint.h"

#include <stdio.h>

static struct tableau *start(struct tableau *s, const char *name, float radius, float focus)
{
    snprintf(s->name, sizeof s->name, "%s", name);
    s->width = 1200;
    s->height = 752;
    s->radius = radius;
    s->focus = focus;
    return s;
}

static void bound(struct plane *p, float left, float top, float right, float bottom)
{
    p->left = left;
    p->top = top;
    p->right = right;
    p->bottom = bottom;
}

static struct plane *bust(struct tableau *s, float q, float x, float size)
{
    struct plane *const p = tableau_add(s, bust_paint, q);
    p->x = x;
    p->y = 760;
    p->size = size;
    p->a = v3(0.25f, 0.045f, 0.03f);
    p->b = v3(0.03f, 0.05f, 0.14f);
    return p;
}

static struct plane *wall(struct tableau *s, painter *paint, float q, float size, vec3 a, vec3 b)
{
    struct plane *const p = tableau_add(s, paint, q);
    p->size = size;
    p->y = 380;
    p->a = a;
    p->b = b;
    return p;
}

static const vec3 leaf_dark = {0.03f, 0.09f, 0.012f}, leaf_light = {0.22f, 0.3f, 0.04f};

// A person in focus before trees far behind.
static void subject(struct tableau *s)
{
    start(s, "subject", 40, 0.85f);
    bust(s, 0.85f, 560, 700);
    wall(s, foliage_paint, 0.1f, 46, leaf_dark, leaf_light);
}

// Wires and birds in focus before hills far behind.
static void wires(struct tableau *s)
{
    start(s, "wires", 32, 0.7f);
    struct plane *p = tableau_add(s, wires_paint, 0.7f);
    p->y = 60;
    p->p[0] = 1.5f;
    p->p[1] = 150;
    p->p[2] = 78;
    p->a = v3(0.1f, 0.1f, 0.11f);
    p->b = v3(0.02f, 0.02f, 0.02f);
    p->seed = 21;
    p = wall(s, landscape_paint, 0.05f, 0, leaf_dark, leaf_light);
    p->y = 520;
}

static struct plane *strands(struct tableau *s, float q, float half, float slope)
{
    struct plane *const p = tableau_add(s, strands_paint, q);
    p->p[0] = half;
    p->p[1] = slope;
    p->p[2] = 24;
    p->p[3] = 120;
    p->a = v3(0.42f, 0.46f, 0.12f);
    p->b = v3(0.1f, 0.16f, 0.02f);
    return p;
}

static void fenced(struct tableau *s)
{
    strands(s, 0.97f, 3.2f, 0.12f);
    struct plane *p = tableau_add(s, fence_paint, 0.85f);
    p->x = 560;
    p->size = 118;
    p->p[0] = 3;
    p->a = v3(0.6f, 0.6f, 0.62f);
    p->b = v3(0.12f, 0.12f, 0.13f);
    p = tableau_add(s, card_paint, 0.16f);
    p->under[0] = page_paint;
    p->x = 420;
    p->y = 170;
    p->size = 13;
    p->p[0] = 330;
    p->p[1] = 400;
    p->a = v3(0.78f, 0.74f, 0.62f);
    p->b = v3(0.03f, 0.03f, 0.05f);
    bound(p, 420, 170, 750, 570);
    wall(s, brick_paint, 0.15f, 30, v3(0.36f, 0.11f, 0.06f), v3(0.4f, 0.37f, 0.32f));
}

// Stalks and a mesh fence close to the lens before a wall in focus.
static void strands_disc(struct tableau *s)
{
    start(s, "strands", 36, 0.15f);
    fenced(s);
}

static void strands_square(struct tableau *s)
{
    start(s, "square", 36, 0.15f);
    s->aperture = SQUARE;
    fenced(s);
}

static void strands_hexagon(struct tableau *s)
{
    start(s, "hexagon", 36, 0.15f);
    s->aperture = HEXAGON;
    fenced(s);
}

static void strands_cut(struct tableau *s)
{
    start(s, "catfence", 36, 0.15f);
    s->vignette = 0.8f;
    s->samples = 2048;
    fenced(s);
}

// An animal in focus, its fur before a hedge.
static void fur(struct tableau *s)
{
    start(s, "hair", 36, 0.8f);
    struct plane *const p = tableau_add(s, fur_paint, 0.8f);
    p->x = 610;
    p->y = 430;
    p->size = 215;
    p->a = v3(0.36f, 0.19f, 0.07f);
    p->b = v3(0.7f, 0.56f, 0.38f);
    bound(p, 150, 0, 1060, 840);
    wall(s, foliage_paint, 0.15f, 40, leaf_dark, leaf_light);
}

// Someone in focus whom the border cuts, on the left and below, and another one behind.
static void border(struct tableau *s)
{
    start(s, "border", 36, 0.8f);
    struct plane *p = bust(s, 0.8f, 190, 900);
    p->y = 880;
    p = bust(s, 0.35f, 1020, 560);
    p->a = v3(0.5f, 0.42f, 0.2f);
    p->b = v3(0.1f, 0.2f, 0.16f);
    wall(s, planks_paint, 0.1f, 82, v3(0.36f, 0.2f, 0.09f), v3(0.14f, 0.065f, 0.025f));
}

// A bough close to the lens covers a third of the frame; a person behind it is in focus.
static void front(struct tableau *s)
{
    start(s, "front", 44, 0.45f);
    struct plane *p = tableau_add(s, leaves_paint, 0.95f);
    p->size = 120;
    p->y = 620;
    p->p[0] = 0.9f;
    p->p[1] = 500;
    p->a = leaf_dark;
    p->b = leaf_light;
    bust(s, 0.45f, 460, 560);
    wall(s, brick_paint, 0.3f, 34, v3(0.3f, 0.13f, 0.09f), v3(0.42f, 0.4f, 0.36f));
}

// A depth map of half the size, its edges smoothed: grass in front, a person in focus.
static void half(struct tableau *s)
{
    start(s, "half", 40, 0.7f);
    s->depth = DEPTH_HALF_SOFT;
    struct plane *p = tableau_add(s, grass_paint, 1);
    p->y = 800;
    p->size = 420;
    p->p[0] = 5;
    p->a = v3(0.08f, 0.16f, 0.02f);
    p->b = v3(0.4f, 0.42f, 0.12f);
    bust(s, 0.7f, 700, 640);
    p = wall(s, landscape_paint, 0.1f, 0, leaf_dark, leaf_light);
    p->y = 330;
}

int scenes_near(int index, struct tableau *scene)
{
    void (*const make[])(struct tableau *) = {
        subject,     wires, strands_disc, strands_square, strands_hexagon,
        strands_cut, fur,   border,       front,          half};
    if ((size_t)index >= sizeof make / sizeof *make)
        return 0;
    make[index](scene);
    return 1;
}
