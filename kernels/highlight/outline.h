/* The outline of an aperture, and the rows of its picture at a radius.
 *
 * An outline lies between its top and its bottom, which are `half` above and below `middle`, in strips of one height. The
 * integrals of its left and its right side over the strips, from the middle on, say where it is. All are in units of the
 * radius: a strip's mean sides are those of the shape.
 *
 * A row of pixels gets the shape's mean sides in the part of the row that the shape covers: columns lo <= 256 x < hi, where a
 * pixel at either end is covered in part, with this part, of 256, times the outline's weight. Shapes of several levels of
 * brightness are outlines within each other, whose weights add up. */
#ifndef SATK_OUTLINE_H
#define SATK_OUTLINE_H

#include "box/form.h"

#define SATK_OUTLINE_STRIPS 128 /* even */
#define SATK_OUTLINE_BITS   24
#define SATK_OUTLINE_LEVELS 8 /* at most */

typedef struct satk_outline {
    int middle, half; /* Q16; half is above 0 */
    int weight;       /* 0: there is no such level */
    int left[SATK_OUTLINE_STRIPS + 1], right[SATK_OUTLINE_STRIPS + 1]; /* Q24 */
} satk_outline;

/* The outlines of a job: one for each level of a shape, each side of the focus, and each patch of the picture. */
typedef struct satk_outlines {
    const satk_outline *of;    /* [2][down][across][levels], where the job runs */
    int levels;                /* 1 .. SATK_OUTLINE_LEVELS */
    int along_columns;         /* 1: rows of an outline are columns of the picture */
    satk_form_patches patches; /* without boxes */
} satk_outlines;

/* Returns the outlines at x, y of the picture. */
SATK_FN const satk_outline *satk_outlines_at(const satk_outlines *o, int is_before, int x, int y)
{
    const satk_form_patches *const p = &o->patches;
    const int column = satk_patch_of(x, p->width, p->shift, p->across);
    const int row = satk_patch_of(y, p->height, p->shift, p->down);

    return o->of + (size_t)((is_before * p->down + row) * p->across + column) * (size_t)o->levels;
}

/* Returns n / 2^bits, rounded half away from 0, so that a mirrored number has the mirrored quotient. */
SATK_FN int64_t satk_scaled_down(int64_t n, int bits)
{
    const int64_t half = (int64_t)1 << (bits - 1);

    return n < 0 ? -((half - n) >> bits) : (n + half) >> bits;
}

SATK_FN int64_t satk_divided(int64_t n, int64_t by)
{
    return n < 0 ? -((by / 2 - n) / by) : (n + by / 2) / by;
}

/* An outline at a radius, in Q8 pixels from the centre of its pixel. */
typedef struct satk_scaled_outline {
    const satk_outline *of;
    int64_t radius, middle, half;
    int64_t inverse; /* strips by Q8, Q36 */
} satk_scaled_outline;

SATK_FN satk_scaled_outline satk_scale_outline(const satk_outline *of, int radius)
{
    const int64_t half = satk_scaled_down((int64_t)radius * of->half, 16),
                  least = half > 1 ? half : 1;
    const satk_scaled_outline s = {of, radius, satk_scaled_down((int64_t)radius * of->middle, 16),
                                   least, ((int64_t)SATK_OUTLINE_STRIPS / 2 << 36) / least};
    return s;
}

/* Returns the rows of pixels that the outline covers, wholly or in part. */
SATK_FN satk_range satk_outline_rows(const satk_scaled_outline *s)
{
    const satk_range rows = {(int)((s->middle - s->half + 128) >> 8),
                             (int)((s->middle + s->half + 128 + 255) >> 8)};
    return rows;
}

/* Returns the integral of a side from the middle to y, Q8 below it, in Q16 pixels. */
SATK_FN int64_t satk_side_to(const satk_scaled_outline *s, const int *side, int64_t y)
{
    const int centre = SATK_OUTLINE_STRIPS / 2, down = y < 0 ? -1 : 1;
    const int64_t place = (y < 0 ? -y : y) * s->inverse;
    int64_t strip = place >> 36, part = (place >> 12) & (((int64_t)1 << 24) - 1);

    if (strip >= centre)
        strip = centre - 1, part = (int64_t)1 << 24;
    const int64_t from = side[centre + down * (int)strip],
                  to = side[centre + down * (int)(strip + 1)];
    const int64_t sum = from + satk_scaled_down((to - from) * part, 24);
    return satk_scaled_down(satk_scaled_down(sum * s->radius, 12) * s->radius, 12);
}

/* What a row of pixels gets: columns lo <= 256 x < hi from the left side of the centre's pixel, with a weight of 256 times the
 * outline's. */
typedef struct satk_row_span {
    int lo, hi, weight;
} satk_row_span;

/* Finds the span of row `row` below the centre. Returns its light: pixels times weights, Q16. */
SATK_FN int64_t satk_span_of_row(const satk_scaled_outline *s, int row, satk_row_span *span)
{
    const int64_t above = (int64_t)row * 256 - 128 - s->middle, below = above + 256;
    const int64_t from = above < -s->half ? -s->half : above,
                  to = below > s->half ? s->half : below;
    const satk_row_span none = {0, 0, 0};

    *span = none;
    if (from >= to)
        return 0;
    span->lo =
        128 + (int)satk_divided(
                  satk_side_to(s, s->of->left, to) - satk_side_to(s, s->of->left, from), to - from);
    span->hi = 128 + (int)satk_divided(satk_side_to(s, s->of->right, to) -
                                           satk_side_to(s, s->of->right, from),
                                       to - from);
    span->weight = s->of->weight * (int)(to - from);
    if (span->lo >= span->hi)
        *span = none;
    return (int64_t)(span->hi - span->lo) * span->weight;
}

#endif
