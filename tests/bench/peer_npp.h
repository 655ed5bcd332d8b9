/* NPP, the CUDA Toolkit's image primitives, measured beside ours. Device memory, dense rows; each call
 * queues on the stream and returns 0 where it has. */
#ifndef SATB_PEER_NPP_H
#define SATB_PEER_NPP_H

#include <stdint.h>

/* Builds a table of (width + 1) x (height + 1) words, since NPP's begins with a row and a column of
 * zeros. */
int peer_integral(const uint8_t *gray, int32_t *table, int width, int height, void *stream);

/* Blurs RGBA; the edge's pixels are repeated. */
int peer_box(const uint8_t *rgba, uint8_t *out, int width, int height, int radius, void *stream);

#endif
