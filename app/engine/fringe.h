/* --fringe: longitudinal chromatic aberration. A lens focuses blue nearer than red. So before the focus red is blurred
 * more than green and blue less, and behind the focus it is the other way round. */
#ifndef SATBLUR_APP_FRINGE_H
#define SATBLUR_APP_FRINGE_H

#include "engine/engine_request.h"

/* Returns whether a blur of the picture is to have fringes: gray has no colours for them. */
bool fringe_shows(const options *o, const satb_image *src);

/* Blurs q->src into q->dst three times, with the radii of green, red and blue, and keeps one channel of each. Alpha is
 * that of green, and so is the report. q->spare takes the results of red and blue. All three are blurs of the whole
 * picture, so its edges, lamps and mattes are found in its colours. dof: the parameters of green. */
satb_status fringe_blur(engine_request *q, satb_context *context, const satb_dof_params *dof);

#endif
