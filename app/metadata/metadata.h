/* What a picture file holds beside its pixels: read from PNG and JPEG, fitted to what the output can hold, written into
 * the output. What is damaged is left out and listed; it never fails a good picture. */
#ifndef SATBLUR_APP_METADATA_H
#define SATBLUR_APP_METADATA_H

#include "metadata/metadata_fields.h"

/* m is all zero before. */
void metadata_read(metadata *m, metadata_format from, bytes file);

/* Leaves what a file of that format with so many channels can hold; lost tells of the rest. Returns
 * the EXIF orientation (1: none) that must be applied to the pixels, as the file will not say it in
 * a way that all viewers heed. */
int metadata_fit(metadata *m, metadata_format to, int channels);

/* What stands at the beginning of a file, for free(): in a PNG behind IHDR, in a JPEG instead of SOI
 * and JFIF's APP0. False: not enough memory. */
bool metadata_write(const metadata *m, metadata_format to, blob *out);

/* Whether there is nothing to write. */
bool metadata_is_empty(const metadata *m);

void metadata_free(metadata *m);

#endif
