/* The arithmetic of separate.h. */
#ifndef SATK_SEPARATE_RULE_H
#define SATK_SEPARATE_RULE_H

#include "matte/matte_rule.h"
#include "matte/separate.h"

#define SATK_SEPARATE_NARROWEST 3  /* pixels: the radius of the narrowest windows */
#define SATK_SEPARATE_ENOUGH    12 /* pixels of either side */

/* Returns the channels of a colour. */
SATK_FN int satk_separate_colours(int channels)
{
    return channels - satk_has_alpha(channels);
}

/* Returns a / b, rounded to the nearest, of halves away from 0. */
SATK_FN int64_t satk_separate_divided(int64_t a, int64_t b)
{
    return a < 0 ? -((-a + b / 2) / b) : (a + b / 2) / b;
}

/* Returns the colour of one side, from the means of both sides and the pixel's code, which mixes them by m / 255. */
SATK_FN uint32_t satk_separated(int64_t subject, int64_t background, int64_t code, int64_t m,
                                int of_subject, int bits)
{
    const int64_t rest = UINT8_MAX - m, white = (1 << bits) - 1;
    const int64_t error = UINT8_MAX * code - m * subject - rest * background;
    const int64_t part =
        satk_separate_divided((of_subject ? m : rest) * error, m * m + rest * rest);
    const int64_t colour = (of_subject ? subject : background) + part;

    return (uint32_t)(colour < 0 ? 0 : colour > white ? white : colour);
}

#endif
