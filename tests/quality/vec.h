// Small vectors, an integer hash and value noise. Everything is a pure function of its arguments,
// so pictures do not depend on the order in which pixels are computed.
#ifndef QUALITY_VEC_H
#define QUALITY_VEC_H

#include <math.h>
#include <stdint.h>

#define PI 3.14159265f

typedef struct {
    float x, y, z;
} vec3;

static inline vec3 v3(float x, float y, float z)
{
    return (vec3){x, y, z};
}
static inline vec3 add(vec3 a, vec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline vec3 sub(vec3 a, vec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline vec3 mul(vec3 a, vec3 b)
{
    return v3(a.x * b.x, a.y * b.y, a.z * b.z);
}
static inline vec3 quot(vec3 a, vec3 b)
{
    return v3(a.x / b.x, a.y / b.y, a.z / b.z);
}
static inline vec3 scaled(vec3 a, float s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}
static inline vec3 along(vec3 o, vec3 d, float t)
{
    return add(o, scaled(d, t));
}
static inline float dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline float len(vec3 a)
{
    return sqrtf(dot(a, a));
}
static inline vec3 unit(vec3 a)
{
    return scaled(a, 1 / len(a));
}

static inline vec3 cross(vec3 a, vec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline vec3 mix(vec3 a, vec3 b, float t)
{
    return add(scaled(a, 1 - t), scaled(b, t));
}
static inline float luma(vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}
static inline float clampf(float x, float lo, float hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}
static inline float lerp(float a, float b, float t)
{
    return a + (b - a) * t;
}
static inline float axis(vec3 a, int i)
{
    return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

static inline float smooth(float lo, float hi, float x)
{
    const float t = clampf((x - lo) / (hi - lo), 0, 1);
    return t * t * (3 - 2 * t);
}

// floorf is a library call on baseline x86-64; the noise below lives on this one.
static inline int ifloor(float x)
{
    const int i = (int)x;
    return i - (x < (float)i);
}

static inline float fract(float x)
{
    return x - (float)ifloor(x);
}

// Two vectors which make an orthonormal basis with the unit vector n.
static inline void basis(vec3 n, vec3 *s, vec3 *t)
{
    *s = unit(cross(fabsf(n.y) < 0.9f ? v3(0, 1, 0) : v3(1, 0, 0), n));
    *t = cross(n, *s);
}

// A 32-bit mix of multiplications and xor-shifts, bijective in x.
static inline uint32_t hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static inline uint32_t hash3(int x, int y, int z)
{
    return hash((uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)z * 0xc2b2ae3du);
}

static inline float unit_float(uint32_t h)
{
    return (float)(h >> 8) * 0x1p-24f;
}
static inline float random3(int x, int y, int z)
{
    return unit_float(hash3(x, y, z));
}

vec3 noise3(vec3 p);                // three independent smooth value noises in [-1, 1]
float fractal(vec3 p, int octaves); // a sum of halving octaves, about [-1, 1]
vec3 disc(float u, float v);        // the unit square onto the unit disc (z = 0), areas kept

#endif
