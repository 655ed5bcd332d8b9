#include "image/half.h"

#include <math.h>

float half_to_float(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 0    ? ldexpf((float)fraction, -24)
                       : exponent == 31 ? (fraction ? NAN : INFINITY)
                                        : ldexpf((float)(fraction + 1024), exponent - 25);
    return bits & 0x8000 ? -size : size;
}
