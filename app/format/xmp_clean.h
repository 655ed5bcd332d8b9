/* Takes pictures of the old pixels out of an XMP packet: by the names of properties, and by the form of their values. */
#ifndef SATBLUR_APP_XMP_CLEAN_H
#define SATBLUR_APP_XMP_CLEAN_H

#include "format/hidden.h"

/* Overwrites them with spaces, so that the packet, in UTF-8, keeps its size and its form. Returns HIDDEN_* flags. */
int xmp_clean(blob *xmp);

/* Returns what xmp_clean() would. */
int xmp_find(bytes xmp);

/* Returns whether the packet has nothing but Google's depth map. */
bool xmp_is_depth_map(bytes xmp);

/* Overwrites the note that extended XMP belongs to the packet. */
void xmp_blank_extension(blob *xmp);

#endif
