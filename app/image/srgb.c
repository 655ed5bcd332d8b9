#include "image/srgb.h"

#include <exact_math.h>

double srgb_to_light(double code)
{
    return code <= 0.04045 ? code / 12.92 : satb_pow((code + 0.055) / 1.055, 2.4);
}

double srgb_of_light(double light)
{
    return light <= 0.0031308 ? light * 12.92 : 1.055 * satb_pow(light, 1 / 2.4) - 0.055;
}
