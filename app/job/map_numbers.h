/* Depth maps of numbers, and maps of codes with a unit: both become codes of 16 bits whose meaning is known. */
#ifndef SATBLUR_APP_MAP_NUMBERS_H
#define SATBLUR_APP_MAP_NUMBERS_H

#include "depth/depth_span.h"
#include "job/job.h"

/* Takes the map's numbers: the request's map then has their codes, and the request's parameters their meaning. Sets
 * --depth-range and what --depth-from says of other maps as well. False: p has a line. */
bool map_numbers_settle(picture_job *j, problem *p);

/* Returns whether the map's own numbers would set its scale, by their extremes or by percentiles. An empty picture
 * stands for a map of codes. */
bool map_span_is_needed(const options *o, const picture *map);

/* Adds the map's numbers, or those of its codes, which are moved to map->values. False: p has a line. */
bool map_span_add(const options *o, picture *map, depth_span *s, problem *p);

/* Returns the disparity of a code, 0 to 1 of the largest, by the formulas of <satblur.h>. */
double map_disparity(const satb_dof_params *dof, double z);

/* Returns what code 0 means: never SATB_HOLES_DEFAULT. */
satb_holes map_holes(const satb_dof_params *dof, const satb_image *map);

/* Refuses a focus in metres and a lens where the map's distances are unknown, and a focus beyond them. False: p has a line. */
bool map_metres_check(const options *o, const satb_dof_params *dof, problem *p);

#endif
