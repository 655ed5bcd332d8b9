/* Light of codes whose curve and primaries are known by their numbers of ITU-T H.273. */
#ifndef SATBLUR_APP_CODE_LIGHT_H
#define SATBLUR_APP_CODE_LIGHT_H

#include "base/message.h"

#include <satblur.h>

#include <curves.h>
#include <stdbool.h>

/* Returns the matrix that makes linear light of sRGB's primaries of those. NULL: they are sRGB's, or unknown. */
const float (*code_light_to_srgb(int primaries))[3];

/* Makes half floats in linear light of a dense image's codes: 1 is diffuse white, which is 203 cd/m2 for PQ and the code 0.75 for HLG
 * (ITU-R BT.2408). Primaries of BT.2020 and Display P3 become sRGB's, so colours beyond those have negative samples. Colours are
 * multiplied by alpha. False: p has a sentence, and the image is as it was. */
bool code_light_picture(satb_image *image, const satb_curve *curve, int primaries, problem *p);

#endif
