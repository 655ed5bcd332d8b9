/* Apertures of blades: polygons, whose sides may be round, as strips that do not overlap. */
#ifndef SATB_POLYGON_H
#define SATB_POLYGON_H

#include "blur/shape.h"
#include "box/form.h"

enum { SATB_WINDOW_STRIPS = 5 }; /* a window reads four words a strip */

/* Returns the distance of the corners from the centre in a polygon with the area of a disc of radius 1. */
double satb_polygon_scale(const satb_shape *s);

/* Makes the strips of windows and of lights. wide, high: the form's factors across and down. Returns how many second moments
 * along an axis, of which the mean of both counts, the squared radius is. */
double satb_make_polygon(const satb_shape *s, double wide, double high, satk_form *windows,
                         satk_form *lights);

#endif
