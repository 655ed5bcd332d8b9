// Rays against boxes, balls, lathes and tubes. All of it happens in the object's own frame; the
// ray parameter t is that of the world ray.
#include "quality/render/shape.h"

// Slabs: Kay and Kajiya, "Ray tracing complex scenes", 1986.
static int box_span(vec3 from, vec3 dir, vec3 low, vec3 high, float *enter, float *leave, int *face)
{
    *enter = -INFINITY;
    *leave = INFINITY;
    for (int i = 0; i < 3; ++i) {
        const float inverse = 1 / axis(dir, i);
        const float a = (axis(low, i) - axis(from, i)) * inverse;
        const float b = (axis(high, i) - axis(from, i)) * inverse;
        const float first = a < b ? a : b, last = a < b ? b : a;
        if (first > *enter) {
            *enter = first;
            *face = 2 * i + (inverse < 0);
        }
        *leave = last < *leave ? last : *leave;
    }
    return *enter <= *leave && *leave > 0;
}

static int box_hit(const struct solid *s, vec3 from, vec3 dir, struct hit *hit)
{
    float enter, leave;
    int face = 0;
    const vec3 low = scaled(s->size, -1);
    if (!box_span(from, dir, low, s->size, &enter, &leave, &face) || enter <= 0 || enter >= hit->t)
        return 0;
    hit->t = enter;
    hit->part = face;
    return 1;
}

// The ray is moved to its point nearest to the centre first: the quadratic then has small
// coefficients, and thin things far away keep their shape in single precision.
static int ball_hit(const struct solid *s, vec3 from, vec3 dir, struct hit *hit)
{
    const vec3 o = quot(from, s->size), d = quot(dir, s->size);
    const float dd = dot(d, d), middle = -dot(o, d) / dd;
    const vec3 near = along(o, d, middle);
    const float c = 1 - dot(near, near);
    if (c <= 0)
        return 0;
    const float t = middle - sqrtf(c / dd);
    if (t <= 0 || t >= hit->t)
        return 0;
    hit->t = t;
    return 1;
}

// One segment of a turned profile: the cone x^2 + z^2 = (r0 + k (y - y0))^2 between two heights,
// or a flat ring. `shift` is what t has to be raised by.
static int cone_hit(const struct curve *c, int i, vec3 o, vec3 d, float shift, struct hit *hit)
{
    const vec3 p = c->at[i], q = c->at[i + 1];
    float roots[2];
    int count = 1;
    const int flat = fabsf(q.y - p.y) < 1e-6f;
    if (flat) {
        roots[0] = (p.y - o.y) / d.y;
    } else {
        const float k = (q.x - p.x) / (q.y - p.y), r = p.x + k * (o.y - p.y);
        const float a = d.x * d.x + d.z * d.z - k * k * d.y * d.y;
        const float b = o.x * d.x + o.z * d.z - k * d.y * r;
        const float under = b * b - a * (o.x * o.x + o.z * o.z - r * r);
        if (under <= 0 || a == 0)
            return 0;
        const float root = sqrtf(under);
        roots[0] = (-b - root) / a;
        roots[1] = (-b + root) / a;
        count = 2;
    }
    int found = 0;
    for (int j = 0; j < count; ++j) {
        const vec3 at = along(o, d, roots[j]);
        const float u = flat ? (sqrtf(at.x * at.x + at.z * at.z) - p.x) / (q.x - p.x)
                             : (at.y - p.y) / (q.y - p.y);
        const float t = roots[j] + shift;
        if (u >= 0 && u <= 1 && t > 0 && t < hit->t) {
            *hit = (struct hit){t, hit->solid, i, u};
            found = 1;
        }
    }
    return found;
}

// Only the segments that the ray can reach: at heights it has inside the bounds, and not nearer to
// the axis than it comes.
static int lathe_hit(const struct solid *s, vec3 from, vec3 dir, struct hit *hit)
{
    const struct curve *const c = s->curve;
    const float shift = -dot(from, dir) / dot(dir, dir);
    const vec3 o = along(from, dir, shift);
    float enter, leave;
    int face = 0, found = 0;
    if (!box_span(from, dir, c->low, c->high, &enter, &leave, &face))
        return 0;
    const float y0 = from.y + enter * dir.y, y1 = from.y + leave * dir.y;
    const float least = fminf(y0, y1) - 1e-4f, most = fmaxf(y0, y1) + 1e-4f;
    const float area = o.x * dir.z - o.z * dir.x, flat = dir.x * dir.x + dir.z * dir.z;
    for (int i = 0; i + 1 < c->count; ++i) {
        const vec3 p = c->at[i], q = c->at[i + 1];
        const float r = 1.0001f * (p.x > q.x ? p.x : q.x);
        const float low = p.y < q.y ? p.y : q.y, high = p.y < q.y ? q.y : p.y;
        if (high >= least && low <= most && area * area <= r * r * flat)
            found |= cone_hit(c, i, o, dir, shift, hit);
    }
    return found;
}

// Distance to the nearest ball of the listed segments; also which segment, and where in it.
static float tube_distance(const struct curve *c, const int *list, int count, vec3 p,
                           struct hit *hit)
{
    float best = INFINITY;
    for (int k = 0; k < count; ++k) {
        const int i = list[k];
        const vec3 a = c->at[i], ab = sub(c->at[i + 1], a), ap = sub(p, a);
        const float t = clampf(dot(ap, ab) / dot(ab, ab), 0, 1);
        const float d = len(sub(ap, scaled(ab, t))) - lerp(c->radius[i], c->radius[i + 1], t);
        if (d < best) {
            best = d;
            hit->part = i;
            hit->u = t;
        }
    }
    return best;
}

// The segments whose bounding ball the line meets.
static int tube_candidates(const struct curve *c, vec3 from, vec3 dir, int *list)
{
    const float square = dot(dir, dir);
    int count = 0;
    for (int i = 0; i + 1 < c->count; ++i) {
        const vec3 a = c->at[i], b = c->at[i + 1];
        const vec3 off = cross(sub(scaled(add(a, b), 0.5f), from), dir);
        const float r = 0.5f * (c->arc[i + 1] - c->arc[i]) +
                        (c->radius[i] > c->radius[i + 1] ? c->radius[i] : c->radius[i + 1]);
        if (dot(off, off) <= r * r * square)
            list[count++] = i;
    }
    return count;
}

// Sphere tracing (Hart 1996): step by the distance, a little less since the radius varies.
static int tube_hit(const struct solid *s, vec3 from, vec3 dir, struct hit *hit)
{
    const struct curve *const c = s->curve;
    int list[CURVE_MAX], face = 0;
    const int count = tube_candidates(c, from, dir, list);
    float enter, leave;
    if (count == 0 || !box_span(from, dir, c->low, c->high, &enter, &leave, &face))
        return 0;
    const float speed = len(dir), tiny = c->radius[0] * 2e-3f;
    struct hit found = {enter > 0 ? enter : 0, hit->solid, 0, 0};
    leave = leave < hit->t ? leave : hit->t;
    for (int i = 0; i < 64 && found.t < leave; ++i) {
        const float d = tube_distance(c, list, count, along(from, dir, found.t), &found);
        if (d < tiny) {
            *hit = found;
            return 1;
        }
        found.t += 0.95f * d / speed;
    }
    return 0;
}

int solid_hit(const struct solid *solid, const struct ray *ray, struct hit *hit)
{
    const vec3 from = to_local(solid, sub(ray->from, solid->origin));
    const vec3 dir = to_local(solid, ray->dir);
    switch (solid->shape) {
    case BOX: return box_hit(solid, from, dir, hit);
    case BALL: return ball_hit(solid, from, dir, hit);
    case LATHE: return lathe_hit(solid, from, dir, hit);
    case TUBE: return tube_hit(solid, from, dir, hit);
    }
    return 0;
}

void solid_bounds(const struct solid *solid, vec3 *low, vec3 *high)
{
    vec3 a = scaled(solid->size, -1), b = solid->size;
    if (solid->shape == LATHE || solid->shape == TUBE) {
        a = solid->curve->low;
        b = solid->curve->high;
    }
    *low = v3(INFINITY, INFINITY, INFINITY);
    *high = scaled(*low, -1);
    for (int i = 0; i < 8; ++i) {
        const vec3 corner = v3(i & 1 ? a.x : b.x, i & 2 ? a.y : b.y, i & 4 ? a.z : b.z);
        const vec3 p = add(solid->origin, to_world(solid, corner));
        *low = v3(fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z));
        *high = v3(fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z));
    }
}
