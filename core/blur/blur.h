/* The run that all blurs share: choose the numbers, build the table, read the windows. */
#ifndef SATB_BLUR_H
#define SATB_BLUR_H

#include "backend/backend.h"

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

/* What other ways to blur need, too. The tone of a picture, with tables in host memory. Colour is
 * weighted by alpha only where some pixel is not opaque: otherwise the mean is the same, the samples are
 * shorter, so is the table's word; */
satb_status satb_make_tone(satb_context *context, const satb_image *src, int gamma,
                           satk_tone *tone);
/* its tables to where kernels can read them; */
void satb_add_tone(const satk_tone *tone, int bits, satb_room *room);
satb_status satb_upload_tone(satb_context *context, int bits, satk_tone *tone);
/* the largest summed sample: a colour, times an alpha if weighted. */
uint64_t satb_largest_sample(int bits, int gamma, int weighted);

/* Everything in satb_blur is valid. Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_blur_run(satb_context *context, const satb_blur *blur);

#endif
