/* Coverage for blurs by layers: a pixel at a rim is a share of the nearer surface, and what is behind it is unknown. */
#ifndef SATB_DOF_RIMS_H
#define SATB_DOF_RIMS_H

#include "blur/dof_blur.h"

/* A picture to be blurred whose rims are covered in part, and the memory of that. */
typedef struct satb_covered {
    satb_dof_blur blur; /* with a map, counts, a coverage and colours of its own if rims show */
    satb_image map, cover;
    satb_image sides, src;  /* with a matte */
    satb_image marks, near; /* with doubtful pixels */
    void *fetched;          /* the picture on the host, or NULL */
    uint32_t *counts;
} satb_covered;

/* Lays the rims that show on the map: their pixels get the near surface's code and its coverage, and with a matte its
 * colour. A rim shows if the radii of its two surfaces differ by 3/4 of a pixel and the near one covers at least 8/255.
 * Where the near surface is much more blurred than a nearly sharp far one, pixels on the far half of an edge stay far. Those
 * that show the near surface nevertheless (rim_doubt.h) count as unknown, and the blurred surface covers what is made up in
 * their place. blur->map is in host memory if there are rims. Errors: NOMEM, DEVICE_NOMEM, DEVICE, with nothing to
 * close. */
satb_status satb_open_covered(satb_context *context, const satb_dof_blur *blur,
                              satb_covered *covered);

void satb_close_covered(satb_context *context, satb_covered *covered);

#endif
