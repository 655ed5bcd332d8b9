#include "quality/vec.h"

static vec3 lattice(int x, int y, int z)
{
    const uint32_t h = hash3(x, y, z);
    return v3((float)(h & 1023u), (float)(h >> 10 & 1023u), (float)(h >> 20 & 1023u));
}

vec3 noise3(vec3 p)
{
    const int x = ifloor(p.x), y = ifloor(p.y), z = ifloor(p.z);
    const float a = smooth(0, 1, p.x - (float)x), b = smooth(0, 1, p.y - (float)y);
    vec3 level[2];
    for (int k = 0; k < 2; ++k) {
        const vec3 low = mix(lattice(x, y, z + k), lattice(x + 1, y, z + k), a);
        const vec3 high = mix(lattice(x, y + 1, z + k), lattice(x + 1, y + 1, z + k), a);
        level[k] = mix(low, high, b);
    }
    const vec3 sum = mix(level[0], level[1], smooth(0, 1, p.z - (float)z));
    return sub(scaled(sum, 2 / 1023.0f), v3(1, 1, 1));
}

float fractal(vec3 p, int octaves)
{
    float sum = 0, weight = 0.5f;
    for (int i = 0; i < octaves; ++i) {
        sum += weight * noise3(p).x;
        weight *= 0.5f;
        // An odd shift keeps the lattices of the octaves from lining up at the origin.
        p = add(scaled(p, 2.03f), v3(17.3f, 5.7f, 31.1f));
    }
    return sum;
}

// Concentric map: Shirley and Chiu, "A low distortion map between disk and square", 1997.
vec3 disc(float u, float v)
{
    const float a = 2 * u - 1, b = 2 * v - 1;
    if (a == 0 && b == 0)
        return v3(0, 0, 0);
    const int wide = fabsf(a) > fabsf(b);
    const float r = wide ? a : b;
    const float angle = wide ? PI / 4 * (b / a) : PI / 2 - PI / 4 * (a / b);
    return v3(r * cosf(angle), r * sinf(angle), 0);
}
