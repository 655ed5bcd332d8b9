// Thin things: strands, wires, a mesh fence, and discs.
#include "quality/layers/paint.h"

// A round rod seen from the side: light from the left.
static vec3 rod(vec3 a, vec3 b, float t)
{
    const float lit = 0.55f + 0.45f * sqrtf(fmaxf(0, 1 - (t + 0.35f) * (t + 0.35f)));
    return mix(scaled(b, 0.6f), a, lit);
}

rgba strands_paint(const struct plane *p, float x, float y, float w)
{
    const float pitch = p->p[3];
    const int middle = ifloor((x - p->p[1] * y) / pitch);
    rgba c = {0, 0, 0, 0};
    for (int i = middle - 3; i <= middle + 3 && c.a < 0.999f; ++i) {
        const float r = random3(i, 1, p->seed), s = random3(i, 2, p->seed);
        const float phase = 6.28f * random3(i, 3, p->seed), f = 0.004f + 0.006f * s;
        const float at = pitch * ((float)i + r) + p->p[1] * (1 + 0.5f * (s - 0.5f)) * y +
                         p->p[2] * sinf(f * y + phase);
        const float slope = p->p[1] + p->p[2] * f * cosf(f * y + phase);
        const float half = p->p[0] * (0.5f + s);
        const float d = (x - at) / sqrtf(1 + slope * slope);
        if (fabsf(d) < half + w)
            c = lay(c, shade(rod(p->a, p->b, clampf(d / half, -1, 1)), cover(fabsf(d) - half, w)));
    }
    return c;
}

rgba fence_paint(const struct plane *p, float x, float y, float w)
{
    const float half = p->p[0], s = p->size, post = 3.5f * half;
    const float side = x - p->x; // the mesh ends at a post
    rgba c = shade(rod(p->a, p->b, clampf(side / post, -1, 1)), cover(fabsf(side) - post, w));
    if (side > 0)
        return c;
    rgba mesh = {0, 0, 0, 0};
    for (int i = 0; i < 2; ++i) {
        // Two families of zigzag wires; where they meet, each lies once in front.
        const float u = (i ? x + y : x - y) / s, v = (i ? x - y : x + y) / s;
        // Bent at each crossing, straight between.
        const float bend = 0.03f * sinf(2 * PI * v);
        const float d = (fract(u + bend) - 0.5f) * s * 0.7071f;
        const int front = (ifloor(u) + ifloor(v) + i) & 1;
        const rgba wire =
            shade(rod(p->a, p->b, clampf(d / half, -1, 1)), cover(fabsf(d) - half, w));
        mesh = front ? lay(wire, mesh) : lay(mesh, wire);
    }
    return lay(c, mesh);
}

// Sitting at (0, 0), looking along x; y points down.
static rgba bird(const struct plane *p, float x, float y, float w, float size)
{
    // u along the back towards the head, v across, from the middle of the body.
    const float dx = x / size, dy = y / size + 0.9f;
    const float u = 0.5f * dx - 0.866f * dy, v = 0.866f * dx + 0.5f * dy;
    const float body = (hypotf(u, v / (0.62f - 0.12f * u)) - 1) * 0.6f;
    const float head = hypotf(u - 1.02f, v - 0.16f) - 0.43f;
    const float tail = fmaxf(fabsf(v + 0.22f) - 0.13f, fabsf(u + 1.4f) - 0.75f);
    const float hx = dx - 0.95f, hy = dy + 0.78f; // where the beak begins
    const float beak = fmaxf(fabsf(hy) - 0.12f + 0.3f * hx, fabsf(hx) - 0.35f);
    const float d = fminf(fminf(body, head), fminf(tail, beak)) * size;
    const float down = fractal2(u * 5, v * 5, p->seed, 4);
    const float breast = smooth(0.05f, 0.4f, v);
    const float wing = smooth(0.05f, 0, fabsf(hypotf(u + 0.2f, (v + 0.3f) * 2) - 0.8f));
    const vec3 c = mix(v3(0.05f, 0.045f, 0.05f), v3(0.42f, 0.2f, 0.09f), breast);
    return shade(scaled(c, (1 + 0.6f * down) * (1 - 0.4f * wing)), cover(d, w));
}

rgba wires_paint(const struct plane *p, float x, float y, float w)
{
    const float pitch = p->p[2], sag = p->p[1];
    const float t = x / 1200 - 0.5f;
    rgba c = {0, 0, 0, 0};
    for (int i = 0; i < 6; ++i) {
        const float at = p->y + pitch * ((float)i + 0.3f * random3(i, 1, p->seed)) +
                         sag * (0.25f - t * t) * (1 + random3(i, 2, p->seed)) +
                         (20 * random3(i, 3, p->seed) - 10) * t * 6;
        const float slope = -2 * sag * t * (1 + random3(i, 2, p->seed)) / 1200;
        const float half = p->p[0] * (0.6f + 0.8f * random3(i, 4, p->seed));
        const float d = (y - at) / sqrtf(1 + slope * slope);
        // Two birds on each wire.
        for (int k = 0; k < 2; ++k) {
            const float bx = 1200 * random3(i, 5 + k, p->seed), size = 13;
            if (fabsf(x - bx) < 3 * size && y - at < size && y - at > -4 * size)
                c = lay(c, bird(p, (k ? -1.f : 1.f) * (x - bx), y - at, w, size));
        }
        c = lay(c, shade(rod(p->a, p->b, clampf(d / half, -1, 1)), cover(fabsf(d) - half, w)));
    }
    return c;
}

rgba disc_paint(const struct plane *p, float x, float y, float w)
{
    return shade(p->a, cover(hypotf(x - p->x, y - p->y) - p->size, w));
}

rgba card_paint(const struct plane *p, float x, float y, float w)
{
    const float u = x - p->x, v = y - p->y;
    const float d = fmaxf(fmaxf(-u, u - p->p[0]), fmaxf(-v, v - p->p[1]));
    const float alpha = cover(d, w);
    return alpha > 0 ? masked(p->under[0](p, x, y, w), alpha) : (rgba){0, 0, 0, 0};
}
