/* Where a photo says that its subject is. Of XMP's regions (Metadata Working Group, Guidelines for handling image metadata
 * 2.0) these are the focus, or the largest face, or the largest pet; else EXIF's SubjectArea or SubjectLocation (EXIF 2.32)
 * is taken. All of them count from the top left of the picture as it is stored, before any turn. Programs that turn first
 * write the size of the turned picture beside their regions. */
#ifndef SATBLUR_APP_SUBJECT_AREA_H
#define SATBLUR_APP_SUBJECT_AREA_H

#include "metadata/metadata_fields.h"

typedef struct subject_area {
    const char *name;             /* for a note, like "the face"; NULL: the photo says nothing */
    int left, top, width, height; /* pixels of the picture */
} subject_area;

/* Returns it. width, height: of the picture that the metadata came with. orientation: of its pixels. */
subject_area subject_area_find(const metadata *m, int width, int height, int orientation);

#endif
