// Smooth curves through control points, flattened to polylines.
#include "quality/render/shape.h"

// Catmull-Rom interpolation between b and c (Catmull and Rom, "A class of local interpolating
// splines", 1974).
static float spline(float a, float b, float c, float d, float t)
{
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

static float sample(const float *control, int stride, int count, int span, float t)
{
    const int before = span > 0 ? span - 1 : 0;
    const int after = span + 2 < count ? span + 2 : count - 1;
    return spline(control[before * stride], control[span * stride], control[(span + 1) * stride],
                  control[after * stride], t);
}

static void push(struct curve *curve, vec3 at, float radius)
{
    const int n = curve->count;
    if (n > 0 && len(sub(at, curve->at[n - 1])) < 1e-5f)
        return; // a control point given twice makes a sharp corner
    if (n < CURVE_MAX) {
        curve->at[n] = at;
        curve->radius[n] = radius;
        curve->arc[n] = n > 0 ? curve->arc[n - 1] + len(sub(at, curve->at[n - 1])) : 0;
        curve->count = n + 1;
    }
}

static void set_bounds(struct curve *curve, int turned)
{
    vec3 low = v3(INFINITY, INFINITY, INFINITY), high = scaled(low, -1);
    for (int i = 0; i < curve->count; ++i) {
        const vec3 p = curve->at[i];
        const float r = curve->radius[i];
        const vec3 a = turned ? v3(-p.x, p.y, -p.x) : sub(p, v3(r, r, r));
        const vec3 b = turned ? v3(p.x, p.y, p.x) : add(p, v3(r, r, r));
        low = v3(fminf(low.x, a.x), fminf(low.y, a.y), fminf(low.z, a.z));
        high = v3(fmaxf(high.x, b.x), fmaxf(high.y, b.y), fmaxf(high.z, b.z));
    }
    curve->low = low;
    curve->high = high;
}

static void set_tangents(struct curve *curve)
{
    const int last = curve->count - 1;
    for (int i = 0; i <= last; ++i) {
        const vec3 before = curve->at[i > 0 ? i - 1 : 0],
                   after = curve->at[i < last ? i + 1 : last];
        curve->tangent[i] = unit(sub(after, before));
    }
    const vec3 normal = cross(curve->tangent[0], sub(curve->at[last], curve->at[0]));
    vec3 other;
    if (len(normal) > 1e-3f)
        curve->across = unit(normal);
    else
        basis(curve->tangent[0], &curve->across, &other);
}

void curve_tube(struct curve *curve, int count, const float (*control)[4], int steps)
{
    const float *const c = &control[0][0];
    curve->count = 0;
    for (int i = 0; i + 1 < count; ++i) {
        for (int k = 0; k <= steps; ++k) {
            const float t = (float)k / (float)steps;
            push(curve,
                 v3(sample(c, 4, count, i, t), sample(c + 1, 4, count, i, t),
                    sample(c + 2, 4, count, i, t)),
                 sample(c + 3, 4, count, i, t));
        }
    }
    set_bounds(curve, 0);
    set_tangents(curve);
}

static vec3 segment_normal(const struct curve *curve, int i)
{
    const vec3 d = sub(curve->at[i + 1], curve->at[i]);
    return unit(v3(d.y, -d.x, 0));
}

// Neighbouring segments share a normal unless they meet at a sharp angle.
static vec3 joint_normal(const struct curve *curve, int i, int other)
{
    const vec3 own = segment_normal(curve, i);
    if (other < 0 || other + 1 >= curve->count)
        return own;
    const vec3 next = segment_normal(curve, other);
    return dot(own, next) < 0.6f ? own : unit(add(own, next));
}

void curve_lathe(struct curve *curve, int count, const float (*control)[2], int steps)
{
    const float *const c = &control[0][0];
    curve->count = 0;
    for (int i = 0; i + 1 < count; ++i) {
        for (int k = 0; k <= steps; ++k) {
            const float t = (float)k / (float)steps;
            const float r = sample(c, 2, count, i, t);
            push(curve, v3(r > 0 ? r : 0, sample(c + 1, 2, count, i, t), 0), 0);
        }
    }
    for (int i = 0; i + 1 < curve->count; ++i) {
        curve->normal_from[i] = joint_normal(curve, i, i - 1);
        curve->normal_to[i] = joint_normal(curve, i, i + 1);
    }
    set_bounds(curve, 1);
}
