/* Files with metadata, put together byte by byte, and ways to look into such files that share nothing
 * with the program's. */
#ifndef SATBLUR_TESTS_METADATA_CASE_H
#define SATBLUR_TESTS_METADATA_CASE_H

#include "base/blob.h"
#include "unit/codec/codec_case.h"

#define XMP_JPEG "http://ns.adobe.com/xap/1.0/"
#define XMP_PNG  "XML:com.adobe.xmp"
#define PACKET   "<x:xmpmeta tiff:Orientation=\"6\"/>"

/* Returns a profile of that many bytes for those colours ("RGB ", "GRAY"): a head, then noise. */
blob case_profile(size_t size, const char *colours);

/* Returns a TIFF with the orientation, a make, and a second directory, whose thumbnail is the text
 * "SHARP-THUMBNAIL" at the end. big: the byte order. */
blob case_exif(bool big, int orientation);

/* Append a PNG's chunk with its checksum, or a JPEG's segment. */
void case_chunk(blob *to, const char *type, const void *data, size_t size);
void case_segment(blob *to, int marker, const char *head, size_t head_size, const void *data,
                  size_t size);

/* Append an iCCP chunk, or a profile's APP2 segments, each of at most `part` bytes. */
void case_chunk_profile(blob *to, const char *name, const void *data, size_t size);
void case_segment_profile(blob *to, const blob *profile, size_t part);

/* Returns a picture of noise in the format that the name ends in. These chunks stand behind IHDR,
 * or these segments behind SOI (in place of the encoder's APP0 if `instead`). */
blob case_file(const char *name, int channels, const blob *extra, bool instead);

/* Return the number of chunks of that type, or of segments with that marker, that begin with this
 * data. */
int case_count_chunks(bytes png, const char *type, const void *data, size_t size);
int case_count_segments(bytes jpeg, int marker, const void *data, size_t size);

/* Returns the picture of a file that must be good. */
picture case_decoded(const char *name, bytes file, codec_choice choice);

/* Writes the picture as another file, as the program would. *turn: the orientation that is left for
 * the file. The caller frees the file. */
blob case_carried(picture *pic, const char *to, codec_choice choice, int *turn);

#endif
