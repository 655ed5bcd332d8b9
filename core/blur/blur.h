/* The run that all blurs share: choose the numbers, build the table, read the windows. */
#ifndef SATB_BLUR_H
#define SATB_BLUR_H

#include "base/context.h"
#include "depth/radius_map.h"

typedef struct satb_blur {
    const satb_image *src, *dst;
    satb_look look;
    uint32_t radius_x, radius_y; /* Q8; with a map: the largest radius that occurs, in both */
    const satb_image *map; /* NULL: the fixed radii; else of src's size, its first channel counts */
    const uint32_t *radii; /* with a map: Q8 by code, 256 or 65536 entries */
} satb_blur;

/* Checks the pictures and the look; the radii are the caller's business. */
satb_status satb_blur_check(satb_context *context, const satb_image *src, const satb_image *dst,
                            const satb_look *look);

/* Everything in satb_blur is valid. Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_blur_run(satb_context *context, const satb_blur *blur);

/* Blurs each pixel by the radius of its code; sets radii->largest. Everything is valid. Errors: as above. */
satb_status satb_blur_by_map(satb_context *context, const satb_image *src, const satb_image *dst,
                             const satb_look *look, satb_radius_map *radii);

#endif
