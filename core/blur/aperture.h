/* The shape of an aperture: what windows and discs of light are made of. */
#ifndef SATB_APERTURE_H
#define SATB_APERTURE_H

#include "box/form.h"
#include <satblur.h>

typedef struct satb_aperture {
    satb_bokeh bokeh;
    double wide, high; /* factors of the radius across and down; their product is 1 */
    /* The radius is the root of this many second moments along an axis, of which the mean of both counts: 4 of a disc, 3 of a
     * square. */
    double moments;
    satk_form windows; /* count 0: stacks, of a disc or a square */
    satk_form lights;
} satb_aperture;

/* Makes the shape. p: its bokeh, blades and squeeze are valid. */
satb_aperture satb_make_aperture(const satb_dof_params *p);

#endif
