/* Coded pictures of a HEIF file, HEVC and AV1: their units, and the size that the headers claim. */
#ifndef SATBLUR_APP_HEIF_CODED_H
#define SATBLUR_APP_HEIF_CODED_H

#include "format/heif/heif_entry.h"

typedef struct heif_coded {
    uint32_t width, height; /* the largest of all headers; 0: there is no header */
    int pictures;           /* that may be decoded for it */
    heif_range range;       /* of AV1 */
} heif_coded;

/* Reads the headers of an item of the kind hvc1 or av01. False: p has a sentence. */
bool heif_coded_read(const heif_items *items, const heif_entry *e, heif_coded *out, problem *p);

#endif
