/* The slabs that depth of field by layers cuts a picture into, on either side of the focus:
 * their radii, 0, 1, 2, 3, 4, 5, 7, 9, 11, 14, 18, 23, 29, 36, 45, 56, 70, 88, 110, 138, 193 ..,
 * and their windows: the aperture, and windows that are 2, 6 and 16 pixels wider, and so on to the
 * largest radius before the focus. */
#ifndef SATB_DOF_SLABS_H
#define SATB_DOF_SLABS_H

#include "blur/aperture.h"
#include "layer/layer.h"
#include <satblur.h>

/* Slabs from this radius on are coarse: worked on in cells. */
#define SATB_COARSE_RADIUS 36

/* In pictures whose longer side is below this, slabs are not coarse if the lens cuts apertures towards the corners. */
#define SATB_COARSE_CUT 3600

/* The slabs of one side of the focus, at most. */
#define SATB_SIDE_SLABS (SATK_MAX_SLABS / 2)

/* Makes the slabs for radii from `behind` <= 0 to `before` >= 0, farthest first: slabs[i] has the signed radius
 * signed_radius[i], in pixels, by the second moment of its aperture. soft: the width of the widest soft rim, which windows
 * look across. longest: the picture's longer side. Returns their number, at most SATK_MAX_SLABS. */
int satb_make_slabs(double behind, double before, int soft, int longest,
                    const satb_aperture *aperture, satk_slab *slabs, double *signed_radius);

/* Returns the rows from a pixel to the farthest that the slab's windows read for it. */
int satb_slab_rows(const satk_slab *slab);

/* Returns the most pixels of the picture that a window of a slab in use holds. A form counts
 * each of its boxes with its weight. */
uint64_t satb_largest_area(const satk_layer *job);

#endif
