#include "image/half.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

float half_to_float(uint16_t bits)
{
    const uint32_t sign = (uint32_t)(bits & 0x8000) << 16, size = bits & 0x7fff;
    uint32_t as_float = size << 13;
    float number;
    if (size >= HALF_INFINITY)
        as_float += 0x70000000; /* the exponent of infinities and NaN */
    else if (size >= 1024)
        as_float += 0x38000000; /* 127 - 15 */
    else {
        number = (float)size * 0x1p-24F;
        memcpy(&as_float, &number, sizeof as_float);
    }
    as_float |= sign;
    memcpy(&number, &as_float, sizeof number);
    return number;
}

/* Returns the bits of a size below 2^-14, which counts in 2^-24: so does 0.5 plus the size in a float. */
static uint32_t subnormal_of(float size)
{
    const float shifted = size + 0.5F;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits - 0x3f000000;
}

uint16_t half_of(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000) { /* NaN keeps the bits that there is room for */
        const uint32_t kept = size >> 13 & 0x3ff;
        return (uint16_t)(sign | HALF_INFINITY | (kept ? kept : 0x200));
    }
    if (size >= 0x477fe000) /* 65504 */
        return (uint16_t)(sign | (size == 0x7f800000 ? HALF_INFINITY : HALF_LARGEST));
    if (size < 0x38800000) /* 2^-14 */
        return (uint16_t)(sign | subnormal_of(fabsf(number)));
    return (uint16_t)(sign | (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13);
}

void half_multiply_alpha(uint16_t *row, size_t pixels, int channels)
{
    for (size_t i = 0; i < pixels; i++, row += channels)
        for (int c = 0; c < channels - 1; c++)
            row[c] = half_of(half_to_float(row[c]) * half_to_float(row[channels - 1]));
}

half_odd half_count_odd(const satb_image *image)
{
    enum { MOST = 0x6c00 }; /* 4096 */
    const uint16_t *const samples = image->data;
    const size_t count = (size_t)image->width * (size_t)image->height * (size_t)image->channels;
    uint64_t low = 0, high = 0;
    for (size_t i = 0; i < count; i++) {
        const uint16_t size = samples[i] & 0x7fff;
        const bool is_nan = size > HALF_INFINITY;
        low += is_nan || samples[i] > 0x8000;
        high += samples[i] > MOST && samples[i] <= HALF_INFINITY;
    }
    return (half_odd){low, high};
}
