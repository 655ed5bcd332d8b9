// Point lights.
#include "quality/layers/paint.h"

#include <stdio.h>

static void lamp(struct tableau *s, float x, float y, float q, float size, vec3 colour)
{
    struct plane *const p = tableau_add(s, disc_paint, q);
    p->x = x;
    p->y = y;
    p->size = size;
    p->a = colour;
    p->left = x - size;
    p->right = x + size;
    p->top = y - size;
    p->bottom = y + size;
    tableau_light(s, x, y, q, size);
}

static void town(struct tableau *s, const char *name, float brightness, float size)
{
    snprintf(s->name, sizeof s->name, "%s", name);
    s->width = 960;
    s->height = 600;
    s->radius = 30;
    s->focus = 0.6f;
    s->samples = 16384;
    const vec3 warm = scaled(v3(1, 0.72f, 0.38f), brightness),
               cold = scaled(v3(0.75f, 0.88f, 1), brightness);
    const vec3 red = scaled(v3(1, 0.12f, 0.08f), brightness),
               green = scaled(v3(0.15f, 0.9f, 0.35f), brightness);
    // Close to the lens: a string of bulbs.
    lamp(s, 110, 70, 0.98f, size, warm);
    lamp(s, 480, 60, 0.98f, size, green);
    lamp(s, 850, 85, 0.98f, size, red);
    struct plane *p = tableau_add(s, bust_paint, 0.6f);
    p->x = 250;
    p->y = 610;
    p->size = 430;
    p->a = v3(0.05f, 0.012f, 0.01f);
    p->b = v3(0.012f, 0.016f, 0.03f);
    // Far behind.
    lamp(s, 640, 180, 0.02f, size, warm);
    lamp(s, 740, 250, 0.02f, size, cold);
    lamp(s, 560, 270, 0.02f, 0.7f * size, warm);
    lamp(s, 880, 215, 0.02f, 0.7f * size, cold);
    lamp(s, 660, 330, 0.02f, size, red);
    lamp(s, 800, 390, 0.02f, size, green);
    lamp(s, 905, 340, 0.02f, 0.7f * size, warm);
    lamp(s, 90, 260, 0.02f, size, warm);
    p = tableau_add(s, night_paint, 0);
    p->y = 380;
}

// Lamps at three depths, 20 to 2000 times as bright as white. The figure cuts the discs of some.
static void harbour(struct tableau *s)
{
    static const vec3 colours[] = {{1, 0.72f, 0.38f},
                                   {1, 0.56f, 0.2f},
                                   {0.75f, 0.88f, 1},
                                   {1, 0.12f, 0.08f},
                                   {0.15f, 0.9f, 0.35f}};
    snprintf(s->name, sizeof s->name, "harbour");
    s->width = 960;
    s->height = 600;
    s->radius = 30;
    s->focus = 0.6f;
    s->samples = 16384;
    struct plane *p = tableau_add(s, bust_paint, 0.6f);
    p->x = 330;
    p->y = 610;
    p->size = 430;
    p->a = v3(0.05f, 0.012f, 0.01f);
    p->b = v3(0.012f, 0.016f, 0.03f);
    for (int i = 0; i < 42; ++i) { // from front to back
        const float q = i < 5    ? 0.3f
                        : i < 14 ? 0.15f
                                 : 0.02f,
                    size = 0.75f * powf(3, random3(i, 1, 77));
        const float brightness = 20 * powf(100, random3(i, 0, 77) * random3(i, 5, 77));
        lamp(s, 20 + 920 * random3(i, 2, 77), 120 + 300 * random3(i, 3, 77), q, size,
             scaled(colours[hash3(i, 4, 77) % 5], brightness));
    }
    p = tableau_add(s, night_paint, 0);
    p->y = 380;
}

int scenes_night(int index, struct tableau *scene)
{
    if (index == 0)
        town(scene, "lights", 1, 4); // what the picture shows is all the light that there is
    else if (index == 1)
        town(scene, "bright", 25, 2); // brighter than white
    else if (index == 2) {
        town(scene, "iris", 1, 4); // lights through six blades
        scene->aperture = HEXAGON;
    } else if (index == 3) {
        town(scene, "catseye", 1, 4); // lights through a lens whose rim cuts the aperture
        scene->vignette = 0.8f;
    } else if (index == 4) {
        town(scene, "ring", 1, 4); // lights with a bright rim
        scene->edge = 1;
    } else if (index == 5) {
        town(scene, "sphere", 1, 4); // a bright rim behind the focus, a dark one before it
        scene->spherical = 0.8f;
    } else if (index == 6)
        harbour(scene);
    else
        return 0;
    return 1;
}
