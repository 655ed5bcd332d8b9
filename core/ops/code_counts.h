/* How often each code occurs, or each luminance. */
#ifndef SATB_COUNT_H
#define SATB_COUNT_H

#include "backend/bands.h"

typedef enum satb_subject { SATB_CHANNELS, SATB_LUMINANCE } satb_subject;

/* Bytes of 2^bits counts of each channel, or of the luminance alone. */
size_t satb_count_bytes(const satb_image *src, satb_subject what);

/* Counts band after band, from stage UPLOAD to MEASURE, into host memory. The last band stays in slot
 * SRC, as *plane. */
satb_status satb_count(satb_context *context, const satb_image *src, satb_subject what,
                       const satb_bands *bands, satk_plane *plane, uint64_t *counts);

#endif
