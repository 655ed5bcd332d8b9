/* Makes a caller's depth map ready: fills holes, cuts the map's edges at the picture's size, joins pixels that show two
 * surfaces to the nearer one, and gives the subject the outline of a matte. All of it runs on the context's device, with
 * one wait; or on the host, if the device's memory does not hold it. */
#ifndef SATB_DEPTH_MAP_H
#define SATB_DEPTH_MAP_H

#include "depth/depth_planes.h"

/* Makes a map ready for a picture. map may be NULL if params have a matte, which is the map then. All of *depth is valid until
 * the context's next map. Errors: ARG (the map, the matte), NOMEM, DEVICE_NOMEM, DEVICE; nothing to close then. */
satb_status satb_open_depth_map(satb_context *context, satb_depth_map *depth, const satb_image *map,
                                const satb_image *picture, const satb_dof_params *params);

void satb_close_depth_map(satb_context *context, satb_depth_map *depth);

/* Returns the meaning of SATB_HOLES_DEFAULT with this map; other choices stay. */
satb_holes satb_holes_of(const satb_image *map, const satb_dof_params *params);

#endif
