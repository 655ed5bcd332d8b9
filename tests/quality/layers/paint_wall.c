// Walls and other things that fill a picture.
#include "quality/layers/paint.h"

rgba brick_paint(const struct plane *p, float x, float y, float w)
{
    const float height = p->size, width = 2.9f * p->size, joint = 0.07f * p->size;
    // Wavering edges, as of hand-made bricks.
    const float wx = x + 0.06f * height * noise2(x / height * 3, y / height * 3, p->seed);
    const float wy = y + 0.05f * height * noise2(x / height * 2, y / height * 2, p->seed + 9);
    const int row = ifloor(wy / height);
    const float shifted = wx + 0.5f * width * (float)(row & 1);
    const int column = ifloor(shifted / width);
    const float u = shifted - width * (float)column, v = wy - height * (float)row;
    const float edge = fminf(fminf(u, width - u), fminf(v, height - v));
    const float stone = cover(joint - edge, fmaxf(w, 0.05f * height));
    const float tone = random3(column, row, p->seed);
    const float grain = fractal2(x / height * 4, y / height * 4, p->seed, 5);
    const vec3 fired =
        mix(scaled(p->a, 0.55f + 0.7f * tone), scaled(v3(p->a.x, p->a.x, p->a.x), 0.6f),
            0.5f * random3(column, row, p->seed + 50));
    // The joint lies deeper: light from above left leaves a shadow at the upper left rim.
    const float rim = smooth(joint, 3 * joint, fminf(u, v)) * 0.35f + 0.65f;
    const vec3 brick = scaled(fired, (1 + 0.55f * grain) * rim);
    const vec3 mortar = scaled(p->b, 0.8f + 0.5f * fractal2(x / 5, y / 5, p->seed + 3, 3));
    const float damp = 1 + 0.35f * fractal2(x / 400, y / 400, p->seed + 5, 3);
    return opaque(scaled(mix(mortar, brick, stone), damp));
}

static vec3 grain(vec3 a, vec3 b, float along_, float across, float size, int seed)
{
    const float bend = 0.12f * size * noise2(along_ / (5 * size), across / (2 * size), seed);
    const float c = (across + bend) / size;
    const float ring = fract(c * 3 + 0.9f * noise2(along_ / (9 * size), c, seed + 1) + 20);
    const float late = smooth(0.2f, 0.85f, ring) * smooth(1, 0.9f, ring);
    const float fibre = fractal2(along_ / (0.9f * size), c * 30, seed + 2, 4);
    return scaled(mix(a, b, 0.7f * late), 1 + 0.45f * fibre);
}

rgba planks_paint(const struct plane *p, float x, float y, float w)
{
    const int plank = ifloor(x / p->size);
    const float u = x - p->size * (float)plank;
    const float gap = fminf(u, p->size - u);
    const float tone = 0.7f + 0.5f * random3(plank, 3, p->seed);
    const vec3 wood =
        scaled(grain(p->a, p->b, y + 977 * (float)(plank & 63), u, p->size, p->seed + plank), tone);
    const float light = cover(0.02f * p->size - gap, fmaxf(w, 0.02f * p->size));
    // Nails.
    const float ny = fract(y / (4 * p->size) + random3(plank, 5, p->seed)) - 0.5f;
    const float nail = hypotf(fabsf(u - 0.5f * p->size) - 0.3f * p->size, ny * 4 * p->size);
    const float head = cover(nail - 0.028f * p->size, fmaxf(w, 0.01f * p->size));
    return opaque(scaled(mix(wood, v3(0.05f, 0.05f, 0.055f), 0.85f * head), 0.06f + 0.94f * light));
}

rgba plaster_paint(const struct plane *p, float x, float y, float w)
{
    (void)w;
    const float s = p->size;
    const float stain = smooth(-0.1f, 0.5f, fractal2(x / (9 * s), y / (6 * s), p->seed, 5));
    const float run = smooth(0, 0.6f, fractal2(x / (0.8f * s), y / (12 * s), p->seed + 1, 4));
    const float rough = fractal2(x / s * 6, y / s * 6, p->seed + 2, 4);
    const float lit = fractal2(x / s * 6 + 0.7f, y / s * 6 + 0.7f, p->seed + 2, 4);
    const float crack = fabsf(fractal2(x / (5 * s), y / (5 * s), p->seed + 4, 6));
    vec3 c = mix(p->a, p->b, clampf(0.7f * stain + 0.4f * run, 0, 1));
    c = scaled(c, 1 + 0.5f * (rough - lit) + 0.12f * rough);
    return opaque(scaled(c, crack < 0.008f ? 0.35f : crack < 0.02f ? 0.85f : 1));
}

// Distance to the strokes of a letter that hash h makes, in a cell 1 wide and 1.6 high.
static float glyph(float u, float v, uint32_t h)
{
    static const float node[9][2] = {{0.2f, 0.3f},  {0.5f, 0.3f},  {0.8f, 0.3f},
                                     {0.2f, 0.75f}, {0.5f, 0.75f}, {0.8f, 0.75f},
                                     {0.2f, 1.2f},  {0.5f, 1.2f},  {0.8f, 1.2f}};
    static const unsigned char stroke[12][2] = {{0, 6}, {2, 8}, {0, 2}, {3, 5}, {6, 8}, {1, 7},
                                                {0, 5}, {3, 8}, {2, 6}, {0, 3}, {5, 8}, {3, 2}};
    float best = 1;
    for (int i = 0; i < 4; ++i, h >>= 4) {
        const unsigned char *const s = stroke[(h & 15u) % 12];
        const float ax = node[s[0]][0], ay = node[s[0]][1];
        const float bx = node[s[1]][0] - ax, by = node[s[1]][1] - ay;
        const float t = clampf(((u - ax) * bx + (v - ay) * by) / (bx * bx + by * by), 0, 1);
        best = fminf(best, hypotf(u - ax - t * bx, v - ay - t * by));
    }
    return best;
}

rgba page_paint(const struct plane *p, float x, float y, float w)
{
    const float s = p->size; // width of a letter
    const int line = ifloor(y / (2.1f * s));
    const int heading = (line % 9 + 9) % 9 == 0;
    const int letter = ifloor(x / s);
    const uint32_t h = hash3(letter, line, p->seed);
    // Words end at random; each ninth line is the space above the next heading.
    const int blank = h % 6 == 0 || (line % 9 + 9) % 9 == 8 || (heading && (letter / 9) % 2);
    const float d = glyph(x / s - (float)letter, y / s - 2.1f * (float)line, h >> 3) * s;
    const float ink = blank ? 0 : cover(d - (heading ? 0.13f : 0.07f) * s, fmaxf(w, 0.03f * s));
    const float paper = 1 + 0.05f * fractal2(x / 20, y / 20, p->seed, 4);
    return opaque(scaled(mix(p->a, p->b, ink), paper));
}

rgba cloth_paint(const struct plane *p, float x, float y, float w)
{
    (void)w;
    const float s = p->size;
    const float fold = fractal2(x / (14 * s), y / (30 * s), p->seed, 3);
    const float u = x / s + 0.4f * fold, v = y / s + 0.4f * fold;
    const int warp = ((ifloor(u) + ifloor(v)) & 1);
    const float across = warp ? fract(u) - 0.5f : fract(v) - 0.5f;
    const float thread = 1 - 1.6f * across * across;
    const int band_x = ifloor(u / 16) & 1, band_y = ifloor(v / 16) & 1;
    const vec3 dyed = mix(p->a, p->b, warp ? (float)band_x : (float)band_y);
    const float line = fabsf(fract(u / 32) - 0.5f) < 0.03f && warp ? 2.2f : 1;
    return opaque(scaled(dyed, line * thread * (0.95f + 0.75f * fold) *
                                   (1 + 0.25f * noise2(u * 2, v * 2, p->seed))));
}
