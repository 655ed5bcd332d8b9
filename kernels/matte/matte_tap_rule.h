/* Positions between the samples of an axis, for mattes of another size than their pictures. */
#ifndef SATK_MATTE_TAP_RULE_H
#define SATK_MATTE_TAP_RULE_H

#include "common/plane.h"

/* The two samples that a pixel lies between: (a (65536 - weight) + b weight) / 65536. */
typedef struct satk_matte_tap {
    int a, b;
    uint32_t weight;
} satk_matte_tap;

/* Returns position i of n on an axis of `from` samples: (i + 1/2) from / n - 1/2, clamped to the outermost centres. */
SATK_FN satk_matte_tap satk_matte_tap_at(int i, int n, int from)
{
    const int64_t scaled = (2 * (int64_t)i + 1) * from - n, period = 2 * (int64_t)n;
    satk_matte_tap t = {0, 0, 0};

    if (scaled <= 0)
        return t;
    t.a = (int)(scaled / period);
    if (t.a >= from - 1) {
        t.a = t.b = from - 1;
        return t;
    }
    t.b = t.a + 1;
    t.weight = (uint32_t)((scaled % period * 65536 + n) / period);
    return t;
}

/* Returns the code of 16 bits between two of a row, in 1/65536. */
SATK_FN uint32_t satk_matte_across(const void *row, size_t channels, size_t channel, int bits,
                                   satk_matte_tap x)
{
    const uint32_t scale = bits == 8 ? 257 : 1;
    const uint32_t a = satk_code(row, (size_t)x.a * channels + channel, bits) * scale;
    const uint32_t b = satk_code(row, (size_t)x.b * channels + channel, bits) * scale;

    return a * (65536 - x.weight) + b * x.weight;
}

/* Returns the code of 16 bits between two results of satk_matte_across(), of the rows y.a and y.b. */
SATK_FN uint32_t satk_matte_down(uint32_t above, uint32_t below, satk_matte_tap y)
{
    return (uint16_t)(((uint64_t)above * (65536 - y.weight) + (uint64_t)below * y.weight +
                       ((uint64_t)1 << 31)) >>
                      32);
}

#endif
