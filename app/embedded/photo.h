/* Between embedded_find.c and the kinds of phones' files: the photo, and what a kind has found in it. */
#ifndef SATBLUR_APP_PHOTO_H
#define SATBLUR_APP_PHOTO_H

#include "embedded/embedded.h"
#include "format/jpeg_xmp.h"

#define GOOGLE_FARTHEST 1e9 /* metres, for which infinity is stored */

typedef struct photo { /* a JPEG */
    bytes file;
    size_t end; /* behind the end mark of the JPEG itself; file.size: nothing follows */
    jpeg_xmp xmp;
} photo;

typedef struct embedded_found {
    bytes coded;       /* a whole PNG or JPEG, or raw codes of 8 bits */
    blob memory;       /* owns coded if coded is not in the file */
    int width, height; /* of raw codes; 0: coded is a PNG or JPEG */
    embedded_map *map; /* all but the picture is filled in */
} embedded_found;

/* Finds a map of one kind. It leaves what it has allocated in *f, whatever it returns. */
typedef embedded_status embedded_finder(const photo *ph, embedded_kind kind, embedded_found *f,
                                        problem *p);

embedded_finder dynamic_depth_find, gdepth_find, apple_find, samsung_find, huawei_find;

/* Sets the problem and returns EMBEDDED_FAILED. */
embedded_status embedded_fail(problem *p, const char *what);

/* Fills the meaning of Google's Format, Near and Far, which both of its kinds share: 0 is the nearest code. Returns false for
 * an unknown format. metres: of a unit; 0: the unit is unknown. */
bool embedded_set_google(embedded_map *map, bytes format, double near, double far, double metres);

/* Appends the bytes that a base64 text stands for; white space in it is skipped. False: it is no base64, or memory ran out,
 * which out->failed tells. */
bool base64_decode(bytes text, blob *out);

/* Appends the base64 text of the bytes. */
void base64_encode(bytes in, blob *text);

/* Returns the part of the file; size 0: it is not within. */
bytes embedded_slice(bytes file, uint64_t at, uint64_t size);

bool exr_begins(bytes file);

/* embedded_find() for an EXR. */
embedded_status exr_depth_read(bytes file, embedded_kind kind, const decode_settings *settings,
                               embedded_map *out, problem *p);

/* embedded_find() for a HEIC or AVIF file. */
embedded_status heic_read(bytes file, embedded_kind kind, const decode_settings *settings,
                          embedded_map *out, problem *p);

#endif
