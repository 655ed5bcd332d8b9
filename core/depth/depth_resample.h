/* Maps of another size than their pictures. Runs on the host. */
#ifndef SATB_DEPTH_RESAMPLE_H
#define SATB_DEPTH_RESAMPLE_H

#include "base/context.h"

/* Makes *out the map's first channel at width x height pixels, in 16 bits, bilinear with pixel centres aligned. The caller
 * gives its memory back (out->data, satb_give()). Errors: NOMEM. */
satb_status satb_resample(satb_context *context, const satb_image *map, int width, int height,
                          satb_image *out);

#endif
