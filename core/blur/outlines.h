/* The outlines of an aperture's points of light, over a picture. Towards the corners the lens cuts them, as in forms.h. */
#ifndef SATB_OUTLINES_H
#define SATB_OUTLINES_H

#include "blur/aperture.h"
#include "highlight/outline.h"

typedef struct satb_outlines {
    satk_outlines all; /* without outlines: see `of` */
    satk_outline *of;  /* all of them */
    size_t bytes;
    double reach; /* along either axis, at a radius of 1 */
} satb_outlines;

/* Makes the outlines for a picture of this size. Errors: NOMEM; there is nothing to free then. */
satb_status satb_make_outlines(satb_context *context, const satb_aperture *aperture, int width,
                               int height, satb_outlines *outlines);

void satb_free_outlines(satb_outlines *outlines);

#endif
