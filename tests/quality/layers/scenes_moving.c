// Clips: someone walks through a room. "walk": in focus, before the room; "pass": an animal close to
// the lens, before vessels in focus. The camera stands still, or (-pan) turns slowly.
#include "quality/layers/paint.h"

#include <stdio.h>

enum { HORIZON = 190, BOTTOM = 540 };
static const float ground_far = 0.05f, ground_near = 0.7f, subject = 0.85f;

static const vec3 blue = {0.03f, 0.08f, 0.3f}, cream = {0.7f, 0.64f, 0.5f};
static const vec3 red = {0.45f, 0.04f, 0.03f}, green = {0.05f, 0.22f, 0.08f};

static float ground(float y)
{
    return ground_far + (ground_near - ground_far) * (y - HORIZON) / (BOTTOM - HORIZON);
}

static void stand(struct tableau *s, int shape, float x, float y, float size, float stripes, vec3 a,
                  vec3 b)
{
    struct plane *const p = tableau_add(s, lathe_paint, ground(y));
    p->x = x;
    p->y = y;
    p->size = size;
    p->p[0] = (float)shape;
    p->p[1] = stripes;
    p->a = a;
    p->b = b;
    p->left = x - 0.45f * size;
    p->right = x + 0.45f * size;
    p->top = y - 1.1f * size;
    p->bottom = y + 0.1f * size;
}

static void room(struct tableau *s)
{
    stand(s, 1, 820, 380, 190, 24, red, cream);
    stand(s, 4, 150, 350, 170, 30, blue, cream);
    stand(s, 2, 500, 340, 150, 0, green, cream);
    stand(s, 1, 640, 250, 110, 18, cream, blue);
    struct plane *p = tableau_add(s, tiles_paint, 0);
    p->qy = (ground_near - ground_far) / (BOTTOM - HORIZON);
    p->q0 = ground_far - p->qy * HORIZON;
    p->x = 480;
    p->y = HORIZON;
    p->p[0] = 7;
    p->p[1] = 190;
    p->a = v3(0.45f, 0.41f, 0.34f);
    p->b = v3(0.1f, 0.08f, 0.075f);
    p->detail = 2;
    p = tableau_add(s, brick_paint, ground_far);
    p->size = 26;
    p->a = v3(0.36f, 0.13f, 0.08f);
    p->b = v3(0.42f, 0.4f, 0.36f);
}

static void person(struct tableau *s)
{
    struct plane *const p = tableau_add(s, bust_paint, subject);
    p->x = 300;
    p->y = 620;
    p->size = 500;
    p->a = v3(0.5f, 0.42f, 0.2f);
    p->b = v3(0.03f, 0.05f, 0.14f);
}

// Without bounds: the floor has no shadow of what moves.
static void animal(struct tableau *s)
{
    struct plane *const p = tableau_add(s, pelt_paint, subject);
    p->x = 280;
    p->y = 420;
    p->size = 140;
    p->a = v3(0.055f, 0.03f, 0.016f);
    p->b = v3(0.5f, 0.36f, 0.21f);
}

// Steps of quarters of a pixel: the camera's turn moves all, and the subject moves through the room.
static void set_off(struct tableau *s, int pan)
{
    s->frames = 60;
    for (int i = 0; i < s->plane_count; ++i)
        s->planes[i].step_x = pan;
    s->planes[0].step_x += 9;
    s->planes[0].step_y = -1;
}

int scenes_moving(int index, struct tableau *scene)
{
    const char *const name[] = {"walk", "walk-pan", "pass", "pass-pan"};
    if (index < 0 || index >= (int)(sizeof name / sizeof *name))
        return 0;
    snprintf(scene->name, sizeof scene->name, "%s", name[index]);
    scene->width = 960;
    scene->height = BOTTOM;
    scene->shrink = 2;
    scene->radius = 32;
    scene->focus = index < 2 ? subject : ground(350);
    scene->subject_low = subject - 0.05f;
    scene->subject_high = subject + 0.05f;
    (index < 2 ? person : animal)(scene);
    room(scene);
    set_off(scene, index % 2 ? -3 : 0);
    return 1;
}
