/* Blurs by windows of fixed radii, or of radii by the code of a map. */
#ifndef SATB_BLUR_H
#define SATB_BLUR_H

#include "backend/call.h"
#include "depth/code_set.h"

typedef struct satb_blur {
    const satb_image *src, *dst;
    satb_look look;
    uint32_t radius_x,
        radius_y;          /* in 1/256 pixel; with a map both are the largest radius that occurs */
    const satb_image *map; /* NULL: fixed radii; else of src's size, and its first channel counts */
    const uint32_t *radii; /* with a map: in 1/256 pixel by code, 256 or 65536 entries */
    satb_call *call;       /* keeps images; NULL: there are none */
} satb_blur;

/* Checks the pictures and the look. The caller checks the radii. Errors: ARG. */
satb_status satb_blur_check(satb_context *context, const satb_image *src, const satb_image *dst,
                            const satb_look *look);

/* Runs a blur, in which everything is valid. Errors: LIMIT, NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_blur_run(satb_context *context, const satb_blur *blur);

/* Returns the radius of a code in 1/256 pixel. */
typedef uint32_t satb_radius_by_code(const void *job, uint32_t code);

/* Runs a blur by a map, in which these codes occur. blur: all but radii is set. job: for radius(). Errors: the same. */
satb_status satb_blur_by_map(satb_context *context, satb_blur blur, const satb_code_set *codes,
                             satb_radius_by_code *radius, const void *job);

#endif
