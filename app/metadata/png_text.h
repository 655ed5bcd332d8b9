/* What stands in a PNG's text chunks: texts, XMP, and the blocks of other formats that ImageMagick and ExifTool keep there as
 * hex ("Raw profile type exif"). And the packed streams of those chunks. */
#ifndef SATBLUR_APP_PNG_TEXT_H
#define SATBLUR_APP_PNG_TEXT_H

#include "metadata/metadata_fields.h"

#define PNG_XMP_KEYWORD "XML:com.adobe.xmp"

/* Reads the data of a chunk, of type 't' (tEXt), 'z' (zTXt) or 'i' (iTXt), and takes what has a place of its own. True: it is
 * a text that is carried as it is; else what is left out is in m->lost. */
bool png_take_text(metadata *m, char type, bytes data);

/* Takes EXIF, also behind the head that it has in a JPEG. */
void png_take_exif(metadata *m, bytes exif);

/* Moves the view behind the text up to the first 0, at most `most` bytes, and returns its length; -1: there is no 0. */
int png_take_word(bytes *from, size_t most);

/* Returns the content of a zlib stream, for free(). NULL: it is damaged or has more than PROFILE_MOST bytes. */
uint8_t *png_unpack(metadata *m, bytes packed, size_t *size);

/* Appends the data as a zlib stream. */
void png_pack(const blob *data, blob *out);

#endif
