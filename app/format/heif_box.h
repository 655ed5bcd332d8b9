/* The boxes of a HEIF file (ISO/IEC 14496-12 and 23008-12), as far as libheif does not tell what they say: the kind of the
 * file, and how an item is turned. */
#ifndef SATBLUR_APP_HEIF_BOX_H
#define SATBLUR_APP_HEIF_BOX_H

#include "base/blob.h"

#include <stdbool.h>

typedef enum heif_kind { HEIF_NONE, HEIF_HEIC, HEIF_AVIF } heif_kind;

/* Returns the kind by the brands of a whole ftyp box at the beginning. */
heif_kind heif_kind_of(bytes file);

typedef struct heif_properties {
    int orientation; /* EXIF's number for irot and imir in their order; 1: none */
    bool is_cropped; /* clap */
    bool is_gray;    /* the decoder's configuration has no colours */
} heif_properties;

/* Returns what the properties of an item say. A file that is damaged has none. */
heif_properties heif_properties_of(bytes file, uint32_t item);

#endif
