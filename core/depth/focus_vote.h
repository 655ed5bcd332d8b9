/* The vote on the focus, on the host: each cell of a coarse grid votes for its mean disparity, on the
 * scale of those that occur. The focus is the mean of the disparities that are within 1.6 % of the
 * scale around the one with the most votes. A vote is the product of these weights:
 *   - place: most in the middle of the width and two fifths below the top of the upright picture;
 *   - detail: the differences between neighbouring pixels, less those that are found everywhere, as
 *     noise and blur are;
 *   - disparity: the background counts little;
 *   - slope: the ground, whose disparity changes from row to row, counts little, and upright
 *     surfaces much;
 *   - spread: cells that show two surfaces count little.
 * Nearest cells count an eighth if the map is clipped there: its largest disparity is far more
 * frequent than those next to it, and yet they lead up to it. The white of a mask is not clipped.
 * A mirrored picture has the same focus, and so has a turned one whose orientation is given. */
#ifndef SATB_FOCUS_VOTE_H
#define SATB_FOCUS_VOTE_H

#include "depth/focus_grid.h"
#include "layer/radii.h"

#define SATB_FOCUS_NEAREST 65535 /* depth: that of the nearest pixels */

enum { SATB_FOCUS_MOST = SATB_FOCUS_CELLS * SATB_FOCUS_CELLS }; /* cells */

/* The codes of the map, and their depths on the scale of those that occur. */
typedef struct satb_focus_scale {
    const satk_lens *lens;
    const uint64_t *counts; /* pixels, by code */
    size_t codes;
    double low, high; /* disparities; single pixels beyond do not count */
    uint16_t *depth;  /* by code: 0 at low, SATB_FOCUS_NEAREST at high */
} satb_focus_scale;

/* The grid as the picture is stored. */
typedef struct satb_focus_patches {
    satk_grid_of_patches at;
    satk_patch cells[SATB_FOCUS_MOST];
} satb_focus_patches;

typedef struct satb_focus_cell {
    double depth, variance; /* of SATB_FOCUS_NEAREST */
    double detail;          /* beyond the picture's noise; 1: the mean of all cells */
    uint32_t weight;
    int bin;
} satb_focus_cell;

/* The grid as the picture is displayed. */
typedef struct satb_focus_view {
    int columns, rows;
    satb_focus_cell cells[SATB_FOCUS_MOST];
} satb_focus_view;

typedef struct satb_found_focus {
    double disparity;
    int x, y; /* a pixel of that depth: where it has most detail */
} satb_found_focus;

/* Finds low, high and the depths from the counts. */
void satb_fill_focus_depths(satb_focus_scale *s);

/* Finds the focus. v: memory for it. */
void satb_vote_focus(const satb_focus_scale *s, const satb_focus_patches *grid, int orientation,
                     satb_focus_view *v, satb_found_focus *found);

#endif
