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

/* The patches of a picture, whose squares are pixels or cells. All squares of a patch have one form. Along an axis, patches of
 * 2^shift squares begin at both ends, and the middle one has those that are left, fewer than 2^(shift + 1). So the patches of a
 * mirrored picture are the mirrored ones. */
typedef struct satk_form_patches {
    const satk_form_box *box; /* [2][down][across][count], where the job runs */
    int shift; /* at least 4: the squares of a vector of the CPU, at most 16, have one form */
    int width, height; /* squares */
    int across, down;  /* patches */
} satk_form_patches;

/* The forms of a job: one for each side of the focus, and for each patch of the picture, as a lens cuts apertures towards
 * the corners. */
typedef struct satk_forms {
    const satk_form_box
        *whole[2]; /* [count] of each side, in host memory: of forms that are not cut */
    int count;     /* boxes of a form; 0: there are no forms */
    satk_form_patches pixels, cells;
} satk_forms;

/* Returns the patches of an axis. */
SATK_FN int satk_count_patches(int length, int shift)
{
    const int half = length >> (shift + 1);

    return 2 * half + ((half << (shift + 1)) < length);
}

/* Returns the patch that a square of an axis lies in. */
SATK_FN int satk_patch_of(int square, int length, int shift, int patches)
{
    const int half = patches / 2, before = square >> shift, behind = (length - 1 - square) >> shift;

    return before < half ? before : behind < half ? patches - 1 - behind : half;
}

/* Returns the first square behind a patch of an axis. */
SATK_FN int satk_patch_end(int patch, int length, int shift, int patches)
{
    return patch < patches / 2 ? (patch + 1) << shift : length - ((patches - 1 - patch) << shift);
}

/* Returns the patches of a picture of width x height squares, without their boxes. */
SATK_FN satk_form_patches satk_make_patches(int width, int height, int shift)
{
    const satk_form_patches p = {NULL,
                                 shift,
                                 width,
                                 height,
                                 satk_count_patches(width, shift),
                                 satk_count_patches(height, shift)};
    return p;
}

/* Returns the boxes of the form at square x, y of the picture. count: of a form; is_before: 1 before the focus, 0 behind it. */
SATK_FN const satk_form_box *satk_form_at(const satk_form_patches *p, int count, int is_before,
                                          int x, int y)
{
    const int column = satk_patch_of(x, p->width, p->shift, p->across);
    const int row = satk_patch_of(y, p->height, p->shift, p->down);

    return p->box + (size_t)((is_before * p->down + row) * p->across + column) * (size_t)count;
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
