/* Depth of field by layers: from signed radii of blur by code to the slabs of kernels/layer.h. */
#ifndef SATB_LAYERS_H
#define SATB_LAYERS_H

#include "base/context.h"
#include "layer/layer.h"

typedef struct satb_layers {
    const satb_image *src, *dst;
    const satb_image *map;  /* of src's size, its first channel counts */
    const uint32_t *counts; /* by code: pixels of the map */
    const double *radius;   /* by code: pixels, below 0 behind the focus, above 0 before it */
    int gamma;
    satb_bokeh bokeh;
    double highlights; /* 0: none; else how much brighter clipped lights were, 1 .. 64 */
} satb_layers;

/* Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_layers_run(satb_context *context, const satb_layers *layers);

/* Slabs from this radius on are coarse. */
#define SATB_COARSE_RADIUS 36

/* The slabs for radii from `behind` <= 0 to `before` >= 0, farthest first: slab[i] has the signed
 * radius signed_radius[i]. Returns how many, at most SATK_MAX_SLABS. */
int satb_make_slabs(double behind, double before, int longest, satb_bokeh bokeh, satk_slab *slabs,
                    int *signed_radius);

/* Rows from a pixel to the farthest that the slab's windows read for it. */
int satb_slab_rows(const satk_slab *slab);

/* Most pixels of the picture that a window of a slab in use holds; of smooth ones, in each box. */
uint64_t satb_largest_area(const satk_layer *job);

/* Where a signed radius lies along them, in 1 / SATK_SLAB. */
uint16_t satb_slab_position(const int *signed_radius, int count, double radius);

#endif
