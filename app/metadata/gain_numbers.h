/* The numbers of a gain map as files store them: Adobe's `hdrgm` properties of XMP, and the binary form of ISO 21496-1. */
#ifndef SATBLUR_APP_GAIN_NUMBERS_H
#define SATBLUR_APP_GAIN_NUMBERS_H

#include "base/blob.h"
#include "image/gain_map.h"

/* In a JPEG's APP2 segment, with its 0: behind it, a version in the base, and all numbers in the map. */
#define GAIN_ISO_HEAD "urn:iso:std:iso:ts:21496:-1"

typedef enum gain_status {
    GAIN_READ,
    GAIN_NONE, /* the bytes have no numbers of a map */
    GAIN_UNFIT /* they cannot be used: *why is a clause, in static memory */
} gain_status;

/* Read the numbers into g; its image stays. */
gain_status gain_read_xmp(bytes packet, gain_map *g, const char **why);
gain_status gain_read_iso(bytes numbers, gain_map *g, const char **why);

/* Reads the numbers of a JPEG that is a map: those of ISO 21496-1 if they can be used, else XMP's. */
gain_status gain_read_jpeg(bytes jpeg, gain_map *g, const char **why);

/* Append a packet of XMP, and the binary form; least, most and the others are multiples of 2^-20 there. */
void gain_write_xmp(const gain_map *g, blob *packet);
void gain_write_iso(const gain_map *g, blob *numbers);

/* Adds to the base's packet of XMP, or begins one in an empty blob, that a map of so many bytes follows the base's JPEG. False: the
 * packet has no place for it, and stays, or memory ran out, which packet->failed tells. */
bool gain_add_directory(blob *packet, size_t map_size);

#endif
