/* The pixels that outlines light at a radius. */
#ifndef SATB_UNIT_SPANS_H
#define SATB_UNIT_SPANS_H

#include "highlight/outline.h"

/* Adds the part of each pixel x = -reach .. reach of row y that an outline lights, times its weight, to lit[x + reach]. radius: Q8.
 * Returns the light of the row, in pixels. */
static inline double add_lit_row(const satk_outline *outline, int radius, int y, int reach,
                                 double *lit)
{
    const satk_scaled_outline s = satk_scale_outline(outline, radius);
    satk_row_span span;
    const int64_t light = satk_span_of_row(&s, y, &span);

    for (int x = -reach; x <= reach; x++) {
        const int lo = span.lo > 256 * x ? span.lo : 256 * x;
        const int hi = span.hi < 256 * x + 256 ? span.hi : 256 * x + 256;
        if (lo < hi)
            lit[x + reach] += (double)(hi - lo) * span.weight / 65536;
    }
    return (double)light / 65536;
}

#endif
