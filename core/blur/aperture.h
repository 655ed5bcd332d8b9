/* The shape of an aperture: what windows and discs of light are made of. */
#ifndef SATB_APERTURE_H
#define SATB_APERTURE_H

#include "base/context.h"
#include "blur/shape.h"
#include "box/form.h"

enum { SATB_BEHIND, SATB_BEFORE, SATB_SIDES }; /* of the focus */

typedef struct satb_aperture {
    satb_shape shape;  /* it is made for the upright picture, and turned */
    double wide, high; /* factors of the radius across and down; their product is 1 */
    double rim;        /* the farthest corner of the shape, without these */
    /* The radius is the root of this many second moments along an axis, of which the mean of both counts: 4 of a disc, 3 of a
     * square, fewer where the rim is brighter. */
    double moments[SATB_SIDES];
    satk_form windows[SATB_SIDES]; /* of the same count; 0: stacks, of a disc or a square */
    satk_form upright_windows[SATB_SIDES];
} satb_aperture;

/* Returns the brightness of the rim on a side of the focus: see edge.h. */
double satb_edge_of(const satb_shape *shape, int side);

/* Turns boxes as the upright picture is turned to become the stored one: they then hold the turned pixels, to the last. */
void satb_turn_boxes(satk_form_box *boxes, int count, int orientation);

/* Makes the shape. p: its numbers are valid. A polygon takes half a millisecond. */
satb_aperture satb_make_aperture(const satb_dof_params *p);

/* Does the same, but keeps the shape for the context's next call. NULL: memory is short. */
const satb_aperture *satb_aperture_of(satb_context *context, const satb_dof_params *p);

#endif
