/* The chunks of a PNG (W3C PNG, third edition, clause 5): one reader, one writer. */
#ifndef SATBLUR_APP_PNG_CHUNK_H
#define SATBLUR_APP_PNG_CHUNK_H

#include "base/blob.h"

enum {
    PNG_SIGNATURE = 8, /* bytes; the first chunk, IHDR, follows */
    PNG_BEFORE = 8,    /* bytes of length and type before a chunk's data */
    PNG_BEHIND = 4     /* bytes of the checksum behind them */
};
#define PNG_SIGNATURE_TEXT "\x89PNG\r\n\x1a\n"

typedef struct png_chunk {
    bytes data, whole;   /* whole: with length, type and checksum; both lie in the file */
    const uint8_t *type; /* 4 bytes */
} png_chunk;

/* Reads the chunk at *at, which moves behind the chunk. False: the file ends before the chunk does; *at stays. */
bool png_next_chunk(bytes file, size_t *at, png_chunk *c);

/* Returns whether the type is these four letters. */
bool png_chunk_is(const png_chunk *c, const char *type);

/* Returns whether the checksum is right. */
bool png_chunk_is_sound(const png_chunk *c);

/* Writes what frames a chunk of `size` bytes of data: PNG_BEFORE bytes at chunk, where the data lie behind them
 * already, and PNG_BEHIND bytes behind the data. */
void png_frame_chunk(uint8_t *chunk, const char *type, size_t size);

#endif
