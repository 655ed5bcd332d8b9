/* Coverage for blurs by layers: the rims of a map that show, laid on it (cover/cover.h). */
#ifndef SATB_DOF_RIMS_H
#define SATB_DOF_RIMS_H

#include "blur/dof_blur.h"

/* A picture to be blurred whose rims are covered in part. */
typedef struct satb_covered {
    satb_dof_blur blur; /* with a map, codes, a coverage and colours of its own if there are rims */
    satb_image map, cover, src;
    satb_image *replaced; /* what the call kept as the map before */
    satb_code_set codes;
} satb_covered;

/* Lays the rims on the map: their pixels get the near surface's code and its coverage, and with a matte its colour. They
 * stay where the map was made (blur->depth->at). Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_cover_rims(satb_context *context, const satb_dof_blur *blur,
                            satb_covered *covered);

/* Ends the blur: the call keeps none of these images any more, but the map from before, unless bands have released it. */
void satb_end_cover(satb_covered *covered);

#endif
