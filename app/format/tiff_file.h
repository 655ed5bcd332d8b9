/* TIFF files in memory, by libtiff: its messages go to the file's struct, never to stderr. One thread at a time may use a
 * file; several files may be open on the same bytes. */
#ifndef SATBLUR_APP_TIFF_FILE_H
#define SATBLUR_APP_TIFF_FILE_H

#include "base/blob.h"
#include "base/message.h"

#include <tiffio.h>

typedef struct tiff_file {
    TIFF *tiff;
    bytes in;          /* that are read */
    blob out;          /* that are written; for the caller's blob_free() */
    uint64_t at;       /* the offset of the next byte */
    char error[160];   /* the first one; "" */
    char warning[160]; /* the last one since the caller has cleared it; "" */
} tiff_file;

/* Opens the file for reading, at its first picture. The library refuses to take more than `most` bytes at a time; 0: as much
 * as it asks for. False: f->error has the library's words. The struct must not move until tiff_close(). */
bool tiff_open(tiff_file *f, bytes in, uint64_t most);

/* Begins a file with numbers in little-endian order; is_big: for more than 4 GB (BigTIFF). False: memory ran out. */
bool tiff_create(tiff_file *f, bool is_big);

/* Closes the file. f->out and the messages remain. */
void tiff_close(tiff_file *f);

/* Returns whether the bytes begin as a TIFF or a BigTIFF does. */
bool tiff_begins(bytes in);

/* Sets "the TIFF is damaged (the library's words); ...", or that memory ran out. Returns false always. */
bool tiff_explain(const tiff_file *f, problem *p);

#endif
