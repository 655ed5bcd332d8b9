/* The curve of sRGB (IEC 61966-2-1), between codes and linear light, both 0 to 1. */
#ifndef SATBLUR_APP_SRGB_H
#define SATBLUR_APP_SRGB_H

double srgb_to_light(double code);
double srgb_of_light(double light);

#endif
