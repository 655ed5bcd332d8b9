/* Finds pictures in bytes and texts that are no picture files: previews, thumbnails, whole originals. */
#ifndef SATBLUR_APP_HIDDEN_H
#define SATBLUR_APP_HIDDEN_H

#include "base/blob.h"

/* What was taken out of a block of metadata, as flags. */
enum {
    HIDDEN_THUMBNAIL = 1, /* the usual one of its format */
    HIDDEN_PREVIEWS = 2,  /* other pictures */
    HIDDEN_BLOCKS = 4,    /* what may be a picture */
    HIDDEN_DEPTH = 8,     /* depth maps of phones */
    HIDDEN_UNCLEAR = 16,  /* nothing or not all: the block is not understood */
    HIDDEN_STARVED = 32,  /* nothing or not all: memory ran out */
    /* Of XMP: what describes pictures, videos and sounds, in it or behind the file's picture */
    HIDDEN_GAIN = 64,
    HIDDEN_MOTION = 128,
    HIDDEN_ORIGINAL = 256,
    HIDDEN_SOUND = 512,
    HIDDEN_LIST = 1024 /* others */
};

/* Returns whether a picture file stands anywhere in the bytes: a JPEG with a scan, or the signature of another format. */
bool hidden_raw(bytes in);

/* Fewer characters of codes are no picture. */
enum { HIDDEN_LEAST = 512 };

/* Returns the number of characters that may be of a picture: code_scan_total() of the text, and 0 of one that is shorter than
 * HIDDEN_LEAST. SIZE_MAX: the text begins as a picture does in base64, hex or numbers, or holds a data URL of a picture. */
size_t hidden_coded(bytes text);

/* Returns whether the bytes are, begin as or hold a picture. */
bool hidden_picture(bytes in);

/* Returns whether the bytes are text: no control characters but tabs and ends of lines; zeros at the end do not count. */
bool hidden_is_text(bytes in);

/* Appends the text of an XMP packet as UTF-8, without a byte order mark: it may be in UTF-8, UTF-16 or UTF-32. False: it is
 * damaged, or memory ran out. */
bool hidden_to_utf8(bytes text, blob *out);

#endif
