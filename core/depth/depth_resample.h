/* Maps of another size than their pictures. Runs on the host. */
#ifndef SATB_DEPTH_RESAMPLE_H
#define SATB_DEPTH_RESAMPLE_H

#include "base/context.h"

/* The two samples of an axis that a pixel lies between: (a (65536 - weight) + b weight) / 65536. */
typedef struct satb_tap {
    int a, b;
    uint32_t weight;
} satb_tap;

/* Returns the samples, of `from`, that pixel i of n lies between. Beyond the outermost centres both are the same. */
satb_tap satb_tap_at(int i, int n, int from);

/* Makes *out the map's first channel at width x height pixels, in 16 bits, bilinear with pixel centres aligned. The caller
 * gives its memory back (out->data, satb_give()). Errors: NOMEM; out->data is NULL then. */
satb_status satb_resample(satb_context *context, const satb_image *map, int width, int height,
                          satb_image *out);

#endif
