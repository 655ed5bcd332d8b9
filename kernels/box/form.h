/* The form of an aperture: boxes that make it up at a radius of 1. Boxes may overlap: what several boxes hold counts with the
 * sum of their weights, which is nowhere below 0, and above 0 at the centre. */
#ifndef SATK_FORM_H
#define SATK_FORM_H

#include "common/rule.h"

#define SATK_FORM_BOXES     80
#define SATK_FORM_SIDE_BITS 16

/* The sides of a box in 2^-16 of the radius, from the centre to the right and down. left < right, top < bottom. */
typedef struct satk_form_box {
    int left, right, top, bottom;
    int weight;
} satk_form_box;

typedef struct satk_form {
    int count;
    satk_form_box box[SATK_FORM_BOXES];
} satk_form;

/* The forms of a job: one for each side of the focus, and for each patch of the picture, as a lens cuts apertures towards
 * the corners. */
typedef struct satk_forms {
    const satk_form_box *box; /* [2][down][across][count], where the job runs */
    const satk_form_box
        *whole[2];    /* [count] of each side, in host memory: of forms that are not cut */
    int count;        /* boxes of a form; 0: there are no forms */
    int shift;        /* a patch has 2^shift pixels a side */
    int across, down; /* patches */
} satk_forms;

/* Returns the number of the patch that a pixel lies in. */
SATK_FN int satk_patch_of(int pixel, int shift, int patches)
{
    const int patch = pixel >> shift;

    return patch < patches ? patch : patches - 1;
}

/* Returns the boxes of the form at pixel x, y of the picture. is_before: 1 before the focus, 0 behind it. */
SATK_FN const satk_form_box *satk_form_at(const satk_forms *f, int is_before, int x, int y)
{
    const int column = satk_patch_of(x, f->shift, f->across);
    const int row = satk_patch_of(y, f->shift, f->down);

    return f->box + (size_t)((is_before * f->down + row) * f->across + column) * (size_t)f->count;
}

/* Returns the first square whose centre is beyond a side, for sides left and above, and one more than the last square
 * within a side, for sides right and below. radius: Q8, in squares. Squares whose centre is on a side belong to the box that
 * is nearer to the form's centre: neighbouring boxes have neither gap nor overlap, and a mirrored form has the mirrored
 * squares. */
SATK_FN int satk_form_side(int radius, int side)
{
    const int bits = SATK_FRACTION_BITS + SATK_FORM_SIDE_BITS;
    const int64_t at = (int64_t)radius * side, one = (int64_t)1 << bits;

    return (int)((at + one - (side <= 0)) >> bits); /* rounded up, or down to the next one */
}

/* Return the columns and the rows of a box of a form around square `at`. */
SATK_FN satk_range satk_form_columns(const satk_form_box *box, int radius, int at)
{
    const satk_range r = {at + satk_form_side(radius, box->left),
                          at + satk_form_side(radius, box->right)};
    return r;
}

SATK_FN satk_range satk_form_rows(const satk_form_box *box, int radius, int at)
{
    const satk_range r = {at + satk_form_side(radius, box->top),
                          at + satk_form_side(radius, box->bottom)};
    return r;
}

/* Returns the squares of all boxes times their weights. */
SATK_FN uint64_t satk_form_area(const satk_form_box *box, int count, int radius)
{
    int64_t area = 0;

    for (int i = 0; i < count; i++) {
        const satk_range columns = satk_form_columns(&box[i], radius, 0);
        const satk_range rows = satk_form_rows(&box[i], radius, 0);
        if (columns.lo < columns.hi && rows.lo < rows.hi)
            area += (int64_t)(columns.hi - columns.lo) * (rows.hi - rows.lo) * box[i].weight;
    }
    return (uint64_t)area;
}

#endif
