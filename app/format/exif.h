/* The little of EXIF, which is a TIFF without a picture, that the program must know: the orientation,
 * and the thumbnail, which is no longer of this picture. What is given is any bytes. */
#ifndef SATBLUR_APP_EXIF_H
#define SATBLUR_APP_EXIF_H

#include "base/blob.h"

/* Whether it has a TIFF's head and a whole first directory. */
bool exif_is_sound(bytes tiff);

/* 1 (upright) to 8, as the tag says; 1 where there is none. */
int exif_orientation(bytes tiff);

/* Makes the tag say 1, where there is one. */
void exif_set_upright(blob *tiff);

/* Takes the thumbnail out of a sound one; everything else stays where it is, as offsets point to it. */
void exif_drop_thumbnail(blob *tiff);

#endif
