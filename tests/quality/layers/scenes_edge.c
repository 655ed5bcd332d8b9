// Edges that show one fault each.
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

// Someone in focus, all in one colour, before a wall of the opposite one, out of focus.
static void leak(struct tableau *s, const char *name, vec3 subject, vec3 wall)
{
    start(s, name, 40, 0.85f);
    s->subject_low = 0.8f;
    s->subject_high = 0.9f;
    struct plane *p = tableau_add(s, shadow_paint, 0.85f);
    p->x = 600;
    p->y = 760;
    p->size = 700;
    p->a = subject;
    p = tableau_add(s, plaster_paint, 0.1f);
    p->size = 12;
    p->a = wall;
    p->b = scaled(wall, 0.8f);
}

int scenes_edge(int index, struct tableau *scene)
{
    const vec3 black = v3(0.006f, 0.006f, 0.007f), white = v3(0.85f, 0.85f, 0.84f);
    if (index == 0)
        leak(scene, "black", black, white);
    else if (index == 1)
        leak(scene, "white", white, black);
    else
        return 0;
    return 1;
}
