/* Pictures from files and into files. codec.c knows the formats, their limits and what each can hold; the other files
 * here know one library or format each. The rooms above find pixels and nvJPEG through this header, too. */
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

/* Returns whether the file's name has the ending of a format that holds pictures, in whatever case. */
bool codec_is_picture_name(const char *path);

/* Returns whether it has the ending of a format whose files may be clips as well. */
bool codec_may_move(const char *path);

/* Returns whether the file's name has the ending of a picture's format or of a depth map's. */
bool codec_is_map_name(const char *path);

/* Returns whether it has the ending of a format whose files may hold the numbers of a depth map. */
bool codec_may_hold_numbers(const char *path);

/* Returns the ending for the output of a picture whose own format is only read. NULL: it is written, or no ending is known. */
const char *codec_ending_instead(const char *path);

typedef struct format_words {
    char text[128];
} format_words;

/* Returns "png, jpg, ... or tga": the words of all formats, each behind `dot` ("" or "."). */
format_words codec_words(const char *dot);

/* Returns "PNG, JPEG, ... or TGA": the formats that are read. */
format_words codec_names_read(void);

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct picture {
    satb_image image;    /* dense rows, for pixels_drop(); 16-bit samples in native order */
    const char *format;  /* "PNG", ...; static memory */
    const char *library; /* its decoder; static memory */
    unsigned white; /* the largest code in the file's own numbers: 255, 65535 or a PNM's maxval */
    values
        values; /* of a map without codes, with settings->as_map; image.data is NULL then. data NULL: none */
    int orientation; /* EXIF's, 1 to 8: not applied here */
    gain_map gain;   /* with GAIN_KEEP; without a turn, like the image */
    metadata meta;   /* as it was read */
    blob file;       /* with settings->keep_file: the whole file; for pixels_free() */
    char note[256];  /* on damage that was passed over, and what is not read or not kept; or "" */
} picture;

/* The most pixels that a file may claim, unless the settings allow more: 3 GiB of 8-bit RGB, which a PNG of 64 KB can
 * claim. */
#define PICTURE_PIXELS ((uint64_t)1 << 30)

/* Reads the file at path; settings NULL: all 0. False: p has a line with the file's name, and nothing is left to free. A
 * file that is no picture is refused by its first bytes, and one that claims too many pixels before memory for them is
 * taken. */
bool picture_load(picture *pic, const char *path, const decode_settings *settings, problem *p);

/* Does the same from memory. path is for messages, and for TGA, which has no signature. */
bool picture_decode(picture *pic, const void *data, size_t size, const char *path,
                    const decode_settings *settings, problem *p);

/* Frees the gain map, if there is one, and lists it in the metadata as lost. */
void picture_lose_gain(picture *pic);

/* Swaps the pixels of two pictures, and their gain maps. A gain map that pic so loses is listed in its metadata. */
void picture_swap_pixels(picture *pic, picture *other);

void picture_free(picture *pic);

/* --- Writing ---------------------------------------------------------------------------------- */

/* Returns the format of path's ending. NULL: there is none, and p has a line. */
const codec *codec_for_output(const char *path, problem *p);

/* Returns the format with that name ("PNG") or word ("png"). NULL: there is none that is written here, and p has a line. */
const codec *codec_by_word(const char *word, problem *p);

/* Finds the nearest shape to the picture's that the format can hold, as that choice of libraries writes it; note (a
 * sentence, or "") says what is lost. False and p, which names no file, where the format can hold no such picture. */
bool codec_fit(const codec *c, const satb_image *image, codec_choice choice, satb_image *fit,
               char note[128], problem *p);

/* Returns the format's name if its encoder has no such setting; NULL: it has. */
const char *codec_lacks(const codec *c, codec_setting setting);

/* Returns whether the format holds light alone. */
bool codec_holds_light(const codec *c);

/* Returns the kind of metadata that the format has places for. */
metadata_format codec_metadata(const codec *c);

/* Writes the picture, converted to the shape of codec_fit(), and returns the name of the library that encoded it. The image
 * may be on a GPU if it becomes a JPEG and need not be converted. NULL: memory ran out or the format refuses, and p has a
 * sentence without a file name. A failure of the sink is left in to->failed, for the caller to explain. The bytes do not
 * depend on the threads. */
const char *codec_encode(const codec *c, const satb_image *image, const encode_settings *settings,
                         sink *to, problem *p);

#endif
