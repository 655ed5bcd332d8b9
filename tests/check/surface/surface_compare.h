/* Depth maps that two contexts have made of the same. */
#ifndef SATB_SURFACE_COMPARE_H
#define SATB_SURFACE_COMPARE_H

#include "check/check.h"
#include "depth/depth_map.h"

/* Compares a map on the host with another one: codes, rims, and numbers. */
void surface_compare(check *c, backend on, const satb_depth_map *want, const satb_depth_map *got);

#endif
