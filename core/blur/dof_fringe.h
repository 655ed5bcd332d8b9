/* Colour fringes: red and blue are blurred by other radii than green. */
#ifndef SATB_DOF_FRINGE_H
#define SATB_DOF_FRINGE_H

#include "blur/dof_blur.h"

typedef satb_status satb_dof_run(satb_context *context, const satb_dof_blur *blur,
                                 const void *user);

/* Runs a blur; with a fringe once for each colour, into memory of the host's, and puts the channels together. Alpha is that of
 * green, and so is the number of lights. Errors: NOMEM, and those of the blur. */
satb_status satb_run_with_fringe(satb_context *context, const satb_dof_blur *blur,
                                 satb_dof_run *run, const void *user);

#endif
