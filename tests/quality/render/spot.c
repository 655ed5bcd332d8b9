// From a hit to a surface spot, and from light map coordinates back to the surface.
#include "quality/render/shape.h"

// The two axes that span the faces across axis 0, 1, 2.
static const int face_s[3] = {2, 0, 0}, face_t[3] = {1, 2, 1};

static vec3 axis_vector(int i, float length)
{
    return v3(i == 0 ? length : 0, i == 1 ? length : 0, i == 2 ? length : 0);
}

// Within `bevel` of an edge the shading normal turns towards the face on the other side.
static vec3 bevelled(const struct solid *s, int across, float sign, vec3 p)
{
    vec3 n = axis_vector(across, sign);
    for (int i = 0; i < 3; ++i) {
        const float x = axis(p, i), inside = axis(s->size, i) - fabsf(x);
        if (i != across && s->bevel > 0 && inside < s->bevel)
            n = add(n, axis_vector(i, copysignf(1 - inside / s->bevel, x)));
    }
    return unit(n);
}

static void box_spot(const struct solid *s, const struct hit *hit, struct spot *spot)
{
    const int across = hit->part / 2, i = face_s[across], j = face_t[across];
    const vec3 p = spot->local;
    spot->part = hit->part;
    spot->s = axis(p, i);
    spot->t = axis(p, j);
    spot->u = 0.5f + 0.5f * spot->s / axis(s->size, i);
    spot->v = 0.5f + 0.5f * spot->t / axis(s->size, j);
    spot->normal = bevelled(s, across, hit->part & 1 ? 1.0f : -1.0f, p);
    spot->tangent_s = axis_vector(i, 1);
    spot->tangent_t = axis_vector(j, 1);
}

static void ball_spot(const struct solid *s, struct spot *spot)
{
    const vec3 p = quot(spot->local, s->size);
    const float longitude = atan2f(p.z, p.x), latitude = asinf(clampf(p.y, -1, 1));
    spot->u = longitude / (2 * PI) + 0.5f;
    spot->v = latitude / PI + 0.5f;
    spot->s = longitude * s->size.x;
    spot->t = latitude * s->size.y;
    spot->normal = unit(quot(p, s->size));
    spot->tangent_s = unit(v3(-p.z, 0, p.x + 1e-6f));
    spot->tangent_t = cross(spot->tangent_s, spot->normal);
}

static void lathe_spot(const struct solid *s, const struct hit *hit, struct spot *spot)
{
    const struct curve *const c = s->curve;
    const int i = hit->part;
    const vec3 p = spot->local;
    const float angle = atan2f(p.z, p.x), r = sqrtf(p.x * p.x + p.z * p.z) + 1e-9f;
    const vec3 n = mix(c->normal_from[i], c->normal_to[i], hit->u);
    const float length = lerp(c->arc[i], c->arc[i + 1], hit->u);
    spot->u = angle / (2 * PI) + 0.5f;
    spot->v = length / c->arc[c->count - 1];
    spot->s = angle;
    spot->t = length;
    spot->normal = unit(v3(n.x * p.x / r, n.y, n.x * p.z / r));
    spot->tangent_s = v3(-p.z / r, 0, p.x / r);
    spot->tangent_t = cross(spot->tangent_s, spot->normal);
}

// Two vectors that make a frame with the tangent, turning little from one segment to the next.
static void tube_frame(const struct curve *c, vec3 tangent, vec3 *e, vec3 *f)
{
    *f = unit(cross(tangent, c->across));
    *e = cross(*f, tangent);
}

// How far p lies beyond the plane through a vertex that halves the bend there.
static float beyond(const struct curve *c, int vertex, vec3 p)
{
    return dot(sub(p, c->at[vertex]), c->tangent[vertex]);
}

// The nearest point of a polyline jumps on the inner side of a bend. The place between the two
// planes that hold p does not, and nor does a normal that stands on a tangent blended likewise;
// round ends keep their own.
static void tube_spot(const struct solid *s, const struct hit *hit, struct spot *spot)
{
    const struct curve *const c = s->curve;
    const vec3 p = spot->local;
    int i = hit->part;
    while (i > 0 && beyond(c, i, p) < 0)
        --i;
    while (i + 2 < c->count && beyond(c, i + 1, p) > 0)
        ++i;
    const float from = beyond(c, i, p), to = beyond(c, i + 1, p);
    const float u = clampf(from / (from - to), 0, 1);
    const int end = from < 0 || to > 0;
    const vec3 n = unit(sub(p, mix(c->at[i], c->at[i + 1], u)));
    const vec3 tangent = unit(mix(c->tangent[i], c->tangent[i + 1], u));
    vec3 e, f;
    tube_frame(c, tangent, &e, &f);
    spot->normal = end ? n : unit(sub(n, scaled(tangent, dot(n, tangent))));
    spot->t = lerp(c->arc[i], c->arc[i + 1], u);
    spot->s = atan2f(dot(n, f), dot(n, e));
    spot->u = spot->s / (2 * PI) + 0.5f;
    spot->v = spot->t / c->arc[c->count - 1];
    spot->tangent_t = tangent;
    spot->tangent_s = unit(add(cross(spot->normal, tangent), v3(1e-6f, 0, 0)));
}

void solid_spot(const struct solid *solid, const struct ray *ray, const struct hit *hit,
                struct spot *spot)
{
    spot->at = along(ray->from, ray->dir, hit->t);
    spot->local = to_local(solid, sub(spot->at, solid->origin));
    spot->part = 0;
    switch (solid->shape) {
    case BOX: box_spot(solid, hit, spot); break;
    case BALL: ball_spot(solid, spot); break;
    case LATHE: lathe_spot(solid, hit, spot); break;
    case TUBE: tube_spot(solid, hit, spot); break;
    }
    spot->normal = to_world(solid, spot->normal);
    spot->tangent_s = to_world(solid, spot->tangent_s);
    spot->tangent_t = to_world(solid, spot->tangent_t);
}

int solid_parts(const struct solid *solid)
{
    return solid->shape == BOX ? 6 : 1;
}

// Which segment holds the fraction v of the curve's length.
static int segment_at(const struct curve *c, float v, float *u)
{
    const float length = v * c->arc[c->count - 1];
    int i = 0;
    while (i + 2 < c->count && c->arc[i + 1] < length)
        ++i;
    *u = (length - c->arc[i]) / (c->arc[i + 1] - c->arc[i]);
    return i;
}

static void curve_point(const struct solid *s, float angle, float v, vec3 *p, vec3 *n)
{
    const struct curve *const c = s->curve;
    float u;
    const int i = segment_at(c, v, &u);
    const vec3 q = mix(c->at[i], c->at[i + 1], u);
    const float x = cosf(angle), z = sinf(angle);
    if (s->shape == LATHE) {
        const vec3 m = mix(c->normal_from[i], c->normal_to[i], u);
        *p = v3(q.x * x, q.y, q.x * z);
        *n = unit(v3(m.x * x, m.y, m.x * z));
        return;
    }
    vec3 e, f;
    tube_frame(c, unit(mix(c->tangent[i], c->tangent[i + 1], u)), &e, &f);
    *n = add(scaled(e, x), scaled(f, z));
    // A little outside, or texels in the inner side of a bend would be shadowed by its joints.
    *p = along(q, *n, 1.05f * lerp(c->radius[i], c->radius[i + 1], u));
}

void solid_point(const struct solid *solid, int part, float u, float v, vec3 *at, vec3 *normal)
{
    const float angle = (u - 0.5f) * 2 * PI;
    vec3 p, n;
    if (solid->shape == BOX) {
        const int across = part / 2, i = face_s[across], j = face_t[across];
        n = axis_vector(across, part & 1 ? 1.0f : -1.0f);
        p = add(scaled(n, axis(solid->size, across)),
                add(axis_vector(i, (2 * u - 1) * axis(solid->size, i)),
                    axis_vector(j, (2 * v - 1) * axis(solid->size, j))));
    } else if (solid->shape == BALL) {
        const float latitude = (v - 0.5f) * PI;
        const vec3 d =
            v3(cosf(latitude) * cosf(angle), sinf(latitude), cosf(latitude) * sinf(angle));
        p = mul(d, solid->size);
        n = unit(quot(d, solid->size));
    } else {
        curve_point(solid, angle, v, &p, &n);
    }
    *at = add(solid->origin, to_world(solid, p));
    *normal = to_world(solid, n);
}
