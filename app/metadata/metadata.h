/* What a picture file holds beside its pixels: read from its file, fitted to what the output can hold, written into
 * the output. What is damaged is left out and listed; it never fails a good picture. */
#ifndef SATBLUR_APP_METADATA_H
#define SATBLUR_APP_METADATA_H

#include "base/message.h"
#include "metadata/metadata_fields.h"

/* Reads the metadata of a file into m, which is all zero before. */
void metadata_read(metadata *m, metadata_format from, bytes file);

/* Removes what a file of that format, with that number of channels, cannot hold, and lists it in m->lost. Returns the EXIF
 * orientation (1: none) that the caller must apply to the pixels, as not all viewers would find it in that file. */
int metadata_fit(metadata *m, metadata_format to, int channels);

/* Adds the meaning of the light of a picture that comes from no file, as EXR stores it: x and y of red, green, blue and white,
 * and cd/m2 of light 1 (0: it is the scene's). False: memory ran out. */
bool metadata_add_light(metadata *m, const float chromaticities[8], float white);

/* Removes the colour profile of pixels that become codes of sRGB, or light, and lists it in m->lost. */
void metadata_lose_profile(metadata *m);

/* Returns whether the metadata of that format is inserted into the encoded file, by metadata_write(). The encoders of other
 * formats write it. */
bool metadata_is_spliced(metadata_format to);

/* Fills *out, for blob_free(), with the bytes that belong behind IHDR in a PNG, and replace SOI and JFIF's APP0 in a JPEG.
 * False: memory ran out. */
bool metadata_write(const metadata *m, metadata_format to, blob *out);

/* Adds an rdf:Description, as xmp_add() takes it, to the XMP of a JPEG's metadata, for an extended packet of its own: the property
 * HasExtendedXMP in it has 32 characters, and another packet is dropped and listed in m->lost. False: the XMP has no place for it,
 * or memory ran out, and p has a sentence. */
bool metadata_announce_extended(metadata *m, const char *description, problem *p);

/* Adds that packet. False: memory ran out. */
bool metadata_add_extended(metadata *m, bytes packet);

/* Returns the kinds of metadata that the format keeps, in words; "": none. */
const char *metadata_words(metadata_format of);

/* Returns whether a file of that format, with that number of channels, can hold a sound profile for its colours. */
bool metadata_takes_profile(metadata_format to, bytes profile, int channels);

/* Returns whether there is nothing to write. */
bool metadata_is_empty(const metadata *m);

void metadata_free(metadata *m);

#endif
