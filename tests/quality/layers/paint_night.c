// A town at night.
#include "quality/layers/paint.h"

// The row of houses i: their roofs' height over the horizon, and windows.
static float roof(const struct plane *p, float x, int i, int *house)
{
    const float width = 130 - 28 * (float)i;
    *house = ifloor(x / width + 13 * random3(i, 5, p->seed));
    return (70 + 60 * (float)i) * (0.5f + 0.9f * random3(*house, i, p->seed)) * 0.9f;
}

rgba night_paint(const struct plane *p, float x, float y, float w)
{
    const float up = (p->y - y) / p->y;
    vec3 c = mix(v3(0.03f, 0.022f, 0.026f), v3(0.002f, 0.004f, 0.012f), clampf(up * 1.3f, 0, 1));
    c = scaled(c, 1 + 0.8f * fractal2(x / 300, y / 90, p->seed, 5));
    for (int i = 2; i >= 0; --i) {
        int house;
        const float top = p->y + 40 - 25 * (float)i - roof(p, x, i, &house);
        if (y < top)
            continue;
        const float pitch = 15 - 3 * (float)i;
        const int column = ifloor(x / pitch), row = ifloor((y - top) / (1.35f * pitch));
        const uint32_t h = hash3(column, row, house * 8 + i + p->seed);
        const float u = fabsf(fract(x / pitch) - 0.5f),
                    v = fabsf(fract((y - top) / (1.35f * pitch)) - 0.5f);
        const vec3 wall =
            scaled(v3(0.016f, 0.015f, 0.018f), 0.5f + unit_float(hash((uint32_t)house)));
        const float pane =
            cover(fmaxf(u * pitch - 0.3f * pitch, v * 1.35f * pitch - 0.42f * pitch), w);
        const vec3 lamp =
            mix(v3(0.35f, 0.2f, 0.07f), v3(0.2f, 0.24f, 0.3f), unit_float(hash(h + 1)));
        const vec3 glass = h % 4 == 0 && y < p->y + 30 ? scaled(lamp, unit_float(hash(h + 2)))
                                                       : scaled(wall, 0.6f);
        c = mix(scaled(wall, 1 + fractal2(x / 9, y / 9, i, 4)), glass, pane);
    }
    if (y > p->y + 40) { // a wet street
        const float wet = fractal2(x / 40, y / 7, p->seed + 2, 5);
        c = add(v3(0.012f, 0.012f, 0.014f),
                scaled(v3(0.09f, 0.06f, 0.03f),
                       smooth(0, 0.6f, wet) * smooth(0.3f, -0.4f, noise2(x / 60, 0, 3))));
    }
    return opaque(c);
}
