/* Depth of field by layers: from signed radii of blur by code to the slabs of layer/layer.h. */
#ifndef SATB_DOF_LAYERS_H
#define SATB_DOF_LAYERS_H

#include "base/context.h"
#include "blur/dof_blur.h"

/* Blurs by layers. Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_dof_layers_run(satb_context *context, const satb_dof_blur *layers);

#endif
