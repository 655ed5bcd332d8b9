/* The table of formats, in the order in which files are matched. */
#ifndef SATBLUR_APP_CODEC_TABLE_H
#define SATBLUR_APP_CODEC_TABLE_H

#include "codec/codec_format.h"

/* Bits of codec.channels. */
enum { GRAY = 1u << 1, GRAY_ALPHA = 1u << 2, RGB = 1u << 3, RGBA = 1u << 4 };

extern const codec codecs[];
extern const int codec_count;

/* The formats that are known by their bytes and not read. */
typedef struct foreign_format {
    const char *name, *magic;
    size_t at, size;    /* of magic in a file */
    const char *remedy; /* NULL: "convert it to PNG" */
    bool is_optional;   /* builds with its library read it */
} foreign_format;

extern const foreign_format foreign_formats[];
extern const int foreign_count;

#endif
