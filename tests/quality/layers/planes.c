// From painters to texels.
#include "quality/layers/planes.h"

#include <stdio.h>
#include <stdlib.h>

struct plane *tableau_add(struct tableau *scene, painter *paint, float q)
{
    if (scene->plane_count == PLANES_MAX) {
        fputs("layers: too many planes\n", stderr);
        exit(EXIT_FAILURE);
    }
    struct plane *const plane = &scene->planes[scene->plane_count++];
    plane->paint = paint;
    plane->q0 = q;
    plane->seed = scene->plane_count;
    return plane;
}

void tableau_light(struct tableau *scene, float x, float y, float q, float size)
{
    if (scene->light_count < LIGHTS_SCORED)
        scene->lights[scene->light_count++] =
            (struct spot_light){x, y, scene->radius * fabsf(q - scene->focus) + size};
}

// How far outside the picture points of the plane can be that the lens moves into it.
static int reach(const struct tableau *scene, const struct plane *plane)
{
    const float radius = scene->radius * (scene->aperture == HEXAGON ? 1.1f : 1); // to a corner
    float blur = 0;
    for (int i = 0; i < 4; ++i) {
        const float x = i & 1 ? (float)scene->width : 0, y = i & 2 ? (float)scene->height : 0;
        blur = fmaxf(blur, fabsf(plane_disparity(plane, x, y) - scene->focus) * radius);
    }
    // Outside the picture a slanted plane goes on to grow more blurred.
    const float slope = 2 * radius * (fabsf(plane->qx) + fabsf(plane->qy));
    return (int)ceilf(blur / (1 - fminf(slope, 0.5f))) + 2;
}

// The pixels that the plane moves until the last frame, rounded away from 0.
static int travel(const struct tableau *scene, int step)
{
    const int texels = scene->frames > 1 ? step * (scene->frames - 1) : 0;
    return (texels + (texels < 0 ? 1 - TEXELS : TEXELS - 1)) / TEXELS;
}

static void choose_region(const struct tableau *scene, struct plane *plane)
{
    const int margin = reach(scene, plane);
    const int across = travel(scene, plane->step_x), down = travel(scene, plane->step_y);
    int left = -margin - (across > 0 ? across : 0), top = -margin - (down > 0 ? down : 0);
    int right = scene->width + margin - (across < 0 ? across : 0);
    int bottom = scene->height + margin - (down < 0 ? down : 0);
    if (plane->right > plane->left) { // and a transparent pixel around
        left = (int)fmaxf((float)left, floorf(plane->left) - 1);
        top = (int)fmaxf((float)top, floorf(plane->top) - 1);
        right = (int)fminf((float)right, ceilf(plane->right) + 1);
        bottom = (int)fminf((float)bottom, ceilf(plane->bottom) + 1);
    }
    plane->column = left;
    plane->row = top;
    plane->columns = right > left ? right - left : 1;
    plane->rows = bottom > top ? bottom - top : 1;
}

// The mean over a texel at (x, y), premultiplied.
static rgba texel(const struct plane *plane, float x, float y, float w)
{
    const int n = plane->detail > 1 ? plane->detail : 1;
    rgba sum = {0, 0, 0, 0};
    for (int i = 0; i < n * n; ++i) {
        const float dx = ((float)(i % n) + 0.5f) / (float)n - 0.5f;
        const float dy = ((float)(i / n) + 0.5f) / (float)n - 0.5f;
        const rgba c = plane->paint(plane, x + dx * w, y + dy * w, w);
        sum = (rgba){sum.r + c.r * c.a, sum.g + c.g * c.a, sum.b + c.b * c.a, sum.a + c.a};
    }
    const float f = 1 / (float)(n * n);
    return (rgba){sum.r * f, sum.g * f, sum.b * f, sum.a * f};
}

static void paint_row(struct plane *plane, int row, int px, int py, int scale)
{
    const float w = (float)scale / TEXELS;
    float *const out = (float *)plane_row(plane, row, px, py);
    const float y = ((float)(row * TEXELS + py) + 0.5f) * w;
    for (int i = 0; i < plane->columns; ++i) {
        const float x = ((float)((plane->column + i) * TEXELS + px) + 0.5f) * w;
        const rgba c = texel(plane, x, y, w);
        out[i] = c.r;
        out[plane->columns + i] = c.g;
        out[2 * plane->columns + i] = c.b;
        out[3 * plane->columns + i] = c.a;
    }
}

static void plane_raster(const struct tableau *scene, struct plane *plane, int scale)
{
    plane->scene = scene;
    choose_region(scene, plane);
    const size_t rows = (size_t)plane->rows * TEXELS * TEXELS;
    plane->texels = malloc(rows * 4 * (size_t)plane->columns * sizeof(float));
    if (!plane->texels) {
        fputs("layers: out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
#pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < plane->rows * TEXELS * TEXELS; ++i)
        paint_row(plane, plane->row + i / (TEXELS * TEXELS), i % TEXELS, i / TEXELS % TEXELS,
                  scale);
}

void tableau_raster(struct tableau *scene, int scale)
{
    const float s = (float)scale;
    scene->width /= scale;
    scene->height /= scale;
    scene->radius /= s;
    for (int i = 0; i < scene->light_count; ++i) {
        const struct spot_light l = scene->lights[i];
        scene->lights[i] = (struct spot_light){l.x / s, l.y / s, l.radius / s};
    }
    for (int i = 0; i < scene->plane_count; ++i) {
        struct plane *const p = &scene->planes[i];
        p->qx *= s;
        p->qy *= s;
        p->left /= s;
        p->top /= s;
        p->right /= s;
        p->bottom /= s;
        plane_raster(scene, p, scale);
    }
}

void tableau_move(struct tableau *scene, int frame)
{
    for (int i = 0; i < scene->plane_count; ++i) {
        struct plane *const p = &scene->planes[i];
        p->moved_x = frame * p->step_x;
        p->moved_y = frame * p->step_y;
    }
}

void tableau_free(struct tableau *scene)
{
    for (int i = 0; i < scene->plane_count; ++i)
        free(scene->planes[i].texels);
}
