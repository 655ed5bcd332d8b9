/* A coarse grid over a picture and its depth map, which the focus is chosen by. Its sums are integers of pixels at full
 * resolution, so any order of additions gives the same grid, and a turned picture gives the turned grid. Runs on the
 * host. */
#ifndef SATB_FOCUS_GRID_H
#define SATB_FOCUS_GRID_H

#include <satblur.h>

enum { SATB_FOCUS_CELLS = 63 }; /* along either side, at most */

typedef struct satb_focus_cell {
    uint64_t detail; /* sum of |differences| of luma between neighbours, along both axes */
    uint64_t depth;  /* sum of depths, 0 (far) .. 65535 (near) */
    uint64_t square; /* sum of their squares */
} satb_focus_cell;

/* Where the cells are, and the part of a cell that is read: a patch in its middle. All patches are alike. */
typedef struct satb_focus_grid {
    int columns, rows;             /* odd */
    int pitch;                     /* pixels from a patch to the next, along both axes */
    int left, top;                 /* of the first patch */
    int patch_width, patch_height; /* pixels */
    satb_focus_cell cells[SATB_FOCUS_CELLS * SATB_FOCUS_CELLS]; /* row by row */
} satb_focus_grid;

/* Fills the grid. The picture and the map, which has one channel, are in host memory and of one size. depth: by code of
 * the map. */
void satb_fill_focus_grid(const satb_image *picture, const satb_image *map, const uint16_t *depth,
                          satb_focus_grid *grid);

#endif
