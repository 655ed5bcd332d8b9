/* Copies EXIF out of a TIFF, and directories of EXIF into another file. Numbers are in little-endian order afterwards. The
 * bytes may be anything; what reaches beyond them is left out. */
#ifndef SATBLUR_APP_EXIF_COPY_H
#define SATBLUR_APP_EXIF_COPY_H

#include "base/blob.h"

/* Fills an empty blob with the EXIF of a TIFF file: who and what made it, orientation, and the directories EXIF and GPS.
 * The blob stays empty where there is nothing but an orientation of 1, and has failed where memory ran out. */
void exif_gather(bytes tiff, blob *out);

/* Appends the directory that the first one names under that tag, with offsets from the start of the blob, which is not
 * empty. Returns where it begins; 0: there is none. */
uint32_t exif_copy_directory(bytes tiff, uint32_t tag, blob *out);

/* Returns the text of a tag of the first directory, cut off at the size. False: there is none. */
bool exif_text(bytes tiff, uint32_t tag, char *text, size_t size);

#endif
