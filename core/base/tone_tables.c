#include "base/tone_tables.h"

#include <math.h>

uint32_t satb_linear_max(int bits)
{
    return bits == 8 ? SATB_LINEAR_MAX_8 : SATB_LINEAR_MAX_16;
}

static double to_linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double from_linear(double v)
{
    return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055;
}

void satb_fill_decode(int bits, uint32_t *decode)
{
    const int largest = (1 << bits) - 1;
    const double scale = satb_linear_max(bits);

    for (int code = 0; code <= largest; code++)
        decode[code] = (uint32_t)(scale * to_linear((double)code / largest) + 0.5);
}

void satb_fill_encode(int bits, uint16_t *encode)
{
    const uint32_t largest = satb_linear_max(bits);
    const double scale = (1 << bits) - 1;

    for (uint32_t sample = 0; sample <= largest; sample++)
        encode[sample] = (uint16_t)(scale * from_linear((double)sample / largest) + 0.5);
}
