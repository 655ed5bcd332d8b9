// Light: soft shadows of the lights and one bounce of ambient light, computed once per texel of
// the light maps, on demand; and the shading that uses them.
//
// A texel depends on nothing but its own position, so it does not matter which thread computes it
// or whether two of them do.
#include "quality/render/scene.h"

enum { SKY_RAYS = 144, KEY_RAYS = 48, LAMP_RAYS = 12, STRAND_SHARE = 6 };

struct baked {
    vec3 ambient;
    float key;
};

static vec3 sky_colour(const struct sky *sky, vec3 dir)
{
    const float y = dir.y / (fabsf(dir.y) + 0.35f); // most of the change is near the horizon
    return y > 0 ? mix(sky->horizon, sky->up, y) : mix(sky->horizon, sky->down, -y);
}

// The i-th of n points of a Hammersley set, shifted by a hash of the texel (Cranley and Patterson,
// "Randomization of number theoretic methods for multiple integration", 1976).
static vec3 set_point(int i, int n, uint32_t shift)
{
    uint32_t bits = (uint32_t)i, reversed = 0;
    for (int k = 0; k < 32; ++k, bits >>= 1)
        reversed = reversed << 1 | (bits & 1u);
    return disc(fract(((float)i + 0.5f) / (float)n + unit_float(shift)),
                fract(unit_float(reversed) + unit_float(hash(shift))));
}

// The unshadowed share of light from points spread over the disc that the lamp shows.
static float visible(const struct scene *scene, const struct light *light, vec3 at, int rays,
                     uint32_t shift)
{
    const vec3 to = sub(light->at, at);
    vec3 s, t;
    int open = 0;
    basis(unit(to), &s, &t);
    for (int i = 0; i < rays; ++i) {
        const vec3 d = scaled(set_point(i, rays, shift), light->radius);
        const struct ray ray = {at, add(to, add(scaled(s, d.x), scaled(t, d.y)))};
        open += !scene_blocked(scene, &ray, 1);
    }
    return (float)open / (float)rays;
}

static vec3 arriving(const struct light *light, vec3 at, vec3 normal)
{
    const vec3 to = sub(light->at, at);
    const float square = dot(to, to), cosine = dot(to, normal) / sqrtf(square);
    return scaled(light->colour, cosine > 0 ? cosine / square : 0);
}

// Light that a surface met by an ambient ray sends back: the main light with one shadow ray, and
// a share of the sky in place of further bounces.
static vec3 bounce(const struct scene *scene, const struct ray *ray, const struct hit *hit)
{
    const struct solid *const solid = &scene->solids[hit->solid];
    struct spot spot;
    solid_spot(solid, ray, hit, &spot);
    const struct look look = material_look(&solid->material, &spot);
    if (solid->material.pattern == GLOW)
        return v3(0, 0, 0); // lamps are lights of their own
    vec3 light = scaled(scene->sky.horizon, 0.3f);
    const vec3 key = arriving(&scene->lights[0], spot.at, spot.normal);
    const struct ray shadow = {along(spot.at, spot.normal, 1e-3f * hit->t),
                               sub(scene->lights[0].at, spot.at)};
    if (luma(key) > 0 && !scene_blocked(scene, &shadow, 1))
        light = add(light, key);
    return add(mul(look.albedo, light), look.glow);
}

static vec3 ambient(const struct scene *scene, vec3 at, vec3 normal, int rays, uint32_t shift)
{
    vec3 sum = v3(0, 0, 0), s, t;
    basis(normal, &s, &t);
    for (int i = 0; i < rays; ++i) {
        // Malley's method: points spread over the disc, lifted to the hemisphere, have the
        // density of the cosine.
        const vec3 d = set_point(i, rays, shift);
        const float z = sqrtf(fmaxf(0, 1 - d.x * d.x - d.y * d.y));
        const struct ray ray = {at, add(add(scaled(s, d.x), scaled(t, d.y)), scaled(normal, z))};
        struct hit hit;
        sum = add(sum, scene_hit(scene, &ray, &hit) ? bounce(scene, &ray, &hit)
                                                    : sky_colour(&scene->sky, ray.dir));
    }
    return scaled(sum, 1.0f / (float)rays);
}

static struct baked bake(const struct scene *scene, const struct solid *solid, int part, int x,
                         int y)
{
    vec3 at, normal;
    solid_point(solid, part, ((float)x + 0.5f) / (float)solid->map_u,
                ((float)y + 0.5f) / (float)solid->map_v, &at, &normal);
    const uint32_t shift = hash3(x, y, part + 6 * (int)(solid - scene->solids));
    at = along(at, normal, 3e-4f * len(sub(at, scene->camera.eye)));
    // A pixel sees many strands of hair, so each needs fewer rays.
    const int share = solid->shape == TUBE && solid->material.pattern == HAIR ? STRAND_SHARE : 1;
    struct baked baked = {ambient(scene, at, normal, SKY_RAYS / share, shift), 0};
    for (int i = 0; i < scene->light_count; ++i) {
        const struct light *const light = &scene->lights[i];
        const vec3 colour = arriving(light, at, normal);
        if (i == 0) {
            // Bumps may face the light where the surface does not: keep the visibility apart.
            baked.key = visible(scene, light, at, KEY_RAYS / share, shift);
        } else if (luma(colour) > 1e-3f) {
            const float open = visible(scene, light, at, LAMP_RAYS / share, shift);
            baked.ambient = add(baked.ambient, scaled(colour, open));
        }
    }
    return baked;
}

static struct baked fetch(const struct scene *scene, const struct solid *solid, int part, int x,
                          int y)
{
    x = solid->shape == BOX ? (int)clampf((float)x, 0, (float)solid->map_u - 1)
                            : (x + solid->map_u) % solid->map_u;
    y = y < 0 ? 0 : y < solid->map_v ? y : solid->map_v - 1;
    struct texel *const texel =
        &solid->map[((size_t)part * (size_t)solid->map_v + (size_t)y) * (size_t)solid->map_u +
                    (size_t)x];
    const float key = atomic_load_explicit(&texel->key, memory_order_acquire);
    if (key > 0) {
        return (struct baked){{atomic_load_explicit(&texel->red, memory_order_relaxed),
                               atomic_load_explicit(&texel->green, memory_order_relaxed),
                               atomic_load_explicit(&texel->blue, memory_order_relaxed)},
                              key - 1};
    }
    const struct baked baked = bake(scene, solid, part, x, y);
    atomic_store_explicit(&texel->red, baked.ambient.x, memory_order_relaxed);
    atomic_store_explicit(&texel->green, baked.ambient.y, memory_order_relaxed);
    atomic_store_explicit(&texel->blue, baked.ambient.z, memory_order_relaxed);
    atomic_store_explicit(&texel->key, baked.key + 1, memory_order_release);
    return baked;
}

static struct baked blend(struct baked a, struct baked b, float t)
{
    return (struct baked){mix(a.ambient, b.ambient, t), lerp(a.key, b.key, t)};
}

static struct baked light_at(const struct scene *scene, const struct solid *solid,
                             const struct spot *spot)
{
    const float u = spot->u * (float)solid->map_u - 0.5f, v = spot->v * (float)solid->map_v - 0.5f;
    const int x = ifloor(u), y = ifloor(v);
    const float a = u - (float)x, b = v - (float)y;
    const int part = spot->part;
    return blend(
        blend(fetch(scene, solid, part, x, y), fetch(scene, solid, part, x + 1, y), a),
        blend(fetch(scene, solid, part, x, y + 1), fetch(scene, solid, part, x + 1, y + 1), a), b);
}

// What a glossy surface mirrors: the sky and a soft window, blurred by lack of gloss.
static vec3 mirrored(const struct sky *sky, vec3 dir, float gloss)
{
    vec3 s, t;
    basis(sky->window_dir, &s, &t);
    const float front = dot(dir, sky->window_dir), soft = 0.02f + 0.5f * (1 - gloss);
    const float x = fabsf(dot(dir, s)) / sky->window_size,
                y = fabsf(dot(dir, t)) / sky->window_size;
    float pane =
        front > 0 ? (1 - smooth(1 - soft, 1 + soft, x)) * (1 - smooth(1.3f - soft, 1.3f + soft, y))
                  : 0;
    pane *= smooth(0, soft, x - 0.05f + soft * 0.5f); // the bar in the middle of the window
    return add(sky_colour(sky, dir), scaled(sky->window, pane * gloss * gloss));
}

// Values above the knee are bent towards 1 rather than clipped; the sum over a lens then sees the
// same radiance as the picture shows.
static float shoulder(float x)
{
    const float knee = 0.55f;
    return x < knee ? x : knee + (1 - knee) * (1 - expf((knee - x) / (1 - knee)));
}

static vec3 shaded(const struct scene *scene, const struct ray *ray, const struct hit *hit,
                   int mirrors);

// What a glossy surface mirrors at a spot: in a wet scene other things too, each without mirrors of its own.
static vec3 mirror_light(const struct scene *scene, const struct spot *spot, vec3 dir, float gloss,
                         float open, int mirrors)
{
    if (scene->is_wet && mirrors) {
        const struct ray ray = {
            along(spot->at, spot->normal, 3e-4f * len(sub(spot->at, scene->camera.eye))), dir};
        struct hit hit;
        if (scene_hit(scene, &ray, &hit))
            return shaded(scene, &ray, &hit, 0);
    }
    return scaled(mirrored(&scene->sky, dir, gloss), open);
}

static vec3 shaded(const struct scene *scene, const struct ray *ray, const struct hit *hit,
                   int mirrors)
{
    const struct solid *const solid = &scene->solids[hit->solid];
    struct spot spot;
    solid_spot(solid, ray, hit, &spot);
    const struct look look = material_look(&solid->material, &spot);
    if (luma(look.albedo) <= 0)
        return look.glow;
    const struct baked light = light_at(scene, solid, &spot);
    const vec3 bumped = sub(look.normal, spot.normal), view = unit(scaled(ray->dir, -1));
    const vec3 key = scaled(arriving(&scene->lights[0], spot.at, look.normal), light.key);
    const vec3 sum =
        add(scaled(light.ambient,
                   clampf(1 + 0.5f * (bumped.y - dot(bumped, ray->dir) / len(ray->dir)), 0, 2)),
            key);
    vec3 colour = add(mul(look.albedo, sum), look.glow);
    if (look.gloss > 0) {
        // Schlick, "An inexpensive BRDF model for physically-based rendering", 1994.
        const float cosine = clampf(dot(look.normal, view), 0, 1), k = 1 - cosine;
        const float fresnel = (0.04f + 0.96f * k * k * k * k * k) * look.gloss;
        // A film of water is smoother than the stones below it.
        const vec3 film = scene->is_wet ? unit(mix(look.normal, spot.normal, 0.8f)) : look.normal;
        const vec3 mirror = sub(scaled(film, 2 * dot(film, view)), view);
        const float open = clampf(luma(light.ambient) / luma(scene->sky.horizon), 0, 1);
        colour =
            mix(colour, mirror_light(scene, &spot, mirror, look.gloss, open, mirrors), fresnel);
    }
    return v3(shoulder(colour.x), shoulder(colour.y), shoulder(colour.z));
}

vec3 radiance(const struct scene *scene, const struct ray *ray, const struct hit *hit)
{
    return shaded(scene, ray, hit, 1);
}
