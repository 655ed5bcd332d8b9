#ifndef SATBLUR_APP_DECODE_LIMIT_H
#define SATBLUR_APP_DECODE_LIMIT_H

#include <satblur.h>

#include <stdint.h>

/* Both limit a process of isolate.h, and do nothing in the process that the user started. */

/* Limits it to what opening a file can take, and for ever to what a picture of that many pixels can take. */
void decode_limit_begin(uint64_t max_pixels);

/* Limits it to the time and memory that decoding a picture of that shape can take. */
void decode_limit(const satb_image *shape);

#endif
