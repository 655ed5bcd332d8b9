/* The scratch memory of satk_points_add_cpu(). */
#ifndef SATK_POINTS_TILE_H
#define SATK_POINTS_TILE_H

#include "highlight/points.h"

size_t satk_points_add_scratch(const satk_points *job, int threads);

#endif
