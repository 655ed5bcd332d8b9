/* Quotients in vectors, rounded half up: of whole numbers as doubles, and of numbers of 64 bits. For layer_light_body.h. */
#ifndef SATK_LAYER_QUOTIENT_H
#define SATK_LAYER_QUOTIENT_H

#include "layer/layer_windows_body.h"

/* Returns n rounded down: from 2^52 on, a double has no fraction. */
SATK_FN double_lanes whole(double_lanes n)
{
    return n + (0x1p52 - 0.5) - 0x1p52;
}

/* Returns floor(n / 2) + 1/2. */
SATK_FN double_lanes half_of(wide_lanes n)
{
    return to_doubles(n | 1) * 0.5;
}

SATK_FN double_lanes divisor_of(wide_lanes n)
{
    return to_doubles(n - (wide_lanes)(n == 0));
}

/* Divisors, below 2^32; 0 divides as 1 does. */
typedef struct divisors {
    wide_lanes by;
    double_lanes inverse, up; /* up: what a rest needs to round half up */
} divisors;

SATK_FN divisors divide_by(wide_lanes by)
{
    return (divisors){by, 1.0 / divisor_of(by), half_of(by)};
}

/* Returns whole numbers below 2^52, as numbers. */
SATK_FN wide_lanes to_wide(double_lanes n)
{
    return (wide_lanes)(n + 0x1p52) ^ (wide_lanes)((double_lanes){0} + 0x1p52);
}

/* A mean of 40 bits: 256 (upper - 1) + lower. What lies above the lower 32 bits of these does not count. */
typedef struct wide_mean {
    wide_lanes upper, lower;
} wide_mean;

/* Returns the mean of numbers that are below 2^40 times their divisor. `upper` is nearest to a guess of n / (256 by), which
 * lacks at most 16 / by for the bits that a double has no room for; so the rest, with 256 by more, is between 0 and
 * 2^13 by, and doubles are exact. */
SATK_FN wide_mean mean_of_wide(wide_lanes n, const divisors *d)
{
    const double_lanes guess = to_doubles(n >> 12) * (d->inverse * 16.0);
    const wide_lanes upper = (wide_lanes)(guess + 0x1p52);
    const wide_lanes rest = n + ((d->by - products(upper, d->by)) << 8);
    const double_lanes lower = (to_doubles(rest) + d->up) * d->inverse;

    return (wide_mean){upper, (wide_lanes)(lower + (0x1p52 - 0.5))};
}

/* Returns the products of means and numbers below 2^24. */
SATK_FN wide_lanes mean_times(const wide_mean *m, wide_lanes n)
{
    return ((products(n, m->upper) - n) << 8) + products(n, m->lower);
}

SATK_FN wide_lanes words_at(const void *from)
{
    wide_lanes v;

    memcpy(&v, from, sizeof v);
    return v;
}

/* Adds to LANES / 2 sums of 64 bits. */
SATK_FN void add_words(void *to, wide_lanes change)
{
    change += words_at(to);
    memcpy(to, &change, sizeof change);
}

#endif
