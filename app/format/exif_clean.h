/* Takes pictures of the old pixels out of EXIF: thumbnails, previews, strips, editors' own blocks. */
#ifndef SATBLUR_APP_EXIF_CLEAN_H
#define SATBLUR_APP_EXIF_CLEAN_H

#include "format/hidden.h"

/* Takes the pictures out of a sound one: those of the second directory (the thumbnail) and behind it, of directories within
 * the first (SubIFDs), strips and JPEGs that any directory names, JPEGs that none names, as in cameras' notes, and entries
 * that are pictures, hold one, or are large and of an unknown kind. Their bytes become 0, or are cut off at the end. All else
 * keeps its place, as offsets point to it. Returns HIDDEN_* flags;
 * the thumbnail is not flagged. */
int exif_clean(blob *tiff);

#endif
