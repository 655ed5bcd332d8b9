/* The markers of a JPEG (ITU-T T.81, annex B). */
#ifndef SATBLUR_APP_JPEG_SEGMENT_H
#define SATBLUR_APP_JPEG_SEGMENT_H

#include "base/blob.h"

/* Returns the marker at or after *at, which moves behind it; 0 at the end of the file. */
int jpeg_next_marker(bytes in, size_t *at);

#endif
