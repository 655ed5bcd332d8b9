/* How a picture and its depth map are cut into patches, which the focus is chosen by. */
#ifndef SATB_FOCUS_GRID_H
#define SATB_FOCUS_GRID_H

#include "stats/patches.h"

/* Cuts the longer side into SATK_MOST_PATCHES and the shorter one into patches as long, or each pixel into one if the sides
 * are shorter. */
void satb_cut_patches(int width, int height, satk_cuts *across, satk_cuts *down);

#endif
