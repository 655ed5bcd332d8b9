// Subjects of short fur before fur of the same colours: no colour tells on which side of an outline
// a pixel is.
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

static struct plane *pelt(struct tableau *s, float q, int seed)
{
    struct plane *const p = tableau_add(s, pelt_paint, q);
    p->seed = seed;
    p->a = v3(0.055f, 0.03f, 0.016f);
    p->b = v3(0.5f, 0.36f, 0.21f);
    return p;
}

static void curled(struct tableau *s, float q, int seed, float x, float y, float size)
{
    struct plane *const p = pelt(s, q, seed);
    const float reach = 1.35f * size + 20;
    p->x = x;
    p->y = y;
    p->size = size;
    p->left = x - reach;
    p->top = y - reach;
    p->right = x + reach;
    p->bottom = y + reach;
}

// In focus, before a rug far behind.
static void sharp(struct tableau *s)
{
    start(s, "pelt", 40, 0.85f);
    curled(s, 0.85f, 1, 580, 400, 240);
    pelt(s, 0.1f, 2);
}

// Close to the lens; the rug is in focus.
static void blurred(struct tableau *s)
{
    start(s, "paw", 40, 0.15f);
    curled(s, 0.85f, 3, 620, 380, 240);
    pelt(s, 0.15f, 4);
}

// Two of them, the further one in focus and partly behind the nearer one.
static void both(struct tableau *s)
{
    start(s, "litter", 52, 0.5f);
    curled(s, 0.95f, 5, 800, 470, 170);
    curled(s, 0.5f, 6, 440, 340, 210);
    pelt(s, 0.05f, 7);
}

int scenes_alike(int index, struct tableau *scene)
{
    void (*const make[])(struct tableau *) = {sharp, blurred, both};
    if ((size_t)index >= sizeof make / sizeof *make)
        return 0;
    make[index](scene);
    return 1;
}
