/* The arithmetic of rim_width.h, shared by the host and the device. */
#ifndef SATK_RIM_WIDTH_RULE_H
#define SATK_RIM_WIDTH_RULE_H

#include "surface/rim_width.h"

SATK_FN int satk_is_soft(const satk_rims *rims, size_t at)
{
    return rims->kind[at] >= SATK_RIM_SUBJECT && rims->cover[at] >= SATK_LEAST_SOFT &&
           rims->cover[at] <= UINT8_MAX - SATK_LEAST_SOFT;
}

/* Returns the soft pixels from `at` on, `step` pixels apart, of `count`; at most SATK_MOST_WIDTH. */
SATK_FN int satk_soft_from(const satk_rims *rims, size_t at, ptrdiff_t step, int count)
{
    const int most = satk_smaller(count, SATK_MOST_WIDTH);
    int n = 0;

    while (n < most && satk_is_soft(rims, at + (size_t)(n * step)))
        n++;
    return n;
}

/* Returns the pixels of a run that count, on a line of `count`. */
SATK_FN int satk_width_of(int length, int count)
{
    return length < count && length < SATK_MOST_WIDTH ? length : SATK_MOST_WIDTH;
}

/* Returns the width of the run that begins at pixel `i` of a line of `count`, which is soft; 0: the run began before. step:
 * from a pixel of the line to the next; across: number `j` of `lines`, which are `aside` pixels apart. */
SATK_FN int satk_run_width(const satk_rims *rims, size_t at, ptrdiff_t step, int i, int count,
                           ptrdiff_t aside, int j, int lines)
{
    if (i > 0 && satk_is_soft(rims, at - (size_t)step))
        return 0;
    const int length = satk_soft_from(rims, at, step, count - i);
    const size_t middle = at + (size_t)(length / 2 * step);
    const int after = satk_soft_from(rims, middle, aside, lines - j);
    const int before = satk_soft_from(rims, middle, -aside, j + 1);

    return satk_smaller(satk_width_of(length, count), satk_width_of(before + after - 1, lines));
}

/* Returns the largest width of the runs that begin at a pixel. */
SATK_FN int satk_rim_width_at(const satk_rim_width *job, int x, int y)
{
    const size_t at = (size_t)y * (size_t)job->width + (size_t)x;

    if (!satk_is_soft(&job->rims, at))
        return 0;
    return satk_larger(
        satk_run_width(&job->rims, at, 1, x, job->width, job->width, y, job->height),
        satk_run_width(&job->rims, at, job->width, y, job->height, 1, x, job->width));
}

#endif
