/* Full validation of a JPEG of the usual kind, for decoders that report no damage, or do not tolerate it. */
#ifndef SATBLUR_APP_JPEG_VALIDATE_H
#define SATBLUR_APP_JPEG_VALIDATE_H

#include "base/blob.h"

#include <satblur.h>

typedef enum jpeg_verdict {
    JPEG_SOUND, /* of the usual kind, and all up to its end mark is whole and right */
    JPEG_UNUSUAL, /* of another kind, or with loose bytes between its segments: nothing else is known */
    JPEG_DAMAGED, /* of the usual kind, but its entropy-coded data does not fit the frame */
    JPEG_STARVED  /* there was not enough memory to find out */
} jpeg_verdict;

/* Validates a file against the shape that its header gave: every segment, and every code of the entropy-coded data.
 * The usual kind is: baseline, one scan, gray or YCbCr, the colours at full or half resolution. *size: the bytes of a
 * sound one up to its end mark; bytes behind it are no part of the picture. */
jpeg_verdict jpeg_validate(bytes in, const satb_image *shape, size_t *size);

/* Returns where the tables begin: behind the start mark, application segments and comments; 0 where that is not
 * found. */
size_t jpeg_head_size(bytes in);

#endif
