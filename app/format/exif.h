/* Reads and changes EXIF, which is a TIFF without a picture: its orientation, and the small pictures of the old
 * pixels that it may hold. Its bytes may be anything. */
#ifndef SATBLUR_APP_EXIF_H
#define SATBLUR_APP_EXIF_H

#include "base/blob.h"

/* Returns whether there are a TIFF's head and a whole first directory. */
bool exif_is_sound(bytes tiff);

/* Returns a number of 2 or 4 bytes, in the byte order of the TIFF; 0 beyond the end. */
uint32_t exif_number(bytes tiff, size_t at, int size);

/* Returns the orientation: 1 (upright) to 8; 1 where no tag says it. */
int exif_orientation(bytes tiff);

/* Sets the orientation's tag to 1, where there is one. */
void exif_set_upright(blob *tiff);

/* Takes the small pictures out of a sound one: those of the second directory (the thumbnail) and of those behind it,
 * and those of directories within the first (SubIFDs, for previews), and JPEGs elsewhere, as in cameras' notes. Their bytes
 * become 0, or are cut off at the end; all else keeps its place, as offsets point to it. Returns whether there were others
 * than the thumbnail. */
bool exif_drop_thumbnail(blob *tiff);

#endif
