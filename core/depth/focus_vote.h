/* The vote on the focus, on the host: patches of the picture vote for their mean depth, on the scale of those that occur. The
 * focus is the mean of the disparities that are within 1.6 % of the scale around the depth with the most votes. A patch has
 * as many votes as it stands out: its depth, less the depth to its left and to its right (the farthest on either side, of
 * both the nearer one), less 2 % of the scale and 4 % of its depth. So no plane stands out, near or far: floor, sea, wall.
 * Something even that is cut by the left or right side and ends in a step stands out by a quarter of that step, as it may only
 * frame the subject. Where nothing stands out, at most 1/500 of the scale counts instead: near and upright patches. These
 * votes are multiplied by
 *   - place: most in the middle of the width and two fifths below the top of the upright picture;
 *   - detail: 1/4, and up to 3/4 more by the differences between samples around it, compared with the mean of the picture.
 * The votes for a depth are divided by 2 + the patches of that depth, compared with an even spread: what is large does not
 * win by its size alone. Where a subject is known, by a mask, its patches vote as they are covered, and no others; in an area
 * that is named, its patches vote alone. A mirrored picture has the same focus, and so has a turned one whose orientation is
 * given. All votes are integers. */
#ifndef SATB_FOCUS_VOTE_H
#define SATB_FOCUS_VOTE_H

#include "depth/focus_grid.h"
#include "layer/radii.h"

#define SATB_FOCUS_NEAREST 65535 /* depth: that of the nearest pixels */

enum { SATB_FOCUS_MOST = SATK_MOST_PATCHES * SATK_MOST_PATCHES }; /* patches */

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
    satk_cuts across, down;
    satk_patch patches[SATB_FOCUS_MOST];
} satb_focus_patches;

/* The grid as the picture is displayed. */
typedef struct satb_focus_view {
    int columns, rows;
    uint32_t depth[SATB_FOCUS_MOST], detail[SATB_FOCUS_MOST];
    uint32_t share[SATB_FOCUS_MOST]; /* of its pixels that may vote, up to SATB_FOCUS_NEAREST */
    uint32_t votes[SATB_FOCUS_MOST], spare[SATB_FOCUS_MOST];
} satb_focus_view;

typedef struct satb_found_focus {
    double disparity;
    int x, y; /* a pixel of that depth: where it has most votes */
} satb_found_focus;

/* Finds low, high and the depths from the counts. */
void satb_fill_focus_depths(satb_focus_scale *s);

/* Finds the focus. area: left, top, width and height of the pixels that vote, as stored; width 0: all do. v: memory for it. */
void satb_vote_focus(const satb_focus_scale *s, const satb_focus_patches *grid, int orientation,
                     const int area[4], satb_focus_view *v, satb_found_focus *found);

#endif
