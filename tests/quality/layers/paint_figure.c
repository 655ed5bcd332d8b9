// A person, an animal's head, vessels.
#include "quality/layers/paint.h"

static float ellipse(float x, float y, float rx, float ry)
{
    const float k = hypotf(x / rx, y / ry);
    return (k - 1) * fminf(rx, ry);
}

// Smooth minimum of two distances.
static float blend(float a, float b, float k)
{
    const float h = clampf(0.5f + 0.5f * (b - a) / k, 0, 1);
    return lerp(b, a, h) - k * h * (1 - h);
}

// The person is seen from behind. Signed distances, in units of its height; y up from where it
// stands.
static float shoulders(float x, float y)
{
    const float body = ellipse(x, y - 0.02f, 0.36f, 0.43f);
    const float yoke = ellipse(x, y - 0.39f, 0.16f, 0.1f);
    return blend(body, yoke, 0.09f);
}

static float neck(float x, float y)
{
    return fmaxf(fabsf(x) - 0.078f - 0.4f * (0.56f - y) * (0.56f - y), fabsf(y - 0.5f) - 0.12f);
}

static float ears(float x, float y)
{
    return ellipse(fabsf(x) - 0.147f, y - 0.68f, 0.02f, 0.042f);
}

static float collar(float x, float y)
{
    return fmaxf(fabsf(x) - 0.115f + 0.2f * (y - 0.47f), fabsf(y - 0.475f + 0.5f * x * x) - 0.035f);
}

static float hair(float x, float y, int seed)
{
    const float lock =
        0.008f * noise2(x * 26, y * 26, seed) + 0.006f * noise2(x * 90, y * 60, seed);
    const float head =
        blend(ellipse(x, y - 0.745f, 0.155f, 0.17f), ellipse(x, y - 0.61f, 0.085f, 0.06f), 0.08f);
    const float nape = 0.565f + 0.012f * noise2(x * 60, 3, seed);
    return fmaxf(head + lock, nape - y);
}

static float person(float x, float y, int seed)
{
    const float skin = fminf(neck(x, y), ears(x, y));
    return fminf(fminf(shoulders(x, y), collar(x, y)), fminf(skin, hair(x, y, seed)));
}

static vec3 hair_colour(float x, float y, int seed)
{
    // Combed down from a crown, left of the middle.
    const float dx = x + 0.025f, dy = y - 0.85f;
    const float far = hypotf(dx, dy), angle = atan2f(dx, -dy) + 1.6f * expf(-far / 0.04f);
    const float lock = fractal2(angle * 9 + 0.8f * noise2(x * 20, y * 12, seed), far * 7, seed, 4);
    const float fine = noise2(angle * 75 + 2 * lock, far * 14, seed + 1);
    const float gloss = smooth(0.075f, 0, fabsf(far - 0.11f - 0.02f * lock)) * (0.5f + 0.5f * fine);
    const vec3 base =
        scaled(v3(0.11f, 0.058f, 0.03f), (1 + 0.8f * lock + 0.35f * fine) * (1.1f - 3.2f * x));
    return add(base, scaled(v3(0.3f, 0.22f, 0.16f), 0.4f * gloss));
}

static vec3 dress_colour(const struct plane *p, float x, float y)
{
    struct plane cloth = *p;
    cloth.size = 0.0042f * p->size;
    const float fold = fractal2(x * 7, y * 3.5f, p->seed + 3, 4);
    const float top = collar(x, y) < 0 ? 0.25f : 0;
    const vec3 weave = colour(
        cloth_paint(&cloth, (x + 0.03f * fold + top) * p->size, (y + 0.25f * x * x) * p->size, 1));
    const float round = sqrtf(fmaxf(0.08f, 1 - 6.5f * x * x));
    const float seam = fabsf(y - 0.33f + 0.3f * x * x);
    const float under = top > 0 ? 1.25f : 1 - 0.5f * smooth(0.025f, 0, collar(x, y));
    return scaled(weave, (0.35f + 0.75f * round) * (1 + 0.7f * fold) * (1 - 0.8f * x) * under *
                             (seam < 0.0015f ? 0.5f : 1));
}

rgba bust_paint(const struct plane *p, float px, float py, float w)
{
    const float s = p->size, x = (px - p->x) / s, y = (p->y - py) / s;
    const float alpha = cover(person(x, y, p->seed) * s, w);
    if (alpha <= 0)
        return (rgba){0, 0, 0, 0};
    if (hair(x, y, p->seed) < 0)
        return shade(hair_colour(x, y, p->seed), alpha);
    if (fminf(collar(x, y), shoulders(x, y)) < 0 && !(collar(x, y) > 0 && y > 0.49f))
        return shade(dress_colour(p, x, y), alpha);
    const float rim = smooth(0, 0.02f, -ears(x, y)), nape = smooth(0.5f, 0.57f, y);
    const vec3 skin =
        scaled(v3(0.5f, 0.27f, 0.175f), (1 - 2.2f * x) * (1 - 0.45f * nape) * (1 - 0.3f * rim) *
                                            (1 + 0.12f * fractal2(x * 70, y * 70, 3, 4)));
    return shade(skin, alpha);
}

rgba shadow_paint(const struct plane *p, float px, float py, float w)
{
    const float s = p->size, x = (px - p->x) / s, y = (p->y - py) / s;
    const float alpha = cover(person(x, y, p->seed) * s, w);
    return shade(scaled(p->a, 1 + 0.15f * fractal2(x * 9, y * 9, p->seed, 4)), alpha);
}

// Smooth noise around a circle.
static float round_noise(float angle, float k, float r, int seed)
{
    return noise3(v3(k * cosf(angle), k * sinf(angle), r + 7.31f * (float)seed)).x;
}

// Hairs that stand on a circle of radius `root`; r is the distance from its centre. A family has
// one hair in each cell of the angle.
static rgba hairs(const struct plane *p, float angle, float r, float w, float root, int family)
{
    const int cells = 60 + (int)(300 * root);
    const float bend = (r - root) * (0.9f - 0.45f * (float)(family % 4)) +
                       0.1f * round_noise(angle, 3, r * 2, p->seed + family);
    const float a = (angle + bend) / (2 * PI) * (float)cells;
    const int cell = ifloor(a);
    const uint32_t h = hash3((cell + 4 * cells) % cells, family, p->seed);
    const float long_ = (0.06f + 0.34f * unit_float(h)) * (0.6f + 0.5f * root);
    const float from = root - 0.08f * unit_float(hash(h + 5));
    const float tip = from + long_ * (1 + 0.45f * round_noise(angle, 2, 0, 5));
    if (r > tip || r < from)
        return (rgba){0, 0, 0, 0};
    const float wave = 0.25f * sinf(9 * r + 6 * unit_float(hash(h + 2)));
    const float at = (float)cell + 0.3f + 0.4f * unit_float(hash(h + 1)) + wave;
    const float pixels = 2 * PI / (float)cells * r * p->size; // width of a cell
    const float half = 0.8f * clampf((tip - r) / 0.2f, 0, 1);
    const float patch = smooth(-0.3f, 0.4f, round_noise(angle, 2.5f, 2 * root, p->seed));
    const vec3 tint = mix(p->a, p->b, 0.65f * patch + 0.35f * unit_float(hash(h + 3)));
    const float light = (0.55f + 0.75f * unit_float(hash(h + 4))) * (1 - 0.2f * sinf(angle));
    return shade(scaled(tint, light * (0.6f + 0.4f * clampf((r - from) / 0.1f, 0, 1))),
                 cover(fabsf(a - at) * pixels - half, w));
}

// From the innermost ring, whose hairs lie on the others, outwards.
static rgba coat(const struct plane *p, float angle, float r, float w)
{
    rgba c = {0, 0, 0, 0};
    for (int ring = 0; ring < 8 && c.a < 0.999f; ++ring) {
        const float root = 0.28f + 0.096f * (float)ring;
        for (int i = 0; i < (ring < 7 ? 4 : 7) && r > root - 0.1f && r < root + 0.6f; ++i)
            c = lay(c, hairs(p, angle, r, w, root, 8 * ring + i));
    }
    return c;
}

static vec3 muzzle(const struct plane *p, float x, float y, vec3 coat)
{
    const float eye = hypotf(fabsf(x) - 0.32f, y + 0.12f);
    const float nose = ellipse(x, y - 0.25f - 0.2f * fabsf(x), 0.14f, 0.09f);
    const float mouth =
        fabsf(y - 0.5f + 0.5f * (fabsf(x) - 0.17f) * (fabsf(x) - 0.17f) * 8) - 0.012f;
    const float snout = smooth(0.5f, 0.3f, ellipse(x, y - 0.38f, 0.36f, 0.28f) + 0.35f);
    vec3 c = mix(coat, scaled(mix(p->b, v3(1, 1, 1), 0.3f), luma(coat) / luma(p->a)), 0.6f * snout);
    c = mix(c, v3(0.07f, 0.03f, 0.012f), smooth(0.105f, 0.095f, eye));
    c = mix(c, v3(0.004f, 0.004f, 0.005f), smooth(0.075f, 0.06f, eye));
    c = mix(c, v3(0.95f, 0.95f, 0.95f),
            smooth(0.03f, 0.02f, hypotf(fabsf(x) - 0.295f, y + 0.155f)));
    c = mix(c, v3(0.02f, 0.015f, 0.015f), smooth(0.01f, -0.01f, nose));
    return fabsf(x) < 0.3f && y > 0.33f && y < 0.6f
               ? mix(c, v3(0.03f, 0.02f, 0.02f), smooth(0.02f, -0.01f, mouth))
               : c;
}

rgba fur_paint(const struct plane *p, float px, float py, float w)
{
    const float x = (px - p->x) / p->size, y = (py - p->y) / p->size;
    const float angle = atan2f(y, x);
    // Ears make the circles that the hairs stand on bulge.
    const float ear = fabsf(fabsf(angle + PI / 2) - 0.75f) / 0.24f;
    const float r = hypotf(x, y) / (1 + 0.3f * expf(-ear * ear));
    if (r > 1.8f)
        return (rgba){0, 0, 0, 0};
    const float fine = fractal2(x * 60, y * 60, p->seed, 3);
    const vec3 skin = scaled(mix(p->a, p->b, 0.4f), 0.75f + 0.5f * fine);
    rgba c = lay(coat(p, angle, r, w), shade(scaled(skin, 0.7f), cover((r - 0.9f) * p->size, w)));
    if (r < 0.75f) {
        const vec3 with = muzzle(p, x, y, colour(c));
        c = (rgba){with.x, with.y, with.z, c.a};
    }
    return c;
}

// Half widths of vessels at 0, 1/10, .. 1 of their height, in heights.
static const float profile[][11] = {
    {0.13f, 0.15f, 0.15f, 0.15f, 0.15f, 0.14f, 0.085f, 0.05f, 0.045f, 0.045f, 0.05f}, // bottle
    {0.14f, 0.2f, 0.26f, 0.3f, 0.31f, 0.29f, 0.24f, 0.17f, 0.12f, 0.12f, 0.17f},      // vase
    {0.22f, 0.21f, 0.15f, 0.1f, 0.08f, 0.07f, 0.085f, 0.13f, 0.17f, 0.15f, 0.05f},    // pawn
    {0.2f, 0.29f, 0.34f, 0.36f, 0.37f, 0.375f, 0.38f, 0.38f, 0.385f, 0.385f, 0.39f},  // bowl
    {0.28f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.3f, 0.29f},             // tin
};

static float half_width(int shape, float t)
{
    const int i = (int)clampf(10 * t, 0, 9);
    return lerp(profile[shape][i], profile[shape][i + 1], smooth(0, 1, 10 * t - (float)i));
}

rgba lathe_paint(const struct plane *p, float px, float py, float w)
{
    const float s = p->size, x = (px - p->x) / s, y = (p->y - py) / s;
    const int shape = (int)p->p[0];
    const float half = half_width(shape, clampf(y, 0, 1));
    // The lower rim is round; all of it is above the row where the vessel stands.
    const float rim = 0.06f * x * x / half;
    const float d = fmaxf(fabsf(x) - half, fmaxf(rim - y, y - 1)) * s;
    const float alpha = cover(d, w);
    if (alpha <= 0)
        return (rgba){0, 0, 0, 0};
    const float t = clampf(x / half, -1, 1), around = asinf(t);
    const float lit = 0.16f + 0.84f * clampf(0.75f * cosf(around + 0.7f) + 0.25f, 0, 1);
    const float glaze = fractal2(around * 3, y * 9, p->seed, 5);
    const float stripe = sinf(p->p[1] * y + 0.3f * sinf(6 * around + (float)p->seed));
    vec3 c = mix(p->a, p->b, p->p[1] > 0 ? smooth(-0.15f, 0.15f, stripe) : 0.3f + 0.5f * glaze);
    if (p->under[0] && y > 0.2f && y < 0.75f) // a label
        c = colour(p->under[0](p, around * 0.3f * s, y * -s, w));
    c = scaled(c, lit * (1 + 0.25f * glaze));
    const float gleam = smooth(0.16f, 0.05f, fabsf(around + 0.62f)) * smooth(0, 0.1f, y);
    c = add(c, scaled(v3(0.7f, 0.72f, 0.75f), 0.55f * gleam * gleam * (0.6f + 0.4f * glaze)));
    return shade(c, alpha);
}
