/* Pictures from files and into files. codec.c knows the formats, their limits and what each can hold; the other files
 * here know one library or format each. */
#ifndef SATBLUR_APP_CODEC_H
#define SATBLUR_APP_CODEC_H

#include "base/message.h"
#include "base/sink.h"
#include "image/pixels.h"
#include "image/shape.h"
#include "metadata/metadata.h"
#include "nvjpeg/nvjpeg.h"
#include "codec/codec_format.h"

#include <satblur.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prints which library reads and writes each format in this build, a line each. */
void codec_list(FILE *to);

/* --- Names ------------------------------------------------------------------------------------ */

/* Whether the file's name ends as that of a format, and is not hidden: case does not matter. */
bool codec_is_picture_name(const char *path);

/* Whether the word is a format's: "png", "jpg", ... */
bool codec_is_word(const char *word);

typedef struct format_words {
    char text[128];
} format_words;

/* "png, jpg, ... or tga": the words of all formats, each behind `dot` ("" or "."). */
format_words codec_words(const char *dot);

/* "PNG, JPEG, ... or TGA": the formats that are read. */
format_words codec_names_read(void);

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct picture {
    satb_image image;    /* data is for pixels_drop(), rows dense; 16-bit samples in native order */
    const char *format;  /* "PNG", ...; static memory */
    const char *library; /* that decoded it; static memory */
    int orientation;     /* 1, or how EXIF asks viewers to turn it: 2..8; not applied here */
    metadata meta;       /* as it was read */
    char note[256];      /* a sentence on damage that was passed over, so that the pixels may be wrong; or "" */
} picture;

/* The most pixels that a file may claim, unless more are allowed: 3 GiB of 8-bit RGB, while a PNG of
 * 64 KB can claim them. */
#define PICTURE_PIXELS ((uint64_t)1 << 30)

/* The limits of <satblur.h>, beyond which nothing is allowed: pixels a side, and in all. */
enum { PICTURE_SIDE = 1 << 24 };
#define PICTURE_PIXELS_MOST ((uint64_t)1 << 31)

/* Reads the file at path; settings NULL: all 0. On an error nothing is left to free and p names the
 * file. A file that claims too many pixels is refused before memory for them is taken. */
bool picture_load(picture *pic, const char *path, const decode_settings *settings, problem *p);

/* The same from memory; path serves the messages, and to tell a TGA, which has no signature. */
bool picture_decode(picture *pic, const void *data, size_t size, const char *path,
                    const decode_settings *settings, problem *p);

void picture_free(picture *pic);

/* --- Writing ---------------------------------------------------------------------------------- */

/* The format that the ending of path names; NULL and p where there is none. */
const codec *codec_for_output(const char *path, problem *p);

/* Finds the nearest shape to the picture's that the format can hold, as that choice of libraries writes it; note (a
 * sentence, or "") says what is lost. False and p, which names no file, where the format can hold no such picture. */
bool codec_fit(const codec *c, const satb_image *image, codec_choice choice, satb_image *fit,
               char note[128], problem *p);

/* Where the format has places for metadata. */
metadata_format codec_metadata(const codec *c);

/* Writes the picture, converted to what codec_fit() says, and tells the library that encoded it. On a GPU may be what
 * is to be a JPEG and need not be converted.
 * NULL and p (without a file name) when memory runs out or the format refuses; the sink's own
 * failure is left in to->failed, and is the caller's to explain. The bytes do not depend on the
 * threads. */
const char *codec_encode(const codec *c, const satb_image *image, const encode_settings *settings,
                         sink *to, problem *p);

#endif
