/* The brightness of an aperture from its centre to its rim, as spherical aberration makes it: 1 + edge (2 rho^2 - 1), where
 * rho is 1 at the rim. edge: -1 .. 1. At 1 the centre is dark, at -1 the rim. */
#ifndef SATB_EDGE_H
#define SATB_EDGE_H

#include "box/form.h"

/* Give the strips of a form, which do not overlap, this brightness. A form without boxes stays as it is, and so does one
 * with an edge of 0. Lights get four levels, windows two boxes more, so that they stay fast. is_square: of the shape; wide, high: the
 * form's factors across and down. */
void satb_edge_lights(double edge, satk_form *form);
void satb_edge_windows(double edge, int is_square, double wide, double high, satk_form *form);

#endif
