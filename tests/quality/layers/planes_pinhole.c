// The picture through a pinhole, and its depth map.
#include "quality/layers/planes.h"

#include <stdlib.h>

// The planes' points at texel (tx, ty) of the picture, front to back, as indices; returns how many.
static int visible(const struct tableau *scene, int tx, int ty, int order[PLANES_MAX],
                   const float *texel[PLANES_MAX])
{
    const float x = ((float)tx + 0.5f) / TEXELS, y = ((float)ty + 0.5f) / TEXELS;
    float q[PLANES_MAX];
    int count = 0;
    for (int i = 0; i < scene->plane_count; ++i) {
        const struct plane *const p = &scene->planes[i];
        const int px = tx - p->moved_x, py = ty - p->moved_y;
        const int column = floor_div(px, TEXELS) - p->column, row = floor_div(py, TEXELS);
        if (column < 0 || column >= p->columns || row < p->row || row >= p->row + p->rows)
            continue;
        texel[i] =
            plane_row(p, row, px - floor_div(px, TEXELS) * TEXELS, py - row * TEXELS) + column;
        if (texel[i][3 * (size_t)p->columns] <= 0)
            continue;
        q[i] = plane_disparity(p, x, y);
        int k = count++;
        // A difference that only rounding makes leaves the scene's order as it is.
        for (; k > 0 && q[i] > q[order[k - 1]] + 1e-4f; --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
    return count;
}

struct pixel {
    float rgb[3];
    float seen[PLANES_MAX]; // share of the pixel in which each plane is what one sees
};

static void add_texel(const struct tableau *scene, int tx, int ty, struct pixel *pixel)
{
    const float *texel[PLANES_MAX];
    int order[PLANES_MAX];
    const int count = visible(scene, tx, ty, order, texel);
    float through = 1;
    for (int i = 0; i < count; ++i) {
        const size_t pitch = (size_t)scene->planes[order[i]].columns;
        const float *const t = texel[order[i]];
        for (size_t c = 0; c < 3; ++c)
            pixel->rgb[c] += through * t[c * pitch] / (TEXELS * TEXELS);
        pixel->seen[order[i]] += through * t[3 * pitch] / (TEXELS * TEXELS);
        through *= 1 - t[3 * pitch];
    }
}

static void pinhole_pixel(const struct tableau *scene, int x, int y, float *rgb, float *depth,
                          float *soft)
{
    struct pixel pixel = {.rgb = {0}};
    for (int i = 0; i < TEXELS * TEXELS; ++i)
        add_texel(scene, x * TEXELS + i % TEXELS, y * TEXELS + i / TEXELS, &pixel);
    float most = 0, sum = 0, weight = 0;
    for (int i = 0; i < scene->plane_count; ++i) {
        const float q = plane_disparity(&scene->planes[i], (float)x + 0.5f, (float)y + 0.5f);
        sum += pixel.seen[i] * q;
        weight += pixel.seen[i];
        if (pixel.seen[i] > most) {
            most = pixel.seen[i];
            *depth = q;
        }
    }
    *soft = weight > 0 ? sum / weight : 0;
    for (int c = 0; c < 3; ++c)
        rgb[c] = pixel.rgb[c];
}

void tableau_pinhole(const struct tableau *scene, float *rgb, float *depth, float *soft_depth)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int y = 0; y < scene->height; ++y)
        for (int x = 0; x < scene->width; ++x) {
            const size_t i = (size_t)y * (size_t)scene->width + (size_t)x;
            pinhole_pixel(scene, x, y, rgb + 3 * i, depth + i, soft_depth + i);
        }
}

// On one lens position the order is as good as on any other: what one sees from there of two
// planes that do not cut through one another keeps its order.
int tableau_crosses(const struct tableau *scene)
{
    int crosses = 0;
#pragma omp parallel for schedule(dynamic, 4) reduction(| : crosses)
    for (int y = 0; y < scene->height; ++y)
        for (int x = 0; x < scene->width; ++x) {
            const float *texel[PLANES_MAX];
            int order[PLANES_MAX];
            const int count = visible(scene, x * TEXELS, y * TEXELS, order, texel);
            for (int i = 1; i < count; ++i)
                crosses |= order[i] < order[i - 1];
        }
    return crosses;
}
