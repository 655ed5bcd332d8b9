/* The run that all blurs share: choose the numbers, build the table, read the windows. */
#ifndef SATB_BLUR_H
#define SATB_BLUR_H

#include "context.h"
#include "tone.h"

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

/* What other ways to blur need, too. The tone's tables, where kernels can read them; */
satb_status satb_upload_tone(satb_context *context, int bits, int gamma, satk_tone *tone);
/* whether colour must be weighted by alpha: opaque pictures need no weights, the mean is the same, the
 * samples are shorter, so is the table's word; */
satb_status satb_needs_weights(satb_context *context, const satk_plane *src, int *weighted);
/* the largest summed sample: a colour, times an alpha if weighted. */
uint64_t satb_largest_sample(int bits, int gamma, int weighted);

/* Everything in satb_blur is valid. Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_blur_run(satb_context *context, const satb_blur *blur);

#endif
