/* The end of a blur of which a mask protects parts: the picture is laid over it there (protect/mix.h). */
#ifndef SATB_DOF_PROTECT_H
#define SATB_DOF_PROTECT_H

#include "depth/depth_planes.h"

/* Mixes src into dst, which is src blurred. depth: with the mask's plane. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_lay_protected(satb_context *context, const satb_image *src, satb_depth_map *depth,
                               const satb_image *dst, int gamma);

#endif
