/* The depth of the parts of a picture that a mask protects (satb_dof_params.protect). */
#ifndef SATB_PROTECT_H
#define SATB_PROTECT_H

#include "depth/depth_planes.h"

/* Gives the protected pixels of a map that is ready a code, and makes them no rims. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_protect_depth(satb_context *context, satb_depth_map *depth, uint32_t code);

#endif
