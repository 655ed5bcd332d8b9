/* Cuts the map out of a file that shows the picture and, to its right, the map. Depth Anything draws such files. */
#ifndef SATBLUR_APP_MAP_VIEW_H
#define SATBLUR_APP_MAP_VIEW_H

#include "engine/engine.h"

/* Looks at a depth map that is not yet aligned with the picture; orientation is the picture's. If the left half of the file
 * looks like the picture as displayed, the request's map becomes its right half, on the host, and a note says so. Between the
 * two may be a gap, and above them a strip. Files of other proportions stay as they are, and are not fetched from a GPU.
 * False: p has the line. */
bool map_cut_view(engine_request *q, int orientation, problem *p);

#endif
