#include "base/tone_tables.h"

#include <curves.h>
#include <math.h>

uint32_t satb_linear_max(int bits)
{
    return bits == 8 ? SATB_LINEAR_MAX_8 : SATB_LINEAR_MAX_16;
}

void satb_fill_decode(int bits, uint32_t *decode)
{
    const int largest = (1 << bits) - 1;
    const double scale = satb_linear_max(bits);

    for (int code = 0; code <= largest; code++)
        decode[code] = (uint32_t)(scale * satb_srgb.to_light((double)code / largest) + 0.5);
}

void satb_fill_encode(int bits, uint16_t *encode)
{
    const int most = (1 << bits) - 1;
    const double largest = satb_linear_max(bits);
    uint32_t sample = 0;

    for (int code = 0; code <= most; code++) { /* up to the middle between the code and the next */
        const double end =
            code < most ? largest * satb_srgb.to_light((code + 0.5) / most) : largest + 1;
        for (; sample < end; sample++)
            encode[sample] = (uint16_t)code;
    }
}

/* --- Half floats ------------------------------------------------------------------------------ */

enum { FRACTION = 10, LARGEST_EXPONENT = 31, BIAS = 15 };

/* Returns the number, or 0 of negative ones and NaN. */
static double number_of(uint32_t half)
{
    const int exponent = (int)(half >> FRACTION), fraction = (int)(half & ((1 << FRACTION) - 1));

    if (exponent > LARGEST_EXPONENT || (exponent == LARGEST_EXPONENT && fraction))
        return 0;
    if (exponent == LARGEST_EXPONENT)
        return INFINITY;
    return exponent ? ldexp((1 << FRACTION) + fraction, exponent - BIAS - FRACTION)
                    : ldexp(fraction, 1 - BIAS - FRACTION);
}

int satb_code_of_half(uint16_t half)
{
    return (int)(255 * satb_srgb.of_light(fmin(number_of(half), 1)) + 0.5);
}

void satb_fill_decode_half(uint32_t *decode)
{
    for (uint32_t half = 0; half < SATB_HALVES; half++) {
        const double sample = number_of(half) * (1 << 20) + 0.5;
        decode[half] = sample < UINT32_MAX ? (uint32_t)sample : UINT32_MAX;
    }
}

void satb_fill_shown(uint16_t *codes)
{
    for (uint32_t half = 0; half < SATB_HALVES; half++) {
        const double v = number_of(half);
        codes[half] = (uint16_t)(UINT16_MAX * satb_srgb.of_light(isinf(v) ? 1 : v / (1 + v)) + 0.5);
    }
}

void satb_fill_unshown(uint16_t *halves)
{
    enum { LARGEST = LARGEST_EXPONENT << FRACTION };
    uint32_t half = 0;

    for (int code = 0; code <= UINT16_MAX; code++) {
        const double shown = satb_srgb.to_light((double)code / UINT16_MAX), v = shown / (1 - shown);
        while (half + 1 < LARGEST && (number_of(half) + number_of(half + 1)) / 2 < v)
            half++;
        halves[code] = (uint16_t)half;
    }
}
