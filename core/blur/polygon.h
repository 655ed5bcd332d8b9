/* Apertures of blades: polygons, whose sides may be round, as strips that do not overlap. */
#ifndef SATB_POLYGON_H
#define SATB_POLYGON_H

#include "blur/shape.h"
#include "box/form.h"

enum { SATB_WINDOW_STRIPS = 5 }; /* a window reads four words a strip */

enum { SATB_ROWS = 512 };

/* The sides of a shape by row, at the rows' middles. */
typedef struct satb_rows {
    double left[SATB_ROWS], right[SATB_ROWS];
} satb_rows;

/* Returns the distance of the corners from the centre in a polygon with the area of a disc of radius 1. */
double satb_polygon_scale(const satb_shape *s);

/* Makes the strips of windows, the best of their number: they differ from the polygon by 4 to 14 % of its area. A cut has
 * strips that are not high. wide, high: the form's factors across and down. Returns how many second moments along an axis,
 * of which the mean of both counts, the squared radius is. */
double satb_make_polygon(const satb_shape *s, double wide, double high, satk_form *windows);

/* Finds the sides of a polygon with the area of a disc of radius 1, between *half above and below its centre. Rows that it does
 * not have are empty. */
void satb_polygon_rows(const satb_shape *s, satb_rows *rows, double *half);

#endif
