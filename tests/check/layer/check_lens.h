/* Random lenses, from codes to radii. */
#ifndef CHECK_LENS_H
#define CHECK_LENS_H

#include "check/check.h"

#include "layer/radii.h"

/* Returns a random part of 1, of steps that can be repeated. */
static inline double check_part(check *c)
{
    return random_below(&c->random, 1001) / 1000.0;
}

/* Returns a lens with those radii at a disparity difference of 1. */
static inline satk_lens check_lens(check *c, double behind, double before)
{
    const double near = 0.1 + check_part(c), far = near + 0.1 + 10 * check_part(c);
    const double low = check_part(c) / 2;

    return (satk_lens){.is_linear = random_below(&c->random, 2),
                       .near_black = random_below(&c->random, 2),
                       .low = low,
                       .span = 1 - low,
                       .far = 1 / far,
                       .near = 1 / near,
                       .distance = far,
                       .nearer = near - far,
                       .focus = random_below(&c->random, 3) ? check_part(c)
                                                            : random_below(&c->random, 2),
                       .sharp = random_below(&c->random, 2) * check_part(c) / 4,
                       .behind = behind,
                       .before = before};
}

#endif
