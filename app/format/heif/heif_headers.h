/* The headers of coded pictures: what HEVC's sequence parameter set and AV1's sequence header claim. */
#ifndef SATBLUR_APP_HEIF_HEADERS_H
#define SATBLUR_APP_HEIF_HEADERS_H

#include "base/blob.h"

typedef struct heif_header {
    uint32_t width, height; /* of all that is coded */
    bool is_full;           /* AV1: samples have all codes, not those of studio video alone */
} heif_header;

/* Each reads a header behind the head of its unit. False: it is cut off. */
bool heif_header_hevc(bytes unit, heif_header *out);
bool heif_header_av1(bytes unit, heif_header *out);

#endif
