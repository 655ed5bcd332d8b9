/* Pieces of a file that several threads pack by zlib: strips of a TIFF, blocks of an EXR. */
#ifndef SATBLUR_APP_PIECES_H
#define SATBLUR_APP_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct piece {
    uint8_t *data;
    size_t size;
} piece;

typedef struct pieces_source {
    int count, level; /* pieces; of libdeflate */
    size_t most;      /* bytes of the largest piece, not packed */
    /* Writes a piece, not packed, at the start of `room`, which holds two of the largest. Returns its bytes, which is
     * where the second half begins. */
    size_t (*fill)(const void *user, int number, uint8_t *room);
    const void *user;
    bool stay; /* those that do not shrink are stored as fill() leaves them in the second half */
} pieces_source;

/* Returns the pieces, for pieces_free(). NULL: memory ran out. threads: at most; 0: one for each processor. */
piece *pieces_pack(const pieces_source *s, int threads);
void pieces_free(piece *all, int count); /* all: may be NULL */

#endif
