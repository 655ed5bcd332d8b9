/* The numbers of Apple's gain maps of before ISO 21496-1 ("Applying Apple HDR effect to your photos", Apple's documentation). */
#ifndef SATBLUR_APP_GAIN_APPLE_H
#define SATBLUR_APP_GAIN_APPLE_H

#include "metadata/gain_numbers.h"

#define GAIN_APPLE_TYPE "urn:com:apple:photo:2020:aux:hdrgainmap"

/* Reads them from the map's XMP, or else from Apple's notes in the EXIF of the photo, a TIFF. GAIN_NONE: neither has them. */
gain_status gain_read_apple(bytes map_xmp, bytes exif, gain_map *g, const char **why);

#endif
