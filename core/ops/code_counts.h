/* Counts of codes, or of luminances. */
#ifndef SATB_CODE_COUNTS_H
#define SATB_CODE_COUNTS_H

#include "backend/bands.h"

typedef enum satb_subject { SATB_CHANNELS, SATB_LUMINANCE } satb_subject;

/* Returns the bytes of 2^bits counts of each channel, or of the luminance alone. */
size_t satb_count_bytes(const satb_image *src, satb_subject what);

/* Counts band after band into slot STATS, from stage UPLOAD to MEASURE. *counts are there, where kernels read them. The last
 * band stays in slot SRC as *plane. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_count(satb_context *context, const satb_image *src, satb_subject what,
                       const satb_bands *bands, satk_plane *plane, uint64_t **counts);

#endif
