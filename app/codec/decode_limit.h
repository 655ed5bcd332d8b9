#ifndef SATBLUR_APP_DECODE_LIMIT_H
#define SATBLUR_APP_DECODE_LIMIT_H

#include <satblur.h>

/* Limits a process of isolate.h to the time and memory that decoding a picture of that shape can take. Does nothing in the
 * process that the user started. */
void decode_limit(const satb_image *shape);

#endif
