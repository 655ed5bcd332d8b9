/* The tone of a picture: how codes become the samples that are summed, and sums codes again. */
#ifndef SATB_TONE_H
#define SATB_TONE_H

#include "backend/backend.h"

/* Makes the tone of a picture, with tables in host memory. Colour is weighted by alpha only where some pixel is not
 * opaque: without that the mean is the same, the samples are shorter, and so is the table's word. gamma: as in
 * satb_look. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_make_tone(satb_context *context, const satb_image *src, int gamma,
                           satk_tone *tone);

/* Adds the bytes of the tone's tables. bits: of the picture's samples. */
void satb_add_tone(const satk_tone *tone, int bits, satb_need *need);

/* Copies the tables to where kernels read them, and points the tone there. Errors: NOMEM, DEVICE_NOMEM, DEVICE. */
satb_status satb_upload_tone(satb_context *context, int bits, satk_tone *tone);

/* Returns a bound on the summed samples: on a colour, times an alpha if weighted. */
uint64_t satb_largest_sample(const satb_image *src, int gamma, int weighted);

/* Returns "8-bit samples", "16-bit samples" or "half floats". */
const char *satb_sample_words(const satb_image *src);

#endif
