/* The means of a row of half floats in vectors, from the scanned row of the column sums. For SATK_LEVELED() sources. */
#ifndef SATK_BOX_HALVES_H
#define SATK_BOX_HALVES_H

#include "common/tone_lanes.h"

typedef struct halves_row {
    const uint64_t *before,
        *after; /* by sample: the scanned sums before its window, and with it; they differ by at most 2^48 */
    const double *inverse; /* by sample: 1 / its window's columns */
    double by_rows;        /* ABOVE_ONE / the windows' rows */
    const uint32_t *decode;
    const uint8_t *src;
    uint8_t *dst;
} halves_row;

/* Returns the means of the samples from i on, whole numbers. */
SATK_FN double_lanes means_at(const halves_row *row, size_t i)
{
    const double_lanes two52 = (double_lanes){0} + 0x1p52;
    wide_lanes before, after;

    memcpy(&before, row->before + i, sizeof before);
    memcpy(&after, row->after + i, sizeof after);
    return to_doubles(after - before) * (doubles_at(row->inverse + i) * row->by_rows) + two52 -
           two52;
}

/* Does the same as satk_half_float(). A double has the exponent and the fraction of a half float, and more: from 64 on, and
 * those of smaller numbers after 64 is added. */
SATK_FN wide_lanes half_floats(double_lanes sample)
{
    enum { DIGITS = 10, REST = 52 - DIGITS, EXPONENT = 1023 + 5 };
    const wide_lanes one = (wide_lanes){0} + 1, small = (wide_lanes)(sample < 64);
    const double_lanes least = (double_lanes)((wide_lanes)((double_lanes){0} + 64) & small);
    const wide_lanes bits = (wide_lanes)(sample + least);

    return ((bits + (one << (REST - 1))) >> REST) - (EXPONENT * one << DIGITS) -
           (small & one << DIGITS);
}

/* Stores the first means of a row, as satk_half_codes() does. Returns their number. */
SATK_FN size_t put_halves(const halves_row *given, size_t samples)
{
    const halves_row row = *given; /* in registers */
    const double_lanes two52 = (double_lanes){0} + 0x1p52;
    size_t i = 0;

    for (; i + LANES <= samples; i += LANES) {
        const double_lanes first = means_at(&row, i), second = means_at(&row, i + LANES / 2);
        const lanes means = narrowed((wide_lanes)(first + two52), (wide_lanes)(second + two52));
        const lanes codes = lanes_from(row.src + 2 * i, 16);
        const lanes same = (lanes)(entries_at(row.decode, codes) == means);
        const lanes made = narrowed(half_floats(first), half_floats(second));
        put_lanes(row.dst + 2 * i, (codes & same) | (made & ~same), LANES, 16);
    }
    return i;
}

#endif
