// A thin lens, sampled: Cook, Porter and Carpenter, "Distributed ray tracing", 1984.
//
// A point at depth d, seen by a lens of radius a focused at depth f, becomes on the picture (with
// a focal length of p pixels) a disc of radius
//     r = p a |1/f - 1/d|
// pixels. Disparity is q = (1/d - 1/far) / (1/near - 1/far), so that r = R |q - q_focus| for
//     a = R / (p (1/near - 1/far)).
#include "quality/render/thin_lens.h"

#include "quality/image.h"

#include <stdlib.h>

enum { TILE = 8 };

// The direction through a point of the picture; its component along the axis is 1, so that the
// ray parameter is the depth.
static vec3 through(const struct camera *c, float x, float y)
{
    const float right = (x - 0.5f * (float)c->width) / c->focal;
    const float down = (y - 0.5f * (float)c->height) / c->focal;
    return add(c->forward, sub(scaled(c->right, right), scaled(c->up, down)));
}

static float lens_radius(const struct scene *scene)
{
    return scene->blur / (scene->camera.focal * (1 / scene->near - 1 / scene->far));
}

// Sample i of a four-dimensional additive recurrence with the powers of the root of x^5 = x + 1
// (Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018), shifted per pixel.
// In 32-bit fixed point the fractional part is the overflow.
static float coordinate(uint32_t i, int dimension, uint32_t shift)
{
    static const uint32_t step[4] = {3679390609u, 3152041523u, 2700274806u, 2313257605u};
    return unit_float(i * step[dimension] + hash(shift + (uint32_t)dimension));
}

// Where a solid can be seen in the picture, from anywhere on the lens, and its least depth.
struct view {
    float x0, y0, x1, y1, depth;
    int solid;
};

// The projection of the bounds, grown by the largest blur between their depths: the blur has no
// maximum inside an interval of depths.
static struct view solid_view(const struct scene *scene, int index, float radius)
{
    const struct camera *const c = &scene->camera;
    struct view view = {INFINITY, INFINITY, -INFINITY, -INFINITY, INFINITY, index};
    vec3 low, high;
    float blur = 0;
    solid_bounds(&scene->solids[index], &low, &high);
    for (int i = 0; i < 8; ++i) {
        const vec3 p =
            sub(v3(i & 1 ? low.x : high.x, i & 2 ? low.y : high.y, i & 4 ? low.z : high.z), c->eye);
        const float depth = dot(p, c->forward);
        if (depth < 0.1f * scene->near)
            return (struct view){-INFINITY, -INFINITY, INFINITY, INFINITY, 0, index};
        const float x = 0.5f * (float)c->width + c->focal * dot(p, c->right) / depth;
        const float y = 0.5f * (float)c->height - c->focal * dot(p, c->up) / depth;
        view = (struct view){fminf(view.x0, x), fminf(view.y0, y),        fmaxf(view.x1, x),
                             fmaxf(view.y1, y), fminf(view.depth, depth), index};
        blur = fmaxf(blur, c->focal * radius * fabsf(1 / depth - 1 / scene->focus));
    }
    blur += 1; // rounding
    return (struct view){view.x0 - blur, view.y0 - blur,      view.x1 + blur,
                         view.y1 + blur, view.depth * 0.999f, index};
}

static int nearer(const void *a, const void *b)
{
    const struct view *const p = a, *const q = b;
    return p->depth != q->depth ? (p->depth > q->depth) - (p->depth < q->depth)
                                : p->solid - q->solid;
}

// The nearest hit among solids listed by growing least depth.
static int nearest(const struct scene *scene, const struct view *list, int count,
                   const struct ray *ray, struct hit *hit)
{
    int found = 0;
    hit->t = INFINITY;
    for (int i = 0; i < count && list[i].depth < hit->t; ++i) {
        if (solid_hit(&scene->solids[list[i].solid], ray, hit)) {
            hit->solid = list[i].solid;
            found = 1;
        }
    }
    return found;
}

static vec3 pixel(const struct scene *scene, const struct view *list, int count, int x, int y,
                  int samples, float radius)
{
    const struct camera *const camera = &scene->camera;
    const uint32_t shift = hash((uint32_t)(y * camera->width + x)) & ~3u;
    vec3 sum = v3(0, 0, 0);
    for (uint32_t i = 1; i <= (uint32_t)samples; ++i) {
        const vec3 d =
            through(camera, (float)x + coordinate(i, 0, shift), (float)y + coordinate(i, 1, shift));
        const vec3 l = disc(coordinate(i, 2, shift), coordinate(i, 3, shift));
        const vec3 offset =
            scaled(add(scaled(camera->right, l.x), scaled(camera->up, l.y)), radius);
        const struct ray ray = {add(camera->eye, offset), sub(d, scaled(offset, 1 / scene->focus))};
        struct hit hit;
        if (nearest(scene, list, count, &ray, &hit))
            sum = add(sum, radiance(scene, &ray, &hit));
    }
    return scaled(sum, 1 / (float)samples);
}

static void tile(const struct scene *scene, const struct view *views, int x0, int y0, int samples,
                 float radius, uint8_t *pixels)
{
    const int width = scene->camera.width, height = scene->camera.height;
    const int x1 = x0 + TILE < width ? x0 + TILE : width;
    const int y1 = y0 + TILE < height ? y0 + TILE : height;
    struct view list[SOLIDS_MAX];
    int count = 0;
    for (int i = 0; i < scene->solid_count; ++i) {
        const struct view *const v = &views[i];
        if (v->x0 <= (float)x1 && v->x1 >= (float)x0 && v->y0 <= (float)y1 && v->y1 >= (float)y0)
            list[count++] = *v;
    }
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            const vec3 c = pixel(scene, list, count, x, y, samples, radius);
            uint8_t *const out = pixels + 3 * ((size_t)y * (size_t)width + (size_t)x);
            out[0] = srgb_byte(c.x);
            out[1] = srgb_byte(c.y);
            out[2] = srgb_byte(c.z);
        }
    }
}

void render_image(const struct scene *scene, int samples, int lens, uint8_t *pixels)
{
    const int columns = (scene->camera.width + TILE - 1) / TILE;
    const int rows = (scene->camera.height + TILE - 1) / TILE;
    const float radius = lens ? lens_radius(scene) : 0;
    struct view views[SOLIDS_MAX];
    for (int i = 0; i < scene->solid_count; ++i)
        views[i] = solid_view(scene, i, radius);
    qsort(views, (size_t)scene->solid_count, sizeof *views, nearer);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < columns * rows; ++i)
        tile(scene, views, i % columns * TILE, i / columns * TILE, samples, radius, pixels);
}

int render_depth(const struct scene *scene, uint16_t *pixels)
{
    const int width = scene->camera.width, height = scene->camera.height;
    int clamped = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : clamped)
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const struct ray ray = {scene->camera.eye,
                                    through(&scene->camera, (float)x + 0.5f, (float)y + 0.5f)};
            struct hit hit;
            const float q = scene_hit(scene, &ray, &hit) ? disparity(scene, hit.t) : 0;
            clamped += q < 0 || q > 1;
            pixels[(size_t)y * (size_t)width + (size_t)x] =
                (uint16_t)(65535 * clampf(q, 0, 1) + 0.5f);
        }
    }
    return clamped;
}
