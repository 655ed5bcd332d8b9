// The scene container and its bounding volume tree.
#include "quality/render/scene.h"

#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 1600, HEIGHT = 1066, LEAF_SOLIDS = 2, STACK = 64 };

static void fail(const char *what)
{
    fprintf(stderr, "render: %s\n", what);
    exit(EXIT_FAILURE);
}

struct scene *scene_new(const char *name)
{
    struct scene *const scene = calloc(1, sizeof *scene);
    if (!scene)
        fail("out of memory");
    scene->name = name;
    return scene;
}

void scene_camera(struct scene *scene, vec3 eye, vec3 target, float focal)
{
    const vec3 forward = unit(sub(target, eye));
    const vec3 right = unit(cross(v3(0, 1, 0), forward));
    scene->camera =
        (struct camera){eye, right, cross(forward, right), forward, focal, WIDTH, HEIGHT};
}

struct solid *scene_add(struct scene *scene, enum shape shape, vec3 origin, vec3 size,
                        struct material material)
{
    if (scene->solid_count == SOLIDS_MAX)
        fail("too many solids");
    struct solid *const solid = &scene->solids[scene->solid_count++];
    *solid = (struct solid){.shape = shape,
                            .origin = origin,
                            .size = size,
                            .material = material,
                            .ax = v3(1, 0, 0),
                            .ay = v3(0, 1, 0),
                            .az = v3(0, 0, 1)};
    if (shape == LATHE || shape == TUBE)
        solid->curve = &scene->curves[scene->curve_count - 1];
    return solid;
}

struct curve *scene_curve(struct scene *scene)
{
    if (scene->curve_count == CURVES_MAX)
        fail("too many curves");
    return &scene->curves[scene->curve_count++];
}

// Yaw about y, after a pitch about the object's x axis.
void solid_turn(struct solid *solid, float yaw, float pitch)
{
    const float cy = cosf(yaw), sy = sinf(yaw), cp = cosf(pitch), sp = sinf(pitch);
    solid->ax = v3(cy, 0, -sy);
    solid->ay = v3(sy * sp, cp, cy * sp);
    solid->az = v3(sy * cp, -sp, cy * cp);
}

void solid_aim(struct solid *solid, vec3 x_axis, vec3 hint)
{
    solid->ax = unit(x_axis);
    solid->az = unit(cross(solid->ax, hint));
    solid->ay = cross(solid->az, solid->ax);
}

// A texel of baked light covers about this many pixels; shadows and ambient light are soft.
static void make_map(const struct camera *camera, struct solid *solid)
{
    const float pixels = 4;
    vec3 low, high, size = solid->size, nearest = camera->eye;
    solid_bounds(solid, &low, &high);
    nearest = v3(clampf(nearest.x, low.x, high.x), clampf(nearest.y, low.y, high.y),
                 clampf(nearest.z, low.z, high.z));
    const float distance = len(sub(nearest, camera->eye));
    float u = 2 * fmaxf(size.x, size.z), v = 2 * fmaxf(size.y, size.z);
    if (solid->shape == BALL) {
        u = 2 * PI * fmaxf(size.x, size.z);
        v = PI * fmaxf(size.y, size.x);
    } else if (solid->shape != BOX) {
        u = 2 * PI * (solid->shape == LATHE ? 0.5f * (high.x - low.x) : solid->curve->radius[0]);
        v = solid->curve->arc[solid->curve->count - 1];
    }
    const float texel = pixels * fmaxf(distance, 1e-3f) / camera->focal;
    solid->map_u = (int)clampf(u / texel, 6, 1500);
    solid->map_v = (int)clampf(v / texel, 6, 1500);
    const size_t count = (size_t)solid_parts(solid) * (size_t)solid->map_u * (size_t)solid->map_v;
    solid->map = calloc(count, sizeof *solid->map);
    if (!solid->map)
        fail("out of memory");
}

static void grow(vec3 *low, vec3 *high, vec3 a, vec3 b)
{
    *low = v3(fminf(low->x, a.x), fminf(low->y, a.y), fminf(low->z, a.z));
    *high = v3(fmaxf(high->x, b.x), fmaxf(high->y, b.y), fmaxf(high->z, b.z));
}

static float middle(const struct scene *scene, int solid, int i)
{
    vec3 low, high;
    solid_bounds(&scene->solids[solid], &low, &high);
    return axis(low, i) + axis(high, i);
}

// Few solids: an insertion sort is fast enough and keeps equal keys in order.
static void sort_along(struct scene *scene, int first, int count, int i)
{
    for (int a = first + 1; a < first + count; ++a) {
        const int solid = scene->order[a];
        const float key = middle(scene, solid, i);
        int b = a;
        for (; b > first && middle(scene, scene->order[b - 1], i) > key; --b)
            scene->order[b] = scene->order[b - 1];
        scene->order[b] = solid;
    }
}

static int build(struct scene *scene, int first, int count)
{
    const int index = scene->node_count++;
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = scaled(low, -1);
    vec3 least = low, most = high;
    for (int i = first; i < first + count; ++i) {
        vec3 a, b;
        solid_bounds(&scene->solids[scene->order[i]], &a, &b);
        grow(&low, &high, a, b);
        const vec3 c = add(a, b);
        grow(&least, &most, c, c);
    }
    scene->nodes[index] = (struct node){low, high, first, count, 0};
    if (count > LEAF_SOLIDS) {
        const vec3 d = sub(most, least);
        sort_along(scene, first, count, d.x > d.y ? (d.x > d.z ? 0 : 2) : (d.y > d.z ? 1 : 2));
        scene->nodes[index].count = 0;
        build(scene, first, count / 2);
        scene->nodes[index].right = build(scene, first + count / 2, count - count / 2);
    }
    return index;
}

void scene_finish(struct scene *scene, int scale)
{
    scene->camera.width /= scale;
    scene->camera.height /= scale;
    scene->camera.focal /= (float)scale;
    scene->blur /= (float)scale;
    for (int i = 0; i < scene->solid_count; ++i) {
        make_map(&scene->camera, &scene->solids[i]);
        scene->order[i] = i;
    }
    build(scene, 0, scene->solid_count);
}

void scene_free(struct scene *scene)
{
    for (int i = 0; i < scene->solid_count; ++i)
        free(scene->solids[i].map);
    free(scene);
}

static float node_enter(const struct node *node, vec3 from, vec3 inverse, float limit)
{
    const vec3 a = mul(sub(node->low, from), inverse), b = mul(sub(node->high, from), inverse);
    float enter = a.x < b.x ? a.x : b.x, leave = a.x < b.x ? b.x : a.x;
    const float y0 = a.y < b.y ? a.y : b.y, y1 = a.y < b.y ? b.y : a.y;
    const float z0 = a.z < b.z ? a.z : b.z, z1 = a.z < b.z ? b.z : a.z;
    enter = y0 > enter ? y0 : enter;
    leave = y1 < leave ? y1 : leave;
    enter = z0 > enter ? z0 : enter;
    leave = z1 < leave ? z1 : leave;
    return enter <= leave && leave > 0 && enter < limit ? enter : INFINITY;
}

// Solids of a leaf; with `any`, lamps let light pass, for they stand around the lights.
static int leaf_hit(const struct scene *scene, const struct node *node, const struct ray *ray,
                    struct hit *hit, int any)
{
    int found = 0;
    for (int i = node->first; i < node->first + node->count; ++i) {
        const struct solid *const solid = &scene->solids[scene->order[i]];
        if (any && solid->material.pattern == GLOW)
            continue;
        if (solid_hit(solid, ray, hit)) {
            hit->solid = scene->order[i];
            found = 1;
        }
    }
    return found;
}

static int walk(const struct scene *scene, const struct ray *ray, struct hit *hit, int any)
{
    const vec3 inverse = v3(1 / ray->dir.x, 1 / ray->dir.y, 1 / ray->dir.z);
    struct {
        int node;
        float enter;
    } stack[STACK];
    int depth = 0, found = 0;
    stack[depth].node = 0;
    stack[depth++].enter = 0;
    while (depth > 0) {
        --depth;
        if (stack[depth].enter >= hit->t)
            continue;
        const int index = stack[depth].node;
        const struct node *const node = &scene->nodes[index];
        if (node->count > 0) {
            found |= leaf_hit(scene, node, ray, hit, any);
            if (found && any)
                return 1;
            continue;
        }
        const int child[2] = {index + 1, node->right};
        const float enter[2] = {node_enter(&scene->nodes[child[0]], ray->from, inverse, hit->t),
                                node_enter(&scene->nodes[child[1]], ray->from, inverse, hit->t)};
        const int far = enter[0] < enter[1];
        for (int k = 0; k < 2; ++k) { // the far one first: it waits below on the stack
            const int i = k == 0 ? far : !far;
            if (enter[i] < INFINITY) {
                stack[depth].node = child[i];
                stack[depth++].enter = enter[i];
            }
        }
    }
    return found;
}

int scene_hit(const struct scene *scene, const struct ray *ray, struct hit *hit)
{
    hit->t = INFINITY;
    return walk(scene, ray, hit, 0);
}

int scene_blocked(const struct scene *scene, const struct ray *ray, float limit)
{
    struct hit hit = {.t = limit};
    return walk(scene, ray, &hit, 1);
}

float disparity(const struct scene *scene, float depth)
{
    return (1 / depth - 1 / scene->far) / (1 / scene->near - 1 / scene->far);
}
