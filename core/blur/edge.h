/* The brightness of an aperture from its centre to its rim, as spherical aberration makes it: 1 + edge (2 rho^2 - 1), where
 * rho is 1 at the rim. edge: -1 .. 1. At 1 the centre is dark, at -1 the rim. */
#ifndef SATB_EDGE_H
#define SATB_EDGE_H

#include "box/form.h"

/* Gives the strips of a form, which do not overlap, this brightness, by two boxes more, so that windows stay fast. A form without
 * boxes stays as it is, and so does one with an edge of 0. is_square: of the shape; wide, high: the form's factors across and
 * down. */
void satb_edge_windows(double edge, int is_square, double wide, double high, satk_form *form);

#endif
