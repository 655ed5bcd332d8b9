/* Reads and changes EXIF, which is a TIFF without a picture. Its bytes may be anything. */
#ifndef SATBLUR_APP_EXIF_H
#define SATBLUR_APP_EXIF_H

#include "base/blob.h"

/* Returns whether there are a TIFF's head and a whole first directory. */
bool exif_is_sound(bytes tiff);

/* Returns a number of 2 or 4 bytes, in the byte order of the TIFF; 0 beyond the end. */
uint32_t exif_number(bytes tiff, size_t at, int size);

typedef struct exif_entry {
    uint32_t tag, type, count;
    size_t unit, size; /* bytes of a number, and of all */
    size_t at, values; /* where the entry stands, and where its numbers do */
} exif_entry;

enum { EXIF_HEAD_SIZE = 8, EXIF_ENTRY_SIZE = 12, EXIF_LINK_SIZE = 4 }; /* TIFF 6.0, section 2 */

/* Reads entry i of a directory. False: its type is unknown, or its numbers reach beyond the end; the tag is known then. */
bool exif_read_entry(bytes tiff, size_t directory, uint32_t i, exif_entry *e);

/* Finds the first entry with that tag that can be read. */
bool exif_find_entry(bytes tiff, size_t directory, uint32_t tag, exif_entry *e);

enum { EXIF_DIRECTORY = 0x8769, EXIF_GPS_DIRECTORY = 0x8825 };

/* Find the first entry with that tag in the first directory, or in EXIF's own. False: there is none, or the TIFF is not sound. */
bool exif_find_first(bytes tiff, uint32_t tag, exif_entry *e);
bool exif_find_own(bytes tiff, uint32_t tag, exif_entry *e);

/* Returns whether the list has the tag. */
bool exif_is_among(uint32_t tag, const uint16_t *tags, size_t count);

/* Returns number i of an entry of SHORTs, LONGs or directories; 0 of others. */
uint32_t exif_value(bytes tiff, const exif_entry *e, uint32_t i);

/* Returns the offset of the link to the next directory. */
size_t exif_link(bytes tiff, size_t directory);

/* Overwrites a number of 2 or 4 bytes, which must lie within. */
void exif_set_number(blob *tiff, size_t at, int size, uint32_t value);

/* Returns the orientation: 1 (upright) to 8; 1 where no tag says it. */
int exif_orientation(bytes tiff);

/* Sets the orientation's tag to 1, where there is one. */
void exif_set_upright(blob *tiff);

#endif
