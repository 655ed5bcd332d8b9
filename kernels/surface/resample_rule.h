/* The arithmetic of maps of another size than their pictures: which sample a pixel lies in, and which ones it lies between. */
#ifndef SATK_RESAMPLE_RULE_H
#define SATK_RESAMPLE_RULE_H

#include "common/rule.h"

/* The two samples of an axis that a pixel lies between: (a (65536 - weight) + b weight) / 65536. */
typedef struct satk_tap {
    int a, b;
    uint32_t weight;
} satk_tap;

/* Returns the samples, of `from`, that pixel i of n lies between: (i + 1/2) from / n - 1/2, clamped to the outermost centres. */
SATK_FN satk_tap satk_tap_at(int i, int n, int from)
{
    const int64_t scaled = (2 * (int64_t)i + 1) * from - n, period = 2 * (int64_t)n;
    satk_tap tap = {0, 0, 0};

    if (scaled <= 0)
        return tap;
    tap.a = (int)(scaled / period);
    tap.b = tap.a + 1;
    if (tap.a < from - 1)
        tap.weight = (uint32_t)((scaled % period * 65536 + n) / period);
    else
        tap.a = tap.b = from - 1;
    return tap;
}

/* Returns the mean of two samples by the weight of the second, times 65536. */
SATK_FN uint32_t satk_blend_row(uint32_t a, uint32_t b, uint32_t weight)
{
    return a * (65536 - weight) + b * weight;
}

/* Returns the mean of two of those in 16 bits, rounded half up. */
SATK_FN uint32_t satk_blend_rows(uint32_t above, uint32_t below, uint32_t weight)
{
    return (uint32_t)(((uint64_t)above * (65536 - weight) + (uint64_t)below * weight +
                       ((uint64_t)1 << 31)) >>
                      32);
}

/* Returns the first of `fine` samples of an axis whose centre lies in sample s of `coarse` ones, or behind. A centre on the
 * border of two lies in the one closer to the middle: the second half of the axis is the first one's mirror. */
SATK_FN int satk_first_within(int s, int coarse, int fine)
{
    const int is_mirrored = 2 * (int64_t)s > coarse;
    const int64_t at = is_mirrored ? coarse - s : s;
    const int first = (int)((2 * at * fine + coarse - 1) / (2 * (int64_t)coarse));

    return is_mirrored ? fine - first : first;
}

/* Returns the sample of `coarse` ones that the centre of sample i of `fine` ones lies in. */
SATK_FN int satk_sample_of(int i, int fine, int coarse)
{
    const int64_t at = (2 * (int64_t)i + 1) * coarse, period = 2 * (int64_t)fine;
    const int s = (int)(at / period);

    return at % period == 0 && 2 * (int64_t)s > coarse ? s - 1 : s;
}

#endif
