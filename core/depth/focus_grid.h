/* A coarse grid over a picture and its depth map, which the focus is chosen by. */
#ifndef SATB_FOCUS_GRID_H
#define SATB_FOCUS_GRID_H

#include "stats/patches.h"

enum { SATB_FOCUS_CELLS = 63 }; /* along either side, at most */

/* Returns the patches of a picture: each is in the middle of a cell. Columns and rows are odd. */
satk_grid_of_patches satb_focus_grid(int width, int height);

#endif
