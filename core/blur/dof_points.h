/* Points of light in depth of field by layers: from slabs to groups of discs (layer/radii.h), and the steps around the blur. */
#ifndef SATB_DOF_POINTS_H
#define SATB_DOF_POINTS_H

#include "backend/backend.h"
#include "blur/dof_blur.h"
#include "blur/outlines.h"
#include "highlight/points.h"

typedef struct satb_points {
    satk_points job;      /* all that does not depend on a band */
    satk_highlight lamps; /* likewise */
    int with_lamps;       /* 1: lamps are sought */
    int with_any;         /* 0: no points are sought; the rest is unused */
    int marks, mark[SATK_MARKS];
    satb_outlines outlines;
    size_t codes;
    int reach; /* rows from a pixel to the farthest that decides on its light */
} satb_points;

/* Chooses the marks and makes the outlines. layer: its slabs, of which `focus` lie behind the focus, and its size in pixels; its
 * slab in focus comes into use where groups of coarse slabs before and behind it need a mark between them. Errors: NOMEM. */
satb_status satb_open_points(satb_context *context, const satb_dof_blur *layers,
                             const satk_layer *layer, satk_slab *slabs, int focus,
                             satb_points *points);

void satb_close_points(satb_points *points);

/* Adds the bytes that points need beside the blur. layer: of as many rows as a band has. */
void satb_add_points_need(satb_context *context, const satb_points *points, const satk_layer *layer,
                          satb_need *need);

/* Copies the outlines to where kernels read them, and has `radii` make the discs there, too. */
satb_status satb_upload_points(satb_context *context, satb_points *points, satk_radii *radii);

/* Blurs a band by layers, and its points of light apart. own: the rows in which lamps are counted. Adds their number to
 * *count. */
satb_status satb_layer_with_points(satb_context *context, const satb_points *points,
                                   const satk_layer *layer, satk_range own, int *count);

#endif
