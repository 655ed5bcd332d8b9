/* Sides of boxes of a form, as numbers of the radius. */
#ifndef SATB_SIDE_H
#define SATB_SIDE_H

#include "box/form.h"

#include <math.h>

static inline int satb_in_form(double side)
{
    return (int)lround(ldexp(side, SATK_FORM_SIDE_BITS));
}

static inline double satb_out_of_form(int side)
{
    return ldexp(side, -SATK_FORM_SIDE_BITS);
}

static inline double satb_cube(double side)
{
    return side * side * side;
}

#endif
