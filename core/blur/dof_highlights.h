/* Highlights of depth of field by layers: from radii by code to the discs of highlight/highlight.h, and the steps around
 * the blur. */
#ifndef SATB_DOF_HIGHLIGHTS_H
#define SATB_DOF_HIGHLIGHTS_H

#include "backend/backend.h"
#include "blur/dof_blur.h"
#include "layer/layer.h"

typedef struct satb_highlights {
    satk_highlight job; /* all that does not depend on a band */
    satk_disc *discs;   /* by code of the map, followed by the mask's positions */
    size_t codes;
    satk_slab slabs[SATK_MAX_SLABS]; /* of the mask */
    const uint16_t *position;        /* of the mask, in memory that kernels read */
    int reach;   /* rows from a pixel to the farthest that decides on its light */
    int covered; /* 1: something is at the focus or before it */
} satb_highlights;

/* Returns the disc of a radius in pixels, which is below 0 behind the focus. */
satk_disc satb_make_disc(double radius, const satb_aperture *aperture);

/* Makes the tables. layer: its slabs, of which `focus` lie behind the focus. radii: with the
 * slabs' radii. Errors:
 * NOMEM; there is nothing to close then. */
satb_status satb_open_highlights(satb_context *context, const satb_dof_blur *layers,
                                 const satk_layer *layer, const satk_radii *radii, int focus,
                                 satb_highlights *lights);

void satb_close_highlights(satb_highlights *lights);

/* Adds the bytes that highlights need beside the blur. layer: of as many rows as a band has. */
void satb_add_highlight_need(satb_context *context, const satb_highlights *lights,
                             const satk_layer *layer, satb_need *need);

/* Copies the tables to where kernels read them. */
satb_status satb_upload_highlights(satb_context *context, satb_highlights *lights);

/* Blurs a band by layers, with highlights. own: the rows in which points of light are counted. Adds their number to *count. */
satb_status satb_layer_with_highlights(satb_context *context, const satb_highlights *lights,
                                       const satk_layer *layer, satk_range own, int *count);

#endif
