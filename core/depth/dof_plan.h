/* Finds a signed radius per depth code from the depth map and the camera: satb_dof() blurs by it, and satb_coc() draws
 * it. */
#ifndef SATB_DOF_PLAN_H
#define SATB_DOF_PLAN_H

#include "depth/depth_map.h"
#include "layer/radii.h"

typedef struct satb_dof_plan {
    satb_depth_map depth;
    satk_lens lens;         /* from its codes to signed radii */
    satb_dof_report report; /* all but method and bokeh */
} satb_dof_plan;

/* Returns whether the method is layers, by default or by name. */
int satb_is_layered(const satb_dof_params *params);

/* Checks all parameters. src gives the size, and the colours for holes, mixed pixels and auto
 * focus. Errors: ARG, NOMEM, DEVICE; nothing to close then. */
satb_status satb_open_dof_plan(satb_context *context, satb_dof_plan *plan, const satb_image *src,
                               const satb_image *depth, const satb_dof_params *params);

void satb_close_dof_plan(satb_context *context, satb_dof_plan *plan);

#endif
