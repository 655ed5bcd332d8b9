/* Parts of a picture that a mask protects (satb_dof_params.protect): the mask's plane, and the depth of its pixels. */
#ifndef SATB_PROTECT_H
#define SATB_PROTECT_H

#include "depth/depth_map.h"
#include "depth/depth_need.h"

/* Makes the plane of a map's mask, if it has one. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_make_protect(satb_making *making);

/* Adds what it needs. */
void satb_add_protect_need(const satb_making *making, satb_need *need);

/* Gives the protected pixels of a map that is ready a code, and makes them no rims. Errors: as above. */
satb_status satb_protect_depth(satb_context *context, satb_depth_map *depth, uint32_t code);

#endif
