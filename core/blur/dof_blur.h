/* A picture to be blurred by its depths: what blur by layers and blur by spreading are called with. */
#ifndef SATB_DOF_BLUR_H
#define SATB_DOF_BLUR_H

#include <satblur.h>

/* Everything in it is valid. */
typedef struct satb_dof_blur {
    const satb_image *src, *dst;
    const satb_image *map;       /* of src's size; its first channel counts */
    const uint32_t *counts;      /* by code: pixels of the map */
    const double *signed_radius; /* by code: pixels; below 0 behind the focus, above 0 before it */
    const uint32_t *radius;      /* by code: the same without a sign, in 1/256 pixel */
    int gamma;                   /* as in satb_look */
    satb_bokeh bokeh;            /* for layers */
    double
        highlights; /* for layers; 0: none; else how much brighter clipped lights were, 1 .. 64 */
} satb_dof_blur;

#endif
