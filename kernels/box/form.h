/* The form of an aperture: boxes that make it up at a radius of 1. Boxes may overlap: what several boxes hold counts for
 * each of them. At least one has the centre. */
#ifndef SATK_FORM_H
#define SATK_FORM_H

#include "common/rule.h"

#define SATK_FORM_BOXES     20
#define SATK_FORM_SIDE_BITS 16

/* The sides of a box in 2^-16 of the radius, from the centre to the right and down. left < right, top < bottom. */
typedef struct satk_form_box {
    int left, right, top, bottom;
} satk_form_box;

typedef struct satk_form {
    int count;
    satk_form_box box[SATK_FORM_BOXES];
} satk_form;

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

/* Returns the squares of all boxes. */
SATK_FN uint64_t satk_form_area(const satk_form *form, int radius)
{
    uint64_t area = 0;

    for (int i = 0; i < form->count; i++) {
        const satk_range columns = satk_form_columns(&form->box[i], radius, 0);
        const satk_range rows = satk_form_rows(&form->box[i], radius, 0);
        area += (uint64_t)(columns.hi - columns.lo) * (uint64_t)(rows.hi - rows.lo);
    }
    return area;
}

/* Returns the form with rows for columns. */
SATK_FN satk_form satk_turned_form(const satk_form *form)
{
    satk_form turned = *form;

    for (int i = 0; i < form->count; i++) {
        const satk_form_box box = {form->box[i].top, form->box[i].bottom, form->box[i].left,
                                   form->box[i].right};
        turned.box[i] = box;
    }
    return turned;
}

#endif
